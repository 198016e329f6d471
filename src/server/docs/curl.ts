import { requests, responses } from '../../contract/examples.ts';
import { operations, type Operation, type OperationId } from '../../contract/operations.ts';

const BASE = '$DRAGOMAN_BASE_URL';

/**
 * A POSIX shell function that all examples call. The key goes to curl through a pipe: in an argument, every user of the
 * machine would see it in the list of processes.
 */
export const SHELL_FUNCTION = `api() {
  printf 'X-API-KEY: %s\\n' "$DRAGOMAN_API_KEY" |
    curl --silent --show-error --fail-with-body --header @- "$@"
}`;

/** How an operation is called with curl. Uploads send `messages.json`; calls for one job need `$JOB_ID`. */
export function curlOf(id: OperationId): string {
  const operation: Operation = operations[id];
  const command = operation.key ? 'api' : 'curl --silent --show-error --fail-with-body';
  const words = [...methodOf(operation), ...bodyOf(id, operation), addressOf(operation)];
  return `${command} ${words.join(words.join(' ').length > 90 ? ' \\\n  ' : ' ')}`;
}

function methodOf({ method }: Operation): readonly string[] {
  return method === 'DELETE' ? ['--request DELETE'] : [];
}

function bodyOf(id: OperationId, { carries }: Operation): readonly string[] {
  const examples: Readonly<Record<string, object>> = requests;
  if (carries === 'json') return [`--json ${quote(JSON.stringify(examples[id]))}`];
  if (carries !== 'form') return [];
  const { source_language, target_languages } = requests.createJob;
  return [
    'file=@messages.json',
    `source_language=${source_language}`,
    `target_languages=${target_languages}`,
  ].map((field) => `--form ${quote(field)}`);
}

function addressOf({ path }: Operation): string {
  const query = path.endsWith('/download') ? `?language_code=${requests.downloadJob.language_code}` : '';
  return `"${BASE}${path.replace('{job_id}', '$JOB_ID')}${query}"`;
}

/** A word of a POSIX shell that is exactly `text`. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What the example is answered with, as it is printed; undefined for a file. */
export function answerOf(id: OperationId): string | undefined {
  const examples: Readonly<Record<string, unknown>> = responses;
  return id in examples ? JSON.stringify(examples[id], null, 2) : undefined;
}

import { DragomanError } from '../../../base/errors.ts';
import { positionsIn } from '../../../base/span.ts';
import { signaturesOf, type Email } from '../../../formats/email/email.ts';
import { openEmailBytes } from '../../../documents/message/open-email.ts';
import { MESSAGES, type TranslatedMessage } from '../../../documents/message/translate-message.ts';
import type { CommandContext } from '../../output/command.ts';
import type { ExitCode } from '../../output/exit-code.ts';
import { nameWithLanguage, reportSkipped, STDOUT } from '../../documents/destinations.ts';
import { reportDryRun } from '../../documents/dry-run.ts';
import {
  type DocumentJob,
  finish,
  type JobWork,
  type NamedFile,
  pathOf,
  planJobs,
  runJobs,
  type TasksResult,
  type Written,
} from '../../documents/run.ts';
import { sourceOfDocument } from '../../documents/source-language.ts';
import { filesDocument, printFailures, unavailableDocument } from '../../documents/open-each.ts';
import { withTranslator } from '../../execution/translator.ts';
import { inInput, type EmailRun } from './run.ts';

interface OpenMessage extends NamedFile {
  readonly email: Email;
}

type MessageJob = DocumentJob<OpenMessage>;

interface MessageResult extends Omit<TranslatedMessage, 'email'> {
  readonly isUntouched: boolean;
  readonly subject: string | undefined;
}

type MessageWork = JobWork<MessageJob, MessageResult>;

/** Translates a message file: RFC 5322 with MIME. */
export async function runMessage(run: EmailRun, context: CommandContext): Promise<ExitCode> {
  const { terminal, output } = context;
  const { targets, options } = run;
  const { name, path } = run.file;
  const email = openEmailBytes(run.bytes, name);
  const { jobs, skipped } = await planJobs(
    {
      files: [{ name, path, email }],
      unreadable: [],
      targets,
      nameOf: (file, target) => nameWithLanguage(file.path ?? 'email.eml', target),
    },
    { flags: options, cwd: terminal.cwd, prefersStandardOutput: path === undefined },
  );
  if (output.json && jobs.some(({ destination }) => destination === STDOUT)) {
    throw new DragomanError('usage', 'with --json a message does not go to standard output too', {
      hint: 'Name a file or a directory with -o.',
    });
  }
  warn(email, name, context);
  if (options.dryRun) {
    const textsOf = (): readonly string[] => MESSAGES.textsOf(email);
    return reportDryRun({ jobs, skipped, unreadable: [], textsOf }, options, context);
  }
  const source = await sourceOfDocument(MESSAGES, email, { named: run.source, what: name });
  const result = await withTranslator(options, context, async ({ engine, resources, stopped }) => {
    const translate: MessageWork['translate'] = async (job, onProgress) => {
      const { email: message, ...translated } = await MESSAGES.translate(email, {
        ...resources,
        engine,
        source,
        target: job.target,
        signal: terminal.signal,
        concurrency: options.concurrency,
        onProgress,
      });
      return { ...translated, subject: message.subject?.value, isUntouched: message.text === email.text };
    };
    try {
      const extentOf = (): number => MESSAGES.textsOf(email).length;
      return await runJobs(jobs, { translate, extentOf, unit: 'texts', stopped }, context);
    } catch (failure) {
      throw inInput(failure, name);
    }
  });
  return finish(result, [], report(result, skipped, context), output);
}

function warn(email: Email, name: string, { output }: CommandContext): void {
  const positionOf = positionsIn(email.text);
  for (const { offset, message } of email.warnings) {
    const { line, column } = positionOf(offset);
    output.warning(message, `${name}:${line}:${column}`);
  }
  for (const signature of signaturesOf(email)) {
    output.warning(`the ${signature} signature is not valid for the translation`, name);
  }
}

/** Prints what was done. @returns the document of `--json` */
function report(
  { done, unavailable }: TasksResult<MessageJob, Written<MessageJob, MessageResult>>,
  skipped: readonly string[],
  { output }: CommandContext,
): object {
  reportSkipped(skipped, output);
  for (const { file, target, destination, failures } of done) {
    if (!output.json && destination !== STDOUT) output.path(destination);
    printFailures(file, target, failures, output);
  }
  const files = done.map((written) => ({
    source: written.file.name,
    language_code: written.target,
    path: pathOf(written),
    file_size: written.size,
    subject: written.subject ?? null,
    texts: written.texts,
    failed_texts: written.failures.length,
    failures: written.failures,
  }));
  const failed = unavailable.map(({ item: { file, target }, error }) => ({
    source: file.name,
    language_code: target,
    path: null,
    ...unavailableDocument(error),
  }));
  return filesDocument([...files, ...failed], { unreadable: [], skipped });
}

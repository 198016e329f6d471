import { FILE_TYPES, WEBHOOK_EVENT } from '../../contract/jobs.ts';
import * as contract from '../../contract/limits.ts';
import { operations, type Operation } from '../../contract/operations.ts';
import { WEBHOOK_HEADERS } from '../../webhooks/signature.ts';

/** What the document says beside its operations, in CommonMark with tables. */
export function overview(): string {
  return [
    `Every request except \`GET /health\` needs the header \`X-API-KEY\` (case-sensitive). If the key is valid, the
answer has the state of its rate limit. A machine-readable description is
[openapi.json](openapi.json) (OpenAPI 3.1).`,
    section('Limits', limits()),
    section('Credits', credits()),
    section('Errors', errors()),
    section('Webhooks', webhooks()),
  ].join('\n\n');
}

const section = (title: string, text: string): string => `## ${title}\n\n${text}`;

function limits(): string {
  const number = (value: number): string => value.toLocaleString('en');
  const rows = [
    [
      'Requests of a key',
      `${contract.RATE_LIMIT} in a window of ${contract.RATE_WINDOW_MS / 1000} seconds, unless the operator chose otherwise`,
    ],
    ['text, subject', `1 to ${number(contract.MAX_TEXT)} characters`],
    ['texts', `1 to ${contract.MAX_TEXTS} entries`],
    ['html', `1 to ${number(contract.MAX_HTML)} characters`],
    ['email_body', `1 to ${number(contract.MAX_EMAIL_BODY)} characters`],
    [
      'file of a job',
      `${contract.MAX_FILE_BYTES >> 20} MiB (${number(contract.MAX_FILE_BYTES)} bytes); ${Object.keys(FILE_TYPES).join(', ')}`,
    ],
    ['target_languages of a job', `1 to ${contract.MAX_TARGET_LANGUAGES}`],
    [
      'A webhook',
      `${contract.WEBHOOK_TIMEOUT_MS / 1000} seconds to answer, ${contract.WEBHOOK_RETRIES} retries`,
    ],
  ] as const;
  return `${table(['What', 'Limit'], rows)}

Characters are Unicode code points. Answers to requests with a valid key have \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds since 1970); an answer 429 also has \`Retry-After\` (seconds). A
server without a rate limit sends none of them.`;
}

function credits(): string {
  const rows = Object.values(operations).map(
    ({ method, path, price }) => [`${method} ${path}`, price] as const,
  );
  return `${table(['Operation', 'Credits'], rows)}

Credits are reserved before the work and charged for what succeeds: a request that fails costs nothing. If the
account lacks credits, the request is refused with 402 before any work is done.`;
}

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  return [head, ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function errors(): string {
  return `Every error is a JSON object with one field \`detail\`; a download's 400 and 404 have \`error\` instead. Unknown paths
are 404, other methods 405.

\`\`\`json
{"detail": "insufficient credits: 3 remaining, 10 required"}
\`\`\`

${listing('A missing key', 'missing', 401)} It is 403 elsewhere. ${listing('An unknown key', 'invalid', 401)} It is 403
elsewhere. A key that was revoked or reset, or has expired, is 403 everywhere.

After 429 and 503 wait as long as \`Retry-After\` says and send the request again. A request whose answer was lost may have
been worked on and charged.`;
}

function listing(what: string, kind: 'missing' | 'invalid', status: number): string {
  const named = Object.values<Operation>(operations).filter(({ key }) => key?.[kind] === status);
  return `${what} is ${status} at ${named.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`;
}

/** Runs as it stands with Node; the secret is that of the account (`dragoman keys webhook-secret`). */
export const VERIFY_EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// headers: names in lower case. body: the bytes as they arrived, before anything parses them.
export function isGenuine(secret, headers, body) {
  const id = headers['${WEBHOOK_HEADERS.id}'];
  const timestamp = headers['${WEBHOOK_HEADERS.timestamp}'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !(age <= 300)) return false; // an old request that was recorded is not taken again
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return (headers['${WEBHOOK_HEADERS.signature}'] ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

function webhooks(): string {
  return `When a job that was created with a \`webhook_url\` has ended, \`${WEBHOOK_EVENT}\` is sent there with POST. Answer with
a status of 200-299 within ${contract.WEBHOOK_TIMEOUT_MS / 1000} seconds; otherwise the event comes again, up to
${contract.WEBHOOK_RETRIES} times, with growing pauses. It may come more than once with the same \`${WEBHOOK_HEADERS.id}\`:
keep the ids that are done.

Only HTTPS addresses are called, with a valid certificate; redirects are not followed. Requests are signed as Standard
Webhooks are: check the signature before you trust one.

\`\`\`js
${VERIFY_EXAMPLE}\`\`\``;
}

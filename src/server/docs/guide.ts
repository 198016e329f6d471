import { FILE_TYPES, WEBHOOK_EVENT } from '../../contract/jobs.ts';
import * as contract from '../../contract/limits.ts';
import { operationDescriptions } from '../../contract/descriptions.ts';
import { operations, type Operation } from '../../contract/operations.ts';
import { WEBHOOK_HEADERS } from '../../webhooks/signature.ts';
import { quote, SHELL_FUNCTION } from './curl.ts';
import { html, type Markup } from './html.ts';

/** What the page says beside its endpoints. */

export function introduction(baseUrl: string): Markup {
  const setup = `export DRAGOMAN_BASE_URL=${quote(baseUrl)}
read -rs DRAGOMAN_API_KEY   # paste the key; it does not show
${SHELL_FUNCTION}
api "$DRAGOMAN_BASE_URL/v2/account/summary"`;
  return html`<p>
      Translates texts, documents and localization files, and detects languages. A machine-readable
      description is <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    <p>
      Every request but that of the health carries the header <code>X-API-KEY</code>, written just so. The
      examples below call a function of the shell, which gives the key to curl (7.82 or newer) through a pipe:
      in an argument, every user of the machine could read it in the list of processes.
    </p>
    <pre><code>${setup}</code></pre> `;
}

export function limits(): Markup {
  const number = (value: number): string => value.toLocaleString('en');
  return rowsOf(
    ['What', 'Limit'],
    [
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
    ],
    html`<p>
      Characters are Unicode code points. Answers to requests with a valid key have
      <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
      <code>X-RateLimit-Reset</code> (seconds since 1970); an answer 429 also has
      <code>Retry-After</code> (seconds). A server without a rate limit sends none of them.
    </p>`,
  );
}

export function credits(): Markup {
  const rows = Object.entries(operations).map(([id, { method, path }]) => {
    const described: Readonly<Record<string, { readonly credits: string }>> = operationDescriptions;
    return [`${method} ${path}`, described[id]?.credits ?? ''] as const;
  });
  return rowsOf(
    ['Operation', 'Credits'],
    rows,
    html`<p>
      Credits are reserved before the work and charged for what succeeds: a request that fails costs nothing.
      One that the account lacks credits for is refused with 402 before anything is done.
    </p>`,
  );
}

export function errors(): Markup {
  return html`<p>
      Every error is a JSON object with one field <code>detail</code>; a download’s 400 and 404 have
      <code>error</code> instead. Unknown paths are 404, other methods 405.
    </p>
    <pre><code>{"detail": "insufficient credits: 3 remaining, 10 required"}</code></pre>
    <p>
      ${listing('A missing key', 'missing', 401)} It is 403 elsewhere.
      ${listing('An unknown key', 'invalid', 401)} It is 403 elsewhere. A key that was revoked or reset is 403
      everywhere.
    </p>
    <p>
      After 429 and 503 wait as long as <code>Retry-After</code> says and send the request again. A request
      whose answer was lost may have been worked on and charged.
    </p> `;
}

function listing(what: string, kind: 'missing' | 'invalid', status: number): Markup {
  const paths = Object.values<Operation>(operations).filter(({ key }) => key?.[kind] === status);
  const codes = paths.map(
    ({ method, path }, i) => html`${i === 0 ? '' : ', '}<code>${method} ${path}</code>`,
  );
  return html`${what} is ${status} at ${codes}.`;
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

export function webhooks(): Markup {
  return html`<p>
      When a job that was created with a <code>webhook_url</code> has ended, <code>${WEBHOOK_EVENT}</code> is
      sent there with POST. Answer with a status of 200-299 within ${contract.WEBHOOK_TIMEOUT_MS / 1000}
      seconds; otherwise the event comes again, up to ${contract.WEBHOOK_RETRIES} times, with growing pauses.
      It may come more than once with the same <code>${WEBHOOK_HEADERS.id}</code>: keep the ids that are done.
    </p>
    <p>
      Only HTTPS addresses are called, with a valid certificate; redirects are not followed. Requests are
      signed as Standard Webhooks are: check the signature before you trust one.
    </p>
    <pre><code>${VERIFY_EXAMPLE}</code></pre> `;
}

type GuideRow = readonly [string, string];

function rowsOf(head: GuideRow, rows: readonly GuideRow[], after: Markup): Markup {
  const cells = rows.map(
    ([what, value]) =>
      html`<tr>
        <td>${what}</td>
        <td>${value}</td>
      </tr> `,
  );
  return html`<div class="table">
      <table>
        <thead>
          <tr>
            <th>${head[0]}</th>
            <th>${head[1]}</th>
          </tr>
        </thead>
        <tbody>
          ${cells}
        </tbody>
      </table>
    </div>
    ${after} `;
}

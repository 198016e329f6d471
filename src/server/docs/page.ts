import { createHash } from 'node:crypto';
import { operationDescriptions, topics } from '../../contract/descriptions.ts';
import { operations, type Operation, type OperationId } from '../../contract/operations.ts';
import { answerOf, curlOf } from './curl.ts';
import { FieldTables } from './fields.ts';
import { credits, errors, introduction, limits, webhooks } from './guide.ts';
import { html, prose, type Markup } from './html.ts';
import { describedFailures } from './openapi-responses.ts';
import { convertContract, convertFields, convertForm } from './openapi-schemas.ts';

/** Readable on a telephone and in the dark; nothing of it is fetched. */
const STYLE = `
:root { color-scheme: light dark; --line: #8886; --code: #8881; --link: #0a58ca; --quiet: #666; }
@media (prefers-color-scheme: dark) { :root { --link: #7fb2ff; --quiet: #aaa; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { line-height: 1.2; margin: 1rem 0; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 .3rem; }
h4 { margin: 1.2rem 0 .3rem; font-size: .95rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
nav ul { columns: 24rem; padding: 0; margin: .5rem 0; list-style: none; font-size: .95rem; }
nav li { break-inside: avoid; padding: .15rem 0; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); padding: .1em .3em; border-radius: .2rem; }
pre { background: var(--code); padding: .8rem; border-radius: .4rem; overflow-x: auto; overflow-wrap: normal; }
pre code { background: none; padding: 0; font-size: 1em; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
td code { white-space: nowrap; }
td:last-child { min-width: 14rem; }
.method { display: inline-block; min-width: 3.6rem; font-weight: 700; }
.path { font-size: 1.05rem; }
.quiet { color: var(--quiet); }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--link); }
`;

/** The `Content-Security-Policy` that the page is to be sent with: nothing is loaded, run, sent or framed. */
export const DOCS_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/**
 * The documentation of the service for people: one page of HTML without scripts, made from what the OpenAPI document is
 * made from.
 *
 * @param baseUrl where the service is reached, without a slash at the end
 */
export function docsPage(baseUrl: string): string {
  const ids = Object.keys(operations).filter(isOperation);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Translation service</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <h1>Translation service</h1>
        ${introduction(baseUrl)}
        <nav aria-label="Contents">
          <h2>Contents</h2>
          <ul>
            ${ids.map(
              (id) => html`<li><a href="#${id}">${operations[id].method} ${operations[id].path}</a></li> `,
            )}${GUIDES.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li> `)}
          </ul>
        </nav>
        <main>
          ${Object.entries(topics).map(([topic, about]) => describeTopic(topic, about, ids))}
          ${GUIDES.map(
            ([id, title, write]) =>
              html`<section>
                <h2 id="${id}">${title}</h2>
                ${write()}
              </section> `,
          )}
        </main>
      </body>
    </html> `;
  return page.markup;
}

/** Nothing may stand between the tags but what the policy has the hash of. */
const STYLE_ELEMENT: Markup = { markup: `<style>${STYLE}</style>` };

const GUIDES = [
  ['limits', 'Limits', limits],
  ['credits', 'Credits', credits],
  ['errors', 'Errors', errors],
  ['webhooks', 'Webhooks', webhooks],
] as const;

function isOperation(id: string): id is OperationId {
  return Object.hasOwn(operations, id);
}

function describeTopic(topic: string, about: string, ids: readonly OperationId[]): Markup {
  const schemas = convertContract();
  const tables = new FieldTables(schemas.components);
  const members = ids.filter((id) => operationDescriptions[id].topic === topic);
  return html`<section>
    <h2>${topic}</h2>
    <p>${about}</p>
    ${members.map((id) => describeOperation(id, tables, schemas.nameOf))}
  </section> `;
}

type NameOf = ReturnType<typeof convertContract>['nameOf'];

function describeOperation(id: OperationId, tables: FieldTables, nameOf: NameOf): Markup {
  const operation: Operation = operations[id];
  const { summary, description, credits: cost } = operationDescriptions[id];
  const answer = answerOf(id);
  return html`<article>
    <h3 id="${id}">${summary}</h3>
    <p class="path"><span class="method">${operation.method}</span> <code>${operation.path}</code></p>
    <p>${prose(description)}</p>
    <p class="quiet">Credits: ${cost}.${operation.key ? '' : ' No key is needed.'}</p>
    <pre><code>${curlOf(id)}</code></pre>
    ${describeRequest(operation, tables, nameOf)}
    <h4>Answer ${operation.status}</h4>
    ${operation.response ? tables.ofComponent(nameOf(operation.response)) : html`<p>The file.</p>`}
    ${
      answer === undefined
        ? html``
        : html`<details>
            <summary>Example</summary>
            <pre><code>${answer}</code></pre>
          </details>`
    }
    ${describeFailures(operation)}
  </article> `;
}

function describeRequest({ request, carries }: Operation, tables: FieldTables, nameOf: NameOf): Markup {
  if (!request) return html``;
  if (carries === 'json')
    return html`<h4>Request: JSON</h4>
      ${tables.ofComponent(nameOf(request))}`;
  const title = carries === 'form' ? 'Request: multipart/form-data' : 'Query';
  return html`<h4>${title}</h4>
    ${tables.of(carries === 'form' ? convertForm(request) : convertFields(request))}`;
}

function describeFailures(operation: Operation): Markup {
  const failures = describedFailures(operation);
  if (failures.length === 0) return html``;
  return html`<details>
    <summary>Errors</summary>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          ${failures.map(
            ({ status, description }) =>
              html`<tr>
                <td>${status}</td>
                <td>${description}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
  </details> `;
}

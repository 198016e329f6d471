import { createHash } from 'node:crypto';
import {
  operationsOf,
  responseOf,
  schemaOf,
  type ApiDocument,
  type ApiOperation,
  type PlacedOperation,
} from './document.ts';
import { FieldTables } from './fields.ts';
import { codeBlock, html, markdown, scrollable, type Markup } from './html.ts';
import { samplesOf, setupOf } from './samples.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** The page's `Content-Security-Policy`: nothing is loaded, sent or framed, and only its own script runs. */
export const DOCS_POLICY = [
  `default-src 'none'`,
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A section listed in the table of contents. */
interface Section {
  readonly title: string;
  readonly entries: readonly { readonly id: string; readonly title: string }[];
  readonly content: Markup;
}

const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;

/** The service's documentation for people: one self-contained HTML page. */
export function docsPage(document: ApiDocument): string {
  const { info } = document;
  const [introduction = '', ...guides] = info.description.split(/^## /m);
  const sections = [
    ...document.tags.map((tag) => tagSection(document, tag)),
    eventSection(document),
    guideSection(guides),
  ].filter(({ entries }) => entries.length > 0);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        <link rel="icon" href="data:," />
        ${{ markup: `<style>${STYLE}</style>` }}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${contents([{ title: info.title, entries: BEFORE, content: html`` }, ...sections])}
        <main id="content">
          <h1>${info.title}</h1>
          <p>${info.summary}</p>
          ${markdown(introduction)}
          <h2 id="samples">Samples</h2>
          <p>
            The samples take the address and the key from environment variables, and the id of a job from
            <code>JOB_ID</code>. Those for curl (7.82 or newer) call a shell function, which passes the key to
            curl through a pipe: every user of the machine could read an argument in the process list. Those
            for JavaScript need Node 20 or newer, those for Python 3.8 or newer; neither needs packages.
          </p>
          ${codeBlock(setupOf(document), 'Set-up')} ${sections.map(({ content }) => content)}
        </main>
        <p id="status" role="status" class="skip"></p>
        ${{ markup: `<script>${SCRIPT}</script>` }}
      </body>
    </html> `;
  return page.markup;
}

const BEFORE = [{ id: 'samples', title: 'Samples' }];

function contents(sections: readonly Section[]): Markup {
  return html`<nav aria-label="Contents">
    ${sections.map(
      ({ title, entries }) =>
        html`<h2>${title}</h2>
          <ul>
            ${entries.map((entry) => html`<li><a href="#${entry.id}">${entry.title}</a></li> `)}
          </ul> `,
    )}
  </nav>`;
}

function tagSection(document: ApiDocument, { name, description }: ApiDocument['tags'][number]): Section {
  const members = operationsOf(document.paths).filter(({ tags }) => tags.includes(name));
  return {
    title: name,
    entries: members.map(({ operationId, method, path }) => ({
      id: operationId,
      title: `${method} ${path}`,
    })),
    content: html`<section>
      <h2>${name}</h2>
      ${markdown(description)} ${members.map((operation) => describeOperation(document, operation))}
    </section> `,
  };
}

function eventSection(document: ApiDocument): Section {
  const events = operationsOf(document.webhooks);
  return {
    title: 'Events',
    entries: events.map(({ operationId, path }) => ({ id: operationId, title: path })),
    content: html`<section>
      <h2>Events</h2>
      ${events.map(
        (event) =>
          html`<article>
            <h3 id="${event.operationId}">${event.summary}</h3>
            <p class="path"><code>${event.path}</code></p>
            ${markdown(event.description)} ${describeRequest(document, event)}
          </article>`,
      )}
    </section> `,
  };
}

function guideSection(guides: readonly string[]): Section {
  const parts = guides.map((guide) => {
    const [title = '', ...lines] = guide.split('\n');
    return { id: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title, text: lines.join('\n') };
  });
  return {
    title: 'Guides',
    entries: parts,
    content: html`${parts.map(
      ({ id, title, text }) =>
        html`<section>
          <h2 id="${id}">${title}</h2>
          ${markdown(text)}
        </section> `,
    )}`,
  };
}

function describeOperation(document: ApiDocument, operation: PlacedOperation): Markup {
  const { operationId, method, path, summary, description, security } = operation;
  return html`<article>
    <h3 id="${operationId}">${summary}</h3>
    <p class="path"><span class="method">${method}</span> <code>${path}</code></p>
    ${markdown(description)} ${security?.length === 0 ? html`<p>No key is needed.</p>` : html``}
    ${describeSamples(document, operation)} ${describeRequest(document, operation)}
    ${describeAnswers(document, operation)}
  </article> `;
}

function describeSamples(document: ApiDocument, operation: PlacedOperation): Markup {
  const samples = samplesOf(document, operation);
  return html`<div class="languages" role="group" aria-label="Language of the samples" hidden>
      ${samples.map(
        ({ language }) => html`<button type="button" value="${language}">${LANGUAGES[language]}</button> `,
      )}
    </div>
    ${samples.map(
      ({ language, source }) =>
        html`<figure data-language="${language}">
          <figcaption>${LANGUAGES[language]}</figcaption>
          ${codeBlock(source, `${operation.summary}, ${LANGUAGES[language]}`)}
        </figure> `,
    )}`;
}

const BODIES: Readonly<Record<string, string>> = { 'application/json': 'JSON' };

function describeRequest(
  document: ApiDocument,
  { parameters = [], requestBody, summary }: ApiOperation,
): Markup {
  const tables = new FieldTables((schema) => schemaOf(document, schema));
  const places = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ] as const;
  return html`${places.map(([place, title]) => {
    const rows = parameters.filter((parameter) => parameter.in === place);
    return rows.length === 0
      ? html``
      : html`<h4>${title}</h4>
          ${tables.ofParameters(rows, `${summary}: ${title}`)}`;
  })}${Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) =>
      html`<h4>Request: ${BODIES[type] ?? type}</h4>
        ${tables.of(schema, `${summary}: request`)} `,
  )}`;
}

function describeAnswers(document: ApiDocument, { responses, summary }: ApiOperation): Markup {
  const tables = new FieldTables((schema) => schemaOf(document, schema));
  const answers = Object.entries(responses).map(
    ([status, response]) => [status, responseOf(document, response)] as const,
  );
  const failures = answers.filter(([status]) => !status.startsWith('2'));
  return html`${answers
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description, content = {} }]) => {
      const json = content['application/json'];
      return html`<h4>Answer ${status}</h4>
        ${json ? tables.of(json.schema, `${summary}: answer`) : markdown(description)}
        ${
          json?.example === undefined
            ? html``
            : html`<details>
                <summary>Example</summary>
                ${codeBlock(JSON.stringify(json.example, null, 2), `${summary}: example of an answer`)}
              </details> `
        }`;
    })}${
    failures.length === 0
      ? html``
      : html`<details>
          <summary>Errors</summary>
          ${scrollable(
            `${summary}: errors`,
            ['Status', 'When'],
            failures.map(([status, { description }]) => [html`${status}`, html`${description}`]),
          )}
        </details> `
  }`;
}

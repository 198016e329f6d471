import { createHash } from 'node:crypto';
import { escapeControls } from '../../base/escape-controls.ts';
import { html, type Markup } from '../../base/markup.ts';
import { VERSION } from '../../base/version.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { summarize, type PageKind, type ProjectSummary } from './summary.ts';

/** A file that begins with this is a report, and may be replaced by one. */
export const MARKER = '<!doctype html><!-- dragoman report -->\n';

/** Nothing is loaded, sent or framed, and nothing runs but what is known by its hash. */
const POLICY = [
  `default-src 'none'`,
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** What comes before the data: it is written while the work is still going on. */
export function pageHead(): Markup {
  const head = html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="generator" content="dragoman ${VERSION}" />
    <title>Translations</title>
    ${STYLE_ELEMENT}
  </head>`;
  return { markup: `${MARKER}<html lang="en">${head.markup}<body>\n` };
}

export interface PageEnd {
  readonly kind: PageKind;
  readonly projects: readonly ProjectSummary[];
  readonly time: Date;
  /** Why the page does not have everything, if it does not. */
  readonly notices: readonly string[];
  readonly redact: (text: string) => string;
}

const TITLES: Readonly<Record<PageKind, string>> = {
  sync: 'after dragoman sync',
  'dry-run': 'as dragoman sync would find them',
  frozen: 'as dragoman sync --frozen found them',
  status: 'as dragoman status found them',
};

/** What comes behind the data. */
export function pageTail({ kind, projects, time, notices, redact }: PageEnd): Markup {
  const names = projects.map(({ name }) => name).join(', ');
  const when = time.toISOString();
  return html`<main>
      <h1>Translations</h1>
      <p class="quiet">
        ${escapeControls(names)}, ${TITLES[kind]}, <time datetime="${when}">${when.slice(0, 16).replace('T', ' ')} UTC</time>
      </p>
      ${notices.map((notice) => html`<p class="banner" role="note">${escapeControls(redact(notice))}</p> `)}
      ${summarize(projects, kind, redact)}
      <noscript><p class="banner">To look at the single keys, allow this page its script.</p></noscript>
      <section id="keys" hidden aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        ${filters(kind)}
        <p id="count" role="status" aria-live="polite"></p>
        <div class="scroll">
          <table>
            <caption>
              Source and translation side by side
            </caption>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Source</th>
                <th scope="col">Translation</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody id="rows"></tbody>
          </table>
        </div>
        <nav class="pages" aria-label="Pages">
          <button type="button" id="previous">Previous</button>
          <button type="button" id="next">Next</button>
          <label class="check">Page <input id="page" type="number" min="1" value="1" /></label>
          <span id="of"></span>
        </nav>
      </section>
    </main>
    ${SCRIPT_ELEMENT}</body></html> `;
}

function filters(kind: PageKind): Markup {
  return html`<form id="filters" role="search" autocomplete="off">
    <label class="wide">
      Search in keys, sources and translations (press /)
      <input id="q" type="search" />
    </label>
    <label>
      Language
      <select id="lang">
        <option value="">all</option>
      </select>
    </label>
    <label>
      File
      <select id="file">
        <option value="">all</option>
      </select>
    </label>
    <label>
      Status
      <select id="status">
        <option value="">all</option>
        ${options(STANDINGS)}${kind === 'sync' ? html`<optgroup label="In this run">${options(ACTIONS)}</optgroup>` : html``}
      </select>
    </label>
    <label>
      Translated by
      <select id="by">
        <option value="">all</option>
        <option value="memory:any">translation memory</option>
        <option value="memory:human">memory, by a human</option>
        <option value="memory:machine">memory, by an engine</option>
      </select>
    </label>
    <label class="check"><input id="problems" type="checkbox" /> only problems</label>
    <button type="button" id="reset">Show all</button>
  </form>`;
}

const STANDINGS = [
  ['translated', 'translated'],
  ['missing', 'missing'],
  ['stale', 'stale'],
  ['edited', 'edited by a person'],
  ['unknown', 'there before the first sync'],
  ['outdated', 'of an older source, kept'],
  ['extra', 'not in the source'],
] as const;

const ACTIONS = [
  ['run:translated', 'translated'],
  ['run:reused', 'taken over from a renamed key'],
  ['run:kept', 'left as they were'],
  ['run:failed', 'failed'],
  ['run:left', 'left to the next run'],
] as const;

function options(all: readonly (readonly [value: string, text: string])[]): readonly Markup[] {
  return all.map(([value, text]) => html`<option value="${value}">${text}</option> `);
}

/** Nothing may stand between the tags but what the policy has the hash of. */
const STYLE_ELEMENT: Markup = { markup: `<style>${STYLE}</style>` };
const SCRIPT_ELEMENT: Markup = { markup: `<script>${SCRIPT}</script>` };

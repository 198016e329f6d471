import { createHash } from 'node:crypto';
import { escapeControls } from '../../../base/escape-controls.ts';
import { html, type Markup } from '../../../base/markup.ts';
import { VERSION } from '../../../base/version.ts';
import { SCRIPT } from './script.ts';
import { type PageKind, type ProjectSummary, summarize } from './summary.ts';

/** Marks a file as a report, which another report may replace. */
export const MARKER = '<!doctype html><!-- dragoman report -->\n';

/** Readable on a phone, in dark mode and on paper; loads no resources. */
const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1b1b1b; --quiet: #5c5c5c; --line: #8886; --tint: #8881;
  --link: #0a58ca; --bad: #b3261e; --warn: #8a5300; --good: #1b6e3c; --code: #5b3fb0; --sign: #a3481d; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #e8e8e8; --quiet: #b0b0b0;
  --link: #8ab4ff; --bad: #ff9d95; --warn: #ffc46b; --good: #7fd69c; --code: #c3b0ff; --sign: #ffb38a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: .5rem 0 0; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
.quiet, caption { color: var(--quiet); }
.banner { padding: .6rem .8rem; border: 2px solid var(--warn); border-radius: .4rem; }
.bad { color: var(--bad); } .warn { color: var(--warn); } .good { color: var(--good); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; padding: .3rem 0; }
th, td { text-align: start; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--quiet); vertical-align: bottom; }
.summary { overflow-wrap: normal; font-variant-numeric: tabular-nums; font-size: .925rem; }
.summary th, .summary td { padding-inline-end: .55rem; }
.summary tbody th { overflow-wrap: anywhere; min-width: 8rem; } .done { white-space: nowrap; }
.summary td.number, .summary th.number { text-align: end; }
progress { width: 5rem; accent-color: var(--good); vertical-align: middle; }
summary { cursor: pointer; padding: .3rem 0; }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; padding: .6rem 0; }
label { display: grid; font-size: .9rem; color: var(--quiet); max-width: 100%; }
label.check { display: flex; gap: .4rem; align-items: center; padding: .35rem 0; }
label.wide { flex: 1 1 16rem; }
input, select, button { font: inherit; color: var(--text); background: var(--back); padding: .3rem .5rem;
  border: 1px solid var(--quiet); border-radius: .3rem; max-width: 100%; }
select { max-width: 22rem; }
button:disabled { opacity: .5; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
#keys table { table-layout: fixed; min-width: 50rem; }
#keys th:nth-child(1) { width: 22%; } #keys th:nth-child(4) { width: 18%; }
#keys th[scope=row] { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
#keys td, #keys th { font-weight: 400; }
.text { white-space: pre-wrap; max-height: 22rem; overflow: auto; }
.code { color: var(--code); background: var(--tint); border-radius: .2rem; }
.sign { color: var(--sign); border: 1px solid currentColor; border-radius: .2rem; padding: 0 .15em; font-size: .8em; }
.place, .note { display: block; font: .85rem/1.4 system-ui, sans-serif; color: var(--quiet); }
.pages { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .6rem 0; }
#page { width: 6rem; }
ul.problems { margin: .2rem 0; padding-inline-start: 1.1rem; }
@media (max-width: 50rem) {
  #keys table { min-width: 0; }
  #keys thead { position: absolute; clip-path: inset(50%); }
  #keys table, #keys tbody, #keys caption { display: block; }
  #keys tr { display: grid; gap: .2rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  #keys tbody th, #keys td { border: 0; padding: 0; width: auto; }
  #keys tbody th:nth-child(1), #keys tbody td:nth-child(4) { width: auto; }
  #keys td:nth-child(2), #keys td:nth-child(3) { padding-inline-start: .6rem; border-inline-start: 3px solid var(--line); }
  .summary tbody th { min-width: 5rem; } progress { width: 3rem; }
}
@media print { form, .pages { display: none; } }
`;

/** Forbids loading, sending and framing, and allows only scripts with a known hash. */
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

/** The part before the data: written while the work is still running. */
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

interface PageEnd {
  readonly kind: PageKind;
  readonly projects: readonly ProjectSummary[];
  readonly time: Date;
  /** Why the page is incomplete, if it is. */
  readonly notices: readonly string[];
  readonly redact: (text: string) => string;
}

const TITLES: Readonly<Record<PageKind, string>> = {
  sync: 'after dragoman sync',
  'dry-run': 'as dragoman sync would find them',
  frozen: 'as dragoman sync --frozen found them',
  status: 'as dragoman status found them',
};

/** The part after the data. */
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
      <noscript><p class="banner">To see individual keys, allow scripts on this page.</p></noscript>
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
        ${options(KEY_STATUSES)}${kind === 'sync' ? html`<optgroup label="In this run">${options(ACTIONS)}</optgroup>` : html``}
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

const KEY_STATUSES = [
  ['translated', 'translated'],
  ['missing', 'missing'],
  ['unmatched', 'without a clear counterpart'],
  ['stale', 'stale'],
  ['review', 'marked for review'],
  ['edited', 'edited by a person'],
  ['unknown', 'present before the first sync'],
  ['outdated', 'of an older source, kept'],
  ['extra', 'not in the source'],
] as const;

const ACTIONS = [
  ['run:translated', 'translated'],
  ['run:reused', 'reused from a renamed key'],
  ['run:kept', 'left as they were'],
  ['run:failed', 'failed'],
  ['run:left', 'left for the next run'],
] as const;

function options(all: readonly (readonly [value: string, text: string])[]): readonly Markup[] {
  return all.map(([value, text]) => html`<option value="${value}">${text}</option> `);
}

/** The tags must contain exactly the text whose hash is in the policy. */
const STYLE_ELEMENT: Markup = { markup: `<style>${STYLE}</style>` };
const SCRIPT_ELEMENT: Markup = { markup: `<script>${SCRIPT}</script>` };

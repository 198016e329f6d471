import { describe, type DragomanError } from '../../../base/errors.ts';
import { escapeControls } from '../../../base/escape-controls.ts';
import { html, type Markup } from '../../../base/markup.ts';
import { percentDone, type ChangeCounts, type Coverage } from '../../../project/plan/report.ts';
import { digits, percentText } from '../../terminal/table.ts';

/** The subject of the page. */
export type PageKind = 'sync' | 'dry-run' | 'frozen' | 'status';

/** The counts of a language, or of a file in a language. */
export interface Counts {
  readonly coverage: Coverage;
  readonly changes: ChangeCounts;
  /** Keys that need attention. */
  readonly problems: number;
  /** Values found in the translation memory. */
  readonly fromMemory: number;
  /** Files that could not be read or written. */
  readonly unreadable: number;
  readonly error?: DragomanError | undefined;
}

export interface LanguageSummary extends Counts {
  readonly locale: string;
  readonly engines: ReadonlyMap<string, number>;
  readonly files: readonly FileSummary[];
}

export interface FileSummary extends Counts {
  readonly source: string;
  readonly target: string;
  readonly written: boolean;
}

export interface ProjectSummary {
  /** The name of the project's directory. */
  readonly name: string;
  /** Canonical. */
  readonly source: string;
  readonly languages: readonly LanguageSummary[];
}

/** Longer lists are tedious to scroll; the filter finds the keys of all files. */
const MAX_FILES = 1000;
/** Above this number of files in all languages, their tables are collapsed. */
const MAX_OPEN = 24;

/** Tables that work without scripts: the progress of each language and file, and the results of the run. */
export function summarize(
  projects: readonly ProjectSummary[],
  kind: PageKind,
  redact: (text: string) => string,
): Markup {
  const write = new SummaryWriter(kind === 'sync', redact);
  return html`${projects.map(
    (project) =>
      html`<section>
        ${projects.length > 1 ? html`<h2>${escapeControls(project.name)}</h2> ` : html``}${write.languages(project)}
      </section>`,
  )}`;
}

class SummaryWriter {
  readonly #isSync: boolean;
  readonly #redact: (text: string) => string;

  constructor(isSync: boolean, redact: (text: string) => string) {
    this.#isSync = isSync;
    this.#redact = redact;
  }

  languages({ source, languages }: ProjectSummary): Markup {
    if (isEmpty(languages)) return html`<p class="banner">There are no texts to translate.</p>`;
    const columns = this.#columns(languages);
    const isShort = languages.reduce((sum, { files }) => sum + files.length, 0) <= MAX_OPEN;
    const rows = languages.map(
      (language) =>
        html`<tr data-language="${language.locale}">
          <th scope="row">${link(language.locale, { lang: language.locale })}</th>
          ${this.#cells(language, columns, { lang: language.locale })}${
            this.#isSync ? html`<td>${enginesOf(language)}</td>` : html``
          }
        </tr> `,
    );
    return html`<div class="scroll">
        <table class="summary">
          <caption>
            Languages, translated from ${source}
          </caption>
          ${this.#head('Language', columns, this.#isSync ? ['Engines'] : [])}
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>
      ${languages.map((language) => this.#files(language, isShort))}`;
  }

  #files({ locale, files, error }: LanguageSummary, isOpen: boolean): Markup {
    const shown = files.slice(0, MAX_FILES);
    const columns = this.#columns(files);
    const rows = shown.map(
      (file) =>
        html`<tr data-file="${escapeControls(file.source)}">
          <th scope="row">
            ${link(file.source, { lang: locale, file: file.source })}
            <span class="place">${escapeControls(file.target)}${file.written ? ' (written)' : ''}</span>
            ${this.#problem(file.error)}
          </th>
          ${this.#cells(file, columns, { lang: locale, file: file.source })}
        </tr> `,
    );
    const more = files.length - shown.length;
    return html`${this.#problem(error)}
      <details ${isOpen ? OPEN : html``}>
        <summary>${locale}: ${digits(files.length)} ${files.length === 1 ? 'file' : 'files'}</summary>
        <div class="scroll">
          <table class="summary" data-files="${locale}" aria-label="Files in ${locale}">
            ${this.#head('File', columns, [])}
            <tbody>
              ${rows}
            </tbody>
          </table>
        </div>
        ${more > 0 ? html`<p class="quiet">${digits(more)} more files are not listed; their keys are below.</p>` : html``}
      </details>`;
  }

  /** The columns of a table, without counts that are zero in every row. */
  #columns(rows: readonly Counts[]): readonly CountColumn[] {
    const all = [PROBLEMS, ...COVERAGE, ...(this.#isSync ? CHANGES : [])];
    return all.filter(([, numberOf]) => rows.some((row) => numberOf(row) > 0));
  }

  #head(first: string, columns: readonly CountColumn[], last: readonly string[]): Markup {
    return html`<thead>
      <tr>
        <th scope="col">${first}</th>
        <th scope="col">Done</th>
        ${columns.map(([title]) => html`<th scope="col" class="number">${title}</th> `)}${last.map(
          (title) => html`<th scope="col">${title}</th> `,
        )}
      </tr>
    </thead>`;
  }

  #cells(counts: Counts, columns: readonly CountColumn[], place: Readonly<Record<string, string>>): Markup {
    const percent = percentDone(counts.coverage, counts.unreadable);
    const numbers = columns.map((column) => {
      const [name, numberOf] = column;
      const number = numberOf(counts);
      const isLink = column === PROBLEMS && number > 0;
      const shown = isLink ? link(digits(number), { ...place, problems: '1' }) : digits(number);
      return html`<td class="number" data-count="${name}">${shown}</td> `;
    });
    return html`<td class="done">
        ${percent === undefined ? html`` : html`<progress max="100" value="${percent}" aria-label="done"></progress>`}
        <span data-count="Done">${percentText(percent)}</span>
      </td>
      ${numbers} `;
  }

  #problem(error: DragomanError | undefined): Markup {
    return error ? html`<p class="bad">${escapeControls(this.#redact(describe(error)))}</p>` : html``;
  }
}

/** Whether there is nothing to show. A language with unreadable files still has a message. */
function isEmpty(languages: readonly LanguageSummary[]): boolean {
  return languages.every(
    ({ coverage, error, files }) =>
      coverage.keys + coverage.extra === 0 && !error && !files.some((file) => file.error),
  );
}

function enginesOf({ engines }: LanguageSummary): string {
  return [...engines].map(([id, values]) => `${escapeControls(id)}: ${digits(values)}`).join(', ');
}

const OPEN: Markup = { markup: 'open' };

type CountColumn = readonly [title: string, number: (counts: Counts) => number];

const PROBLEMS: CountColumn = ['Problems', ({ problems }) => problems];

const COVERAGE: readonly CountColumn[] = [
  ['Keys', ({ coverage }) => coverage.keys],
  ['Translated', ({ coverage }) => coverage.translated],
  ['Missing', ({ coverage }) => coverage.missing],
  ['Unmatched', ({ coverage }) => coverage.unmatched],
  ['Stale', ({ coverage }) => coverage.stale],
  ['Edited', ({ coverage }) => coverage.edited],
  ['Unknown', ({ coverage }) => coverage.unknown],
  ['For review', ({ coverage }) => coverage.review],
  ['Outdated', ({ coverage }) => coverage.outdated],
  ['Extra', ({ coverage }) => coverage.extra],
];

/** The counts of a run's work. */
const CHANGES: readonly CountColumn[] = [
  ['Now translated', ({ changes }) => changes.translated],
  ['From memory', ({ fromMemory }) => fromMemory],
  ['Renamed', ({ changes }) => changes.reused],
  ['Kept', ({ changes }) => changes.kept],
  ['Failed', ({ changes }) => changes.failed],
  ['Removed', ({ changes }) => changes.pruned],
];

function link(text: string, filter: Readonly<Record<string, string>>): Markup {
  return html`<a href="#${new URLSearchParams(filter).toString()}">${escapeControls(text)}</a>`;
}

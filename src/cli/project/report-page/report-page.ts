import { basename } from 'node:path';
import { openPending, type PendingFile } from '../../../base/atomic-file.ts';
import { describe, DragomanError } from '../../../base/errors.ts';
import type { Markup } from '../../../base/markup.ts';
import type { FileKeys, KeysListener } from '../../../project/plan/key-list.ts';
import { countUnreadable, sumChanges, sumCoverage, type SyncReport } from '../../../project/plan/report.ts';
import type { Project } from '../../../project/state/project.ts';
import type { Output } from '../../output/output.ts';
import type { ReplaceableKind } from '../replaceable-file.ts';
import { MARKER, pageHead, pageTail } from './page.ts';
import { isProblem, rowOf } from './row.ts';
import type { FileSummary, LanguageSummary, PageKind, ProjectSummary } from './summary.ts';

/** The rows that a search reads in one step. */
const BLOCK = { rows: 2000, characters: 1_000_000 };

interface ReportPageOptions {
  /** Absolute, and checked by `requireReplaceable`. */
  readonly path: string;
  readonly kind: PageKind;
  readonly output: Output;
}

/** The facts about a file that let a search skip its rows. */
interface IndexedFile {
  readonly locale: string;
  /** The source language. */
  readonly from: string;
  readonly source: string;
  readonly target: string;
  /** The number of its first block. */
  readonly first: number;
  readonly blocks: number;
}

interface ListedFile extends FileSummary {
  readonly project: Project;
  readonly locale: string;
}

/**
 * An HTML page with all information that a command has about the keys of its projects. Keys are written as they
 * arrive, so that neither this process nor the page ever holds all of them at once. When finished, the page
 * replaces an older one; the caller finishes or abandons it. If the page cannot be written, the work continues,
 * and `finish` reports the error.
 */
export class ReportPage {
  readonly #options: ReportPageOptions;
  readonly #file: PendingFile;
  readonly #index: IndexedFile[] = [];
  readonly #files: ListedFile[] = [];
  readonly #engines = new Set<string>();
  #blocks = 0;
  #broken: DragomanError | undefined;
  #isOver = false;

  private constructor(options: ReportPageOptions, file: PendingFile) {
    this.#options = options;
    this.#file = file;
  }

  /** @throws DragomanError `unwritable_output` */
  static async open(options: ReportPageOptions): Promise<ReportPage> {
    const page = new ReportPage(options, await openPending(options.path));
    await page.#write(pageHead().markup);
    return page;
  }

  /** @param isOneOfSeveral whether the run covers several projects, so that files are listed with their project */
  listenerFor(project: Project, isOneOfSeveral: boolean): KeysListener {
    return (file) => this.#add(project, isOneOfSeveral ? `${nameOf(project)}/` : '', file);
  }

  /**
   * Writes the totals, and moves the page to its path. A run that stopped before any result gets no page.
   *
   * @returns why no page was written, if none was
   */
  async finish(
    projects: readonly Project[],
    reports: readonly SyncReport[],
  ): Promise<DragomanError | undefined> {
    if (reports.length === 0 && this.#files.length === 0) {
      await this.#discard();
      return this.#broken;
    }
    const stopped = reports.flatMap((report) => (report.stopped ? [describe(report.stopped)] : []));
    const interrupted = reports.some((report) => report.interrupted) || reports.length < projects.length;
    const notices = [
      ...stopped.map((reason) => `The run stopped: ${reason}. The next run does the rest.`),
      ...(interrupted && stopped.length === 0 ? [INTERRUPTED] : []),
    ];
    return this.#end(projects, reports, notices);
  }

  /** Writes a page of the results so far, unless there are no results. */
  async abandon(projects: readonly Project[], error: unknown): Promise<void> {
    if (this.#isOver) return;
    if (this.#files.length === 0) return this.#discard();
    const reason = error instanceof DragomanError ? describe(error) : 'a bug in dragoman';
    await this.#end(projects, [], [`The run ended early: ${reason}. The page shows the state at that time.`]);
  }

  async #discard(): Promise<void> {
    this.#isOver = true;
    await this.#file.discard();
    this.#options.output.message('no report was written: no files were examined');
  }

  async #add(project: Project, prefix: string, { locale, report, keys }: FileKeys): Promise<void> {
    const { redact } = this;
    const first = this.#blocks;
    let problems = 0;
    let fromMemory = 0;
    let rows: string[] = [];
    let characters = 0;
    const flush = async (): Promise<void> => {
      if (rows.length > 0)
        await this.#write(dataBlock(`rows-${this.#blocks++}`, `[${rows.join(',')}]`).markup);
      rows = [];
      characters = 0;
    };
    for (const key of keys) {
      const row = rowOf(key, redact);
      if (isProblem(row)) problems++;
      if (row.memory !== undefined) fromMemory++;
      if (row.by !== undefined) this.#engines.add(row.by);
      // With several catalogues there is no single position.
      const json = JSON.stringify(report.sourceName === undefined ? row : { ...row, at: undefined });
      rows.push(json);
      characters += json.length;
      if (rows.length >= BLOCK.rows || characters >= BLOCK.characters) await flush();
    }
    await flush();
    const { coverage, changes, written, error } = report;
    const [source, target] = [`${prefix}${report.sourceName ?? report.source}`, `${prefix}${report.target}`];
    this.#files.push({
      project,
      locale,
      source,
      target,
      coverage,
      changes,
      written,
      error,
      unreadable: error ? 1 : 0,
      problems,
      fromMemory,
    });
    const blocks = this.#blocks - first;
    if (blocks > 0) this.#index.push({ locale, from: project.source, source, target, first, blocks });
  }

  get redact(): (text: string) => string {
    const { output } = this.#options;
    return (text) => output.redact(text);
  }

  async #end(
    projects: readonly Project[],
    reports: readonly SyncReport[],
    notices: readonly string[],
  ): Promise<DragomanError | undefined> {
    this.#isOver = true;
    const { path, kind, output } = this.#options;
    const { redact } = this;
    const index = { files: this.#index, engines: [...this.#engines].sort() };
    await this.#write(dataBlock('index', JSON.stringify(index)).markup);
    const summaries = projects.map((project) => this.#summarize(project, reports));
    await this.#write(pageTail({ kind, projects: summaries, time: new Date(), notices, redact }).markup);
    if (this.#broken) await this.#file.discard();
    else await this.#file.commit().catch((error: unknown) => this.#fail(error));
    if (!this.#broken) output.message(`report written to ${path}`);
    return this.#broken;
  }

  /** The report takes precedence over the list, because some of its results belong to no single file. */
  #summarize(project: Project, reports: readonly SyncReport[]): ProjectSummary {
    const files = this.#files.filter((file) => file.project === project);
    const reported = reports.find(({ root }) => root === project.root)?.languages;
    const locales = reported?.map(({ locale }) => locale) ?? [...new Set(files.map(({ locale }) => locale))];
    const languages = locales.map((locale): LanguageSummary => {
      const own = files.filter((file) => file.locale === locale);
      const report = reported?.find((language) => language.locale === locale);
      return {
        locale,
        files: own,
        coverage: report?.coverage ?? sumCoverage(own.map(({ coverage }) => coverage)),
        changes: report?.changes ?? sumChanges(own.map(({ changes }) => changes)),
        problems: own.reduce((sum, file) => sum + file.problems, 0),
        fromMemory: own.reduce((sum, file) => sum + file.fromMemory, 0),
        engines: report?.engines ?? new Map(),
        unreadable: countUnreadable(own),
        error: report?.error,
      };
    });
    return { name: nameOf(project), source: project.source, languages };
  }

  async #write(text: string): Promise<void> {
    if (this.#broken) return;
    await this.#file.write(text).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (!(error instanceof DragomanError)) throw error;
    this.#broken ??= error;
  }
}

const INTERRUPTED =
  'The run was interrupted: languages that were not reached are not on this page. Finished translations are saved, and the next run continues from there.';

/** The directory's name only: a shared page must not reveal parent directories. */
function nameOf({ root }: Project): string {
  return basename(root);
}

/** A report only replaces another report. */
export const REPORT: ReplaceableKind = { name: 'report', marker: MARKER, example: '--report out.html' };

/**
 * A script element with inert data. Characters that could end the element, begin a comment or end a line in older
 * script parsers are escaped, which does not change the JSON.
 */
function dataBlock(id: string, json: string): Markup {
  return { markup: `<script type="application/json" id="${id}">${escapeJson(json)}</script>\n` };
}

function escapeJson(json: string): string {
  return json.replace(
    /[<>&\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { digestOf } from '../base/digest.ts';
import { DragomanError } from '../base/errors.ts';
import { sourceFiles } from '../project/discover/resource.ts';
import { type FilePlace, readRows, type RowsOptions } from '../project/review/project-rows.ts';
import {
  type ContextRequest,
  ContextFinder,
  type ContextFinderOptions,
} from '../project/review/context-finder.ts';
import { type RowPlace, saveAnswers, type SavedAnswer } from '../project/review/save.ts';
import { undoAnswers } from '../project/review/undo.ts';
import type { TextRow } from '../project/review/row.ts';
import type { GlossaryFile } from '../project/glossary/glossary-file.ts';
import { type Project, resourcesOf } from '../project/state/project.ts';
import { acquireSyncLock, SYNC_LOCK_NAME } from '../project/state/sync-lock.ts';
import { AnswerHistory } from './answer-history.ts';
import { packFiles, packRow } from './pack.ts';
import {
  type AddedTerm,
  type Answer,
  type ReviewChanges,
  type Pack,
  PROTOCOL_VERSION,
  type Result,
  type Row,
  type RowContext,
  type RowSource,
  type TermResult,
} from './protocol.ts';
import { WatchedFiles } from './watched-files.ts';

export interface ProjectSourceOptions
  extends ContextFinderOptions, Pick<RowsOptions, 'version' | 'cacheDirectory' | 'stateDirectory'> {
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** See {@link Pack.project}. */
  readonly id: string;
  /** The glossary; undefined if it is off. */
  readonly terms?: Pick<GlossaryFile, 'read' | 'add'> | undefined;
  /** Selects the files whose rows are served. Default: all. */
  readonly includes?: RowsOptions['includes'];
  /** Milliseconds between two checks of the files while a page waits for changes. Default: 1,000. */
  readonly pause?: number | undefined;
  /** Maximum milliseconds that a request for changes waits. Default: 25,000. */
  readonly longestWait?: number | undefined;
}

/** Milliseconds that saving waits for a sync. */
const PATIENCE = 10_000;
/** Older events are forgotten: a page that missed them requests all rows again. */
const MOST_EVENTS = 20_000;

const NOTHING_TO_UNDO = (id: string) =>
  ({ id, kind: 'refused', reasons: ['this session has no such answer to undo'] }) as const;

interface KnownRow extends RowPlace, ContextRequest {
  readonly digest: string;
}

interface Waiting {
  readonly answers: readonly Answer[];
  readonly resolve: (results: readonly Result[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The texts of a project for pages. They are read and written one after the other, and others' changes to them are
 * noticed.
 */
export class ProjectSource implements RowSource {
  readonly #project: Project;
  readonly #options: ProjectSourceOptions;
  readonly #places: ReadonlyMap<string, number>;
  readonly #files = new WatchedFiles();
  readonly #locales = new Set<string>();
  readonly #known = new Map<string, KnownRow>();
  /** Runs one read or save at a time. */
  readonly #turns = new PQueue({ concurrency: 1 });
  /** Searches for contexts and pictures, which need not wait for reads and saves. */
  readonly #searches = new PQueue();
  #waiting: Waiting[] = [];
  #looking: Promise<void> | undefined;
  readonly #history = new AnswerHistory();
  readonly #contexts: ContextFinder;
  /** The changes of rows; undefined for removed ones. */
  #events: { readonly id: string; readonly row: Row | undefined }[] = [];
  #forgotten = 0;

  constructor(project: Project, options: ProjectSourceOptions) {
    this.#project = project;
    this.#options = options;
    this.#places = new Map(project.resources.map(({ source }, i) => [source, i]));
    this.#contexts = new ContextFinder(project, options);
  }

  get #includes(): (place: FilePlace) => boolean {
    return this.#options.includes ?? (() => true);
  }

  get #next(): number {
    return this.#forgotten + this.#events.length;
  }

  /** @param locale canonical; default: all */
  async rows(locale?: string): Promise<Pack> {
    const { root, source, targets } = this.#project;
    const locales = locale === undefined ? targets : targets.filter((one) => one === locale);
    const { rows, next } = await this.#turn(async () => {
      // Watched before reading, so that no change in the meantime is missed.
      await this.#watch(locales);
      const read = await this.#read(locales, this.#includes);
      return { rows: read, next: this.#next };
    });
    return {
      version: PROTOCOL_VERSION,
      project: this.#options.id,
      title: basename(root),
      source,
      locales,
      files: packFiles(this.#project),
      rows,
      next,
    };
  }

  /** Resolves when the answers are in the files and in the lock. Answers that arrive meanwhile are written together. */
  save(answers: readonly Answer[]): Promise<readonly Result[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answers, resolve, reject });
      if (this.#waiting.length === 1) this.#turn(() => this.#saveWaiting()).catch(reject);
    });
  }

  /** Resolves when all reads, searches and saves have ended. */
  async idle(): Promise<void> {
    await Promise.all([this.#turns.onIdle(), this.#searches.onIdle()]);
  }

  async context(id: string): Promise<RowContext | undefined> {
    const row = this.#known.get(id);
    return row && this.#findContext(row);
  }

  async addTerm({ id, term, translation }: AddedTerm): Promise<TermResult> {
    const row = this.#known.get(id);
    const { terms, signal } = this.#options;
    const { root } = this.#project;
    if (!row) return { kind: 'refused', reason: 'The project has no such text.' };
    if (!terms) return { kind: 'refused', reason: 'The glossary is off.' };
    try {
      await this.#turn(async () => {
        const release = await acquireSyncLock(join(root, SYNC_LOCK_NAME), { patience: PATIENCE, signal });
        try {
          await terms.add({ term, translation, locale: row.locale }, root);
        } finally {
          await release();
        }
      });
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      return { kind: 'refused', reason: [error.message, error.hint ?? ''].join('. ').trim() };
    }
    return { kind: 'added', context: await this.#findContext(row) };
  }

  async screenshot(name: string): Promise<Blob | undefined> {
    const picture = await this.#searches.add(async () => this.#options.screenshots?.read(name));
    return picture && new Blob([picture.bytes], { type: picture.type });
  }

  async changes(since: number, signal: AbortSignal): Promise<ReviewChanges> {
    const { pause = 1_000, longestWait = 25_000 } = this.#options;
    const either = AbortSignal.any([signal, this.#options.signal]);
    for (const end = performance.now() + longestWait; ;) {
      const next = this.#next;
      if (since < this.#forgotten || since > next) return { next, rows: [], gone: [], isReset: true };
      if (since < next || performance.now() > end || either.aborted) {
        const last = new Map(this.#events.slice(since - this.#forgotten).map(({ id, row }) => [id, row]));
        const gone = [...last].flatMap(([id, row]) => (row ? [] : [id]));
        return { next, rows: [...last.values()].filter((row) => row !== undefined), gone };
      }
      await sleep(pause, undefined, { signal: either }).catch(() => undefined);
      await this.#look();
    }
  }

  #findContext(row: ContextRequest): Promise<RowContext> {
    return this.#searches.add(() => this.#contexts.find(row));
  }

  #turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.add(work);
  }

  async #watch(locales: readonly string[]): Promise<void> {
    const { root, lockPath } = this.#project;
    await this.#files.watch(lockPath);
    for (const locale of locales) {
      for (const resource of resourcesOf(this.#project, locale))
        for (const path of [...sourceFiles(resource), resource.targetPath(locale)])
          await this.#files.watch(join(root, path));
    }
  }

  /** Waiting pages share one check. */
  #look(): Promise<void> {
    this.#looking ??= this.#turn(() => this.#findChanges()).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #findChanges(): Promise<void> {
    const changed = await this.#files.changed();
    if (changed.size === 0 || this.#options.signal.aborted) return;
    const { root, lockPath, resources } = this.#project;
    const has = (path: string): boolean => changed.has(join(root, path));
    const sources = new Set(
      resources.filter((resource) => sourceFiles(resource).some(has)).map(({ source }) => source),
    );
    const isConcerned = (place: FilePlace): boolean =>
      (changed.has(lockPath) || sources.has(place.source) || has(place.target)) && this.#includes(place);
    await this.#read([...this.#locales], isConcerned);
  }

  /** Reads rows again. Changed rows become events for the pages that have them. */
  async #read(locales: readonly string[], includes: (place: FilePlace) => boolean): Promise<readonly Row[]> {
    const rows: Row[] = [];
    const found = new Set<string>();
    const read = new Set<string>();
    for await (const file of readRows(this.#project, { ...this.#options, locales, includes })) {
      // An editor may have half-saved the file.
      if (file.error) continue;
      read.add(`${file.locale}\n${file.source}`);
      for (const text of file.rows) {
        const row = this.#rowOf(text);
        rows.push(row);
        found.add(row.id);
        this.#note(row, text);
      }
    }
    for (const [id, { locale, file }] of this.#known) {
      if (found.has(id) || !read.has(`${locale}\n${file}`)) continue;
      this.#known.delete(id);
      this.#push(id, undefined);
    }
    for (const locale of locales) this.#locales.add(locale);
    return rows;
  }

  #rowOf(text: TextRow): Row {
    return packRow(text, this.#places.get(text.file) ?? 0);
  }

  #note(row: Row, text: TextRow): void {
    const digest = digestOf(JSON.stringify(row));
    const before = this.#known.get(row.id);
    if (before?.digest === digest) return;
    const { file, locale, name } = text;
    const forms = text.forms.map(({ source, syntax, rule, category, madeOf }) => ({
      source,
      syntax,
      ...(rule && { rule }),
      ...(category !== undefined && { category }),
      ...(madeOf !== undefined && { madeOf }),
    }));
    this.#known.set(row.id, { file, locale, name, forms, digest });
    this.#contexts.expect(text);
    // The first request for a language gets all of its rows.
    if (before || this.#locales.has(locale)) this.#push(row.id, row);
  }

  #push(id: string, row: Row | undefined): void {
    this.#events.push({ id, row });
    if (this.#events.length < 2 * MOST_EVENTS) return;
    this.#events = this.#events.slice(-MOST_EVENTS);
    this.#forgotten += MOST_EVENTS;
  }

  async #saveWaiting(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const answers = batch.flatMap((one) => one.answers);
      const results = new Map<Answer, Result>();
      for (let rest: readonly Answer[] = answers; rest.length > 0;) {
        // An answer that follows an undo is about the restored text.
        const isUndo = rest[0]?.undo !== undefined;
        const end = rest.findIndex(({ undo }) => (undo !== undefined) !== isUndo);
        const next = end < 0 ? rest : rest.slice(0, end);
        const made = isUndo ? await this.#undoAll(next) : await this.#saveAll(next);
        for (const [answer, result] of made) results.set(answer, result);
        rest = rest.slice(next.length);
      }
      for (const { answers: own, resolve } of batch)
        resolve(own.map((answer) => results.get(answer) ?? { id: answer.id, kind: 'foreign' }));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  get #saving() {
    return {
      ...this.#options,
      patience: PATIENCE,
      onWritten: (path: string, before: Uint8Array | string | undefined, after?: Uint8Array | string) => {
        if (after !== undefined) this.#files.noteWritten(join(this.#project.root, path), before, after);
      },
    };
  }

  async #saveAll(answers: readonly Answer[]): Promise<ReadonlyMap<Answer, Result>> {
    if (answers.length === 0) return new Map();
    const saved = await saveAnswers(this.#project, answers, {
      ...this.#saving,
      by: 'person',
      placeOf: (id) => this.#known.get(id),
      onSaved: (before) => this.#history.add(before),
    });
    return this.#resultsOf(answers, saved);
  }

  async #undoAll(answers: readonly Answer[]): Promise<ReadonlyMap<Answer, Result>> {
    const results = new Map<Answer, Result>();
    // The last answer about a row is undone first.
    let waiting = answers
      .flatMap((answer) => (answer.undo === undefined ? [] : { answer, id: answer.id, number: answer.undo }))
      .sort((a, b) => b.number - a.number);
    while (waiting.length > 0) {
      const round = new Map<string, number>();
      for (const { id, number } of waiting) if (!round.has(id)) round.set(id, number);
      const kept = await this.#undo(round);
      for (const { answer, id, number } of waiting)
        if (round.get(id) === number)
          results.set(answer, this.#history.resultOf(number, id) ?? kept.get(id) ?? NOTHING_TO_UNDO(id));
      waiting = waiting.filter(({ id, number }) => round.get(id) !== number);
    }
    return results;
  }

  /**
   * @param numbers the numbers of answers, by row
   * @returns the results of those that were not undone
   */
  async #undo(numbers: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, Result>> {
    const rows = [...numbers].flatMap(([id, number]) => this.#history.find(number, id) ?? []);
    const undone = rows.length > 0 ? await undoAnswers(this.#project, rows, this.#saving) : [];
    const kept = new Map<string, Result>();
    for (const one of undone) {
      if (one.kind === 'saved') this.#history.finish(numbers.get(one.id) ?? 0, () => this.#resultOf(one));
      else kept.set(one.id, this.#resultOf(one));
    }
    return kept;
  }

  #resultsOf(answers: readonly Answer[], saved: readonly SavedAnswer[]): ReadonlyMap<Answer, Result> {
    return new Map(
      answers.map((answer, i) => [answer, this.#resultOf(saved[i] ?? { id: answer.id, kind: 'foreign' })]),
    );
  }

  #resultOf(saved: SavedAnswer): Result {
    if (!('row' in saved)) return saved;
    const row = this.#rowOf(saved.row);
    this.#note(row, saved.row);
    if (saved.kind !== 'saved') return { ...saved, row };
    const number = this.#history.numberOf(saved.row);
    return { ...saved, row, ...(number !== undefined && { number }) };
  }
}

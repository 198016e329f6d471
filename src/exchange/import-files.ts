import { describe, type DragomanError } from '../base/errors.ts';
import { knownProjectIds } from '../project/review/project-id.ts';
import { readRows, type RowsOptions } from '../project/review/project-rows.ts';
import { type RowAnswer, saveAnswers, type SavedAnswer, type SaveOptions } from '../project/review/save.ts';
import type { TextRow } from '../project/review/row.ts';
import type { Project } from '../project/state/project.ts';
import { judgeReturned, type ReturnedFile, type ReturnedPlace, type ReturnedRow } from './returned-row.ts';

/** A returned file. */
export interface ImportedFile extends ReturnedFile {
  readonly path: string;
}

export interface ImportOptions extends Omit<RowsOptions, 'locales' | 'includes'> {
  /** The translator's name in the lock. */
  readonly name: string;
  /** Whether approvals in the files count. */
  readonly trustsStates: boolean;
  readonly isDry?: boolean | undefined;
  readonly memory?: SaveOptions['memory'];
}

/** The result for a returned text. */
export interface ImportedText {
  readonly path: string;
  readonly place: ReturnedPlace;
  /** `lost`: the text cannot be identified. `foreign`: the project does not contain the text. */
  readonly kind: 'saved' | 'refused' | 'conflict' | 'stale' | 'foreign' | 'lost';
  /** The row before the import, if the project has it. */
  readonly row?: TextRow | undefined;
  /** Why the text was not saved. */
  readonly reasons: readonly string[];
}

export interface ImportReport {
  /** All results except those that are only counted. */
  readonly texts: readonly ImportedText[];
  readonly unchanged: number;
  readonly untranslated: number;
  /** The number of approvals that do not count, because the files are not trusted. */
  readonly untrusted: number;
}

/** How long to wait for a running sync to end. */
const PATIENCE_MS = 10_000;

/**
 * Saves a translator's answers like those of the review page: each text is verified, and texts that do not match the
 * current project are reported and not written.
 *
 * @throws DragomanError like `readRows` and `saveAnswers`
 */
export async function importFiles(
  project: Project,
  files: readonly ImportedFile[],
  options: ImportOptions,
): Promise<ImportReport> {
  const { name, trustsStates, isDry, memory, ...reading } = options;
  const current = await currentRows(project, files, reading);
  const sorted = new Sorting(await knownProjectIds(project), current, trustsStates);
  for (const file of files) sorted.add(file);
  const saved = await saveAnswers(
    project,
    sorted.answers.map(({ answer }) => answer),
    {
      ...reading,
      by: `import:${name}`,
      isDry,
      memory,
      patience: PATIENCE_MS,
      placeOf: (id) => current.known.get(id),
    },
  );
  for (const [at, result] of saved.entries()) sorted.conclude(at, result);
  return sorted.report();
}

/** The current state of the returned rows. */
interface CurrentRows {
  readonly known: ReadonlyMap<string, TextRow>;
  /** By language: the first file with an error, whose rows are therefore unknown. */
  readonly unreadable: ReadonlyMap<string, DragomanError>;
}

async function currentRows(
  project: Project,
  files: readonly ImportedFile[],
  reading: Omit<RowsOptions, 'locales'>,
): Promise<CurrentRows> {
  const returned = files.flatMap(({ rows }) => rows);
  const wanted = new Set(returned.map(({ id }) => id));
  const stated = new Set(returned.map(({ locale }) => locale));
  const locales = stated.has(undefined)
    ? project.targets
    : project.targets.filter((locale) => stated.has(locale));
  const known = new Map<string, TextRow>();
  const unreadable = new Map<string, DragomanError>();
  for await (const file of readRows(project, { ...reading, locales })) {
    if (file.error && !unreadable.has(file.locale)) unreadable.set(file.locale, file.error);
    for (const row of file.rows) if (wanted.has(row.id)) known.set(row.id, row);
  }
  return { known, unreadable };
}

type TextPlace = Omit<ImportedText, 'kind' | 'reasons'>;

/** Sorts returned texts by their result. */
class Sorting {
  readonly answers: {
    readonly answer: RowAnswer;
    readonly place: TextPlace;
    readonly isUntrusted: boolean;
  }[] = [];
  /** Rows that already have an answer. */
  readonly #answered = new Set<string>();
  readonly #projects: ReadonlySet<string>;
  readonly #current: CurrentRows;
  readonly #trustsStates: boolean;
  readonly #texts: ImportedText[] = [];
  readonly #counts = { unchanged: 0, untranslated: 0, untrusted: 0 };

  constructor(projects: ReadonlySet<string>, current: CurrentRows, trustsStates: boolean) {
    this.#projects = projects;
    this.#current = current;
    this.#trustsStates = trustsStates;
  }

  add({ path, rows, lost }: ImportedFile): void {
    for (const { place, reason } of lost) this.#texts.push({ path, place, kind: 'lost', reasons: [reason] });
    for (const row of rows) this.#addRow(path, row);
  }

  #addRow(path: string, returned: ReturnedRow): void {
    const { place, project, locale, id } = returned;
    if (!this.#projects.has(project)) {
      this.#texts.push({ path, place, kind: 'foreign', reasons: ['it belongs to another project'] });
      return;
    }
    const { known, unreadable } = this.#current;
    const row = known.get(id);
    const error = locale === undefined ? [...unreadable.values()][0] : unreadable.get(locale);
    if (!row && error) {
      const reasons = [`it may be in a file that cannot be read: ${describe(error)}`];
      this.#texts.push({ path, place, kind: 'refused', reasons });
      return;
    }
    if (!row) {
      this.#texts.push({ path, place, kind: 'foreign', reasons: [GONE] });
      return;
    }
    const judged = judgeReturned(returned, row, this.#trustsStates);
    if (judged.kind === 'answer' && this.#answered.has(id))
      this.#texts.push({ path, place, row, kind: 'refused', reasons: [TWICE] });
    else if (judged.kind === 'answer') {
      const { answer, isUntrusted } = judged;
      this.#answered.add(id);
      this.answers.push({ answer, place: { path, place, row }, isUntrusted });
    } else if (judged.kind === 'refused')
      this.#texts.push({ path, place, row, kind: 'refused', reasons: judged.reasons });
    else {
      this.#counts[judged.kind]++;
      if (judged.isUntrusted) this.#counts.untrusted++;
    }
  }

  /** @param at the index of the answer */
  conclude(at: number, result: SavedAnswer): void {
    const answered = this.answers[at];
    if (!answered) return;
    const { place, isUntrusted } = answered;
    if (result.kind === 'saved' && isUntrusted) this.#counts.untrusted++;
    if (result.kind === 'saved' && result.isRepeated) this.#counts.unchanged++;
    else this.#texts.push({ ...place, kind: result.kind, reasons: reasonsOf(result) });
  }

  report(): ImportReport {
    return { texts: this.#texts, ...this.#counts };
  }
}

/** Saving twice would compare and write the project again. */
const TWICE = 'an earlier entry in the files has a different translation';

const GONE = 'the project has no such text: its key was renamed or removed, or its language is not a target';

function reasonsOf(result: SavedAnswer): readonly string[] {
  if (result.kind === 'refused') return result.reasons;
  return result.kind === 'saved' ? [] : [WHY[result.kind]];
}

const WHY = {
  conflict: 'its translation has changed since the export',
  stale: 'its source text has changed since the export',
  foreign: GONE,
} as const;

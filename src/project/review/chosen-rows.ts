import { TRANSLATION_STATES, type TranslationState } from '../../formats/format.ts';
import { compileGlob } from '../config/glob.ts';
import type { Project } from '../state/project.ts';
import { readRows, type RowsOptions } from './project-rows.ts';
import type { TextRow } from './row.ts';

const NEEDS_REVIEW = 'needs-review';

/** What texts can be chosen by: how far they are, or that they need a review. */
export const CHOSEN_STATES = [...TRANSLATION_STATES, NEEDS_REVIEW] as const;

/** Which texts go to somebody who works on them elsewhere. Default: all. */
export interface RowChoice {
  readonly state?: readonly (TranslationState | typeof NEEDS_REVIEW)[];
  /** Globs of files, source or translation. */
  readonly in?: readonly string[];
  /** A git ref: only files that changed since. */
  readonly since?: string;
}

/**
 * The texts of a project that are chosen, in the order of {@link readRows}.
 *
 * @throws DragomanError as `readRows` and `limitToChanges`, and that of a file that cannot be read
 */
export async function* chosenRows(
  project: Project,
  { state: states, in: patterns, since }: RowChoice,
  options: Omit<RowsOptions, 'includes'> & { readonly env: NodeJS.ProcessEnv },
): AsyncGenerator<TextRow> {
  const globs = patterns?.map((pattern) => compileGlob(pattern));
  const changed =
    since === undefined
      ? project
      : await (await import('../plan/changes.ts')).limitToChanges(project, since, options);
  const files = readRows(changed, {
    ...options,
    includes:
      globs && (({ source, target }) => globs.some((glob) => glob.matches(source) || glob.matches(target))),
  });
  for await (const { rows, error } of files) {
    if (error) throw error;
    for (const row of rows) if (states?.some((state) => isIn(row, state)) ?? true) yield row;
  }
}

function isIn(row: TextRow, state: TranslationState | typeof NEEDS_REVIEW): boolean {
  return state === NEEDS_REVIEW ? row.needsReview !== undefined : row.state === state;
}

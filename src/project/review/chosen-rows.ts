import { TRANSLATION_STATES, type TranslationState } from '../../formats/format.ts';
import { compileGlob } from '../config/glob.ts';
import type { Project } from '../state/project.ts';
import { type FilePlace, readRows, type RowsOptions } from './project-rows.ts';
import type { TextRow } from './row.ts';

const NEEDS_REVIEW = 'needs-review';

/** The states by which texts can be selected. */
export const CHOSEN_STATES = [...TRANSLATION_STATES, NEEDS_REVIEW] as const;

/** Selects the texts for people who work on them elsewhere. Default: all. */
export interface RowChoice {
  readonly state?: readonly (TranslationState | typeof NEEDS_REVIEW)[];
  /** Globs of source files or translations. */
  readonly in?: readonly string[];
  /** A git ref: selects only files that have changed since that commit. */
  readonly since?: string;
}

/** The options of a selection; git needs `env`. */
type ChoiceOptions = Omit<RowsOptions, 'includes'> & { readonly env: NodeJS.ProcessEnv };

/**
 * The selected texts of a project, in the order of {@link readRows}.
 *
 * @throws DragomanError like `readRows` and `limitToChanges`, and that of an unreadable file
 */
export async function* chosenRows(
  project: Project,
  { state: states, ...choice }: RowChoice,
  options: ChoiceOptions,
): AsyncGenerator<TextRow> {
  const includes = await chosenFiles(project, choice, options);
  for await (const { rows, error } of readRows(project, { ...options, includes })) {
    if (error) throw error;
    for (const row of rows) if (states?.some((state) => isIn(row, state)) ?? true) yield row;
  }
}

/**
 * The selected files; undefined for all.
 *
 * @throws DragomanError like `limitToChanges`
 */
export async function chosenFiles(
  project: Project,
  { in: patterns, since }: Pick<RowChoice, 'in' | 'since'>,
  options: Pick<ChoiceOptions, 'env' | 'signal'>,
): Promise<((place: FilePlace) => boolean) | undefined> {
  if (!patterns && since === undefined) return undefined;
  const globs = patterns?.map((pattern) => compileGlob(pattern));
  const { resources, covers } =
    since === undefined
      ? project
      : await (await import('../plan/changes.ts')).limitToChanges(project, since, options);
  const changed = new Map(resources.map((resource) => [resource.source, resource]));
  return ({ source, target, locale }) => {
    const resource = changed.get(source);
    if (!resource || covers?.(resource, locale) === false) return false;
    return globs?.some((glob) => glob.matches(source) || glob.matches(target)) ?? true;
  };
}

function isIn(row: TextRow, state: TranslationState | typeof NEEDS_REVIEW): boolean {
  return state === NEEDS_REVIEW ? row.needsReview !== undefined : row.state === state;
}

import type { RowOf } from './row.ts';

/** A translation that was found. */
export interface FoundTranslation extends Ranked {
  readonly message: number;
  readonly project: number;
  readonly translation: string;
  readonly engine: number | null;
  readonly used: number;
}

/** Columns of `translations as t`, in the order and with the types of {@link FOUND_SHAPE}. */
export const FOUND = 't.message, t.context, t.segments, t.is_human, t.engine, t.changed, t.used';

export const FOUND_SHAPE = [
  'number',
  'text',
  'text',
  'number',
  'number or null',
  'number',
  'number',
] as const;

/** The context of the best translation in a project: human before machine, then the newest. */
export const BEST_CONTEXT = `
  select b.context from translations as b where b.message = m.id and b.pair = ? and b.project = ?
  order by b.is_human desc, b.changed desc limit 1`;

export function foundOf(row: RowOf<typeof FOUND_SHAPE>, project: number): FoundTranslation {
  const [message, context, translation, isHuman, engine, changed, used] = row;
  return { message, project, context, translation, isHuman: isHuman === 1, engine, changed, used };
}

/** The project number of translations for all projects. */
export const SHARED = 0;

/** The columns by which a message's translations are ranked. */
interface Ranked {
  readonly isHuman: boolean;
  /** {@link SHARED}, or the number of the requested project. */
  readonly project: number;
  readonly context: string;
  /** Milliseconds since the epoch. */
  readonly changed: number;
}

/** Ranks human before machine, then the project's own, then the same context, then the newest. */
export function isBetterMatch(a: Ranked, b: Ranked, context: string): boolean {
  if (a.isHuman !== b.isHuman) return a.isHuman;
  if (a.project !== b.project) return a.project !== SHARED;
  if ((a.context === context) !== (b.context === context)) return a.context === context;
  return a.changed > b.changed;
}

/** The number of the project of translations that serve every project. */
export const SHARED = 0;

/** A translation of a message, as the columns of its row that tell which is best. */
export interface Ranked {
  readonly isHuman: boolean;
  /** {@link SHARED}, or the number of the one project that is asked for. */
  readonly project: number;
  readonly context: string;
  /** Milliseconds since the epoch. */
  readonly changed: number;
}

/** A human's before an engine's, then the project's own, then that of the same context, then the newest. */
export function isBetter(a: Ranked, b: Ranked, context: string): boolean {
  if (a.isHuman !== b.isHuman) return a.isHuman;
  if (a.project !== b.project) return a.project !== SHARED;
  if ((a.context === context) !== (b.context === context)) return a.context === context;
  return a.changed > b.changed;
}

/** A translation of a message, as the columns of its row that tell which is best. */
export interface Ranked {
  readonly isHuman: boolean;
  readonly context: string;
  /** Milliseconds since the epoch. */
  readonly changed: number;
}

/** A human's before an engine's, then that of the same context, then the newest. */
export function isBetter(a: Ranked, b: Ranked, context: string): boolean {
  if (a.isHuman !== b.isHuman) return a.isHuman;
  if ((a.context === context) !== (b.context === context)) return a.context === context;
  return a.changed > b.changed;
}

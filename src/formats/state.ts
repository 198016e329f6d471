/** How far a translation has come, on the scale of XLIFF 2, in ascending order. */
export const TRANSLATION_STATES = ['initial', 'translated', 'reviewed', 'final'] as const;

export type TranslationState = (typeof TRANSLATION_STATES)[number];

/** How many entries are in each state. */
export type StateCounts = Readonly<Record<TranslationState, number>>;

export function countStates(countOf: (state: TranslationState) => number): StateCounts {
  const [initial, translated, reviewed, final] = TRANSLATION_STATES.map(countOf);
  return { initial: initial ?? 0, translated: translated ?? 0, reviewed: reviewed ?? 0, final: final ?? 0 };
}

/** The counts of two files together; undefined where neither has states. */
export function addStates(a: StateCounts | undefined, b: StateCounts | undefined): StateCounts | undefined {
  return a && b ? countStates((state) => a[state] + b[state]) : (a ?? b);
}

/** Whether a person has approved the translation: such a value is a person's, whoever wrote it. */
export function isApproved(state: TranslationState | undefined): boolean {
  return state === 'reviewed' || state === 'final';
}

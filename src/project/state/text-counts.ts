import type { TranslationState } from '../../formats/format.ts';

/** Why a translation needs a review. The first matching reason is given. */
export const REVIEW_REASONS = [
  /** A reviewer rejected it. */
  'rejected',
  /** It fails verification. */
  'lint',
  /** Its source has changed since. */
  'source-changed',
  /** A reviewer asked for a review. */
  'requested',
  /** Its file marks it for review, and dragoman did not write it. */
  'marked',
  /** Only an agent decided about it. */
  'agent',
  /** It was imported, and no person has reviewed it. */
  'imported',
  /** A machine translated it, and no person has reviewed it. */
  'machine',
] as const;

export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** The entries of a file or language by state, and by the reason for a review. */
export interface TextCounts {
  readonly states: Readonly<Record<TranslationState, number>>;
  readonly flags: Readonly<Record<ReviewReason, number>>;
}

export function countTexts(
  inState: (state: TranslationState) => number,
  because: (reason: ReviewReason) => number,
): TextCounts {
  return {
    states: {
      initial: inState('initial'),
      translated: inState('translated'),
      reviewed: inState('reviewed'),
      final: inState('final'),
    },
    flags: {
      rejected: because('rejected'),
      lint: because('lint'),
      'source-changed': because('source-changed'),
      requested: because('requested'),
      marked: because('marked'),
      agent: because('agent'),
      imported: because('imported'),
      machine: because('machine'),
    },
  };
}

export function addTexts(a: TextCounts, b: TextCounts): TextCounts {
  return countTexts(
    (state) => a.states[state] + b.states[state],
    (reason) => a.flags[reason] + b.flags[reason],
  );
}

export const NO_TEXTS: TextCounts = countTexts(
  () => 0,
  () => 0,
);

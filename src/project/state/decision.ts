/** Decisions about a translation. If branches disagree, the first in this order wins. */
export const VERDICTS = ['rejected', 'needs-review', 'final', 'reviewed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The kind of reviewer who decided. The lock contains no names or times, because git has them. */
export type Reviewer = 'person' | 'agent' | `import:${string}`;

/** A decision about the current translation of the current source. */
export interface Decision {
  readonly verdict: Verdict;
  readonly by: Reviewer;
  /** The reason, as written in the lock: without characters that a line must not contain. */
  readonly note?: string | undefined;
}

/** In characters. Notes are for people who read the lock; longer ones belong in an issue. */
export const MAX_NOTE = 500;

/**
 * Why a decision is refused: an outdated translation can only be approved, and a missing one cannot have a decision.
 */
export const STALE_TEXT = 'its source has changed since it was translated: only an approval keeps it';
export const NO_TEXT = 'there is no translation to decide about';

/** Undefined for an empty note. */
export function noteOf(text: string | undefined): string | undefined {
  const note = text?.trim();
  return note === '' ? undefined : note;
}

export function isApproval(decision: Decision | undefined): boolean {
  return decision?.verdict === 'reviewed' || decision?.verdict === 'final';
}

/** Whether a decision makes a translation human: an approval by anyone except an agent. */
export function isTrustedApproval(decision: Decision | undefined): boolean {
  return isApproval(decision) && decision?.by !== 'agent';
}

/** Ranks decisions: of several recorded ones, the lowest rank wins. The absence of a decision has the highest rank. */
export function rankOfDecision(decision: Decision | undefined): number {
  if (!decision) return 2 * VERDICTS.length;
  return 2 * VERDICTS.indexOf(decision.verdict) + (decision.by === 'agent' ? 1 : 0);
}

/** `reviewed:person`, followed by a tab and the note, if any. */
export function serializeDecision({ verdict, by, note }: Decision): string {
  return note === undefined ? `${verdict}:${by}` : `${verdict}:${by}\t${note}`;
}

const DECISION = new RegExp(`^(${VERDICTS.join('|')}):(person|agent|import:[\\w.-]{1,40})(?:\\t([^\\t]+))?$`);

/** Undefined for anything that {@link serializeDecision} does not write. */
export function parseDecision(text: string): Decision | undefined {
  const [, verdictText, by, note] = DECISION.exec(text) ?? [];
  const verdict = VERDICTS.find((one) => one === verdictText);
  if (!verdict || !isReviewer(by)) return undefined;
  return note === undefined ? { verdict, by } : { verdict, by, note };
}

function isReviewer(text: string | undefined): text is Reviewer {
  return text === 'person' || text === 'agent' || text?.startsWith('import:') === true;
}

const IN_LINES = new RegExp(`\\t(?:${VERDICTS.join('|')}):`);

/** Whether a lock's lines contain a decision. Found without parsing, because paths and keys contain no tabs. */
export function hasDecisions(lines: string): boolean {
  return IN_LINES.test(lines);
}

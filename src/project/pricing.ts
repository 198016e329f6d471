import { parseMessage } from '../text/message.ts';
import type { TaggedText } from '../text/tagged.ts';
import { isJournalled, type JournalContent } from './journal.ts';
import type { PlannedKey } from './plan.ts';
import { actionFor, type Selection } from './todo.ts';
import type { Survey } from './workspace.ts';

/** What an engine charges, so that it can be said before it is asked. */
export interface Pricing {
  /** The id of the engine: what the journal has of it costs nothing any more. */
  readonly engine: string;
  /** For one distinct segment of a language. */
  creditsOf(segment: TaggedText): number;
}

/** The keys of a file that a sync has translated. */
export function wantedKeys({ plan }: Survey, selection: Selection): readonly PlannedKey[] {
  return plan.keys.filter((key) => actionFor(key, selection) === 'translate');
}

export interface PriceInput {
  readonly pricing: Pricing;
  /** Canonical. */
  readonly source: string;
  readonly target: string;
  readonly journal: JournalContent | undefined;
}

/**
 * The credits that translating these keys of one language costs: those of each distinct segment that is not in the
 * journal. Exact where no answer is damaged: words between placeholders that are asked for again are not in it.
 */
export function priceKeys(
  keys: Iterable<PlannedKey>,
  { pricing, source, target, journal }: PriceInput,
): number {
  const segments = new Set<TaggedText>();
  for (const { text, syntax } of keys) {
    const message = parseMessage(text, syntax);
    if (message.problem === undefined) for (const segment of message.segments(target)) segments.add(segment);
  }
  let credits = 0;
  for (const segment of segments) {
    if (journal && isJournalled(journal, pricing.engine, source, target, segment)) continue;
    credits += pricing.creditsOf(segment);
  }
  return credits;
}

import { DragomanError } from '../../base/errors.ts';
import { openAnswer } from '../../documents/localization/answer.ts';
import { isGuess, type Slot } from '../../formats/format.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import { problemOfValue } from '../../pipeline/prepared-unit.ts';
import { missingInValue, type Terms } from '../../pipeline/terms/terms.ts';
import type { Failure, UnitOutcome } from '../../pipeline/unit.ts';
import type { PlannedKey } from '../plan/plan.ts';

export interface DownloadedTarget {
  readonly bytes: Uint8Array;
  /** The source file of the translation. */
  readonly source: OpenFile;
  /** Canonical. */
  readonly locale: string;
  /** Whether every key was translated. Otherwise a value that equals its source counts as a failed translation. */
  readonly complete: boolean;
  /** The glossary's terms for this language pair. */
  readonly terms?: Terms | undefined;
}

/**
 * Takes the values of keys from a translated file, matched and verified like any answer. Nothing else in the file is
 * used.
 */
export async function readValues(
  keys: readonly PlannedKey[],
  downloaded: DownloadedTarget,
): Promise<readonly UnitOutcome[]> {
  const slots = await readSlots(keys, downloaded);
  if ('failure' in slots) return keys.map(() => slots);
  return keys.map((key) => judge(key, slots.byId.get(key.id), downloaded));
}

async function readSlots(
  keys: readonly PlannedKey[],
  { bytes, source, locale }: DownloadedTarget,
): Promise<Failure | { readonly byId: ReadonlyMap<SlotId, Slot> }> {
  const wanted = new Set(keys.map(({ id }) => id));
  try {
    const { document } = await openAnswer(source, bytes, source.path, locale);
    const ids = slotIds(document);
    return {
      byId: new Map(
        document.slots.flatMap((slot, i) => {
          const id = ids[i] ?? '';
          return wanted.has(id) ? [[id, slot] as const] : [];
        }),
      ),
    };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return { failure: error.message, kind: 'unverified' };
  }
}

function judge(
  { text, forms, syntax, rule }: PlannedKey,
  slot: Slot | undefined,
  { locale, complete, terms }: DownloadedTarget,
): UnitOutcome {
  const unverified = (failure: string): Failure => ({ failure, kind: 'unverified' });
  if (!slot) return unverified('the translated file does not have the key');
  const { value } = slot;
  const left = value === '' || isGuess(slot) || (!complete && value === text && hasWords(text));
  if (left) return { failure: 'the service left it untranslated', kind: 'engine' };
  if (slot.syntax !== syntax) return unverified('the translated file has the key in a different notation');
  const problem = problemOfValue(forms ?? [text], value, { syntax, locale, rule });
  if (problem !== undefined) return unverified(problem);
  const missing = terms ? missingInValue(terms, { value: text, syntax }, { value, syntax }, locale) : [];
  return { value, engine: 'service', ...(missing.length > 0 && { missingTerms: missing }) };
}

function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}

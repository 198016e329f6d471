import { DragomanError } from '../../base/errors.ts';
import type { Slot } from '../../formats/format.ts';
import { addsControls } from '../../pipeline/engine-call.ts';
import { openBytes } from '../../pipeline/open-file.ts';
import { slotIds, type SlotId } from '../../pipeline/pairing.ts';
import { missingInValue } from '../../pipeline/terms/missing-term.ts';
import type { Terms } from '../../pipeline/terms/terms.ts';
import type { Failure, UnitOutcome } from '../../pipeline/unit.ts';
import { verify } from '../../text/verify.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Resource } from '../discover/resource.ts';

export interface Downloaded {
  readonly bytes: Uint8Array;
  readonly resource: Resource;
  /** Canonical. */
  readonly locale: string;
  /** Every key was translated. Otherwise a value that is its source's is one that failed and was left. */
  readonly complete: boolean;
  /** What the glossary wants of them. */
  readonly terms?: Terms | undefined;
}

/**
 * Takes the values of keys from a translated file, paired and verified like any answer: nothing else of the file is
 * believed.
 */
export async function readValues(
  keys: readonly PlannedKey[],
  downloaded: Downloaded,
): Promise<readonly UnitOutcome[]> {
  const slots = await readSlots(keys, downloaded);
  if ('failure' in slots) return keys.map(() => slots);
  return keys.map((key) => judge(key, slots.byId.get(key.id), downloaded));
}

async function readSlots(
  keys: readonly PlannedKey[],
  { bytes, resource, locale }: Downloaded,
): Promise<Failure | { readonly byId: ReadonlyMap<SlotId, Slot> }> {
  const { format, source, sourceLocale } = resource;
  const wanted = new Set(keys.map(({ id }) => id));
  let best: ReadonlyMap<SlotId, Slot> = new Map();
  try {
    // Where the file names its language, a service may have left the source's.
    for (const language of [locale, sourceLocale]) {
      const { document } = await openBytes(bytes, source, { format, locale: language });
      const ids = slotIds(document);
      const byId = new Map(document.slots.map((slot, i) => [ids[i] ?? '', slot]));
      const found = [...wanted].filter((id) => byId.has(id)).length;
      if (found === wanted.size) return { byId };
      if (found > [...wanted].filter((id) => best.has(id)).length) best = byId;
    }
    return { byId: best };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return { failure: `the translated file cannot be read: ${error.message}`, kind: 'unverified' };
  }
}

function judge(
  { text, forms, syntax }: PlannedKey,
  slot: Slot | undefined,
  { locale, complete, terms }: Downloaded,
): UnitOutcome {
  const unverified = (failure: string): Failure => ({ failure, kind: 'unverified' });
  if (!slot) return unverified('the translated file does not have the key');
  const { value } = slot;
  if (slot.syntax !== syntax) return unverified('the translated file has the key in another notation');
  const left = value === '' || slot.provisional === true || (!complete && value === text && hasWords(text));
  if (left) return { failure: 'the service left it untranslated', kind: 'engine' };
  if (!value.isWellFormed() || addsControls(text, value))
    return unverified('the translation has characters that no text has');
  const problem = verify(forms ?? text, value, { syntax, locale })[0];
  if (problem) return unverified(problem.detail);
  const missing = terms ? missingInValue(terms, { value: text, syntax }, { value, syntax }, locale) : [];
  return { value, engine: 'service', ...(missing.length > 0 && { missingTerms: missing }) };
}

function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}

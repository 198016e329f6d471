import type { MemoryEntry, TranslationMemory } from '../../pipeline/memory.ts';
import { memoryMessageOf } from '../../pipeline/memory-message.ts';
import type { LanguagePair } from '../../engines/engine.ts';
import { alignTranslation } from '../../text/align.ts';
import { parseMessage } from '../../text/message.ts';
import { verify } from '../../text/verify.ts';
import { isHumanEdit } from '../plan/key-state.ts';
import type { PlannedKey } from '../plan/plan.ts';
import { unitOf } from '../plan/wanted-key.ts';

/**
 * Stores in the memory what people translated or mended since the last run, so that it goes before what engines did.
 * What cannot be taken apart as its source, or is no sound translation of it, is left out.
 */
export async function recordHumanEdits(
  keys: readonly PlannedKey[],
  memory: TranslationMemory,
  pair: LanguagePair,
): Promise<void> {
  const entries = keys.flatMap((key) => entryOf(key, pair.target) ?? []);
  if (entries.length > 0) await memory.store(entries, pair);
}

function entryOf(key: PlannedKey, target: string): MemoryEntry | undefined {
  const { blank, text, value, syntax } = key;
  // An empty value is meant for its place. A copy of the source is more often one that nobody has translated yet.
  if (!isHumanEdit(key) || blank || value === undefined || value === '' || value === text) return undefined;
  if (verify(key.forms ?? text, value, { syntax, locale: target }).length > 0) return undefined;
  const source = parseMessage(text, syntax);
  const message = memoryMessageOf(source, unitOf({ key }).context, target);
  const translations = alignTranslation(source, value, target, { keep: 'reading' });
  return message && translations && { ...message, translations, origin: 'human' };
}

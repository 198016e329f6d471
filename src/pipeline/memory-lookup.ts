import { COPY } from '../engines/copy.ts';
import { tokenize, type TaggedText, type Token } from '../text/tagged.ts';
import { addsControls } from './engine-call.ts';
import type { MemoryEntry, MemoryTranslation } from './memory.ts';
import type { SegmentContext } from './segment-outcome.ts';
import type { Failure, TranslatedUnit, Unit } from './unit.ts';
import { assemble, prepareUnit, type Assembled, type PreparedUnit } from './prepared-unit.ts';

/** What it takes to look a value up. */
export type LookupContext = Pick<SegmentContext, 'memory' | 'glossary' | 'source' | 'target'>;

/** What the translation memory has of each unit; nothing is asked of anybody else. */
export async function lookUpUnits(
  units: readonly Unit[],
  context: LookupContext,
): Promise<readonly (TranslatedUnit | undefined)[]> {
  return lookUp(
    units.map((unit) => prepareUnit(unit, context)),
    context,
  );
}

/** The same of prepared. What does not verify where it is to stand is not taken. */
export async function lookUp(
  prepared: readonly PreparedUnit[],
  { memory, source, target }: LookupContext,
): Promise<readonly (TranslatedUnit | undefined)[]> {
  if (!memory) return [];
  const asked = prepared.flatMap(({ remembered }) => remembered ?? []);
  if (asked.length === 0) return [];
  const found = (await memory.find(asked, { source, target })).values();
  return prepared.map((one) => {
    const translation = one.remembered && found.next().value;
    return translation && take(one, translation, target);
  });
}

/** A human's word stands also against the glossary, which reports it. */
function take(
  one: PreparedUnit,
  { translations, origin }: MemoryTranslation,
  locale: string,
): TranslatedUnit | undefined {
  if (translations.length !== one.segments.length) return undefined;
  if (!one.segments.every((segment, i) => isTranslation(segment, translations[i] ?? ''))) return undefined;
  const assembled = assemble(one, translations, locale);
  if ('failure' in assembled) return undefined;
  const { value, missingTerms } = assembled;
  if (missingTerms && origin === 'machine') return undefined;
  return { value, memory: origin, ...(missingTerms && { missingTerms }) };
}

/** A memory's file may come from anywhere: it is believed no more than an engine. A human may have left a placeholder out. */
function isTranslation(segment: TaggedText, translation: TaggedText): boolean {
  const tokens = tokenize(translation);
  if (!tokens || !translation.isWellFormed() || addsControls(segment, translation)) return false;
  const known = new Set(tokenize(segment)?.map(shapeOf));
  const hasWords = tokens.some((token) => token.type === 'words' && token.text.trim() !== '');
  return hasWords && tokens.every((token) => token.type === 'words' || known.has(shapeOf(token)));
}

function shapeOf(token: Token): string {
  return token.type === 'words' ? '' : `${token.type} ${token.id}`;
}

/** Has the memory keep what engines translated, as far as it is as it should be. A copy would hide a later engine. */
export async function remember(
  prepared: readonly PreparedUnit[],
  outcomes: readonly (Assembled | Failure | undefined)[],
  { memory, source, target }: LookupContext,
): Promise<void> {
  if (!memory) return;
  const entries: MemoryEntry[] = [];
  for (const [i, { remembered }] of prepared.entries()) {
    const outcome = outcomes[i];
    if (!remembered || !outcome || 'failure' in outcome || outcome.missingTerms) continue;
    const { translations, engine } = outcome;
    if (engine === undefined || engine === COPY) continue;
    const { segments, placeholders, category, context } = remembered;
    entries.push({ segments, placeholders, category, context, translations, origin: 'machine', engine });
  }
  if (entries.length > 0) await memory.store(entries, { source, target });
}

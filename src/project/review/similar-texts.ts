import type { LanguagePair } from '../../engines/engine.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import { lookUpUnits, memoryMessageOf } from '../../pipeline/prepared-unit.ts';
import type { BranchRule } from '../../text/choice.ts';
import { type Message, parseMessage } from '../../text/message.ts';
import type { Syntax } from '../../text/syntax.ts';
import { mergeWords, type TaggedText, type Token, tokenize, writeTagged } from '../../text/tagged.ts';
import type { SimilarText } from './row-context.ts';

/** A text for which similar ones are searched. */
export interface SearchedText {
  readonly source: string;
  readonly syntax: Syntax;
  readonly rule?: BranchRule | undefined;
  readonly category?: string | undefined;
}

const MOST = 5;

/** The memory's translations for a text: first that of the same text, then those of similar ones. At most 5. */
export async function findSimilarTexts(
  { source, syntax, rule, category }: SearchedText,
  memory: TranslationMemory,
  pair: LanguagePair,
): Promise<readonly SimilarText[]> {
  const message = parseMessage(source, syntax, rule);
  if (message.problem !== undefined) return [];
  const context = { key: [], category };
  const [same] = await lookUpUnits([{ value: source, syntax, rule, context }], { memory, ...pair });
  const found: SimilarText[] = same ? [{ source, translation: same.value, similarity: 1 }] : [];
  const asked = memoryMessageOf(message, context, pair.target);
  for (const similar of asked ? await memory.findSimilar(asked, pair, { most: MOST }) : []) {
    const written = {
      source: writeLike(message, similar.source, pair.target),
      translation: writeLike(message, similar.translation, pair.target),
      similarity: similar.similarity,
    };
    if (!found.some(({ translation }) => translation === written.translation)) found.push(written);
  }
  return found.slice(0, MOST);
}

/** Writes a text of the memory with the placeholders of a message. Omits placeholders that the message lacks. */
function writeLike(message: Message, tagged: TaggedText, locale: string): string {
  const [segment = ''] = message.segments(locale);
  const known = new Set(tokenize(segment)?.map(nameOf));
  const kept = (tokenize(tagged) ?? []).filter((token) => token.type === 'words' || known.has(nameOf(token)));
  return message.assemble(locale, [writeTagged(mergeWords(kept))]);
}

function nameOf(token: Token): string {
  return token.type === 'words' ? '' : `${token.type} ${token.id}`;
}

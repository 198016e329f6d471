import fc from 'fast-check';
import type { MemoryImportOptions, Skip } from '../../../src/memory/exchange/exchange.ts';
import type { NewEntry, StoredEntry } from '../../../src/memory/stored-memory.ts';
import { contextOf } from '../../../src/pipeline/memory.ts';
import { mergeWords, tokenize, writeTagged, type TaggedText, type Token } from '../../../src/text/tagged.ts';

const words = fc.constantFrom(
  'Save',
  ' the file',
  'a < b & c',
  '"q"',
  "l'eau",
  ' ',
  '\n',
  '\r\n',
  '\t',
  '日本語',
  'שלום',
  '👍',
  ']]>',
  '{x}',
  '%s',
  '<b>',
  '&amp;',
  '=1+1',
  ', ',
  ';',
  'é',
  '<x id="1"/>',
  '\u00a0',
);

const names = fc.constantFrom(
  'name',
  'count',
  'b',
  'a',
  '0',
  's',
  '%@',
  '',
  'user.name',
  'ü',
  '\u0001',
  '"',
  '{}',
);

/** A segment with placeholders numbered as in messages, and their count. */
const segment: fc.Arbitrary<{ readonly tagged: TaggedText; readonly count: number }> = fc
  .tuple(fc.array(fc.oneof(words, fc.constantFrom('placeholder', 'pair')), { maxLength: 6 }), words)
  .map(([parts, last]) => {
    const tokens: Token[] = [];
    let id = 0;
    for (const part of parts) {
      if (part === 'placeholder') tokens.push({ type: 'placeholder', id: ++id });
      else if (part === 'pair') {
        const pair = ++id;
        tokens.push({ type: 'open', id: pair }, { type: 'words', text: 'in' }, { type: 'close', id: pair });
      } else tokens.push({ type: 'words', text: part });
    }
    tokens.push({ type: 'words', text: `w${last}` });
    return { tagged: writeTagged(mergeWords(tokens)), count: id };
  });

/** The same placeholders in a different order, with different words. */
function translated(tagged: TaggedText, word: string, reverse: boolean): TaggedText {
  const tokens = (tokenize(tagged) ?? []).map((token): Token =>
    token.type === 'words' ? { type: 'words', text: `${word}${token.text}` } : token,
  );
  const flat = tokens.every(({ type }) => type === 'words' || type === 'placeholder');
  return writeTagged(mergeWords(reverse && flat ? tokens.reverse() : tokens));
}

const dates = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((time) => new Date(time));

/** Entries of every shape, some of which a format cannot write. */
export const storedEntries: fc.Arbitrary<StoredEntry> = fc
  .record({
    pair: fc.constantFrom(
      { source: 'en', target: 'es' },
      { source: 'en', target: 'zh-CN' },
      { source: 'de', target: 'en' },
    ),
    parts: fc.array(segment, { minLength: 1, maxLength: 3 }),
    names: fc.array(names, { minLength: 24, maxLength: 24 }),
    word: words,
    reverse: fc.boolean(),
    category: fc.constantFrom('', '', 'one', 'other'),
    key: fc.array(fc.constantFrom('menu', 'file.save', '["x', '', '\n', 'é', '\u0001'), { maxLength: 3 }),
    origin: fc.constantFrom('human' as const, 'machine' as const),
    engine: fc.constantFrom(undefined, 'apertium', 'openai+deepl'),
    changed: dates,
    used: dates,
  })
  .map(({ parts, names: all, word, reverse, key, ...entry }) => ({
    ...entry,
    segments: parts.map(({ tagged }) => tagged),
    translations: parts.map(({ tagged }) => translated(tagged, word, reverse)),
    placeholders: all.slice(
      0,
      parts.reduce((sum, { count }) => sum + count, 0),
    ),
    context: contextOf(key),
  }));

/** The identity of an entry. */
export function shapeOf({
  pair,
  segments,
  translations,
  placeholders,
  category,
  context,
  ...rest
}: NewEntry): unknown {
  const { origin, engine, changed } = rest;
  return { pair, segments, translations, placeholders, category, context, origin, engine, changed };
}

/** A typical entry, for tests of one aspect. */
export function entry(changes: Partial<StoredEntry> = {}): StoredEntry {
  return {
    pair: { source: 'en', target: 'es' },
    segments: ['Save file'],
    translations: ['Guardar archivo'],
    placeholders: [],
    category: '',
    context: '',
    origin: 'human',
    changed: new Date('2026-01-31T12:00:00Z'),
    used: new Date('2026-02-01T00:00:00Z'),
    ...changes,
  };
}

export async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export interface Done<T> {
  readonly items: readonly T[];
  readonly skips: readonly Skip[];
}

/** The output of a reader or writer, and the entries that it skips. */
export async function gather<T>(
  work: (onSkip: MemoryImportOptions['onSkip']) => AsyncIterable<T>,
): Promise<Done<T>> {
  const skips: Skip[] = [];
  return { items: await collect(work((skip) => skips.push(skip))), skips };
}

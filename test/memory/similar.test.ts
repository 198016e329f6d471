import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparableOf } from '../../src/memory/comparable.ts';
import { compare, LEAST_SIMILARITY, MOST_SIMILARITY } from '../../src/memory/similarity.ts';
import { EN_DE, EN_ES, entryOf, inPair, messageOf, openMemory } from './harness.ts';
import { anyText, likeTexts } from './texts.ts';

function similarityOf(a: string, b: string): number {
  return compare(comparableOf(a), comparableOf(b));
}

describe('similar translations', () => {
  it('are those of the most similar texts, with the best translation of each', async () => {
    const memory = await openMemory();
    await memory.store(
      [
        entryOf('Delete the old file', 'Borrar el archivo viejo'),
        entryOf('Delete the old files', 'Borrar los archivos viejos', { context: 'a' }),
        entryOf('Delete the old files', 'Elimina los archivos viejos', { context: 'b', origin: 'human' }),
        entryOf('Delete the new folder', 'Borrar la carpeta nueva'),
        entryOf('Delete the old files. ', 'Borrar los archivos viejos.'),
      ],
      EN_ES,
    );
    expect(await memory.findSimilar(messageOf('Delete the old files!'), EN_ES)).toEqual([
      {
        source: 'Delete the old files',
        translation: 'Elimina los archivos viejos',
        similarity: similarityOf('Delete the old files', 'Delete the old files!'),
      },
      expect.objectContaining({ source: 'Delete the old files. ' }),
      expect.objectContaining({ source: 'Delete the old file' }),
    ]);
    const [only, ...others] = await memory.findSimilar(messageOf('Delete the old files!'), EN_ES, {
      most: 1,
    });
    expect([only?.source, others]).toEqual(['Delete the old files', []]);
    expect(await memory.findSimilar(messageOf('Delete the old files!'), EN_ES, { most: 0 })).toEqual([]);
    expect(await memory.findSimilar(messageOf('Delete the old files!'), EN_DE)).toEqual([]);
    expect(
      await memory.findSimilar(messageOf('Delete the old files!'), { source: 'en-US', target: 'es' }),
    ).toEqual([]);
  });

  it('include the same text with different placeholders or a different category, but not the message itself', async () => {
    const memory = await openMemory();
    const text = '<x id="1"/> left';
    await memory.store(
      [entryOf(text, 'quedan <x id="1"/>', { placeholders: ['count'], category: 'other' })],
      EN_ES,
    );
    const similar = (more: object): Promise<unknown> => memory.findSimilar(messageOf(text, more), EN_ES);
    const known = [{ source: text, translation: 'quedan <x id="1"/>', similarity: MOST_SIMILARITY }];
    expect(await similar({ placeholders: ['user'], category: 'other' })).toEqual(known);
    expect(await similar({ placeholders: ['count'], category: 'one' })).toEqual(known);
    expect(await similar({ placeholders: ['count'], category: 'other', context: 'elsewhere' })).toEqual([]);
  });

  it('only include messages of one segment', async () => {
    const memory = await openMemory();
    const segments = ['Delete the old files', 'and the new ones'];
    await memory.store([{ ...entryOf('', ''), segments, translations: ['Borra', 'y'] }], EN_ES);
    expect(await memory.findSimilar(messageOf('Delete the old files!'), EN_ES)).toEqual([]);
    await memory.store([entryOf('Delete the old files!', 'Borra')], EN_ES);
    expect(await memory.findSimilar({ ...messageOf(''), segments }, EN_ES)).toEqual([]);
  });

  it('follow additions and removals', async () => {
    const memory = await openMemory();
    const find = async (): Promise<readonly string[]> =>
      (await memory.findSimilar(messageOf('Delete the old files!'), EN_ES)).map(
        ({ translation }) => translation,
      );
    await memory.store([entryOf('Delete the old files', 'Borrar')], EN_ES);
    await memory.store([entryOf('Delete the old files', 'Löschen')], EN_DE);
    await memory.store([entryOf('Delete the old files', 'Eliminar')], EN_ES);
    expect(await find()).toEqual(['Eliminar']);
    expect(await memory.prune({ target: 'es' })).toBe(1);
    expect(await find()).toEqual([]);
    expect(await memory.prune({ target: 'de' })).toBe(1);
    await memory.store([entryOf('Save the whole project now', 'Guardar'), entryOf('Quit', 'Salir')], EN_ES);
    await memory.store([entryOf('Delete the old files', 'Borrar')], EN_ES);
    expect(await find()).toEqual(['Borrar']);
  });

  it.each([4, 5, 7, 8, 12, 16, 40])('of %d words may have other rare words', async (count) => {
    const memory = await openMemory();
    const common = Array.from({ length: count }, (_, i) => `c${i}${'xyz'[i % 3]}mon`);
    await memory.store([entryOf(common.join(' '), 'x')], EN_ES);
    // As many different words as similar texts may have, at the front, at the end or in between. They are stored last,
    // so they count as the rarest.
    const others = Math.floor(count / 4);
    const texts = [0, count - others, Math.floor(count / 2) - others].map((start, round) =>
      common.map((word, i) => (i >= start && i < start + others ? `r${round}${i}are` : word)).join(' '),
    );
    await memory.store(
      texts.map((text) => entryOf(text, 'x')),
      EN_ES,
    );
    for (const text of texts) {
      const found = await memory.findSimilar(messageOf(text), EN_ES);
      expect(found.map(({ source }) => source)).toContain(common.join(' '));
    }
  });

  it('equal the results of comparing every text', async () => {
    // Stored in several rounds, so that terms get their numbers in different ways.
    const rounds = fc.array(
      fc.array(
        fc.oneof(
          anyText,
          likeTexts.map(([, text]) => text),
        ),
        { maxLength: 25 },
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(rounds, fc.array(likeTexts, { minLength: 1, maxLength: 10 }), async (texts, pairs) => {
        const memory = await openMemory();
        const stored = new Set(
          [...texts.flat(), ...pairs.map(([text]) => text)].map((text) => text.normalize('NFC')),
        );
        for (const round of [...texts, pairs.map(([text]) => text)]) {
          await memory.storeAll(round.map((text) => inPair(entryOf(text, 'x'))));
        }
        for (const [, text] of pairs) {
          const expected = [...stored]
            .map((source) => ({ source, similarity: similarityOf(source, text.normalize('NFC')) }))
            .filter(({ similarity }) => similarity >= LEAST_SIMILARITY && similarity < 1);
          const found = await memory.findSimilar(messageOf(text), EN_ES, { most: 1_000 });
          expect(found.map(({ source, similarity }) => ({ source, similarity })).toSorted(bySource)).toEqual(
            expected.toSorted(bySource),
          );
        }
        await memory.close();
      }),
      { numRuns: 25 },
    );
  });

  it('are found among thousands, in the order of comparing every text', async () => {
    const memory = await openMemory();
    const texts = [...new Set(fc.sample(anyText, 1_500).map((text) => text.normalize('NFC')))];
    await memory.storeAll(texts.map((text) => inPair(entryOf(text, 'x'))));
    const all = texts.map((text) => comparableOf(text));
    let found = 0;
    for (const [index, text] of texts.entries()) {
      if (index % 15 > 0) continue;
      const asked = `${text} .`;
      const apart = comparableOf(asked);
      const expected = all
        .map((source) => compare(source, apart))
        .filter((similarity) => similarity >= LEAST_SIMILARITY && similarity < 1)
        .toSorted((a, b) => b - a)
        .slice(0, 3);
      const similar = await memory.findSimilar(messageOf(asked), EN_ES, { most: 3 });
      expect(similar.map(({ similarity }) => similarity)).toEqual(expected);
      found += similar.length;
    }
    expect(found).toBeGreaterThan(50);
  });
});

function bySource(a: { readonly source: string }, b: { readonly source: string }): number {
  return a.source < b.source ? -1 : 1;
}

import { describe, expect, it } from 'vitest';
import type { TranslationMemory } from '../../src/pipeline/memory.ts';
import { EN_DE, EN_ES, entryOf, messageOf } from './harness.ts';

/** Opens a memory for a project, or for none; all share their entries. */
export type OpenMemory = (project?: string) => Promise<TranslationMemory>;

/**
 * The behaviour of every translation memory. `begin` returns a function that opens an empty one, and closes
 * it later.
 */
export function memoryContract(name: string, begin: () => OpenMemory): void {
  const open = (): Promise<TranslationMemory> => begin()();
  describe(`${name}, as a translation memory,`, () => {
    const best = async (memory: TranslationMemory, text: string, context = ''): Promise<string | undefined> =>
      (await memory.find([messageOf(text, { context })], EN_ES))[0]?.translations[0];

    it('finds only stored translations, in the order of the request', async () => {
      const memory = await open();
      await memory.store([entryOf('Save', 'Guardar'), entryOf('Open', 'Abrir', { engine: 'deepl' })], EN_ES);
      expect(
        await memory.find(
          ['Open', 'Close', 'Save', 'Open'].map((text) => messageOf(text)),
          EN_ES,
        ),
      ).toEqual([
        { translations: ['Abrir'], origin: 'machine', engine: 'deepl' },
        undefined,
        { translations: ['Guardar'], origin: 'machine', engine: 'apertium' },
        { translations: ['Abrir'], origin: 'machine', engine: 'deepl' },
      ]);
      expect(await memory.find([], EN_ES)).toEqual([]);
    });

    it('distinguishes languages, including regions', async () => {
      const memory = await open();
      await memory.store([entryOf('Save', 'Guardar')], EN_ES);
      await memory.store([entryOf('Save', 'Speichern')], EN_DE);
      const found = async (source: string, target: string): Promise<unknown> =>
        (await memory.find([messageOf('Save')], { source, target }))[0]?.translations[0];
      expect(await found('en', 'es')).toBe('Guardar');
      expect(await found('en', 'de')).toBe('Speichern');
      for (const [source = '', target = ''] of [
        ['en', 'es-MX'],
        ['en-US', 'es'],
        ['es', 'en'],
        ['en', 'fr'],
      ])
        expect(await found(source, target), `${source}-${target}`).toBeUndefined();
    });

    it('reports for which pairs there may be similar texts', async () => {
      const memory = await open();
      expect(await memory.hasSimilar(EN_ES)).toBe(false);
      await memory.store([entryOf('Save', 'Guardar')], EN_ES);
      expect(await memory.hasSimilar(EN_ES)).toBe(true);
      expect(await memory.hasSimilar(EN_DE)).toBe(false);
    });

    it.each([
      ['another text', messageOf('{1} left')],
      ['different letter case', messageOf('<x id="1"/> Left', { placeholders: ['count'] })],
      ['different placeholder names', messageOf('<x id="1"/> left', { placeholders: ['user'] })],
      ['a different number of names', messageOf('<x id="1"/> left', { placeholders: ['count', 'user'] })],
      [
        'a different plural category',
        messageOf('<x id="1"/> left', { placeholders: ['count'], category: 'one' }),
      ],
      ['different segments', messageOf('', { segments: ['<x id="1"/>', ' left'], placeholders: ['count'] })],
    ])('finds nothing for another message: %s', async (_what, other) => {
      const memory = await open();
      await memory.store(
        [entryOf('<x id="1"/> left', 'quedan <x id="1"/>', { placeholders: ['count'] })],
        EN_ES,
      );
      expect(await memory.find([other], EN_ES)).toEqual([undefined]);
    });

    it('keeps messages of several segments together', async () => {
      const memory = await open();
      const segments = ['One &lt; two', '', 'three <x id="1">four</x>'];
      const translations = ['Uno &lt; dos', '', '<x id="1">cuatro</x> tres'];
      const message = messageOf('', { segments, placeholders: ['b'] });
      await memory.store([{ ...message, translations, origin: 'human' }], EN_ES);
      expect(await memory.find([message], EN_ES)).toMatchObject([{ translations, origin: 'human' }]);
    });

    it('ignores how characters are composed', async () => {
      const memory = await open();
      await memory.store([entryOf('caf\u00e9', 'un caf\u00e9')], EN_ES);
      expect(await best(memory, 'cafe\u0301')).toBe('un caf\u00e9');
    });

    it('prefers the same context, then the newest', async () => {
      const memory = await open();
      await memory.store([entryOf('Open', 'Abrir', { context: 'menu' })], EN_ES);
      await memory.store([entryOf('Open', 'Abierto', { context: 'state' })], EN_ES);
      await memory.store([entryOf('Open', 'Abre', { context: 'help' })], EN_ES);
      expect(await best(memory, 'Open', 'menu')).toBe('Abrir');
      expect(await best(memory, 'Open', 'state')).toBe('Abierto');
      expect(await best(memory, 'Open', 'elsewhere')).toBe('Abre');
      await memory.store([entryOf('Open', 'Abrir de nuevo', { context: 'menu' })], EN_ES);
      expect(await best(memory, 'Open', 'elsewhere')).toBe('Abrir de nuevo');
    });

    it('prefers human translations in any context and of any age', async () => {
      const memory = await open();
      await memory.store([entryOf('Open', 'Abrir', { context: 'menu', origin: 'human' })], EN_ES);
      await memory.store([entryOf('Open', 'Abierto', { context: 'state' })], EN_ES);
      expect(await best(memory, 'Open', 'state')).toBe('Abrir');
      await memory.store([entryOf('Open', 'Está abierto', { context: 'state', origin: 'human' })], EN_ES);
      expect(await best(memory, 'Open', 'state')).toBe('Está abierto');
      expect(await best(memory, 'Open', 'menu')).toBe('Abrir');
      expect(await best(memory, 'Open', 'elsewhere')).toBe('Está abierto');
    });

    it('never replaces a human translation with an engine’s, and otherwise keeps the newer one', async () => {
      const memory = await open();
      const store = (translation: string, origin: 'human' | 'machine'): Promise<void> =>
        memory.store([entryOf('Save', translation, { origin })], EN_ES);
      await store('Salvar', 'machine');
      await store('Guardar', 'machine');
      expect(await best(memory, 'Save')).toBe('Guardar');
      await store('Grabar', 'human');
      await store('Salvar', 'machine');
      expect(await best(memory, 'Save')).toBe('Grabar');
      await store('Guardar', 'human');
      expect(await best(memory, 'Save')).toBe('Guardar');
    });

    it('keeps the last of several for the same message in one call', async () => {
      const memory = await open();
      await memory.store(
        [
          entryOf('Save', 'Salvar'),
          entryOf('Save', 'Guardar', { origin: 'human' }),
          entryOf('Save', 'Grabar'),
        ],
        EN_ES,
      );
      expect(await memory.find([messageOf('Save')], EN_ES)).toEqual([
        { translations: ['Guardar'], origin: 'human' },
      ]);
    });

    it('keeps human translations within their project, and shares engines’ translations', async () => {
      const opened = begin();
      const [web, app, none] = [await opened('/home/ann/web'), await opened('/home/ann/app'), await opened()];
      await web.store(
        [
          entryOf('Open', 'Abrir', { origin: 'human' }),
          entryOf('Save', 'Guardar'),
          entryOf('Open', 'Abierto'),
        ],
        EN_ES,
      );
      expect([await best(web, 'Open'), await best(web, 'Save')]).toEqual(['Abrir', 'Guardar']);
      for (const other of [app, none])
        expect([await best(other, 'Open'), await best(other, 'Save')]).toEqual(['Abierto', 'Guardar']);
      await app.store([entryOf('Open', 'Abra', { origin: 'human' })], EN_ES);
      expect([await best(web, 'Open'), await best(app, 'Open'), await best(none, 'Open')]).toEqual([
        'Abrir',
        'Abra',
        'Abierto',
      ]);
    });

    it("prefers the project's human translations to others, then the same context, then the newest", async () => {
      const opened = begin();
      const [web, none] = [await opened('/home/ann/web'), await opened()];
      await web.store([entryOf('Open', 'Abrir', { context: 'menu', origin: 'human' })], EN_ES);
      await web.store([entryOf('Open', 'Abierto', { context: 'state', origin: 'human' })], EN_ES);
      await none.store([entryOf('Open', 'Abre', { context: 'help', origin: 'human' })], EN_ES);
      expect(await best(none, 'Open', 'menu')).toBe('Abre');
      expect(await best(web, 'Open', 'menu')).toBe('Abrir');
      expect(await best(web, 'Open', 'help')).toBe('Abierto');
      await web.store([entryOf('Shut', 'Cerrar')], EN_ES);
      await none.store([entryOf('Shut', 'Cierra', { origin: 'human' })], EN_ES);
      expect(await best(web, 'Shut')).toBe('Cierra');
    });
  });
}

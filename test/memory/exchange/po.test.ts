import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileMo } from '../../../src/formats/po/mo.ts';
import type { MemoryImportOptions, Skip } from '../../../src/memory/exchange/exchange.ts';
import { readPo } from '../../../src/memory/exchange/po-reader.ts';
import { writePo } from '../../../src/memory/exchange/po-writer.ts';
import type { NewEntry, StoredEntry } from '../../../src/memory/stored-memory.ts';
import { contextOf } from '../../../src/pipeline/memory.ts';
import { gettextParser } from '../../readers/gettext.ts';
import { works } from '../../readers/process.ts';
import { each, entry, gather, storedEntries, type Done } from './entries.ts';

const pair = { source: 'en', target: 'es' };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dragoman-po-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function poOf(
  entries: readonly StoredEntry[],
  target = 'es',
): Promise<{ text: string; skips: readonly Skip[] }> {
  const { items, skips } = await gather((onSkip) =>
    writePo(each(entries), { pair: { source: 'en', target }, version: '1', onSkip }),
  );
  return { text: items.join(''), skips };
}

let files = 0;
async function fromPo(text: string, options: Partial<MemoryImportOptions> = {}): Promise<Done<NewEntry>> {
  const path = join(directory, `${++files}.po`);
  await writeFile(path, text);
  return gather((onSkip) => readPo(path, { origin: 'human', onSkip, ...options }));
}

const ofPair = storedEntries.map((stored) => ({ ...stored, pair }));

describe('PO', () => {
  it('round-trips its texts or reports skipped ones; msgfmt and gettext-parser accept it', async () => {
    const texts: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(ofPair, { maxLength: 5 }), async (entries) => {
        const { text, skips } = await poOf(entries);
        texts.push(text);
        const { items } = await fromPo(text);
        expect(items.length + skips.length).toBeGreaterThanOrEqual(
          entries.filter(({ category }) => category === '').length,
        );
        const shape = ({ segments, translations, placeholders }: NewEntry): string =>
          JSON.stringify([segments, translations, placeholders]);
        const shapes = entries.map(shape);
        for (const item of items) expect(shapes).toContain(shape(item));
      }),
      { numRuns: 100 },
    );
    const readings = gettextParser.read(texts.map((text) => ({ bytes: Buffer.from(text) })));
    for (const reading of readings) expect(reading).not.toHaveProperty('refused');
  });

  const sample = (): Promise<{ text: string; skips: readonly Skip[] }> =>
    poOf(
      [
        entry({ context: contextOf(['menu', 'save']) }),
        entry({
          segments: ['Open'],
          translations: ['Abrir'],
          context: contextOf(['verb', 'Open']),
          origin: 'machine',
          engine: 'deepl',
        }),
        entry({ segments: ['Open'], translations: ['Abierto'] }),
        entry({
          segments: ['<x id="1"/> file'],
          translations: ['<x id="1"/> файл'],
          placeholders: ['n'],
          category: 'one',
          context: contextOf(['files', 'one']),
        }),
        entry({
          segments: ['<x id="1"/> files'],
          translations: ['<x id="1"/> файла'],
          placeholders: ['n'],
          category: 'few',
          context: contextOf(['files', 'few']),
        }),
        entry({
          segments: ['<x id="1"/> files'],
          translations: ['<x id="1"/> файлов'],
          placeholders: ['n'],
          category: 'many',
          context: contextOf(['files', 'many']),
        }),
        entry({
          segments: ['<x id="1"/> files'],
          translations: ['<x id="1"/> файла'],
          placeholders: ['n'],
          category: 'other',
          context: contextOf(['files', 'other']),
        }),
        entry({ segments: ['a', 'b'], translations: ['c', 'd'] }),
      ],
      'ru',
    );

  it('includes contexts, plurals by category and the translator', async () => {
    const { text, skips } = await sample();
    expect(text).toContain('"Language: ru\\n"');
    expect(text).toContain('msgctxt "menu.save"\nmsgid "Save file"\nmsgstr "Guardar archivo"\n');
    expect(text).toContain('# machine translation (deepl)\nmsgctxt "verb"\nmsgid "Open"\nmsgstr "Abrir"\n');
    expect(text).toContain('\n\nmsgid "Open"\nmsgstr "Abierto"\n');
    expect(text).toContain(
      'msgctxt "files"\nmsgid "{n} file"\nmsgid_plural "{n} files"\n' +
        'msgstr[0] "{n} файл"\nmsgstr[1] "{n} файла"\nmsgstr[2] "{n} файлов"\n',
    );
    // PO files cannot hold the Russian form for fractions, nor messages of several segments.
    expect(skips.map(({ reason, detail }) => [reason, detail.split(': ')[1]])).toEqual([
      ['unwritable', 'a | b'],
      ['unwritable', '<x id="1"/> files'],
    ]);
    const { items } = await fromPo(text);
    expect(items.map(({ category, translations }) => [category, translations[0]])).toEqual([
      ['', 'Guardar archivo'],
      ['', 'Abrir'],
      ['', 'Abierto'],
      ['one', '<x id="1"/> файл'],
      ['few', '<x id="1"/> файла'],
      ['many', '<x id="1"/> файлов'],
    ]);
  });

  const noMsgfmt = works('msgfmt', ['--version']) ? undefined : 'msgfmt (Debian: gettext)';
  it.skipIf(noMsgfmt !== undefined)(
    `is compiled by msgfmt${noMsgfmt ? `: SKIPPED, needs ${noMsgfmt}` : ''}`,
    async () => {
      const { text } = await sample();
      const { status, stderr } = spawnSync(
        'msgfmt',
        ['--check-format', '--check-domain', '-o', '/dev/null', '-'],
        {
          input: text,
          encoding: 'utf8',
        },
      );
      expect([status, stderr]).toEqual([0, '']);
    },
  );

  const catalog = (
    messages: string,
    header = 'Language: es\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n',
  ): string => `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n${header}"\n\n${messages}`;

  it('accepts translations but not guesses, formats by their flags, and plural forms by category', async () => {
    const { items, skips } = await fromPo(
      catalog(`#, fuzzy
msgid "Yes"
msgstr "Quizás"

msgid "No"
msgstr ""

#, c-format
msgctxt "disk"
msgid "%s of 100%%"
msgstr "%s del 100%%"

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "Un archivo"
msgstr[1] "%d archivos"

#, c-format
msgid "One file"
msgid_plural "%d files"
msgstr[0] "Un archivo"
msgstr[1] "%d archivos"

#, c-format
msgid "%s and %s"
msgstr "%2$s y %1$s"

#~ msgid "Old"
#~ msgstr "Viejo"
`),
    );
    expect(
      items.map(({ segments, translations, context, category }) => [
        segments[0],
        translations[0],
        context.split('\u001f'),
        category,
      ]),
    ).toEqual([
      ['<x id="1"/> of 100<x id="2"/>', '<x id="1"/> del 100<x id="2"/>', ['disk', '%s of 100%%'], ''],
      ['<x id="1"/> files', '<x id="1"/> archivos', ['', '%d file', 'other'], 'other'],
      ['One file', 'Un archivo', ['', 'One file', 'one'], 'one'],
      ['<x id="1"/> files', '<x id="1"/> archivos', ['', 'One file', 'other'], 'other'],
      ['<x id="1"/> and <x id="2"/>', '<x id="2"/> y <x id="1"/>', ['', '%s and %s'], ''],
    ]);
    expect(skips.map(({ reason, at }) => [reason, at?.line])).toEqual([
      ['untranslated', 6],
      ['untranslated', 9],
      ['unsound', 19],
    ]);
  });

  it('needs a language, and takes the source from the header', async () => {
    const text = catalog('msgid "Ja"\nmsgstr "Oui"\n', 'X-Source-Language: de\\n');
    await expect(fromPo(text)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--target') as string,
    });
    expect((await fromPo(text, { targets: ['fr'] })).items).toMatchObject([
      { pair: { source: 'de', target: 'fr' } },
    ]);
    expect((await fromPo(text, { targets: ['fr'], source: 'nl' })).items).toMatchObject([
      { pair: { source: 'nl', target: 'fr' } },
    ]);
    const french = join(directory, 'unnamed.po');
    await writeFile(french, text);
    const named = await gather((onSkip) => readPo(french, { origin: 'human', onSkip }, 'fr'));
    expect(named.items).toMatchObject([{ pair: { source: 'de', target: 'fr' } }]);
    const spanish = catalog('msgid "Yes"\nmsgstr "Sí"\n');
    expect((await fromPo(spanish, { targets: ['fr'] })).items).toEqual([]);
    expect((await fromPo(spanish, { targets: ['es-MX', 'fr'] })).items).toMatchObject([
      { pair: { source: 'en', target: 'es-MX' } },
    ]);
    expect((await fromPo(spanish, { source: 'es' })).skips).toMatchObject([{ reason: 'language' }]);
  });
});

describe('a binary catalogue', () => {
  it('is read as the PO file that it was compiled from', async () => {
    const po =
      'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: es\\n"\n\nmsgctxt "menu"\nmsgid "Open %s"\nmsgstr "Abrir %s"\n\nmsgid "Save"\nmsgstr "Guardar"\n';
    const path = join(directory, 'es.mo');
    await writeFile(path, await compileMo(po));
    const entries = (await gather((onSkip) => readPo(path, { origin: 'human', onSkip }))).items;
    expect(entries).toHaveLength(2);
    const texts = (items: readonly NewEntry[]): unknown => items.map((one) => JSON.stringify(one)).sort();
    expect(texts(entries)).toEqual(texts((await fromPo(po)).items));
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/memory/exchange/csv-reader.ts';
import { writeCsv } from '../../../src/memory/exchange/csv-writer.ts';
import type { ImportOptions, Skip } from '../../../src/memory/exchange/exchange.ts';
import { readPo } from '../../../src/memory/exchange/po-reader.ts';
import { writePo } from '../../../src/memory/exchange/po-writer.ts';
import type { NewEntry, StoredEntry } from '../../../src/memory/stored-memory.ts';
import { contextOf } from '../../../src/pipeline/memory-context.ts';
import { works } from '../../readers/process.ts';
import { gettextParser } from '../../readers/gettext.ts';
import { collect, each, entry, shapeOf, storedEntries } from './entries.ts';

const pair = { source: 'en', target: 'es' };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dragoman-tables-'));
});
afterAll(() => rm(directory, { recursive: true }));

interface Done<T> {
  readonly items: readonly T[];
  readonly skips: readonly Skip[];
}

async function gather<T>(work: (onSkip: ImportOptions['onSkip']) => AsyncIterable<T>): Promise<Done<T>> {
  const skips: Skip[] = [];
  return { items: await collect(work((skip) => skips.push(skip))), skips };
}

async function csvOf(entries: readonly StoredEntry[]): Promise<{ text: string; skips: readonly Skip[] }> {
  const { items, skips } = await gather((onSkip) => writeCsv(each(entries), { pair, version: '1', onSkip }));
  return { text: items.join(''), skips };
}

function fromCsv(text: string, options: Partial<ImportOptions> = {}): Promise<Done<NewEntry>> {
  return gather((onSkip) => readCsv([Buffer.from(text)], { origin: 'human', onSkip, ...options }));
}

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
async function fromPo(text: string, options: Partial<ImportOptions> = {}): Promise<Done<NewEntry>> {
  const path = join(directory, `${++files}.po`);
  await writeFile(path, text);
  return gather((onSkip) => readPo(path, { origin: 'human', onSkip, ...options }));
}

const ofPair = storedEntries.map((stored) => ({ ...stored, pair }));

describe('CSV', () => {
  it('gives back what it was made of, or said that it was left out', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(ofPair, { maxLength: 5 }), async (entries) => {
        const { text, skips } = await csvOf(entries);
        const { items, skips: lost } = await fromCsv(text);
        expect(lost).toEqual([]);
        expect(items.length + skips.length).toBe(entries.length);
        const shapes = entries.map((stored) => JSON.stringify(shapeOf({ ...stored, changed: undefined })));
        for (const item of items) expect(shapes).toContain(JSON.stringify(shapeOf(item)));
        written += items.length;
      }),
      { numRuns: 300 },
    );
    expect(written).toBeGreaterThan(20);
  });

  it('is what RFC 4180 says, values as they are', async () => {
    const { text } = await csvOf([
      entry({
        segments: ['=1+1 is "it", yes\nso'],
        translations: ['=1+1 es "eso"\nsí'],
        context: contextOf(['a', 'b']),
      }),
      entry({
        segments: ['Hi <x id="1"/> <x id="2">there</x>'],
        translations: ['<x id="2">Ahí</x> <x id="1"/>'],
        placeholders: ['name', 'b'],
      }),
      entry({
        segments: ['@sum'],
        translations: ['-x'],
        context: contextOf(['a.b']),
        engine: 'deepl',
        origin: 'machine',
        category: 'one',
      }),
    ]);
    expect(text).toBe(
      'en,es,context,origin,category,engine\r\n' +
        '"=1+1 is ""it"", yes\nso","=1+1 es ""eso""\nsí",a.b,human,,\r\n' +
        'Hi {name} <b>there</b>,<b>Ahí</b> {name},,human,,\r\n' +
        '@sum,-x,"[""a.b""]",machine,one,deepl\r\n',
    );
  });

  it.skipIf(!works('/usr/bin/python3', ['-c', 'import csv']))(
    'is read by another program as it is meant',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(ofPair, { minLength: 1, maxLength: 20 }), async (entries) => {
          const { text } = await csvOf(entries);
          const program =
            'import csv,json,sys,io; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode(), newline="")))))';
          const { stdout } = spawnSync('/usr/bin/python3', ['-c', program], {
            input: text,
            encoding: 'utf8',
          });
          const rows = JSON.parse(stdout) as readonly (readonly string[])[];
          const { items } = await fromCsv(text);
          expect(rows).toHaveLength(items.length + 1);
          expect(rows.slice(1).map((row) => [row[3], row[4], row[5]])).toEqual(
            items.map(({ origin, category, engine }) => [origin, category, engine ?? '']),
          );
        }),
        { numRuns: 5 },
      );
    },
  );

  it('reads tables of people: other separators and orders, several languages, a byte order mark', async () => {
    const { items, skips } = await fromCsv(
      '\ufeffcontext;DE;pt_BR;note;en-US\nmenu.save;Sichern;Salvar;"a;b";Save\n;;;;\n;Ja;;;Yes\n',
      {
        source: 'en',
      },
    );
    expect(
      items.map(({ pair: { source, target }, segments, translations, context }) => [
        source,
        target,
        segments[0],
        translations[0],
        context,
      ]),
    ).toEqual([
      ['en', 'de', 'Save', 'Sichern', 'menu\u001fsave'],
      ['en', 'pt-BR', 'Save', 'Salvar', 'menu\u001fsave'],
      ['en', 'de', 'Yes', 'Ja', ''],
    ]);
    expect(skips.map(({ reason, at }) => [reason, at?.line])).toEqual([
      ['untranslated', 3],
      ['untranslated', 3],
      ['untranslated', 4],
    ]);
  });

  it('takes a first column of keys for what it is', async () => {
    const contexts = async (text: string): Promise<unknown> =>
      (await fromCsv(text)).items.map(({ pair: languages, context }) => [
        languages.source,
        languages.target,
        context,
      ]);
    expect(await contexts('id,en,es\na.b,Yes,Sí\n')).toEqual([['en', 'es', 'a\u001fb']]);
    expect(await contexts('key,en,es,id\na,Yes,Sí,Ya\n')).toEqual([
      ['en', 'es', 'a'],
      ['en', 'id', 'a'],
    ]);
    expect(await contexts('id,en\nYa,Yes\n')).toEqual([['id', 'en', '']]);
  });

  it('takes columns that are called source and target, with the languages of the options', async () => {
    const table = 'source\ttarget\nYes\tSí\n';
    const { items } = await fromCsv(table, { source: 'en', targets: ['es'] });
    expect(items).toMatchObject([{ pair, translations: ['Sí'] }]);
    await expect(fromCsv(table, { source: 'en' })).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--target') as string,
    });
    await expect(fromCsv(table, { targets: ['es'] })).rejects.toMatchObject({ code: 'usage' });
  });

  it('says what it does not take, with the line', async () => {
    const { items, skips } = await fromCsv(
      'en,es,context,origin\n"Save\n{name}",Guardar,,\n12,13,,\nHi,Hola,"[1]",\nHi,Hola,,robot\nHi {x},Hola {x},a,machine\n',
    );
    expect(items).toMatchObject([{ placeholders: ['x'], origin: 'machine', context: 'a' }]);
    expect(skips).toMatchObject([
      { reason: 'unsound', detail: '{name} is missing', at: { line: 2 } },
      { reason: 'wordless', at: { line: 4 } },
      { reason: 'damaged', at: { line: 5 } },
      { reason: 'damaged', at: { line: 6 } },
    ]);
  });

  it.each([
    ['', 'unreadable_input'],
    ['id,text\n1,2\n', 'unreadable_input'],
    ['en\nYes\n', 'unreadable_input'],
    ['en,es\n"Yes,Sí\n', 'unreadable_input'],
    ['en,es\n"Yes"x,Sí\n', 'unreadable_input'],
    [`en,es\n"${'x'.repeat(5_000_000)}`, 'limit_exceeded'],
  ])('refuses %.20j', async (text, code) => {
    await expect(fromCsv(text)).rejects.toMatchObject({ code });
  });
});

describe('PO', () => {
  it('gives back the texts it was made of, or said that they were left out; msgfmt and gettext-parser accept it', async () => {
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
      { numRuns: 200 },
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

  it('has contexts, plurals by category and who translated', async () => {
    const { text, skips } = await sample();
    expect(text).toContain('"Language: ru\\n"');
    expect(text).toContain('msgctxt "menu.save"\nmsgid "Save file"\nmsgstr "Guardar archivo"\n');
    expect(text).toContain('# machine translation (deepl)\nmsgctxt "verb"\nmsgid "Open"\nmsgstr "Abrir"\n');
    expect(text).toContain('\n\nmsgid "Open"\nmsgstr "Abierto"\n');
    expect(text).toContain(
      'msgctxt "files"\nmsgid "{n} file"\nmsgid_plural "{n} files"\n' +
        'msgstr[0] "{n} файл"\nmsgstr[1] "{n} файла"\nmsgstr[2] "{n} файлов"\n',
    );
    // gettext's Russian has no form for fractions, and no message has several segments.
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

  it('takes translations, not guesses; formats by their flags; plural forms by category', async () => {
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

  it('needs a language from somewhere, and takes the source from the header', async () => {
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
    const spanish = catalog('msgid "Yes"\nmsgstr "Sí"\n');
    expect((await fromPo(spanish, { targets: ['fr'] })).items).toEqual([]);
    expect((await fromPo(spanish, { targets: ['es-MX', 'fr'] })).items).toMatchObject([
      { pair: { source: 'en', target: 'es-MX' } },
    ]);
    expect((await fromPo(spanish, { source: 'es' })).skips).toMatchObject([{ reason: 'language' }]);
  });
});

import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/memory/exchange/csv-reader.ts';
import { writeCsv } from '../../../src/memory/exchange/csv-writer.ts';
import type { MemoryImportOptions, Skip } from '../../../src/memory/exchange/exchange.ts';
import type { NewEntry, StoredEntry } from '../../../src/memory/stored-memory.ts';
import { contextOf } from '../../../src/pipeline/memory.ts';
import { works } from '../../readers/process.ts';
import { each, entry, gather, shapeOf, storedEntries, type Done } from './entries.ts';

const pair = { source: 'en', target: 'es' };

async function csvOf(entries: readonly StoredEntry[]): Promise<{ text: string; skips: readonly Skip[] }> {
  const { items, skips } = await gather((onSkip) => writeCsv(each(entries), { pair, version: '1', onSkip }));
  return { text: items.join(''), skips };
}

function fromCsv(text: string, options: Partial<MemoryImportOptions> = {}): Promise<Done<NewEntry>> {
  return gather((onSkip) => readCsv([Buffer.from(text)], { origin: 'human', onSkip, ...options }));
}

const ofPair = storedEntries.map((stored) => ({ ...stored, pair }));

const noPython = works('/usr/bin/python3', ['-c', 'import csv']) ? undefined : 'Python 3';

describe('CSV', () => {
  it('round-trips its entries, or reports skipped ones', async () => {
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
      { numRuns: 150 },
    );
    expect(written).toBeGreaterThan(10);
  });

  it('follows RFC 4180, with values unchanged', async () => {
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

  it.skipIf(noPython !== undefined)(
    `is read correctly by another program${noPython ? `: SKIPPED, needs ${noPython}` : ''}`,
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

  it('reads real-world tables: other separators and orders, several languages, a byte order mark', async () => {
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

  it('recognizes a first column of keys', async () => {
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

  it('accepts columns named source and target, with the languages of the options', async () => {
    const table = 'source\ttarget\nYes\tSí\n';
    const { items } = await fromCsv(table, { source: 'en', targets: ['es'] });
    expect(items).toMatchObject([{ pair, translations: ['Sí'] }]);
    await expect(fromCsv(table, { source: 'en' })).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--target') as string,
    });
    await expect(fromCsv(table, { targets: ['es'] })).rejects.toMatchObject({ code: 'usage' });
  });

  it('reports skipped rows with their lines', async () => {
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

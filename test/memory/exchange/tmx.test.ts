import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MemoryImportOptions, Skip } from '../../../src/memory/exchange/exchange.ts';
import { readTmx } from '../../../src/memory/exchange/tmx-unit.ts';
import { writeTmx } from '../../../src/memory/exchange/tmx-writer.ts';
import type { StoredEntry, StoredMemory } from '../../../src/memory/stored-memory.ts';
import { openTranslationMemory } from '../../../src/memory/translation-memory.ts';
import { collect, each, entry, shapeOf, storedEntries } from './entries.ts';
import { read, tmx, unit, type Read } from './tmx-document.ts';

async function write(
  entries: readonly StoredEntry[],
  onSkip: MemoryImportOptions['onSkip'] = () => undefined,
): Promise<string> {
  const [source, ...others] = new Set(entries.map(({ pair }) => pair.source));
  const options = { source: others.length === 0 ? source : undefined, version: '1.2.3', onSkip };
  return (await collect(writeTmx(each(entries), options))).join('');
}

/** XML cannot represent such characters. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

describe('exported entries', () => {
  it('are imported unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(storedEntries, { maxLength: 5 }), async (entries) => {
        const writable = entries.filter(
          ({ segments, translations }) =>
            ![...segments, ...translations].some((text) => FORBIDDEN.test(text)),
        );
        const { entries: again, skips } = await read(await write(entries));
        expect(skips).toEqual([]);
        expect(again.map(shapeOf)).toEqual(writable.map(shapeOf));
      }),
      { numRuns: 150 },
    );
  });

  it('create the same memory from an empty one', async () => {
    const all = async (memory: StoredMemory): Promise<readonly unknown[]> =>
      (await collect(memory.entries())).map((stored) => JSON.stringify(shapeOf(stored))).toSorted();
    const directory = await mkdtemp(join(tmpdir(), 'dragoman-exchange-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    let files = 0;
    const open = (): Promise<StoredMemory> => openTranslationMemory(join(directory, `${++files}.db`));
    await fc.assert(
      fc.asyncProperty(fc.array(storedEntries, { minLength: 20, maxLength: 60 }), async (entries) => {
        const [first, second] = [await open(), await open()];
        await first.storeAll(entries);
        const document = await write(await collect(first.entries()));
        const onSkip = (): void => expect.unreachable('nothing is left out');
        const counts = await second.storeAll(readTmx([Buffer.from(document)], { origin: 'human', onSkip }));
        expect(await all(second)).toEqual(await all(first));
        expect(counts.added).toBe((await first.stats()).entries);
        expect((await first.storeAll(await collect(second.entries()))).unchanged).toBe(counts.added);
        await first.close();
        await second.close();
      }),
      { numRuns: 8 },
    );
  });

  it('are skipped and reported if XML cannot hold them', async () => {
    const skips: Skip[] = [];
    const text = await write([entry({ translations: ['bell \u0007'] }), entry()], (skip) => skips.push(skip));
    expect(skips).toEqual([
      { reason: 'unwritable', detail: 'XML cannot represent its characters: Save file' },
    ]);
    expect((await read(text)).entries).toHaveLength(1);
  });

  it('state their tool, languages, dates and contexts', async () => {
    const text = await write([entry({ context: 'menu\u001fsave', engine: 'deepl', origin: 'machine' })]);
    expect(text).toContain('<tmx version="1.4">');
    expect(text).toContain('creationtool="dragoman" creationtoolversion="1.2.3" segtype="block"');
    expect(text).toContain('srclang="en" datatype="plaintext"');
    expect(text).toContain(
      '<tuv xml:lang="es" changedate="20260131T120000Z"><seg>Guardar archivo</seg></tuv>',
    );
    expect(text).toContain('<prop type="x-dragoman-context">["menu","save"]</prop>');
  });

  it('have the segments of a message in one unit, with unique numbers', async () => {
    const plural = entry({
      segments: ['<x id="1"/> file', '<x id="1"/> files in <x id="2">it</x>'],
      translations: ['un archivo', '<x id="2">en</x> <x id="1"/> archivos'],
      placeholders: ['count', 'count', 'b'],
    });
    const text = await write([plural]);
    expect(text).toContain(
      '<seg><ph x="1">{count}</ph> file<ph type="x-dragoman-segment"/>' +
        '<ph x="2">{count}</ph> files in <bpt i="3" x="3">&lt;b&gt;</bpt>it<ept i="3">&lt;/b&gt;</ept></seg>',
    );
    expect((await read(text)).entries.map(shapeOf)).toEqual([shapeOf(plural)]);
  });

  it('are refused if another tool damaged them', async () => {
    const text = await write([
      entry({ segments: ['<x id="1"/> file'], translations: ['<x id="1"/> archivo'], placeholders: ['n'] }),
    ]);
    const broken = [
      text.replace('<ph x="1">{n}</ph> archivo', '<ph x="2">{n}</ph> archivo'),
      text.replace('<ph x="1">{n}</ph> archivo', '<ph x="1"/><ph x="1"/> archivo'),
      text.replace('["n"]', '["n","m"]'),
      text.replace('["n"]', 'n'),
      text.replace('archivo', '<bpt i="4" x="4"/>archivo'),
      text.replace('archivo', '<ph type="x-dragoman-segment"/>archivo'),
    ];
    for (const document of broken) {
      const { entries, skips } = await read(document);
      expect(entries).toEqual([]);
      expect(skips).toMatchObject([{ reason: 'damaged', at: { line: 5 } }]);
    }
  });
});

describe('files of other tools', () => {
  it('are read from OmegaT: tags as placeholders, keys as properties, doctype', async () => {
    const { entries, skips } = await read(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header creationtool="OmegaT" o-tmf="OmegaT TMX" adminlang="EN-US" datatype="plaintext" creationtoolversion="6.0.0" segtype="sentence" srclang="EN-US"/>
  <body>
<!-- Default translations -->
    <tu>
      <prop type="file">source/a.properties</prop><prop type="id">greeting</prop>
      <tuv xml:lang="EN-US">
        <seg>Open the <bpt i="0" x="0">&lt;g0&gt;</bpt>menu<ept i="0">&lt;/g0&gt;</ept> of {name}<ph x="1">&lt;x1/&gt;</ph></seg>
      </tuv>
      <tuv xml:lang="ES-ES" changeid="ana" changedate="20240310T120000Z" creationid="ana" creationdate="20240301T120000Z">
        <seg>Abra el <bpt i="0" x="0">&lt;g0&gt;</bpt>menú<ept i="0">&lt;/g0&gt;</ept> de {name}<ph x="1">&lt;x1/&gt;</ph></seg>
      </tuv>
    </tu>
  </body>
</tmx>`);
    expect(skips).toEqual([]);
    expect(entries).toEqual([
      {
        pair: { source: 'en-US', target: 'es-ES' },
        segments: ['Open the <x id="1">menu</x> of <x id="2"/><x id="3"/>'],
        translations: ['Abra el <x id="1">menú</x> de <x id="2"/><x id="3"/>'],
        placeholders: ['g0', 'name', 'x1'],
        category: '',
        context: '',
        origin: 'human',
        engine: undefined,
        changed: new Date('2024-03-10T12:00:00Z'),
      },
    ]);
  });

  it('are read from memoQ: codes without x, formatting by type, properties of segments', async () => {
    const { entries } = await read(
      tmx(
        `<tu changedate="20200101T000000Z" creationid="MT!" tuid="0">
          <prop type="client"></prop><prop type="x-context-pre">&lt;seg&gt;before&lt;/seg&gt;</prop>
          <tuv xml:lang="en"><prop type="x-ice">1</prop><seg><bpt i='1' type='bold'>{}</bpt>Bold<ept i='1'>{}</ept>, <ph type='fmt'>\\tab</ph>then <ph>&lt;mq:ch val="x" /&gt;</ph></seg></tuv>
          <tuv xml:lang="es"><seg><ph>&lt;mq:ch val="x" /&gt;</ph> y <ph type='fmt'>\\tab</ph><bpt i='1' type='bold'>{}</bpt>negrita<ept i='1'>{}</ept></seg></tuv></tu>`,
      ),
    );
    expect(entries).toMatchObject([
      {
        segments: ['<x id="1">Bold</x>, <x id="2"/>then <x id="3"/>'],
        translations: ['<x id="3"/> y <x id="2"/><x id="1">negrita</x>'],
        placeholders: ['{}', 'tab', 'mq:ch'.split(':')[0]],
        origin: 'machine',
      },
    ]);
  });

  it('are read from Trados: empty elements with x, isolated and paired, user fields, several targets', async () => {
    const { entries, skips } = await read(
      tmx(
        `<tu creationdate="20190102T030405Z" creationid="WS\\bob" changedate="20190203T040506Z" changeid="WS\\eve" lastusagedate="20190203T040506Z">
           <prop type="x-LastUsedBy">eve</prop><prop type="x-Origin">TM</prop>
           <tuv xml:lang="en-US"><seg>Press <bpt i="1" type="8" x="1" /><bpt i="2" type="9" x="2"/>OK<ept i="2" /><ept i="1" /> in <ph x="3" type="7" /><it pos="begin" x="4"/>time</seg></tuv>
           <tuv xml:lang="es-ES"><seg><ph x="3" type="7" /> <it pos="begin" x="4"/>pulse <bpt i="5" type="8" x="1" /><bpt i="6" type="9" x="2"/>OK<ept i="6" /><ept i="5" /></seg></tuv>
           <tuv xml:lang="fr-FR"><seg>Appuyez sur <ut>lost</ut></seg></tuv>
           <tuv xml:lang="xx-nonsense"><seg>?</seg></tuv>
         </tu>`,
        'srclang="en-US" datatype="xml" creationtool="SDL Language Platform"',
      ),
    );
    expect(entries).toMatchObject([
      {
        pair: { source: 'en-US', target: 'es-ES' },
        segments: ['Press <x id="1"><x id="2">OK</x></x> in <x id="3"/><x id="4"/>time'],
        translations: ['<x id="3"/> <x id="4"/>pulse <x id="1"><x id="2">OK</x></x>'],
        placeholders: ['8', '9', '7', ''],
        changed: new Date('2019-02-03T04:05:06Z'),
      },
    ]);
    expect(skips.map(({ reason }) => reason)).toEqual(['unsound', 'language']);
    expect(skips[0]?.detail).not.toMatch(/tmx\d/);
    const { skips: added } = await read(tmx(unit('Yes', 'Sí <ph>{name}</ph>')));
    expect(added).toMatchObject([{ reason: 'unsound', detail: '<name/> is not in the source' }]);
  });

  it('are read in version 1.1: lang without a prefix, ut; hi is around words, sub is in a code', async () => {
    const { entries } = await read(
      tmx(
        `<tu><tuv lang="EN-US"><seg>A <hi type="term">big</hi> <ut>{\\b </ut>file<ph>alt="<sub>a picture</sub>"</ph></seg></tuv>
             <tuv lang="ES"><seg>Un archivo<ph>alt="<sub>una imagen</sub>"</ph> <ut>{\\b </ut><hi type="term">grande</hi></seg></tuv></tu>`,
        'srclang="EN-US"',
        '1.1',
      ),
    );
    expect(entries).toEqual([]);
    const withNumbers = tmx(
      `<tu><tuv lang="EN-US"><seg>A <hi type="term">big</hi> <ut>{\\b </ut>file<ph x="1">alt="<sub>a picture</sub>"</ph></seg></tuv>
           <tuv lang="ES"><seg>Un archivo<ph x="1">alt="<sub>una imagen</sub>"</ph> <ut>{\\b </ut><hi type="term">grande</hi></seg></tuv></tu>`,
      'srclang="EN-US"',
      '1.1',
    );
    expect((await read(withNumbers)).entries).toMatchObject([
      {
        segments: ['A big <x id="1"/>file<x id="2"/>'],
        translations: ['Un archivo<x id="2"/> <x id="1"/>grande'],
      },
    ]);
  });

  it('keep their text as written: CDATA, references, line ends, words like our own tags', async () => {
    const source = '<![CDATA[5 < 6]]> &#x41;&#13;\r\n <ph>{a}</ph> tmx0-1';
    const { entries } = await read(tmx(unit(source, 'tmx0-1 <ph>{a}</ph> <![CDATA[6 > 5]]> &amp;')));
    expect(entries).toMatchObject([
      {
        segments: ['5 &lt; 6 A\r\n <x id="1"/> tmx0-1'],
        translations: ['tmx0-1 <x id="1"/> 6 &gt; 5 &amp;'],
        placeholders: ['a'],
      },
    ]);
  });

  it('contain ICU plurals, which are split like those of localization files', async () => {
    const { entries } = await read(
      tmx(
        unit('{n, plural, one {# file} other {# files}}', '{n, plural, one {# archivo} other {# archivos}}'),
      ),
    );
    expect(entries).toMatchObject([
      {
        segments: ['<x id="1"/> file', '<x id="1"/> files', '<x id="1"/> files'],
        translations: ['<x id="1"/> archivo', '<x id="1"/> archivos', '<x id="1"/> archivos'],
      },
    ]);
  });

  it('may declare a source language for a unit, or *all*, which needs a requested language', async () => {
    const units =
      '<tu><tuv xml:lang="fr"><seg>Oui</seg></tuv><tuv xml:lang="en-GB"><seg>Yes</seg></tuv><tuv xml:lang="es-ES"><seg>Sí</seg></tuv></tu>' +
      '<tu srclang="fr"><tuv xml:lang="en"><seg>No</seg></tuv><tuv xml:lang="fr"><seg>Non</seg></tuv></tu>';
    const all = tmx(units, 'srclang="*all*"');
    const pairs = ({ entries }: Read): string[] =>
      entries.map(
        ({ pair, segments, translations }) =>
          `${pair.source} ${pair.target} ${segments[0]} ${translations[0]}`,
      );
    const unnamed = await read(all);
    expect(pairs(unnamed)).toEqual(['fr en Non No']);
    expect(unnamed.skips).toMatchObject([
      { reason: 'language', detail: 'its source language is *all*: name one with --source' },
    ]);
    expect(pairs(await read(all, { source: 'en', targets: ['es', 'fr'] }))).toEqual([
      'en fr Yes Oui',
      'en es Yes Sí',
      'en fr No Non',
    ]);
    expect(pairs(await read(all, { source: 'en', targets: ['es'] }))).toEqual(['en es Yes Sí']);
    expect((await read(all, { source: 'de' })).skips).toHaveLength(2);
    expect((await read(tmx(unit('a b', 'c d'), ''))).skips).toMatchObject([{ reason: 'language' }]);
  });

  it.each(['utf16le', 'utf8'] as const)(
    'in %s are read with and without a byte order mark, no matter how their bytes are split into chunks',
    async (encoding) => {
      const text = tmx(unit('Été 👍 now', 'Verano 👍 ya')).replace(
        'UTF-8',
        encoding === 'utf8' ? 'UTF-8' : 'UTF-16',
      );
      const swap = (bytes: Buffer): Buffer => (encoding === 'utf8' ? bytes : Buffer.from(bytes).swap16());
      for (const marked of [text, `\ufeff${text}`]) {
        for (const bytes of [Buffer.from(marked, encoding), swap(Buffer.from(marked, encoding))]) {
          for (const size of [1, 7, 100_000]) {
            const chunks: Buffer[] = [];
            for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
            expect((await read(chunks)).entries).toMatchObject([{ translations: ['Verano 👍 ya'] }]);
          }
        }
      }
    },
  );
});

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Edit } from '../../src/base/span.ts';
import { openBytes, type OpenFile } from '../../src/documents/localization/open-file.ts';
import { slotIds } from '../../src/documents/localization/pairing.ts';
import { buildTarget, makeSkeleton } from '../../src/documents/localization/target.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { SPECIMENS } from '../specimens/specimens.ts';

setFlagsFromString('--expose-gc');
/** The size of a list of edits, in bytes. */
const WEIGHT = 32_000_000;
const collect = runInNewContext('gc') as () => void;

const open = (path: string, text: string): Promise<OpenFile> =>
  openBytes(Buffer.from(text), path, { locale: 'en' });
const DE = { locale: 'de', spelling: 'de' };

describe('memory use', () => {
  it('an open file does not retain its bytes', async () => {
    const openAndForget = async (): Promise<[OpenFile, WeakRef<Uint8Array>]> => {
      const bytes = new Uint8Array(Buffer.from('a = b\n'));
      return [await openBytes(bytes, 'x.properties'), new WeakRef(bytes)];
    };
    const [file, bytes] = await openAndForget();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(bytes.deref()).toBeUndefined();
    expect(file.document.slots.length).toBe(1);
  });

  it.each(['new', 'existing'] as const)(
    'structural edits are released when the result is scanned: %s',
    async (role) => {
      const weighed: number[] = [];
      const watch = (file: OpenFile): OpenFile => {
        const { format } = file;
        const made = (list: readonly Edit[]): readonly Edit[] =>
          Object.assign([...list], { weight: Array.from({ length: WEIGHT / 8 }, (_, i) => i + 0.5) });
        const watched: OpenFile['format'] = {
          ...format,
          scan: (text, options) => {
            collect();
            weighed.push(getHeapStatistics().used_heap_size);
            return format.scan(text, options);
          },
          retarget: (document, options) => made(format.retarget(document, options)),
          insert: (...given) => made(format.insert(...given)),
        };
        return { ...file, format: watched };
      };
      collect();
      const before = getHeapStatistics().used_heap_size;
      const source = watch(await open('x.arb', '{\n  "@@locale": "en",\n  "a": "A",\n  "b": "B"\n}\n'));
      const skeleton = makeSkeleton(source, DE);
      if (role === 'existing') {
        const existing = watch(await open('x.arb', '{\n  "@@locale": "de",\n  "a": "Ä"\n}\n'));
        const values = new Map(slotIds(skeleton).map((id) => [id, 'x']));
        const { rejected } = buildTarget({ ...DE, source, skeleton, existing, values });
        expect(rejected.size).toBe(0);
      }
      expect(weighed).toHaveLength(role === 'new' ? 1 : 3);
      expect(Math.max(...weighed) - before).toBeLessThan(WEIGHT / 2);
    },
  );
});

const XLIFF = (language: string, unit: string): string =>
  `<xliff version="1.2"><file original="f" source-language="en"${language}><body><trans-unit id="a">${unit}</trans-unit></body></file></xliff>\n`;
const TS = (language: string, translation: string): string =>
  `<TS version="2.1" language="${language}"><context><name>C</name><message><source>A</source>${translation}</message></context></TS>\n`;
const PO = (language: string, text: string): string =>
  `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\nmsgid "A"\nmsgstr "${text}"\n`;
const UNFINISHED = '<translation type="unfinished"></translation>';

describe('a bilingual file that is turned into another language', () => {
  const changed: readonly (readonly [path: string, text: string, written: string])[] = [
    [
      'x.xlf',
      XLIFF('', '<source>A</source>'),
      XLIFF(' target-language="de"', '<source>A</source><target>x</target>'),
    ],
    ['x.ts', TS('en', UNFINISHED), TS('de', '<translation>x</translation>')],
    ['x.po', PO('en', ''), PO('de', 'x')],
  ];

  it.each(changed)('shares its slots if only the language changes: %s', async (path, text, written) => {
    const source = await open(path, text);
    const skeleton = makeSkeleton(source, DE);
    expect(skeleton.slots).toBe(source.document.slots);
    const build = (value: string): string => {
      const values = new Map(slotIds(skeleton).map((id) => [id, value]));
      const { bytes } = buildTarget({ ...DE, source, skeleton, existing: undefined, values });
      return Buffer.from(bytes).toString();
    };
    expect(build('x')).toBe(written);
    // The language is written even if no value is.
    const unwritten = buildTarget({ ...DE, source, skeleton, existing: undefined, values: new Map() });
    expect(Buffer.from(unwritten.bytes).toString()).toMatch(/\bde\b/);
    expect(unwritten.document.locale).toBe('de');
  });

  it.each([
    ['x.xlf', XLIFF('', '<source>A</source><target>B</target>')],
    ['x.ts', TS('en', '<translation>B</translation>')],
    ['x.po', PO('en', 'B')],
  ])('has its own slots for translations: %s', async (path, text) => {
    const source = await open(path, text);
    const skeleton = makeSkeleton(source, DE);
    expect(skeleton.slots).not.toBe(source.document.slots);
    expect(skeleton.slots.map(({ value }) => value)).toEqual(['']);
  });

  it('is inserted completely, with its language, into a file that lacks it', async () => {
    const source = await open('x.xlf', XLIFF('', '<source>A</source>'));
    const existing = await openBytes(
      Buffer.from(XLIFF(' target-language="de"', '<source>A</source>').replace('"f"', '"other"')),
      'x.xlf',
      { locale: 'de' },
    );
    const skeleton = makeSkeleton(source, DE);
    const values = new Map(slotIds(skeleton).map((id) => [id, 'x']));
    const { bytes, rejected } = buildTarget({ ...DE, source, skeleton, existing, values });
    expect(rejected.size).toBe(0);
    expect(
      Buffer.from(bytes)
        .toString()
        .match(/target-language="de"/g),
    ).toHaveLength(2);
  });
});

describe('a file that holds all languages', () => {
  it.each(['csv', 'xcstrings'] as const)(
    'is the same whether it is filled at once or in parts: %s',
    async (id) => {
      const path = `x.${id}`;
      const { head, entry, tail } = SPECIMENS[id].made[0];
      const text = head + [0, 1, 2, 3].map((i) => entry(i, `Text ${i}`)).join('') + tail;
      const fill = async (before: string, wanted: (i: number) => boolean): Promise<string> => {
        const source = await open(path, before);
        const existing = await openBytes(Buffer.from(before), path, { locale: 'de' });
        const skeleton = makeSkeleton(source, DE, existing.document);
        const values = new Map(
          slotIds(skeleton).flatMap((id, i) => (wanted(i) ? [[id, `Wert ${i}`] as const] : [])),
        );
        return Buffer.from(buildTarget({ ...DE, source, skeleton, existing, values }).bytes).toString();
      };
      const inParts = await fill(await fill(text, (i) => i % 2 === 0), (i) => i % 2 === 1);
      expect(await fill(text, () => true)).toBe(inParts);
      expect(inParts).toContain('Wert 3');
    },
  );
});

it('a file that holds all languages is scanned for verification only when entries are added', async () => {
  const file = await openBytes(Buffer.from(TS('de', UNFINISHED)), 'x.ts');
  const scans: string[] = [];
  const { format } = file;
  const counted: OpenFile['format'] = {
    ...format,
    scan: (text, options) => {
      scans.push(text);
      return format.scan(text, options);
    },
  };
  const { translated } = await translateFile({ ...file, format: counted }, DE, {
    engine: createPseudoEngine(),
    source: 'en',
    signal: new AbortController().signal,
  });
  expect(translated).toBe(1);
  // One scan reads the new head, the other one the whole file.
  expect(scans).toHaveLength(2);
});

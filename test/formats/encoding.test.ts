import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { firstInvalidUtf8, wideEncodingOf } from '../../src/base/utf8.ts';
import { decode } from '../../src/formats/encoding.ts';
import { properties } from '../../src/formats/properties/format.ts';
import { describeFormat } from '../../src/formats/registry.ts';
import { render } from '../../src/formats/render.ts';

const PROPERTIES = describeFormat('properties');
const STRINGS = describeFormat('strings');
const FORMATS = [
  ...(['json', 'yaml', 'po', 'xml'] as const).map(describeFormat),
  PROPERTIES,
  STRINGS,
  'subtitles',
  'html',
] as const;

const MARKS: Readonly<Record<string, readonly number[]>> = {
  none: [],
  'UTF-8': [0xef, 0xbb, 0xbf],
  'UTF-16LE': [0xff, 0xfe],
  'UTF-16BE': [0xfe, 0xff],
  'UTF-32LE': [0xff, 0xfe, 0, 0],
  'UTF-32BE': [0, 0, 0xfe, 0xff],
};

/** Bytes as in real files: characters of several encodings, cut anywhere. */
const bytes = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('a=b', '\n', '=', '\0', 'é', 'Ж', '日', '😀', '\ufeff')
        .map((text) => Buffer.from(text)),
      fc.constantFrom('é', 'ß»', 'Ã©').map((text) => Buffer.from(text, 'latin1')),
      fc.constantFrom('a=b', 'é', '日').map((text) => Buffer.from(text, 'utf16le')),
      fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

const files = fc
  .tuple(fc.constantFrom(...Object.values(MARKS)), bytes)
  .map(([mark, content]) => Buffer.concat([Buffer.from(mark), content]));

/** The decoded text; undefined for a refusal, which must name a place and a remedy. */
async function decoded(
  file: Buffer,
  format: (typeof FORMATS)[number],
): Promise<ReturnType<typeof decode> | undefined> {
  try {
    return await decode(file, format);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    expect(error).toMatchObject({ code: 'unreadable_input', at: { line: expect.any(Number) } });
    expect(error.hint).toBeTypeOf('string');
    return undefined;
  }
}

describe('decoding', () => {
  it('keeps every byte of accepted files', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.constantFrom(...FORMATS), async (file, format) => {
        const read = await decoded(file, format);
        if (read) expect(Buffer.from(read.encode(read.text))).toEqual(file);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['UTF-32LE', 'UTF-32BE'])('refuses %s in every format, and names it', async (name) => {
    const units = [...Buffer.from('a=b\n')].flatMap((code) => {
      return name === 'UTF-32LE' ? [code, 0, 0, 0] : [0, 0, 0, code];
    });
    for (const format of FORMATS) {
      const withMark = decode(Buffer.from([...(MARKS[name] ?? []), ...units]), format);
      await expect(withMark).rejects.toMatchObject({
        message: expect.stringContaining(name),
        hint: expect.stringContaining('iconv -f UTF-32 '),
      });
      const without = decode(Buffer.from(units), format);
      await expect(without).rejects.toMatchObject({ message: expect.stringContaining(name) });
    }
  });

  it.each(['UTF-16LE', 'UTF-16BE'])('refuses %s without a byte order mark, and names it', async (name) => {
    const little = Buffer.from('"a" = "b";\n', 'utf16le');
    const file = name === 'UTF-16LE' ? little : little.swap16();
    for (const format of FORMATS)
      await expect(decode(file, format)).rejects.toMatchObject({ message: expect.stringContaining(name) });
    expect((await decode(file, 'subtitles', name)).text).toBe('"a" = "b";\n');
  });

  it('names a binary property list, and the command that converts it', async () => {
    const binary = Buffer.from('bplist00\xd1\x01\x02Qa\x00\xff', 'latin1');
    await expect(decode(binary, STRINGS)).rejects.toMatchObject({
      message: expect.stringContaining('binary'),
      hint: expect.stringContaining('plutil -convert json'),
    });
  });

  it('finds the first byte that is not UTF-8, where a decoder stops', () => {
    fc.assert(
      fc.property(files, (file) => {
        const at = firstInvalidUtf8(file);
        const strict = (part: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(part);
        expect(() => strict(file.subarray(0, at))).not.toThrow();
        if (at < file.length) expect(() => strict(file.subarray(0, at + 4))).toThrow(/not valid/);
      }),
    );
  });

  it('detects wide encodings by their marks, and by the zeros of ASCII', () => {
    for (const [name, mark] of Object.entries(MARKS)) {
      const wide = wideEncodingOf(Buffer.from([...mark, 0x61, 0x62, 0x63, 0x64]));
      expect(wide?.name).toBe(name.startsWith('UTF-8') || name === 'none' ? undefined : name);
    }
    expect(wideEncodingOf(Buffer.from('a'))).toBeUndefined();
    expect(wideEncodingOf(Buffer.from('ab\0c'))).toBeUndefined();
  });
});

describe('a .properties file in UTF-8 with stray bytes', () => {
  /** `caf\xe9` among values in UTF-8. */
  const FILE = Buffer.concat([
    Buffer.from('# Übersicht\na=Größe\nb=日本\nc='),
    Buffer.from('caf\xe9 \xa3', 'latin1'),
    Buffer.from('\nd=One\n'),
  ]);

  it('is read as UTF-8, with one warning at its line', async () => {
    const read = await decode(FILE, PROPERTIES);
    const document = properties.scan(read.text);
    expect(document.slots.map(({ value }) => value)).toEqual(['Größe', '日本', 'café £', 'One']);
    expect(document.slots[0]?.comment).toBe('Übersicht');
    expect(document.warnings).toEqual([
      { rule: 'invalid-byte', key: ['c'], offset: read.text.indexOf('caf') + 3 },
    ]);
  });

  it('stays unchanged, and additions are ASCII', async () => {
    const read = await decode(FILE, PROPERTIES);
    const options = { encodable: (text: string) => read.encodable(text) };
    const document = properties.scan(read.text, options);
    const { document: after, rejected } = render(properties, document, new Map([[3, 'Ünï “😀”']]), options);
    expect(rejected.size).toBe(0);
    const wanted = Buffer.from(FILE)
      .toString('latin1')
      .replace('One', '\\u00DCn\\u00EF \\u201C\\uD83D\\uDE00\\u201D');
    expect(Buffer.from(read.encode(after.text)).toString('latin1')).toBe(wanted);
  });

  it('without UTF-8 characters is ISO-8859-1, as Java reads it', async () => {
    const { encoding, text } = await decode(
      Buffer.from('a=Gr\xf6\xdfe\nb=\xbbSpa\xdf\xab\n', 'latin1'),
      PROPERTIES,
    );
    expect([encoding.charset, text]).toEqual(['iso-8859-1', 'a=Größe\nb=»Spaß«\n']);
  });

  it('is always written so that it reads back the same', async () => {
    const value = fc.constantFrom('ASCII', 'é', 'ß»', 'Ã©', '日本', '');
    await fc.assert(
      fc.asyncProperty(files, fc.array(value, { minLength: 4, maxLength: 4 }), async (file, values) => {
        const read = await decoded(file, PROPERTIES);
        if (!read) return;
        const options = { encodable: (text: string) => read.encodable(text) };
        try {
          const document = properties.scan(read.text, options);
          const wanted = new Map(document.slots.map((_, i) => [i, values[i % values.length] ?? '']));
          const { document: after } = render(properties, document, wanted, options);
          const back = await decode(read.encode(after.text), PROPERTIES);
          const slotsOf = (text: string): unknown =>
            properties.scan(text).slots.map(({ key, value }) => [key, value]);
          expect(slotsOf(back.text)).toEqual(slotsOf(after.text));
        } catch (error) {
          if (!(error instanceof DragomanError)) throw error;
          expect(['unencodable_value', 'unreadable_input', 'integrity']).toContain(error.code);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

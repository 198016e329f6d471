import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { keyId } from '../../src/documents/localization/pairing.ts';
import { buildTarget, makeSkeleton, type Target } from '../../src/documents/localization/target.ts';

type Values = readonly (readonly [key: readonly string[], value: string])[];

async function build(
  path: string,
  source: Buffer,
  existing: Buffer | undefined,
  values: Values,
): Promise<Target> {
  const target = { locale: 'fr', spelling: 'fr' };
  const file = await openBytes(source, path, { locale: 'en' });
  return buildTarget({
    ...target,
    source: file,
    skeleton: makeSkeleton(file, target),
    existing: existing && (await openBytes(existing, path, { locale: 'fr' })),
    values: new Map(values.map(([key, value]) => [keyId(key), value])),
  });
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const bom = (text: string): Buffer => utf8(`\ufeff${text}`);
const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? little : little.swap16();
};

const HARD = 'Ünï “x” 😀';

describe.each(['le', 'be'] as const)('.strings in UTF-16 %s', (order) => {
  const source = utf16('/* One */\n"a" = "A";\n\n/* Two */\n"b" = "B";\n', order);

  it('gives a target in the same encoding', async () => {
    const { bytes } = await build('x.strings', source, undefined, [[['a'], HARD]]);
    expect(bytes).toEqual(utf16(`/* One */\n"a" = "${HARD}";\n\n/* Two */\n"b" = "B";\n`, order));
  });

  it('keeps the encoding of a target', async () => {
    const { bytes } = await build('x.strings', source, utf8('"b" = "Bé";\n'), [[['a'], HARD]]);
    expect(Buffer.from(bytes).toString()).toBe(`/* One */\n"a" = "${HARD}";\n\n"b" = "Bé";\n`);
    const wide = await build('x.strings', utf8('"a" = "A";\n"b" = "B";\n'), utf16('"b" = "Bé";\n', order), [
      [['a'], HARD],
    ]);
    expect(wide.bytes).toEqual(utf16(`"a" = "${HARD}";\n"b" = "Bé";\n`, order));
  });
});

describe('.properties', () => {
  it('in ISO-8859-1 escape characters that it lacks', async () => {
    const source = latin1('a=Caf\u00e9\nb=B\n');
    const created = await build('x.properties', source, undefined, [[['b'], 'Ünï “']]);
    expect(created.bytes).toEqual(latin1('a=Caf\u00e9\nb=Ünï \\u201C\n'));
    const edited = await build('x.properties', source, latin1('# \u00e9t\u00e9\nb=\u00e9\n'), [
      [['a'], 'Ünï “'],
    ]);
    expect(edited.bytes).toEqual(latin1('a=Ünï \\u201C\n# \u00e9t\u00e9\nb=\u00e9\n'));
  });

  it('stay ASCII for every source', async () => {
    const source = utf8('# Ünï\nclé=A\n\nb=B\n');
    const { bytes } = await build('x.properties', source, utf8('b=B \\u00e9\n'), [[['clé'], HARD]]);
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      '# \\u00dcn\\u00ef\ncl\\u00e9=\\u00dcn\\u00ef \\u201cx\\u201d \\ud83d\\ude00\nb=B \\u00e9\n',
    );
  });

  it('in UTF-8 with a stray byte keep it, and write everything else as escapes', async () => {
    const existing = Buffer.concat([utf8('# Übersicht\nb='), latin1('\u00e9\n')]);
    const source = utf8('# 日本 “\nключ=A\n\nb=B\n');
    const { bytes, rejected } = await build('x.properties', source, existing, [[['ключ'], HARD]]);
    expect(rejected.size).toBe(0);
    const [added, kept] = Buffer.from(bytes).toString('latin1').split('# \u00c3\u009cbersicht');
    expect(kept).toBe('\nb=\u00e9\n');
    expect(added).toMatch(/^[\0-\x7f]+$/);
    const read = await openBytes(bytes, 'x.properties');
    expect(read.document.slots.map(({ key, value }) => [...key, value])).toEqual([
      ['ключ', HARD],
      ['b', 'é'],
    ]);
  });

  it('with a stray byte in the source give a target with its character', async () => {
    const source = Buffer.concat([utf8('# 日本\na=A\n'), latin1('# caf\u00e9\nb=B\n')]);
    const { bytes } = await build('x.properties', source, utf8('# 日本\na=Ä\n'), [[['b'], 'Ü']]);
    expect(Buffer.from(bytes).toString()).toBe('# 日本\na=Ä\n# café\nb=Ü\n');
    const created = await build('x.properties', source, undefined, [[['b'], 'Ü']]);
    expect(created.bytes).toEqual(Buffer.concat([utf8('# 日本\na=A\n'), latin1('# caf\u00e9\nb=\\u00DC\n')]));
  });

  it('in ISO-8859-1 take keys and comments from a source in UTF-8', async () => {
    const source = utf8('# 日本 “\nключ=A\nb=B\n');
    const { bytes } = await build('x.properties', source, latin1('b=\u00e9\n'), [[['ключ'], 'x']]);
    const read = await openBytes(bytes, 'x.properties');
    expect(read.encoding.charset).toBe('iso-8859-1');
    expect(read.document.slots.map(({ key, value }) => [...key, value])).toEqual([
      ['ключ', 'x'],
      ['b', 'é'],
    ]);
  });
});

describe('a byte order mark', () => {
  it.each([
    ['x.json', '{\n  "a": "A"\n}\n', '{\n  "a": "Ä"\n}\n'],
    ['x.yml', 'a: A\n', 'a: Ä\n'],
    ['x.properties', '# é\na=A\n', '# é\na=Ä\n'],
    ['x.strings', '"a" = "A";\n', '"a" = "Ä";\n'],
    ['x.xml', '<doc>\n  <a>A</a>\n</doc>\n', '<doc>\n  <a>Ä</a>\n</doc>\n'],
  ])('of %s stays, and none is added', async (path, source, wanted) => {
    const values: Values = [[['a'], 'Ä']];
    expect((await build(path, bom(source), undefined, values)).bytes).toEqual(bom(wanted));
    expect((await build(path, utf8(source), bom(source), values)).bytes).toEqual(bom(wanted));
    expect((await build(path, bom(source), utf8(source), values)).bytes).toEqual(utf8(wanted));
  });
});

describe('XML in ISO-8859-1', () => {
  const declaration = '<?xml version="1.0" encoding="ISO-8859-1"?>\n';
  const strings = (lines: readonly string[]): string =>
    `<resources>\n${lines.map((line) => `  ${line}\n`).join('')}</resources>\n`;

  it('writes other characters as references', async () => {
    const source = latin1(declaration + strings(['<string name="a">Caf\u00e9</string>']));
    const { bytes } = await build('strings.xml', source, undefined, [[['a'], 'Ünï “']]);
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      declaration + strings(['<string name="a">Ünï &#8220;</string>']),
    );
  });

  it('takes entries from a source in UTF-8', async () => {
    const source = utf8(strings(['<string name="a">“A”</string>', '<string name="b">B</string>']));
    const existing = latin1(declaration + strings(['<string name="b">\u00e9</string>']));
    const { bytes } = await build('strings.xml', source, existing, [[['a'], '“Ü']]);
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      declaration + strings(['<string name="a">&#8220;Ü</string>', '<string name="b">\u00e9</string>']),
    );
  });

  it('refuses entries whose names or comments it cannot hold, and accepts the others', async () => {
    const source = utf8(
      strings([
        '<!-- “ -->',
        '<string name="a">A</string>',
        '<string name="“">B</string>',
        '<string name="c">C</string>',
      ]),
    );
    const existing = latin1(declaration + strings(['<string name="x">\u00e9</string>']));
    const { bytes, rejected } = await build('strings.xml', source, existing, [
      [['a'], 'A'],
      [['“'], 'B'],
      [['c'], 'C'],
    ]);
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      declaration + strings(['<string name="x">\u00e9</string>', '<string name="c">C</string>']),
    );
    expect([...rejected].map(([id, { code }]) => [id, code])).toEqual([
      [keyId(['a']), 'unencodable_value'],
      [keyId(['“']), 'unencodable_value'],
    ]);
  });
});

describe('PO in another charset', () => {
  const po = (charset: string, entries: string): string =>
    `msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=${charset}\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n${entries}`;
  const source = utf8(
    po('UTF-8', 'msgid "a"\nmsgstr ""\n\nmsgid "“b”"\nmsgstr ""\n\n#. “\nmsgid "c"\nmsgstr ""\n').replace(
      'Language: fr',
      'Language: en',
    ),
  );

  it.each(['ISO-8859-15', 'windows-1252', 'KOI8-R'])('keeps %s', async (charset) => {
    const text = po(charset, 'msgid "c"\nmsgstr "c 1"\n');
    const values: Values = [
      [['', 'a'], 'A'],
      [['', 'c'], '日本'],
    ];
    const { bytes, rejected } = await build('x.po', source, iconv.encode(text, charset), values);
    expect(iconv.decode(Buffer.from(bytes), charset)).toBe(
      po(charset, 'msgid "a"\nmsgstr "A"\n\nmsgid "c"\nmsgstr "c 1"\n'),
    );
    expect([...rejected].map(([id, { code }]) => [id, code])).toEqual([
      [keyId(['', 'c']), 'unencodable_value'],
    ]);
  });

  it('refuses messages that it cannot hold', async () => {
    const existing = latin1(po('ISO-8859-1', 'msgid "x"\nmsgstr "\u00e9"\n'));
    const { bytes, rejected } = await build('x.po', source, existing, [
      [['', 'a'], 'A'],
      [['', '“b”'], 'B'],
      [['', 'c'], 'C'],
    ]);
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      po('ISO-8859-1', 'msgid "x"\nmsgstr "\u00e9"\n\nmsgid "a"\nmsgstr "A"\n'),
    );
    expect([...rejected].map(([id, { code }]) => [id, code])).toEqual([
      [keyId(['', '“b”']), 'unencodable_value'],
      [keyId(['', 'c']), 'unencodable_value'],
    ]);
  });
});

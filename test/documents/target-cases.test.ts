import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { keyId } from '../../src/documents/localization/pairing.ts';
import { buildTarget, makeSkeleton, type Target } from '../../src/documents/localization/target.ts';

interface Given {
  readonly source: string;
  readonly existing?: string;
  /** Values by key; if several have one key, the one at this position. */
  readonly values: readonly (readonly [key: readonly string[], value: string, place?: number])[];
  readonly locale?: string;
  readonly remove?: readonly (readonly string[])[];
}

async function build(
  path: string,
  { source, existing, values, locale = 'fr', remove }: Given,
): Promise<Target> {
  const open = (text: string, language: string) => openBytes(Buffer.from(text), path, { locale: language });
  const file = await open(source, 'en');
  const target = { locale, spelling: locale };
  return buildTarget({
    ...target,
    source: file,
    skeleton: makeSkeleton(file, target),
    existing: existing === undefined ? undefined : await open(existing, locale),
    values: new Map(values.map(([key, value, place]) => [idOf(key, place), value])),
    ...(remove && { remove }),
  });
}

const idOf = (key: readonly string[], place = 0): string =>
  place === 0 ? keyId(key) : `${keyId(key)}\0#${place}`;

const rejectedKeys = ({ rejected }: Target): readonly string[] => [...rejected.keys()];

/** The same list in each format that has lists; `texts` are its elements. */
const LISTS = {
  json: {
    path: 'x.json',
    write: (texts: readonly string[]) => JSON.stringify({ a: 'A', list: texts }, null, 2),
  },
  yaml: {
    path: 'x.yml',
    write: (texts: readonly string[]) => ['a: A', 'list:', ...texts.map((t) => `  - ${t}`), ''].join('\n'),
  },
  xml: {
    path: 'strings.xml',
    write: (texts: readonly string[]) =>
      `<resources>\n  <string name="a">A</string>\n  <string-array name="list">\n${texts
        .map((text) => `    <item>${text}</item>\n`)
        .join('')}  </string-array>\n</resources>\n`,
  },
};
const WITHOUT_LIST = {
  json: '{\n  "a": "A"\n}',
  yaml: 'a: A\n',
  xml: '<resources>\n  <string name="a">A</string>\n</resources>\n',
};

describe.each(['json', 'yaml', 'xml'] as const)('a list in %s', (format) => {
  const { path, write } = LISTS[format];
  const source = write(['One', 'Two', 'Three']);

  it('is inserted up to the first element without a value, so that none moves to another position', async () => {
    const target = await build(path, {
      source,
      existing: WITHOUT_LIST[format],
      values: [
        [['list', '0'], 'Un'],
        [['list', '2'], 'Trois'],
      ],
    });
    expect(target.document.slots.map(({ value }) => value)).toEqual(['A', 'Un']);
    expect(rejectedKeys(target)).toEqual([keyId(['list', '2'])]);
  });

  it('is not inserted without its first element', async () => {
    const existing = WITHOUT_LIST[format];
    const target = await build(path, { source, existing, values: [[['list', '1'], 'Deux']] });
    expect(target.document.text).toBe(existing);
    expect(rejectedKeys(target)).toEqual([keyId(['list', '1'])]);
  });

  it('gets the following elements', async () => {
    const existing = write(['Un']);
    const values = [
      [['list', '1'], 'Deux'],
      [['list', '2'], 'Trois'],
    ] as const;
    const target = await build(path, { source, existing, values });
    expect(target.document.text).toBe(write(['Un', 'Deux', 'Trois']));
    const hole = await build(path, { source, existing, values: values.slice(1) });
    expect(hole.document.text).toBe(existing);
    expect(rejectedKeys(hole)).toEqual([keyId(['list', '2'])]);
  });
});

describe('Android plurals', () => {
  const plurals = (forms: Readonly<Record<string, string>>): string =>
    `<resources>\n  <string name="a">A</string>\n  <plurals name="n">\n${Object.entries(forms)
      .map(([quantity, text]) => `    <item quantity="${quantity}">${text}</item>\n`)
      .join('')}  </plurals>\n</resources>\n`;
  const source = plurals({ one: '%d file', other: '%d files' });

  it('get the categories with a value, and no copies of others', async () => {
    const existing = plurals({ one: '%d файл', other: '%d файла' });
    const target = await build('strings.xml', {
      source,
      existing,
      locale: 'ru',
      values: [[['n', 'many'], '%d файлов']],
    });
    expect(target.document.text).toBe(plurals({ one: '%d файл', many: '%d файлов', other: '%d файла' }));
  });

  it('are inserted with the forms that have a value', async () => {
    const target = await build('strings.xml', {
      source,
      existing: WITHOUT_LIST.xml,
      locale: 'ru',
      values: [
        [['n', 'few'], '%d файла'],
        [['n', 'other'], '%d файла'],
      ],
    });
    expect(target.document.text).toBe(plurals({ few: '%d файла', other: '%d файла' }));
  });

  it('are not inserted without the form that is the fallback for the others', async () => {
    const target = await build('strings.xml', {
      source,
      existing: WITHOUT_LIST.xml,
      locale: 'ru',
      values: [[['n', 'few'], '%d файла']],
    });
    expect(target.document.text).toBe(WITHOUT_LIST.xml);
    expect(rejectedKeys(target)).toEqual([keyId(['n', 'few'])]);
  });
});

it('an entry is inserted next to a section without other source texts', async () => {
  const target = await build('x.json', {
    source: '{\n  "a": "A",\n  "section": {\n    "b": "B"\n  }\n}',
    existing: '{\n  "own": "Own",\n  "section": {\n    "c": "C"\n  }\n}',
    values: [[['a'], 'Ah']],
  });
  expect(target.document.text).toBe('{\n  "own": "Own",\n  "a": "Ah",\n  "section": {\n    "c": "C"\n  }\n}');
});

describe('markup in XML', () => {
  const file = (text: string): string =>
    `<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">\n  <string name="a">${text}</string>\n</resources>\n`;
  const doc = (text: string): string => `<doc>\n  <a>${text}</a>\n</doc>\n`;

  it.each([
    ['strings.xml', file, 'Read <b>this</b> &amp; that', 'Lis', '<b>Lis</b> ceci &amp; cela'],
    [
      'strings.xml',
      file,
      '<xliff:g id="n">%d</xliff:g> files',
      '"quoted"',
      '<xliff:g id="n">%d</xliff:g> fichiers',
    ],
    ['strings.xml', file, 'Read <b>this</b>', '<![CDATA[Lis]]>', '<b>Lis</b> ceci'],
    ['strings.xml', file, 'Read <b>this</b>', '', '<b>Lis</b> ceci'],
    ['x.xml', doc, 'Read <b>this</b>', 'Lis &lt;', '<b>Lis</b> ceci &amp; cela'],
  ])(
    'of a source in %s does not become text in a target that has no markup yet',
    async (path, write, from, to, value) => {
      const target = await build(path, {
        source: write(from),
        existing: write(to),
        values: [[['a'], value]],
      });
      expect(rejectedKeys(target)).toEqual([]);
      expect(target.document.text).toBe(write(value));
    },
  );

  it.each([
    ['strings.xml', file, "it\\'s a &lt;b> &amp; c"],
    ['x.xml', doc, "it's a &lt;b> &amp; c"],
  ])('is removed from a target in %s whose source has lost it', async (path, write, written) => {
    const existing = write('du <b>gras</b>');
    const target = await build(path, { source: write('A'), existing, values: [[['a'], "it's a <b> & c"]] });
    expect(rejectedKeys(target)).toEqual([]);
    expect(target.document.text).toBe(write(written));
  });

  it('with a prefix that the target does not declare is refused', async () => {
    const source = file('<xliff:g id="n">%d</xliff:g> files');
    const existing = '<resources>\n  <string name="a">A</string>\n</resources>\n';
    const target = await build('strings.xml', {
      source,
      existing,
      values: [[['a'], '<xliff:g id="n">%d</xliff:g> fichiers']],
    });
    expect(target.document.text).toBe(existing);
    expect([...target.rejected.values()].map(({ code }) => code)).toEqual(['unencodable_value']);
  });
});

describe('a plural of stringsdict whose own text has no translation', () => {
  const plist = (text: string, forms: readonly string[]): string =>
    `<plist version="1.0"><dict><key>press</key><dict>${text}<key>times</key><dict>${forms
      .map((form) => `<key>${form}</key><string>%d</string>`)
      .join('')}</dict></dict></dict></plist>\n`;

  it('is not inserted, even if the target has something else in its place', async () => {
    const source = plist('<key>NSStringLocalizedFormatKey</key><string>Tap %#@times@</string>', [
      'one',
      'other',
    ]);
    const existing = plist('', ['unknown']);
    const values = ['one', 'other'].map((form) => [['press', 'times', form], '%d fois'] as const);
    const target = await build('x.stringsdict', { source, existing, values });
    expect(Buffer.from(target.bytes).toString()).toBe(existing);
    expect(rejectedKeys(target)).toEqual(values.map(([key]) => keyId(key)));
  });
});

describe('an entry is not inserted, while others are, if it', () => {
  const xml = (entities: string, ...strings: readonly string[]): string =>
    `<!DOCTYPE resources [${entities}]>\n<resources>\n${strings.map((one) => `  ${one}\n`).join('')}</resources>\n`;
  const z = '<string name="z">Z</string>';
  const zed = '<string name="z">Zed</string>';

  const cases: readonly (Given & Readonly<Record<'what' | 'path' | 'merged', string>>)[] = [
    {
      what: 'would take the key of an entry below it',
      path: 'x.ini',
      source: '[t]\nc=1\nc=2\nd=D\n',
      existing: '[t]\n[t]\nc=C\n',
      values: [
        [['t', 'c'], 'x', 1],
        [['t', 'd'], 'y'],
      ],
      merged: '[t]\nd=y\n[t]\nc=C\n',
    },
    {
      what: 'would replace an entry that is already there',
      path: 'x.ini',
      source: '[t]\nb=B\n[t]\nb=\nd=D\n',
      existing: '[t]\n[t]\nb=B\n',
      values: [
        [['t', 'b'], 'x', 1],
        [['t', 'd'], 'y'],
      ],
      merged: '[t]\n[t]\nb=B\nd=y\n',
    },
    {
      what: 'would insert another entry that cannot be removed',
      path: 'x.ftl',
      source: 'a = A\nb = B\na = C\n    .t = T\n*\n',
      existing: 'z = Z\n',
      values: [
        [['a', '.t'], 'x'],
        [['b'], 'y'],
      ],
      merged: 'z = Z\nb = y\n',
    },
    {
      what: 'would insert an anchor and its text',
      path: 'x.yaml',
      source: 'm:\n  a: &x A\n  b: *x\n  c: C\nd: D\n',
      existing: 'z: Z\n',
      values: [
        [['m', 'c'], 'x'],
        [['d'], 'dé'],
      ],
      merged: 'z: Z\nd: dé\n',
    },
    {
      what: 'is named by an entity that the target declares differently',
      path: 'strings.xml',
      source: xml('<!ENTITY n "a">', '<string name="&n;">A</string>', z),
      existing: xml('<!ENTITY n "b">', '<string name="c">C</string>'),
      values: [
        [['a'], 'x'],
        [['z'], 'Zed'],
      ],
      merged: xml('<!ENTITY n "b">', '<string name="c">C</string>', zed),
    },
    {
      what: 'contains an entity that is not text in the target',
      path: 'strings.xml',
      source: xml('<!ENTITY n "N">', '<string name="a">&n;</string>', z),
      existing: xml('<!ENTITY n "<">', '<string name="c">C</string>'),
      values: [
        [['a'], 'x'],
        [['z'], 'Zed'],
      ],
      merged: xml('<!ENTITY n "<">', '<string name="c">C</string>', zed),
    },
  ];

  it.each(cases)('$what ($path)', async ({ path, merged, ...given }) => {
    const target = await build(path, given);
    expect(Buffer.from(target.bytes).toString()).toBe(merged);
    const spoiling = given.values.slice(0, 1).map(([key, , place]) => idOf(key, place));
    expect(rejectedKeys(target)).toEqual(spoiling);
  });
});

describe('a removal', () => {
  it('keeps entries that prevent other strings from becoming the texts of a file', async () => {
    const source = "<?php\n$lang['kept'] = 'Kept';\n";
    const existing = "<?php\n$options = ['color' => 'red'];\n$lang['old'] = 'Vieux';\n";
    const alone = await build('lang/fr.php', { source, existing, values: [], remove: [['old']] });
    expect(String(alone.bytes)).toBe(existing);
    expect(alone.standing).toEqual([['old']]);
    const more = `${existing}$lang['older'] = 'Plus vieux';\n`;
    const both = await build('lang/fr.php', {
      source,
      existing: more,
      values: [],
      remove: [['old'], ['older']],
    });
    expect(String(both.bytes)).toBe(more.replace("$lang['old'] = 'Vieux';\n", ''));
    expect(both.standing).toEqual([['older']]);
    const two = `${existing}$lang['kept'] = 'Gardé';\n`;
    const { bytes } = await build('lang/fr.php', { source, existing: two, values: [], remove: [['old']] });
    expect(String(bytes)).toBe("<?php\n$options = ['color' => 'red'];\n$lang['kept'] = 'Gardé';\n");
  });
});

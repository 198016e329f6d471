import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { readPo } from '../../src/exchange/po-reader.ts';
import { readUnitId, type ReturnedUnit } from '../../src/exchange/unit.ts';
import { readXliff } from '../../src/exchange/xliff-reader.ts';
import { randomUnits, type TextFormat, unit, unitId, write } from './units.ts';

const FORMATS: readonly TextFormat[] = ['1.2', '2.0', 'po'];

function read(text: string, format: TextFormat): readonly ReturnedUnit[] {
  return format === 'po' ? readPo(text) : readXliff(text);
}

describe.each(FORMATS)('%s', (format) => {
  it('reads back each text that it writes, and reports the others', () => {
    fc.assert(
      fc.property(randomUnits, (units) => {
        const { text, skipped } = write(units, format);
        const left = units.filter((one) => !skipped.some((skip) => skip.unit === one));
        const returned = read(text, format);
        expect(returned.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
        for (const [i, { value, fault }] of returned.entries()) {
          expect(fault).toBeUndefined();
          expect(value ?? '').toBe(left[i]?.translation ?? '');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads back tags that are nested deeper than readers allow for elements', () => {
    const value = `${'<b>'.repeat(200)}word${'</b>'.repeat(200)}<i>word</i>`;
    const { text } = write([unit({ source: value, translation: value })], format);
    expect(read(text, format)).toMatchObject([{ value }]);
  });

  it('names the line of each text', () => {
    const units = ['a', 'b', 'c'].map((row) => unit({ id: unitId(row), key: row, translation: row }));
    const { text } = write(units, format);
    const lines = text.split('\n');
    for (const { at, id } of read(text, format)) {
      const line = lines[at.line - 1] ?? '';
      expect(line).toContain(format === 'po' ? 'msgctxt' : id);
      expect(['a', 'b', 'c']).toContain(readUnitId(id)?.row);
    }
  });
});

describe('XLIFF', () => {
  const greeting = unit({
    source: 'Hello {name}, <b>now</b>{br}',
    translation: '<b>Ahora</b>, {name}{br}',
    comment: 'Shown <first>',
    sourceBefore: 'Hi {name}',
    needsReview: 'source-changed',
    limit: { max: 30, unit: 'characters' },
  });

  it('2.0: protects placeholders with inline codes that contain their notation', () => {
    expect(write([greeting], '2.0').text).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:slr="urn:oasis:names:tc:xliff:sizerestriction:2.0" version="2.0" srcLang="en" trgLang="es">
      <file id="dragoman-export-1" original="locales/en.json" canResegment="no" xml:space="preserve">
      <slr:profiles generalProfile="xliff:codepoints" storageProfile="xliff:utf8"/>
      <unit id="dragoman.pppppppppppppppppppppp.es.r1.0.ssssssssssssssss." name="menu.open" slr:sizeRestriction="30"><notes><note category="comment">Shown &lt;first&gt;</note><note category="length">at most 30 characters</note><note category="previous-source">Hi {name}</note><note category="review">source-changed</note></notes>
      <originalData><data id="d1">{name}</data><data id="d2">&lt;b&gt;</data><data id="d3">&lt;/b&gt;</data><data id="d4">{br}</data></originalData>
      <segment state="translated" subState="dragoman:source-changed"><source>Hello <ph id="1" dataRef="d1"/>, <pc id="2" dataRefEnd="d3" dataRefStart="d2">now</pc><ph id="3" dataRef="d4"/></source><target><pc id="2" dataRefEnd="d3" dataRefStart="d2">Ahora</pc>, <ph id="1" dataRef="d1"/><ph id="3" dataRef="d4"/></target></segment></unit>
      </file>
      </xliff>
      "
    `);
  });

  it('1.2: protects placeholders with inline codes that contain their notation', () => {
    expect(write([greeting], '1.2').text).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
      <file original="locales/en.json" source-language="en" target-language="es" datatype="plaintext" tool-id="dragoman-export">
      <header>
      <tool tool-id="dragoman-export" tool-name="dragoman" tool-version="1"/>
      </header>
      <body>
      <trans-unit id="dragoman.pppppppppppppppppppppp.es.r1.0.ssssssssssssssss." resname="menu.open" xml:space="preserve" maxwidth="30" size-unit="char"><source>Hello <ph id="1">{name}</ph>, <bpt id="2" rid="2">&lt;b&gt;</bpt>now<ept id="2" rid="2">&lt;/b&gt;</ept><ph id="3">{br}</ph></source>
      <target state="needs-review-translation"><bpt id="2" rid="2">&lt;b&gt;</bpt>Ahora<ept id="2" rid="2">&lt;/b&gt;</ept>, <ph id="1">{name}</ph><ph id="3">{br}</ph></target>
      <note from="developer">Shown &lt;first&gt;</note>
      <note from="length">at most 30 characters</note>
      <note from="previous-source">Hi {name}</note>
      <note from="review">source-changed</note></trans-unit>
      </body>
      </file>
      </xliff>
      "
    `);
  });

  it('restores lost data of codes from the source', () => {
    const { text } = write([greeting], '1.2');
    const [before, after = ''] = text.split('<target');
    const bare = after
      .replace(/<ph id="(\d)">[^<]*<\/ph>/g, '<x id="$1"/>')
      .replace(/<bpt id="(\d)"[^>]*>[^<]*<\/bpt>(.*?)<ept[^>]*>[^<]*<\/ept>/g, '<g id="$1">$2</g>');
    expect(readXliff(`${before}<target${bare}`)[0]?.value).toBe(greeting.translation);
  });

  it('returns a fault for a code that the source does not have', () => {
    const text = write([greeting], '1.2').text.replace('</target>', '<x id="9"/></target>');
    expect(readXliff(text)[0]).toMatchObject({ fault: 'its inline code 9 is not in its source' });
  });

  it('joins the segments of a unit, with the text between them', () => {
    const text = write([unit({ source: 'One. Two.', translation: 'Uno. Dos.' })], '2.0').text.replace(
      /<segment[^]*<\/segment>/,
      '<segment state="final"><source>One.</source><target>Uno.</target></segment>' +
        '<ignorable><source> </source></ignorable>' +
        '<segment state="reviewed"><source>Two.</source><target>Dos.</target></segment>',
    );
    expect(readXliff(text)).toMatchObject([{ value: 'Uno. Dos.', verdict: 'reviewed' }]);
  });

  const segments2 = (second: string): string =>
    write([unit({ source: 'One. Two.', translation: 'Uno. Dos.' })], '2.0').text.replace(
      /<segment[^]*<\/segment>/,
      '<segment state="translated"><source>One.</source><target>Uno.</target></segment>' +
        `<ignorable><source> </source></ignorable><segment><source>Two.</source>${second}</segment>`,
    );
  const segments1 = (targets: string): string =>
    write([unit({ source: 'One. Two.', translation: 'Uno. Dos.' })], '1.2').text.replace(
      /<target[^]*<\/target>/,
      '<seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk></seg-source>' +
        `<target>${targets}</target>`,
    );
  const first = '<mrk mtype="seg" mid="1">Uno.</mrk>';

  it.each([
    ['2.0, without a target', segments2('')],
    ['2.0, with an empty target', segments2('<target></target>')],
    ['1.2, without a mark', segments1(first)],
    ['1.2, with an empty mark', segments1(`${first} <mrk mtype="seg" mid="2"/>`)],
  ])('returns a fault for a segment that is not translated: %s', (_, text) => {
    expect(readXliff(text)).toMatchObject([{ fault: 'a segment has no translation' }]);
  });

  it('returns no text if no segment is translated', () => {
    const none = segments2('').replace('<target>Uno.</target>', '');
    expect(readXliff(none)).toMatchObject([{ value: '', fault: undefined }]);
    const empty = segments1('<mrk mtype="seg" mid="1"/> <mrk mtype="seg" mid="2"/>');
    expect(readXliff(empty)).toMatchObject([{ value: '', fault: undefined }]);
  });

  it('joins marked segments, and takes a target without marks as a whole', () => {
    const both = segments1(`${first} <mrk mtype="seg" mid="2">Dos.</mrk>`);
    expect(readXliff(both)).toMatchObject([{ value: 'Uno. Dos.', fault: undefined }]);
    expect(readXliff(segments1('Uno y dos.'))).toMatchObject([{ value: 'Uno y dos.', fault: undefined }]);
  });

  it('skips suggestions and notes', () => {
    const text = write([unit({ translation: 'Abrir' })], '1.2').text.replace(
      '</trans-unit>',
      '<alt-trans><target>no</target></alt-trans><note>no</note></trans-unit>',
    );
    expect(readXliff(text)).toMatchObject([{ value: 'Abrir' }]);
  });

  it.each([
    ['signed-off', 'reviewed'],
    ['final', 'final'],
    ['needs-review-translation', undefined],
    ['translated', undefined],
    ['x-own', undefined],
  ])('1.2: the state %s means %s', (state, verdict) => {
    const { text } = write([unit({ translation: 'Abrir' })], '1.2');
    expect(readXliff(text.replace('state="translated"', `state="${state}"`))[0]?.verdict).toBe(verdict);
  });

  it('1.2: approved counts only without a state', () => {
    const { text } = write([unit({ translation: 'Abrir', state: 'reviewed' })], '1.2');
    expect(text).toContain('approved="yes"');
    const unclear = text.replace('signed-off', 'needs-review-translation');
    expect(readXliff(unclear)).toMatchObject([{ verdict: undefined, isDraft: true }]);
    expect(readXliff(text.replace(' state="signed-off"', ''))).toMatchObject([{ verdict: 'reviewed' }]);
  });

  it('refuses declared entities, deep nesting and other documents', () => {
    const bomb = '<!DOCTYPE xliff [<!ENTITY a "aaaa">]>\n<xliff><trans-unit id="a"/></xliff>';
    expect(() => readXliff(bomb)).toThrow(/declares entities/);
    expect(() => readXliff(`<xliff>${'<a>'.repeat(100)}`)).toThrow(/nested more than 50 deep/);
    expect(() => readXliff('<tmx/>')).toThrow(/not an XLIFF document/);
    const long = `<xliff><trans-unit id="a"><target>${'x'.repeat(3_000_000)}</target></trans-unit></xliff>`;
    expect(() => readXliff(long)).toThrow(DragomanError);
  });
});

describe('PO', () => {
  it('has keys as contexts, notes as comments, and the length as a flag', () => {
    const plural = unit({
      id: unitId('r2'),
      key: 'files',
      category: 'few',
      examples: [2, 3],
      source: '%d files',
      translation: '%d',
    });
    const changed = unit({
      translation: 'Abrir',
      comment: 'a\n"b"',
      sourceBefore: 'Open it',
      needsReview: 'source-changed',
      limit: { max: 9, unit: 'characters' },
    });
    expect(write([changed, plural], 'po').text).toMatchInlineSnapshot(`
      "msgid ""
      msgstr ""
      "MIME-Version: 1.0\\n"
      "Content-Type: text/plain; charset=UTF-8\\n"
      "Content-Transfer-Encoding: 8bit\\n"
      "Language: es\\n"
      "X-Source-Language: en\\n"
      "X-Generator: dragoman 1\\n"
      "X-Dragoman-Export: 1\\n"

      #. a
      #. "b"
      #. at most 9 characters
      #. source-changed
      #. dragoman.pppppppppppppppppppppp.es.r1.0.ssssssssssssssss.
      #: locales/en.json
      #, fuzzy, max-length:9
      #| msgid "Open it"
      msgctxt "menu.open"
      msgid "Open"
      msgstr "Abrir"

      #. plural form "few", for example for 2, 3
      #. dragoman.pppppppppppppppppppppp.es.r2.0.ssssssssssssssss.
      #: locales/en.json
      msgctxt "files [few]"
      msgid "%d files"
      msgstr "%d"
      "
    `);
  });

  it('gives separate contexts to messages that gettext cannot distinguish', () => {
    const units = ['a', 'b'].map((row) => unit({ id: unitId(row), translation: row }));
    const { text } = write(units, 'po');
    expect(text).toContain('msgctxt "menu.open"\n');
    expect(text).toContain('msgctxt "menu.open (2)"\n');
    expect(readPo(text).map(({ value }) => value)).toEqual(['a', 'b']);
  });

  it('returns a fault for a message without its id', () => {
    const { text } = write([unit({ translation: 'Abrir' })], 'po');
    expect(readPo(text.replace(/^#\. dragoman.*\n/m, ''))).toMatchObject([
      { fault: 'its comment with the id is missing' },
    ]);
  });
});

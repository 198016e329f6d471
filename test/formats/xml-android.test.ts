import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Slot } from '../../src/formats/format.ts';
import { xml } from '../../src/formats/xml/format.ts';
import { collapse } from './xml-oracle.ts';

function slotOf(content: string, encodable?: (text: string) => boolean): Slot {
  const slot = xml.scan(`<resources><string name="a">${content}</string></resources>`, { encodable })
    .slots[0];
  if (!slot) throw new Error('no slot');
  return slot;
}

function write(content: string, value: string, encodable?: (text: string) => boolean): string {
  const source = `<resources><string name="a">${content}</string></resources>`;
  const slot = slotOf(content, encodable);
  const text = splice(source, [{ span: slot.span, text: slot.encode(value) }]);
  expect(xml.scan(text).slots[0]?.value).toBe(value);
  return text.slice('<resources><string name="a">'.length, -'</string></resources>'.length);
}

const ascii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

describe('Android text', () => {
  // aapt2's result for each, according to its documentation and users' reports.
  it.each([
    ['   hello   world   ', 'hello world'],
    ['&#32; a&#9;&#10;&#13;b', 'a b'],
    ['a&#160;&#160;b\u2003c', 'a\u00a0\u00a0b\u2003c'],
    ['"  spaced  don\'t  "', "  spaced  don't  "],
    ['a"  b  "c', 'a  b  c'],
    ['say "hello  world', 'say hello  world'],
    ['\\#\\@\\?', '#@?'],
    ['carriage\\rreturn', 'carriagerreturn'],
    ['\\q\\z\\ ', 'qz'],
    ['abc\\', 'abc'],
    ['"a\\nb  c"', 'a\nb  c'],
    ['&amp; &lt; &gt; &quot; &apos;', "& < >  '"],
    ['a&#92;nb', 'a\nb'],
    ['<![CDATA[  a   b  ]]>', 'a b'],
    ['<![CDATA["don\'t"]]>', "don't"],
    ['<![CDATA[<b>bold</b> &amp; more]]>', '<b>bold</b> &amp; more'],
    ['\\u00e9\\ud83d\\ude00', 'é😀'],
    ['\\u12 x', '\\u12 x'],
  ])('reads %s', (content, value) => {
    const slot = slotOf(content);
    expect({ value: slot.value, syntax: slot.syntax }).toEqual({ value, syntax: 'android' });
  });

  it('reads text as an independent implementation does', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '  ',
      '\n',
      '\t',
      '"',
      "'",
      '\\',
      '\\u0041',
      '\\n',
      '@',
      'é',
      ']',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (content) => {
        expect(slotOf(`x${content}`).value).toBe(collapse(`x${content}`));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '@string/x',
    '@android:string/ok',
    '@null',
    '@empty',
    '?attr/x',
    '?android:textColor',
    ' @string/x ',
  ])('keeps the reference %s', (content) => {
    expect(xml.scan(`<resources><string name="a">${content}</string></resources>`).slots).toEqual([]);
  });

  it.each(['@', '@ home', '@user', '?', '? why', '\\@string/x', '"@string/x"'])(
    'treats %s as text',
    (content) => {
      expect(slotOf(content).syntax).toBe('android');
    },
  );

  it('writes a value that looks like a reference as text', () => {
    expect(write('x', '@string/x')).toBe('\\@string/x');
    expect(write('<![CDATA[x]]>', '?attr/x')).toBe('<![CDATA[\\?attr/x]]>');
  });

  it('opens a self-closed element, but not for an empty value', () => {
    const source = '<resources><string name="a" /></resources>';
    const slot = xml.scan(source).slots[0]!;
    expect(slot.value).toBe('');
    expect(splice(source, [{ span: slot.span, text: slot.encode('b') }])).toBe(
      '<resources><string name="a">b</string></resources>',
    );
    expect(splice(source, [{ span: slot.span, text: slot.encode('') }])).toBe(source);
  });

  it('escapes characters that the encoding of the file lacks', () => {
    expect(write('x', 'é😀', ascii)).toBe('&#233;&#128512;');
    expect(write('<![CDATA[x]]>', 'é😀', ascii)).toBe('<![CDATA[\\u00E9\\uD83D\\uDE00]]>');
    expect(write('x <b>y</b>', 'é <b>😀</b>', ascii)).toBe('\\u00E9 <b>\\uD83D\\uDE00</b>');
    expect(() => slotOf('x <b c="d">y</b>', ascii).encode('<b c="é">y</b>')).toThrow('cannot escape it');
  });

  it.each(['a\0b', '\ud83d'])('refuses %j, which no resource can hold', (value) => {
    expect(() => slotOf('x').encode(value)).toThrow(expect.objectContaining({ code: 'unencodable_value' }));
  });
});

describe('Android markup', () => {
  it('ends quotes at a style tag, but not at an xliff tag', () => {
    expect(slotOf('"x  <b>y</b>  z"').value).toBe('x  <b>y</b> z');
    expect(slotOf('"x  <xliff:g>y</xliff:g>  z"').value).toBe('x  <xliff:g>y</xliff:g>  z');
  });

  it('keeps references as written, and escapes those that mean an escaped character', () => {
    expect(slotOf('\\&quot;a\\&quot; <b>&#233;</b>').value).toBe('&quot;a&quot; <b>&#233;</b>');
    expect(write('a <b>b</b>', '&quot;a&#39; <b>&#92;n</b>')).toBe('\\&quot;a\\&#39; <b>\\&#92;n</b>');
  });

  it.each([
    ['<b>open', 'not well-formed'],
    ['a & b', 'not well-formed'],
    ['&NONE; <b/>', 'not declared'],
    ['</string><string name="b">', 'not well-formed'],
    ['<b>x</b> ]]>', 'not well-formed'],
    ['<evil:x/>', 'prefix'],
    ['all tags lost &amp; gone', 'lost all of its inline markup'],
  ])('refuses %s', (value, message) => {
    expect(() => slotOf('a <b>b</b>').encode(value)).toThrow(
      expect.objectContaining({ code: 'unencodable_value', message: expect.stringContaining(message) }),
    );
  });

  it('accepts a value without tags if nothing in it is escaped', () => {
    expect(write('a <b>b</b>', "it's plain > now")).toBe("it\\'s plain > now");
  });
});

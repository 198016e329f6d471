import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import { declaredCharset } from '../../src/formats/po/charset.ts';
import { po } from '../../src/formats/po/format.ts';
import { render } from '../../src/formats/render.ts';
import { goldenCases } from './golden.ts';

goldenCases('po', po);

describe('PO', () => {
  it('refuses characters that the file’s charset lacks', () => {
    const document = po.scan('msgid "a"\nmsgstr ""\n', {
      encodable: (text) => !/[^\u0000-\u00ff]/.test(text),
    });
    const { rejected, document: after } = render(po, document, new Map([[0, 'x\u20ac']]));
    expect(rejected.get(0)?.code).toBe('unencodable_value');
    expect(after.text).toBe(document.text);
  });

  it('refuses U+0000, where gettext ends a text', () => {
    const document = po.scan('msgid "a"\nmsgstr ""\n');
    expect(() => document.slots[0]?.encode('a\u0000b')).toThrow('U+0000');
  });

  it('reports a duplicate and keeps both', () => {
    const document = po.scan(
      'msgid "a"\nmsgstr "1"\n\nmsgctxt "c"\nmsgid "a"\nmsgstr "2"\n\nmsgid "a"\nmsgstr "3"\n',
    );
    expect(document.slots.map((slot) => slot.value)).toEqual(['1', '2', '3']);
    expect(document.warnings).toEqual([{ rule: 'duplicate-key', key: ['', 'a'], offset: 56 }]);
  });

  it('prefers the caller’s language to that of the header', () => {
    const text =
      'msgid ""\nmsgstr ""\n"Language: xx\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] ""\nmsgstr[1] ""\n';
    const categories = (locale?: string): unknown =>
      po.scan(text, { locale }).slots.map((slot) => slot.plural?.category);
    expect(categories('fr')).toEqual(['one', 'other']);
    expect(categories('ar')).toEqual(['0', '1']);
    expect(po.scan(text).locale).toBe('xx');
  });

  it('reads and writes Shift_JIS files for tools that read bytes', () => {
    const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=Shift_JIS\\n"\n\n';
    const doubled = po.scan(`${header}msgid "a"\nmsgstr "可能\\"\n\nmsgid "b"\nmsgstr "表\\示"\n`);
    expect(doubled.slots.map((slot) => slot.value)).toEqual(['可能', '表示']);
    expect(doubled.slots[0]?.encode('表\n十')).toBe('""\n"表\\\\n"\n"十\\"');
    const plain = po.scan(`${header}msgid "a"\nmsgstr "可能\\n"\n\nmsgid "b"\nmsgstr "表示"\n`);
    expect(plain.slots.map((slot) => slot.value)).toEqual(['可能\n', '表示']);
  });
});

describe('PO retarget', () => {
  const TEXTS = [
    '',
    '# only a comment',
    'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "d"',
    'msgid ""\nmsgstr ""\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n',
    'msgid ""\nmsgstr "Language: en"\n\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "a"\n#~ msgstr "c"',
  ];

  it.each(['new', 'existing'] as const)('changes nothing the second time (%s)', (role) => {
    for (const text of TEXTS) {
      for (const locale of ['fr', 'ja', 'ru', 'ar', 'pt-PT', 'tlh']) {
        const options = { locale, spelling: locale.replace('-', '_'), role };
        const once = splice(text, po.retarget(po.scan(text), options));
        expect(po.retarget(po.scan(once), options)).toEqual([]);
      }
    }
  });
});

describe('declaredCharset', () => {
  it.each([
    ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=EUC-JP\\n"\n', 'EUC-JP'],
    ['msgid ""\nmsgstr ""\n"content-type: text/plain;charset=utf-8\\n"\n', 'utf-8'],
    ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; "\n"charset=CP1250\\n"\n', 'CP1250'],
    ['msgid ""\nmsgstr "X: y\\nContent-Type: text/plain; charset=ISO-8859-1\\nZ: z\\n"\n', 'ISO-8859-1'],
    ['"Content-Type: text/plain; charset=CHARSET\\n"\n', undefined],
    ['msgid "charset=latin1"\nmsgstr ""\n', undefined],
  ])('reads header %#', (head, charset) => {
    expect(declaredCharset(head)).toBe(charset);
  });
});

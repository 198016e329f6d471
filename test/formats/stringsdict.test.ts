import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import { xml } from '../../src/formats/xml/format.ts';
import { pluralCategories } from '../../src/text/plural.ts';
import { formatContract } from './contract.ts';
import { readDom } from './xml-oracle.ts';

type DomElement = ReturnType<typeof readDom>;

const text = fc.constantFrom('word', '%#@n@ left', '%d &amp; more', '<![CDATA[<b>]]>', '', ' é 😀 ', '%lld');
const gap = fc.constantFrom('\n', '\n\t', ' ', '\n  <!-- note -->\n  ');
const string = text.map((content) => `<string>${content}</string>`);
const pair = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(gap, gap, value).map(([before, between, own]) => `${before}<key>${name}</key>${between}${own}`);
const dict = (pairs: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...pairs, gap).map((parts) => `<dict>${parts.join('')}</dict>`);
const variable = fc
  .uniqueArray(fc.constantFrom('zero', 'one', 'two', 'few', 'many', 'other'), { minLength: 1, maxLength: 4 })
  .chain((forms) =>
    dict([
      pair('NSStringFormatSpecTypeKey', fc.constant('<string>NSStringPluralRuleType</string>')),
      ...forms.map((form) => pair(form, string)),
    ]),
  );
const formatted = fc
  .tuple(fc.boolean(), pair('NSStringLocalizedFormatKey', string), pair('n', variable))
  .map(([first, format, own]) => `<dict>${first ? format + own : own + format}</dict>`);
const rule = fc
  .constantFrom('NSStringVariableWidthRuleType', 'NSStringDeviceSpecificRuleType')
  .chain((name) => dict([pair(name, dict([pair('20', string), pair('mac', fc.oneof(string, formatted))]))]));
const documents = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b c', 'd &amp; e', '%d files'), { maxLength: 3 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .chain(([names, lineEnd]) =>
    dict(names.map((name) => pair(name, fc.oneof(formatted, rule, string)))).map((inside) =>
      `<?xml version="1.0"?>\n<plist version="1.0">${inside}</plist>\n`.replaceAll('\n', lineEnd),
    ),
  );

const elementsIn = (node: DomElement): DomElement[] =>
  [...node.childNodes].filter(({ nodeType }) => nodeType === 1);

/** The texts of a property list, read with a DOM: other values are excluded by their key. */
function textsIn(node: DomElement, path: readonly string[]): readonly (readonly [string, string])[] {
  const children = elementsIn(node);
  return children.flatMap((key, i): readonly (readonly [string, string])[] => {
    const value = children[i + 1];
    if (key.nodeName !== 'key' || !value) return [];
    const name = key.textContent ?? '';
    const own = [...path, name];
    if (value.nodeName === 'dict') return textsIn(value, own);
    if (path.length === 0 || name.startsWith('NSStringFormat')) return [];
    const content = value.textContent ?? '';
    if (name === 'NSStringLocalizedFormatKey' && content.replaceAll('%#@n@', '').trim() === '') return [];
    return [[JSON.stringify(own), content]];
  });
}

formatContract(xml, {
  documents,
  oracle: (rendered) => {
    const read = elementsIn(readDom(rendered.text)).flatMap((node) => textsIn(node, []));
    const sections = (value: string): string => value.trim();
    expect(read.map(([key, value]) => [key, sections(value)])).toEqual(
      rendered.slots.map(({ key, value }) => [JSON.stringify(key), sections(value)]),
    );
  },
});

describe('a stringsdict', () => {
  it('refuses a format in which nothing is read as text', () => {
    const [slot] = xml.scan(
      '<plist><dict><key>a</key><dict><key>NSStringLocalizedFormatKey</key><string><?x?>A</string></dict></dict></plist>',
    ).slots;
    expect(slot?.syntax).toBe('markup');
    for (const value of ['<?x?>', ' <!-- A -->%#@a@', '%#@a@'])
      expect(() => slot?.encode(value)).toThrow(/only consists of variables/);
    expect(slot?.encode('<?x?>B')).toBe('<?x?>B');
  });

  it('treats a format as a text in a translation if the source does', () => {
    const withFormat = (format: string): string =>
      `<plist><dict><key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>${format}</string><key>n</key><dict><key>other</key><string>x</string></dict></dict></dict></plist>`;
    const [variable, words] = [withFormat('%#@n@'), withFormat('%#@n@ left')];
    const keysOf = (text: string, source: string): string[] =>
      xml.scan(text, { source: xml.scan(source) }).slots.map(({ key }) => key.join(' '));
    expect(keysOf(variable, words)).toEqual(['a NSStringLocalizedFormatKey', 'a n other']);
    expect(keysOf(words, variable)).toEqual(['a n other']);
    expect(keysOf(words, withFormat('%#@n@ left').replace('<key>a<', '<key>b<'))).toHaveLength(2);
    const both = withFormat('%#@n@ left</string><key>NSStringLocalizedFormatKey</key><string>%#@n@');
    expect(keysOf(both, both)).toEqual(xml.scan(both).slots.map(({ key }) => key.join(' ')));
  });

  it('gives a new file the plural forms of its language, and the source’s zero', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('de', 'ja', 'ru', 'ar', 'lv'), (source, locale) => {
        const document = xml.scan(source);
        const options = { locale, spelling: locale, role: 'new' } as const;
        const skeleton = xml.scan(splice(source, xml.retarget(document, options)));
        const formsOf = (slots: typeof document.slots): ReadonlyMap<string, Set<string>> => {
          const groups = new Map<string, Set<string>>();
          for (const { plural } of slots) {
            const id = JSON.stringify(plural?.group);
            if (plural) groups.set(id, (groups.get(id) ?? new Set()).add(plural.category));
          }
          return groups;
        };
        const before = formsOf(document.slots);
        for (const [group, forms] of formsOf(skeleton.slots)) {
          const zero = before.get(group)?.has('zero') === true ? ['zero'] : [];
          expect(forms).toEqual(new Set([...pluralCategories(locale), ...zero]));
        }
        expect(xml.retarget(skeleton, options)).toEqual([]);
      }),
    );
  });
});

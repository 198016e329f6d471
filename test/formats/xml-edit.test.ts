import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document, Key, RetargetOptions } from '../../src/formats/format.ts';
import { xml } from '../../src/formats/xml/format.ts';
import { anyDocuments } from './xml-documents.ts';

/** Slots by key; the other slots stay the same when something is removed or inserted. */
const valuesOf = (document: Document): Map<string, string> =>
  new Map(document.slots.map(({ key, value }) => [JSON.stringify(key), value]));

const retargeted = (document: ReturnType<typeof xml.scan>, options: RetargetOptions): string =>
  splice(document.text, xml.retarget(document, options));

// Indexes correctly change when a namesake is removed, because nothing else distinguishes such elements.
const isNamed = (key: Key): boolean => !key.some((segment) => /^(?:\d+|\w+\[\d+\]|p|v)$/.test(segment));

describe('xml edits', () => {
  it('removes entries and puts them back from the source', () => {
    const wanted = fc.infiniteStream(fc.boolean());
    fc.assert(
      fc.property(anyDocuments, wanted, (source, choices) => {
        const document = xml.scan(source);
        const keys = document.slots
          .map(({ key }) => key)
          .filter((key) => isNamed(key) && choices.next().value);
        const smaller = xml.scan(splice(source, xml.remove(document, keys)));
        const expected = valuesOf(document);
        for (const key of keys) expected.delete(JSON.stringify(key));
        expect(valuesOf(smaller)).toEqual(expected);
        const whole = xml.scan(splice(smaller.text, xml.insert(smaller, document, keys)));
        expect(valuesOf(whole)).toEqual(valuesOf(document));
      }),
      { numRuns: 500 },
    );
  });

  it('fills an empty file, and declares the entities and prefixes that the entries need', () => {
    fc.assert(
      fc.property(anyDocuments, (source) => {
        const document = xml.scan(source);
        const root = /<(resources|root|properties|doc) /.exec(source)?.[1] ?? '';
        const target = xml.scan(`<${root}/>`);
        const keys = document.slots.map(({ key }) => key);
        const filled = xml.scan(splice(target.text, xml.insert(target, document, keys)));
        // Compares only values: namesakes without a text are not inserted, which changes the indexes in the other keys.
        expect([...valuesOf(filled).values()]).toEqual([...valuesOf(document).values()]);
      }),
      { numRuns: 300 },
    );
  });

  it('retargets once', () => {
    const options = fc.record({
      locale: fc.constantFrom('ru', 'ja', 'ar', 'fr', 'pt-BR'),
      role: fc.constantFrom('new' as const, 'existing' as const),
    });
    fc.assert(
      fc.property(anyDocuments, options, (source, { locale, role }) => {
        const once = retargeted(xml.scan(source), { locale, role, spelling: locale });
        const twice = retargeted(xml.scan(once, { locale }), { locale, role, spelling: locale });
        expect(twice).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('inserts nothing next to an existing element without a text', () => {
    const source = xml.scan('<resources><string name="a">A</string><string name="b">B</string></resources>');
    const target = xml.scan(
      '<resources><string name="a">@string/x</string><string name="b" translatable="false">b</string></resources>',
    );
    expect(xml.insert(target, source, [['a'], ['b']])).toEqual([]);
  });

  it('reports duplicate names', () => {
    const { warnings } = xml.scan(
      '<resources><string name="a">1</string><string name="a">2</string></resources>',
    );
    expect(warnings).toEqual([{ rule: 'duplicate-key', key: ['a'], offset: 55 }]);
  });

  it('reads the requested language of a multilingual file', () => {
    const source = '<r><t xml:lang="de">eins</t><t xml:lang="en-GB">one</t><t xml:lang="pt_BR">um</t></r>';
    const read = (locale?: string): string[] => xml.scan(source, { locale }).slots.map(({ value }) => value);
    expect([read(), read('de-AT'), read('pt-BR'), read('ja')]).toEqual([['one'], ['eins'], ['um'], []]);
  });
});

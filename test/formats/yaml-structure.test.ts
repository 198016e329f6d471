import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document, Key } from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';
import { yaml } from '../../src/formats/yaml/format.ts';
import { yamlDocuments } from './yaml-documents.ts';

const id = (key: Key): string => JSON.stringify(key);
const asMap = (document: Document): Record<string, string> =>
  Object.fromEntries(document.slots.map(({ key, value }) => [id(key), value]));

const severalDocuments = ({ text }: Document): boolean => /^---[^]*^---/m.test(text);
const isRooted = (text: string, locale?: string): boolean => yaml.scan(text, { locale }).locale !== undefined;
const inLatin1 = (text: string): boolean => /^[\0-\xff]*$/.test(text);

describe('removing and inserting', () => {
  it('removes exactly the requested entries, and restores exactly the same ones', () => {
    fc.assert(
      fc.property(yamlDocuments, fc.infiniteStream(fc.boolean()), (source, stream) => {
        const document = yaml.scan(source);
        // Removing a sequence item renumbers the others; anchors of aliases stay.
        const movable = document.slots
          .map(({ key }) => key)
          .filter((key) => !key.some((segment) => /^\d+$/.test(segment)) && key[0] !== 'base');
        const gone = movable.filter(() => stream.next().value === true);
        const left = new Set(gone.map(id));
        const removed = yaml.scan(splice(source, yaml.remove(document, gone)));
        const all = asMap(document);
        expect(asMap(removed)).toEqual(
          Object.fromEntries(Object.entries(all).filter(([key]) => !left.has(key))),
        );
        const edits = yaml.insert(removed, document, gone);
        const restored = yaml.scan(splice(removed.text, edits));
        expect(asMap(restored)).toEqual(all);
        expect(removed.text.split('\r\n').length === 1).toBe(restored.text.split('\r\n').length === 1);
      }),
      { numRuns: 120 },
    );
  });

  it('inserts into any other document without changing its values', () => {
    fc.assert(
      fc.property(yamlDocuments, yamlDocuments, (one, other) => {
        const target = yaml.scan(one);
        const skeleton = yaml.scan(other);
        const here = new Set(target.slots.map(({ key }) => id(key)));
        const missing = skeleton.slots.map(({ key }) => key).filter((key) => !here.has(id(key)));
        fc.pre(severalDocuments(target) === severalDocuments(skeleton));
        const after = asMap(yaml.scan(splice(one, yaml.insert(target, skeleton, missing))));
        for (const { key, value } of target.slots) expect(after[id(key)]).toBe(value);
      }),
      { numRuns: 120 },
    );
  });

  it('explains why nothing can be inserted into a file that is a single value', () => {
    const source = yaml.scan('a: text\n');
    expect(() => yaml.insert(yaml.scan('just a text\n'), source, [['a']])).toThrow(/single value/);
  });

  it('reports if only one of the files has several documents', () => {
    const several = yaml.scan('---\na: A\n---\nb: B\n');
    expect(() => yaml.insert(yaml.scan('a: A\n'), several, [['1', 'b']])).toThrow(/several YAML documents/);
  });

  it('does not put a map where the target has a text', () => {
    expect(yaml.insert(yaml.scan('a: text\n'), yaml.scan('a:\n  b: B\n'), [['a', 'b']])).toEqual([]);
  });
});

describe('an insertion', () => {
  const insertAll = (target: string, skeleton: string): string => {
    const [to, from] = [yaml.scan(target), yaml.scan(skeleton)];
    const present = new Set(to.slots.map(({ key }) => JSON.stringify(key)));
    const keys = from.slots.map(({ key }) => key).filter((key) => !present.has(JSON.stringify(key)));
    return splice(target, yaml.insert(to, from, keys));
  };

  it('omits only entries that would change the rest of the document', () => {
    const target = 'plain:\na:\n  message: p\n  description: d\n';
    const skeleton = `${target}plain:\n  message: T\n`;
    expect(insertAll(target, skeleton)).toBe(target);
    const other = 'other:\n  message: q\n';
    expect(insertAll(target, skeleton + other)).toBe(target.replace('a:', `${other}a:`));
  });
});

describe('the Rails root key', () => {
  it('is a single locale whose value is a map, and matches the file’s language if that is known', () => {
    expect(isRooted('en:\n  a: x\n')).toBe(true);
    expect(isRooted('pt-BR:\n  a: x\n', 'pt')).toBe(true);
    expect(isRooted('es:\n')).toBe(true);
    expect(isRooted('it:\n  a: x\n', 'en')).toBe(false);
    expect(isRooted('en: text\n')).toBe(false);
    expect(isRooted('en:\n  a: x\nes:\n  a: y\n')).toBe(false);
    expect(isRooted('errors:\n  a: x\n')).toBe(false);
  });

  it('is a key, not a root, in a translation whose source has no root', () => {
    const source = yaml.scan('pt-BR:\n  a: x\n', { locale: 'en' });
    const target = yaml.scan('pt-BR:\n  a: y\n', { locale: 'pt-BR', source });
    expect(target.locale).toBe(undefined);
    expect(target.slots.map(({ key }) => key)).toEqual([['pt-BR', 'a']]);
    const rooted = yaml.scan('en:\n  a: x\n', { locale: 'en' });
    expect(yaml.scan(target.text, { locale: 'pt-BR', source: rooted }).locale).toBe('pt-BR');
  });

  it.each([
    ['tr:\na: x\n', '2:4', ''],
    ['tr:\n  a: x\nb: y\n', '3:4', ''],
    ['a: x\n', '1:4', ''],
    ['en:\n  a: x\n', '2:6', ', in "en": files are read in one language'],
    ['tr:\n  a: x\nde:\n  a: x\n', '4:6', ', in "de": files are read in one language'],
  ])('has all texts of a translation below it: %j', (text, place, more) => {
    const source = yaml.scan('en:\n  a: x\n  b: y\n', { locale: 'en' });
    expect(() => yaml.scan(text, { locale: 'tr', source })).toThrow(
      expect.objectContaining({
        message: `this text is outside of the root key "tr"${more}`,
        at: expect.objectContaining({ line: Number(place[0]), column: Number(place[2]) }) as unknown,
      }),
    );
    expect(() => yaml.scan(text, { locale: 'tr' })).not.toThrow();
  });

  it('may be missing from a translation without texts', () => {
    const source = yaml.scan('en:\n  a: x\n', { locale: 'en' });
    for (const text of ['', '# Nothing yet\n', 'tr:\n', 'rules: 2\n'])
      expect(yaml.scan(text, { locale: 'tr', source }).slots).toEqual([]);
  });

  it('can be a country’s code only in a translation', () => {
    for (const [name, locale] of [
      ['us', 'en'],
      ['gb', 'en'],
      ['br', 'pt'],
      ['se', 'sv'],
    ] as const) {
      const text = `${name}:\n  state: x\n`;
      const address = yaml.scan(text, { locale });
      expect(address.slots.map(({ key }) => key)).toEqual([[name, 'state']]);
      const retargeted = yaml.retarget(address, { locale: 'de', spelling: 'de', role: 'new' });
      expect(splice(text, retargeted)).toBe(text);
      const rooted = yaml.scan('de:\n  state: y\n', { locale: 'de' });
      expect(yaml.scan(text, { locale, source: rooted }).slots.map(({ key }) => key)).toEqual([['state']]);
    }
  });

  it('is renamed once', () => {
    const options = { locale: 'fr', spelling: 'fr', role: 'new' } as const;
    const document = yaml.scan('en:\n  a: x\n');
    const again = yaml.scan(splice(document.text, yaml.retarget(document, options)));
    expect(again.locale).toBe('fr');
    expect(yaml.retarget(again, options)).toEqual([]);
  });
});

describe('the file’s encoding', () => {
  it('escapes only characters that it cannot represent', () => {
    const document = yaml.scan('a: x\nb: |\n  y\nc: z\n', { encodable: inLatin1 });
    const values = new Map([
      [0, 'é ж'],
      [1, '😀\n'],
      [2, 'é'],
    ]);
    expect(render(yaml, document, values).document.text).toBe('a: "é \\u0436"\nb: "\\U0001F600\\n"\nc: é\n');
  });
});

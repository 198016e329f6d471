import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { slotIds } from '../../src/documents/localization/pairing.ts';
import { buildTarget, makeSkeleton } from '../../src/documents/localization/target.ts';
import { xcstrings } from '../../src/formats/xcstrings/format.ts';
import { pluralCategories } from '../../src/text/plural.ts';
import { catalogParse } from '../readers/xcstrings.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('xcstrings', xcstrings);

/** Texts of a catalogue, none of them empty: empty ones are not translatable. */
const text = fc.constantFrom(
  'One',
  '%lld files',
  'Say "hi" / bye',
  'Ünï 😀',
  '%@ \\ back',
  '\u2028x',
  'a\nb',
);
const state = fc.constantFrom('new', 'translated', 'needs_review');
const unit = fc.tuple(state, text).map(([own, value]) => ({ stringUnit: { state: own, value } }));
const plural = fc
  .uniqueArray(fc.constantFrom('zero', 'one', 'two', 'few', 'many'), { maxLength: 3 })
  .chain((categories) =>
    fc.tuple(...[...categories, 'other'].map(() => unit)).map((units) => ({
      variations: {
        plural: sorted(Object.fromEntries([...categories, 'other'].map((name, i) => [name, units[i]]))),
      },
    })),
  );
const device = fc
  .tuple(fc.oneof(unit, plural), unit)
  .map(([mac, other]) => ({ variations: { device: { mac, other } } }));
const set = fc
  .tuple(state, fc.array(text, { minLength: 1, maxLength: 3 }))
  .map(([own, values]) => ({ stringSet: { state: own, values } }));
const substituted = fc.tuple(state, plural).map(([own, forms]) => ({
  stringUnit: { state: own, value: '%#@n@ left' },
  substitutions: { n: { argNum: 1, formatSpecifier: 'lld', ...forms } },
}));
const localization = fc.oneof({ weight: 3, arbitrary: unit }, plural, device, set, substituted);
const languages = fc.uniqueArray(fc.constantFrom('en', 'de', 'ja', 'ru', 'zh-Hans', 'pt-BR', 'ar'), {
  maxLength: 4,
});
const entry = languages.chain((names) =>
  fc
    .tuple(
      fc.tuple(...names.map(() => localization)),
      fc.option(fc.constantFrom('A note', ''), { nil: undefined }),
      fc.constantFrom(undefined, undefined, 'manual', 'stale'),
      fc.constantFrom(undefined, undefined, undefined, false),
    )
    .map(([values, comment, extractionState, shouldTranslate]) =>
      sorted({
        comment,
        extractionState,
        localizations:
          names.length > 0
            ? sorted(Object.fromEntries(names.map((name, i) => [name, values[i]])))
            : undefined,
        shouldTranslate,
      }),
    ),
);
const catalog = fc
  .uniqueArray(fc.tuple(fc.constantFrom('', 'Key', 'a.b', '%lld "x"', '😀', 'key/1', 'z'), entry), {
    selector: ([key]) => key,
    maxLength: 5,
  })
  .map((entries) => ({ sourceLanguage: 'en', strings: sorted(Object.fromEntries(entries)), version: '1.0' }));

/** Xcode's notation, and three that scripts use. */
const writing = fc.constantFrom(
  (value: unknown): string => xcode(value, ''),
  (value: unknown): string => `${JSON.stringify(value, null, 4)}\n`,
  (value: unknown): string => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
  (value: unknown): string => JSON.stringify(value),
);

function sorted<T>(members: Readonly<Record<string, T>>): Record<string, T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** JSON in Xcode's notation. */
function xcode(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + xcode(item, inner)).join(',\n')}\n${indent}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)} : ${xcode(member, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

const documents = fc.tuple(catalog, writing).map(([value, write]) => write(value));

formatContract(xcstrings, {
  documents,
  oracle: ({ text: written, slots }) => {
    const [reading] = catalogParse.read([{ bytes: Buffer.from(written) }]);
    const texts =
      reading && 'entries' in reading ? reading.entries.filter(({ kind }) => kind === 'text') : [];
    const read = new Map(texts.map(({ key, value }) => [JSON.stringify(key), value]));
    expect(read).toEqual(new Map(slots.map(({ key, value }) => [JSON.stringify(key), value])));
  },
});

const TARGETS = ['de', 'ja', 'ru', 'zh-CN', 'fr', 'ar'];

/** A catalogue without one language, according to JSON.parse. */
function without(json: string, locale: string): unknown {
  const parsed = JSON.parse(json) as { strings: Record<string, { localizations?: Record<string, unknown> }> };
  for (const own of Object.values(parsed.strings)) {
    for (const name of [locale, locale === 'zh-CN' ? 'zh-Hans' : locale]) delete own.localizations?.[name];
    if (own.localizations && Object.keys(own.localizations).length === 0) delete own.localizations;
  }
  return parsed;
}

describe('a language in a catalogue', () => {
  it('gets the entries with values, in the file’s style, and nothing else changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.constantFrom(...TARGETS),
        fc.infiniteStream(fc.boolean()),
        async (source, locale, chance) => {
          const file = await openBytes(Buffer.from(source), 'x.xcstrings', { locale: 'en' });
          const existing = await openBytes(Buffer.from(source), 'x.xcstrings', { locale });
          const spelling = locale === 'zh-CN' ? 'zh-Hans' : locale;
          const skeleton = makeSkeleton(file, { locale, spelling }, existing.document);
          const ids = slotIds(skeleton);
          const values = new Map(
            ids.filter(() => chance.next().value).map((id, i) => [id, `new ${i}: ${locale}`]),
          );
          const target = buildTarget({ source: file, skeleton, existing, values, locale, spelling });
          const written = Buffer.from(target.bytes).toString();
          expect(without(written, locale)).toEqual(without(source, locale));
          const again = slotIds(target.document);
          const read = new Map(target.document.slots.map((slot, i) => [again[i], slot.value]));
          // A new plural is not inserted if its `other` gets no value.
          for (const [id, value] of values)
            if (!target.rejected.has(id)) expect(read.get(id), `${id} in ${written}`).toBe(value);
          if (values.size === 0) expect(written).toBe(source);
          const layout = [xcode(JSON.parse(source), ''), JSON.stringify(JSON.parse(source))].indexOf(source);
          if (layout === 0) expect(written).toBe(xcode(JSON.parse(written), ''));
          if (layout === 1) expect(written).toBe(JSON.stringify(JSON.parse(written)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is complete: every plural has exactly the forms of the language, and Apple’s zero if the source has it', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(...TARGETS), (source, locale) => {
        const document = xcstrings.scan(source);
        const names = new Set(xcstrings.languages?.(source)?.all);
        if (names.has(locale) || names.has('zh-Hans')) return;
        const edits = xcstrings.retarget(document, { locale, spelling: locale, role: 'new' });
        const skeleton = xcstrings.scan(apply(source, edits), { locale });
        const zeros = new Set(
          document.slots
            .filter(({ plural: form }) => form?.category === 'zero')
            .map(({ plural: form }) => JSON.stringify(form?.group)),
        );
        const groups = new Map<string, string[]>();
        for (const { plural: form } of skeleton.slots) {
          const group = JSON.stringify(form?.group);
          if (form) groups.set(group, [...(groups.get(group) ?? []), form.category]);
        }
        for (const [group, categories] of groups) {
          const wanted = new Set([...pluralCategories(locale), ...(zeros.has(group) ? ['zero'] : [])]);
          expect(new Set(categories)).toEqual(wanted);
        }
      }),
    );
  });

  it('does not get texts that refer to a substitution missing from its localization', () => {
    const source = xcode(
      {
        sourceLanguage: 'en',
        strings: { a: { localizations: { de: { stringUnit: { state: 'translated', value: 'x' } } } } },
      },
      '',
    );
    const [slot] = xcstrings.scan(source, { locale: 'de' }).slots;
    expect(() => slot?.encode('%#@files@')).toThrow('no substitution files');
    expect(slot?.encode('%lld')).toBe('"%lld"');
  });

  it('is the source language if none is declared; a key without a localization is its own text', () => {
    const source = '{"sourceLanguage": "de", "strings": {"Hallo": {}, "x": {"localizations": {"de": {}}}}}';
    const { slots, locale } = xcstrings.scan(source);
    expect({ locale, values: slots.map(({ value }) => value) }).toEqual({ locale: 'de', values: ['Hallo'] });
    expect(() => slots[0]?.encode('Tag')).toThrow('the key is the text');
    expect(xcstrings.languages?.(source)).toEqual({ source: 'de', all: ['de'] });
  });
});

function apply(source: string, edits: ReturnType<typeof xcstrings.retarget>): string {
  return [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((all, { span, text: added }) => all.slice(0, span.start) + added + all.slice(span.end), source);
}

describe('a catalogue that is read string by string', () => {
  const texts = Array.from({ length: 40 }, (_, i) => `Text ${i}`);
  const strings = texts.map((text, i) => [
    text,
    i % 3 === 0 ? {} : { localizations: { fr: { stringUnit: { state: 'new', value: `Texte ${i}` } } } },
  ]);
  const members = { sourceLanguage: 'de', strings: Object.fromEntries(strings) as object, version: '1.0' };
  const { sourceLanguage, ...others } = members;
  const usual = JSON.stringify(members, null, 1);

  it.each([
    ['in the usual order', usual],
    ['with the language after the strings', JSON.stringify({ ...others, sourceLanguage }, null, 1)],
    ['with a second `strings`', usual.replace(/\}$/, ', "strings": {"no": {}}}')],
  ])('has the same texts, languages and edits %s', (_, text) => {
    const read = (locale: string): unknown[] =>
      xcstrings.scan(text, { locale }).slots.map(({ value }) => value);
    expect(read('de')).toEqual(texts);
    expect(read('fr')).toEqual(texts.flatMap((_text, i) => (i % 3 === 0 ? [] : [`Texte ${i}`])));
    expect(xcstrings.languages?.(text)).toEqual({ source: 'de', all: ['fr'] });
    const options = { locale: 'fr', spelling: 'fr', role: 'new' } as const;
    const edits = xcstrings.retarget(xcstrings.scan(text), options);
    expect(edits).toHaveLength(14);
    const skeleton = xcstrings.scan(splice(text, edits), { locale: 'fr' });
    expect(skeleton.slots).toHaveLength(40);
    expect(skeleton.warnings).toEqual([]);
  });
});

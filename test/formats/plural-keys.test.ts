import i18next, { type InitOptions } from 'i18next';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { listSourceKeys } from '../../src/project/plan/source-keys.ts';
import { messageKeys } from '../../src/documents/localization/pairing.ts';
import { makeSkeleton } from '../../src/documents/localization/target.ts';
import type { Document } from '../../src/formats/format.ts';
import { paraglide } from '../../src/frameworks/paraglide.ts';
import { adaptPlural, rubyPlurals } from '../../src/text/plural-keys.ts';

async function skeletonOf(text: string, path: string, locale: string, like?: string): Promise<Document> {
  const source = await openBytes(Buffer.from(text), path, { locale: 'en' });
  const existing =
    like === undefined
      ? undefined
      : await openBytes(Buffer.from(like), path, { locale, source: source.document });
  const skeleton = makeSkeleton(source, { locale, spelling: locale }, existing?.document);
  // Every text of the skeleton is translated from a text of the source.
  expect(listSourceKeys(source.document, skeleton, locale).keys).toHaveLength(skeleton.slots.length);
  return skeleton;
}

const EN = `{
  // How many are in the cart
  "items_one": "{{count}} item",
  "items_other": "{{count}} items",
  "deep": { "place_ordinal_one": "{{count}}st", "place_ordinal_two": "{{count}}nd",
    "place_ordinal_few": "{{count}}rd", "place_ordinal_other": "{{count}}th" }
}
`;
const EN_V3 = '{ "item": "{{count}} item", "item_plural": "{{count}} items", "title": "Shop" }\n';
const NUMBERS = [...Array.from({ length: 131 }, (_, n) => n), 1_000_000, 1.5];
const LOCALES =
  'ar be bg cs cy da de es fr ga he hr hu is it ja kk lt lv mk mt nl pl pt ro ru sk sl sr uk zh';

const byUnits = (a: string, b: string): number => (a < b ? -1 : 1);

/** Returns a function that shows a key with a number as i18next does in a language without a fallback. */
async function reader(document: Document, locale: string, options: InitOptions) {
  const resource = JSON.parse(document.text.replaceAll(/^\s*\/\/.*$/gm, '')) as object;
  const instance = i18next.createInstance();
  await instance.init({
    lng: locale,
    fallbackLng: false,
    resources: { [locale]: { translation: resource } },
    ...options,
  });
  return (key: string, count: number, ordinal = false): string => instance.t(key, { count, ordinal });
}

describe('plurals whose forms are keys', () => {
  it.each(LOCALES.split(' '))('i18next finds a form for every number in %s', async (locale) => {
    const document = await skeletonOf(EN, 'locales/en.json', locale);
    const show = await reader(document, locale, {});
    const categories = new Set(document.slots.map(({ plural }) => plural?.category));
    for (const n of NUMBERS) {
      expect(show('items', n), String(n)).not.toBe('items');
      if (Number.isInteger(n)) expect(show('deep.place', n, true), String(n)).not.toBe('deep.place');
    }
    const known = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const category of known) expect(categories).toContain(category);
    const forms = document.slots.filter(({ key }) => key[0]?.startsWith('items') === true);
    expect(forms.map(({ plural }) => plural?.category ?? '').toSorted(byUnits)).toEqual(
      [...known].toSorted(byUnits),
    );
  });

  it.each(LOCALES.split(' '))(
    'i18next finds a form for every number in older files in %s, without unused forms',
    async (locale) => {
      const document = await skeletonOf(EN_V3, 'locales/en.json', locale);
      const show = await reader(document, locale, { compatibilityJSON: 'v3' });
      const shown = new Set(NUMBERS.filter(Number.isInteger).map((n) => show('item', n).replace(/\d+/, '#')));
      expect(shown).not.toContain('item');
      const instance = i18next.createInstance();
      await instance.init({ lng: locale, compatibilityJSON: 'v3' });
      const names = instance.services.pluralResolver.getPluralFormsOfKey(locale, 'item') as string[];
      expect(
        document.slots

          .map(({ key }) => key[0] ?? '')
          .filter((name) => name !== 'title')
          .toSorted(byUnits),
      ).toEqual(names.toSorted(byUnits));
    },
  );

  it('forms for rare numbers are added to new files, but not to existing plurals without them', async () => {
    const names = async (like?: string) =>
      (await skeletonOf(EN, 'locales/en.json', 'es', like)).slots.map(({ key }) => key.at(-1));
    expect(await names()).toContain('items_many');
    expect(await names('{ "items_one": "{{count}} cosa" }')).not.toContain('items_many');
    expect(await names('{ "items_one": "{{count}} cosa", "items_many": "{{count}} de cosas" }')).toContain(
      'items_many',
    );
    expect(await names('{ "title": "Tienda" }')).toContain('items_many');
  });

  it('variants of paraglide have the forms of the language, and their selectors are not texts', async () => {
    const variants = (match: string): string =>
      `{"$schema":"https://inlang.com/schema","a":[{"declarations":["input n"],"selectors":["n"],"match":{${match}}}]}`;
    const messages = paraglide.messagesOf?.({
      path: 'messages/en.json',
      format: 'json',
      manifest: undefined,
    });
    const open = (text: string) =>
      openBytes(Buffer.from(text), 'messages/en.json', { locale: 'en', messages });
    const skeleton = async (match: string): Promise<string> =>
      makeSkeleton(await open(variants(match)), { locale: 'pl', spelling: 'pl' }).text;
    expect((await open(variants('"n=one":"One","n=other":"{n} things"'))).document.slots).toHaveLength(2);
    expect(await skeleton('"n=one":"One","n=other":"{n} things"')).toBe(
      variants('"n=one":"One","n=few":"{n} things","n=many":"{n} things","n=other":"{n} things"'),
    );
    for (const match of ['"g=male":"He","g=other":"They"', '"g=one, h=x":"A","g=other, h=x":"B"'])
      expect(await skeleton(match)).toBe(variants(match));
  });

  it('names that only end like forms are not plurals', async () => {
    const text =
      '{ "level_one": "{{a}} one", "level_two": "Two", "phone_home": "Home", "phone_other": "Other" }';
    const document = await skeletonOf(text, 'locales/en.json', 'pl');
    expect(document.text).toBe(text);
  });

  it.each([
    [
      'config/locales/en.yml',
      'en:\n  cart:\n    # In the cart\n    one: "%{count} item"\n    other: "%{count} items"\n',
      'pl:\n  cart:\n    # In the cart\n    one: "%{count} item"\n    few: "%{count} items"\n    many: "%{count} items"\n    other: "%{count} items"\n',
    ],
    [
      'config/locales/en.yml',
      'en: { cart: { one: "%{count} item", other: "%{count} items" } }\n',
      'pl: { cart: { one: "%{count} item", few: "%{count} items", many: "%{count} items", other: "%{count} items" } }\n',
    ],
    [
      'config/locales/en.yml',
      'en:\n  cart:\n    one: 1\n    other: "%{count} items"\n',
      'pl:\n  cart:\n    one: 1\n    other: "%{count} items"\n',
    ],
    [
      'locales/en.js',
      "export default {\n  a_one: '{{count}} b',\n  a_other: '{{count}} bs',\n};\n",
      "export default {\n  a_one: '{{count}} b',\n  a_few: '{{count}} bs',\n  a_many: '{{count}} bs',\n  a_other: '{{count}} bs',\n};\n",
    ],
    [
      'active.en.json',
      '{"cart":{"description":"In the cart","one":"{{.Count}} item","other":"{{.Count}} items"}}',
      '{"cart":{"description":"In the cart","one":"{{.Count}} item","few":"{{.Count}} items","many":"{{.Count}} items","other":"{{.Count}} items"}}',
    ],
  ])('%s gets the forms of Polish in its own style', async (path, text, expected) => {
    expect((await skeletonOf(text, path, 'pl')).text).toBe(expected);
  });

  it('Ruby keeps the form one where rails-i18n has only other, because I18n alone looks up one', () => {
    const keys = [
      ['a', 'one'],
      ['a', 'other'],
    ];
    const forms = rubyPlurals(keys, 'en');
    const names = (locale: string, standing: boolean) => {
      const { renamed, added, removed } = adaptPlural(forms, locale, () => standing);
      return { kept: [...renamed.values()], added: added.map(({ name }) => name), removed };
    };
    expect(names('ja', true)).toEqual({ kept: ['one', 'other'], added: [], removed: [] });
    expect(names('es', true)).toEqual({ kept: ['one', 'other'], added: [], removed: [] });
    expect(names('ru', true)).toEqual({ kept: ['one', 'other'], added: ['few', 'many'], removed: [] });
    expect(names('he', true)).toEqual({ kept: ['one', 'other'], added: [], removed: [] });
  });

  it('a job counts each form of the source as a key', async () => {
    const { document } = await openBytes(Buffer.from(EN), 'en.json');
    expect(messageKeys(document).size).toBe(6);
  });
});

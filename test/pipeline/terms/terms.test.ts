import { describe, expect, it } from 'vitest';
import type { Glossary, GlossaryTerm } from '../../../src/pipeline/glossary.ts';
import { missingTermText, type Terms, termsFor } from '../../../src/pipeline/terms/terms.ts';

const name = (term: string, more: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
  term,
  translations: new Map(),
  doNotTranslate: true,
  caseSensitive: true,
  ...more,
});

const word = (
  term: string,
  es: string | readonly string[],
  more: Partial<GlossaryTerm> = {},
): GlossaryTerm => ({
  term,
  translations: new Map([['es', typeof es === 'string' ? [es] : es]]),
  doNotTranslate: false,
  caseSensitive: false,
  ...more,
});

function prepare(terms: readonly GlossaryTerm[], source = 'en', target = 'es'): Terms {
  const found = termsFor({ terms }, source, target);
  if (!found) throw new Error('the glossary has nothing for the direction');
  return found;
}

/** The names found in a text. */
function namesIn(text: string, ...names: readonly (string | GlossaryTerm)[]): readonly string[] {
  const terms = prepare(names.map((each) => (typeof each === 'string' ? name(each) : each)));
  const { tagged, restore } = terms.protect(text);
  const placeholders = [...tagged.matchAll(/<x id="\d+"\/>/g)].map(([placeholder]) => placeholder);
  return placeholders.map(restore).filter((restored) => !placeholders.includes(restored));
}

const required = (text: string, ...terms: readonly GlossaryTerm[]): readonly string[] =>
  prepare(terms)
    .requiredIn([text])
    .map(({ term }) => term);

describe('names', () => {
  it('are sent as placeholders numbered after those of the text, and restored in place', () => {
    const terms = prepare([name('Firefox'), name('Firefox Sync')]);
    const { tagged, restore } = terms.protect('Use <x id="1">Firefox Sync</x> &amp; <x id="7"/> in Firefox');
    expect(tagged).toBe('Use <x id="1"><x id="8"/></x> &amp; <x id="7"/> in <x id="9"/>');
    expect(restore('En <x id="9"/> &lt;<x id="7"/>&gt; <x id="1">usa <x id="8"/></x>')).toBe(
      'En Firefox &lt;<x id="7"/>&gt; <x id="1">usa Firefox Sync</x>',
    );
  });

  it.each([
    ['Firefox and Firefoxes', ['Firefox'], ['Firefox']],
    ['(Firefox) "Firefox" Firefox-based Firefox’s', ['Firefox'], Array(4).fill('Firefox')],
    ['firefox FIREFOX', ['Firefox'], []],
    ['firefox FIREFOX', [name('Firefox', { caseSensitive: false })], ['firefox', 'FIREFOX']],
    ['Firefox Sync, Firefox', ['Firefox', 'Firefox Sync'], ['Firefox Sync', 'Firefox']],
    ['a b c d', ['a b', 'b c d'], ['b c d']],
    ['Node.js or Node', ['Node'], ['Node']],
    ['Node.js or Node', ['Node', 'Node.js'], ['Node.js', 'Node']],
    ['me@acme.org, acme.org, acme', ['acme'], ['acme']],
    ['snake_case Case', ['case', 'Case'], ['Case']],
    ['C++ and C# and C', ['C++', 'C#'], ['C++', 'C#']],
    ['.* matches a.*b', ['.*'], ['.*', '.*']],
    ['Firefox\u00a0Sync and Firefox\n  Sync', ['Firefox Sync'], ['Firefox\u00a0Sync', 'Firefox\n  Sync']],
    ['Cafe\u0301 Noir', ['Caf\u00e9 Noir'], ['Cafe\u0301 Noir']],
    ['Cafe\u0301', ['Cafe'], []],
    ['Firefoxを開く、最新のFirefox', ['Firefox'], ['Firefox', 'Firefox']],
    ['打开微信支付', ['微信'], ['微信']],
    ['브라우저 Firefox를 엽니다', ['Firefox'], ['Firefox']],
    ['افتح Firefoxو', ['Firefox'], ['Firefox']],
    ['ship it 👩‍💻 now 👩', ['👩'], ['👩']],
    ['🇪🇸🇫🇷', ['🇸🇫'], []],
    ['🚀Launch', ['🚀', 'Launch'], ['🚀', 'Launch']],
    ["L'Équipe and L’Équipe", ["L'Équipe"], ["L'Équipe", 'L’Équipe']],
    ['3D and D', ['D'], ['D']],
    ['Fire<x id="1"/>fox', ['Firefox'], []],
    ['<x id="1">Fire</x>fox', ['Firefox'], []],
    ['AT&amp;T &lt;b&gt;', ['AT&T', '<b>'], ['AT&amp;T', '&lt;b&gt;']],
    ['Firefox', ['Firefox'], ['Firefox']],
  ])('%j has %j: %j', (text, names, found) => {
    expect(namesIn(text, ...names)).toEqual(found);
  });

  it('override a translation of the same words if they match exactly', () => {
    const terms = prepare([name('Apple'), word('apple', 'manzana')]);
    expect(terms.protect('Apple and apple').tagged).toBe('<x id="1"/> and apple');
    expect(terms.requiredIn(['Apple'])).toEqual([]);
    expect(terms.requiredIn(['apple'])).toEqual([{ term: 'apple', translation: 'manzana' }]);
  });

  it('can be part of a longer translated term', () => {
    const terms = prepare([name('Firefox'), word('Firefox account', 'cuenta de Firefox')]);
    expect(terms.protect('Firefox accounts').tagged).toBe('Firefox accounts');
    expect(terms.missingIn(['Firefox accounts'], ['cuentas de Firefox'])).toEqual([]);
    expect(terms.missingIn(['Firefox accounts'], ['cuentas del zorro'])).toHaveLength(1);
  });

  it.each([
    ['Firefox', 'Firefox', 0],
    ['Firefox', 'firefox', 1],
    ['Firefox', 'Firefoxissa', 0],
    ['Firefox', 'den Firefox-Browser', 0],
    ['Firefox', 'وFirefox', 0],
    ['Firefox', 'Waterfirefox', 1],
    ['Firefox', 'MyFirefox', 1],
    ['Firefox', '<x id="1">Fire</x>fox', 1],
    ['Firefox', 'a<x id="1">Firefox</x>b', 0],
    ['Firefox', 'Fire<x id="1"/>fox', 1],
    ['Firefox and Firefox', 'Firefox', 1],
    ['Firefox and Firefox', 'Firefox, Firefox, Firefox', 0],
    ['Firefox and Firefox Sync', 'Firefox Sync', 1],
    ['Firefox and Firefox Sync', 'Firefox Sync y Firefox', 0],
    ['Go on', 'Google', 1],
    ['Java', 'JavaScript', 1],
    ['Java', 'Javassa', 0],
    ['Java', 'Jawa', 1],
    ['Firefox Sync', 'Firefox\u00a0Sync', 0],
    ['AT&amp;T', 'AT&amp;T', 0],
    ['Firefox Sync and Firefox\nSync', 'Firefox Sync, Firefox Sync', 0],
    ['Firefox Sync and Firefox\nSync', 'Firefox Sync', 1],
  ])('%j in %j: %i missing', (source, translation, missing) => {
    const names = ['Firefox', 'Firefox Sync', 'Go', 'Java', 'AT&T'].map((each) => name(each));
    expect(prepare(names, 'en', 'fi').missingIn([source], [translation])).toHaveLength(missing);
  });

  it('may come back in any case if case does not matter', () => {
    const terms = prepare([name('webhook', { caseSensitive: false })]);
    expect(terms.missingIn(['Webhook settings'], ['Ajustes del webhook'])).toEqual([]);
    const both = prepare([name('webhook', { caseSensitive: false }), name('WebHook')]);
    expect(both.missingIn(['A WebHook and a webhook'], ['Un Webhook y un WebHook'])).toEqual([]);
    expect(terms.missingIn(['Webhook settings'], ['Ajustes del gancho'])).toEqual([
      { term: 'Webhook', translation: 'Webhook' },
    ]);
  });
});

describe('terms that are translated', () => {
  it.each([
    ['The dashboards', 'dashboard', true],
    ['DASHBOARDS!', 'dashboard', true],
    ['dashboarding', 'dashboard', false],
    ['Our policies', 'policy', true],
    ['All boxes', 'box', true],
    ['Bookshelves', 'bookshelf', true],
    ['key pairs', 'key pair', true],
    ['the keys pair', 'key pair', true],
    ['the used ones', 'user', false],
    ['the news', 'new', false],
    ['a sign-in', 'sign', true],
    ['signing', 'sign', false],
    ['APIs', 'API', true],
    ['process', 'proces', false],
    ['orders', 'Order', true],
    ['order', 'order number', false],
    ['order <x id="1"/> number', 'order number', false],
  ])('%j has %j: %j', (text, term, isThere) => {
    expect(required(text, word(term, 'x')).length === 1).toBe(isThere);
  });

  it('match only their exact spelling if case matters', () => {
    const order = word('Order', 'Pedido', { caseSensitive: true });
    expect(required('Order it in order', order)).toEqual(['Order']);
    expect(required('Orders', order)).toEqual(['Order']);
    expect(required('in order', order)).toEqual([]);
  });

  it.each([
    ['de', 'Die Häuser und Dateien', ['Datei'], ['Datei']],
    ['de', 'Kontext', ['Konto'], []],
    ['de', 'Konten', ['Konto'], ['Konto']],
    ['es', 'las cuentas', ['cuenta'], ['cuenta']],
    ['ru', 'в учётной записи', ['учётная запись'], ['учётная запись']],
    ['ru', 'файлами', ['файл'], ['файл']],
    ['ko', '대시보드를 열기', ['대시보드'], ['대시보드']],
    ['ja', '設定を開く', ['設定'], ['設定']],
    ['th', 'เปิดบัญชีผู้ใช้', ['บัญชี'], ['บัญชี']],
  ])('may also be inflected in %s: %j', (source, text, terms, found) => {
    const prepared = prepare(
      terms.map((term) => word(term, 'x')),
      source,
    );
    expect(prepared.requiredIn([text]).map(({ term }) => term)).toEqual(found);
  });

  it('come with their preferred translation and their note, once', () => {
    const terms = prepare([word('dashboard', ['panel', 'tablero'], { note: 'the start page' })]);
    expect(terms.requiredIn(['A dashboard', 'dashboards'])).toEqual([
      { term: 'dashboard', translation: 'panel', note: 'the start page' },
    ]);
    expect(terms.missingIn(['A dashboard'], ['Un tablero'])).toEqual([]);
  });

  it('must be in the translation of their own segment', () => {
    const terms = prepare([word('dashboard', 'panel'), name('Firefox')]);
    const source = ['One dashboard', 'Many dashboards'];
    expect(terms.missingIn(source, ['Un panel', 'Muchos paneles'])).toEqual([]);
    expect(terms.missingIn(source, ['Un panel', 'Muchos'])).toHaveLength(1);
    expect(terms.missingIn(source, ['Un', 'panel', 'de'])).toEqual([]);
    expect(terms.missingIn(['Firefox', 'x'], ['y', 'Firefox'])).toEqual([]);
    expect(terms.missingIn(['Firefox', 'Firefox'], ['y', 'Firefox'])).toHaveLength(1);
    expect(terms.missingIn(['Firefox', 'Firefox'], ['Firefox'])).toEqual([]);
  });
});

describe('a glossary', () => {
  const glossary: Glossary = {
    terms: [
      {
        ...word('dashboard', 'panel'),
        translations: new Map([
          ['es', ['panel']],
          ['es-MX', ['tablero']],
          ['zh-CN', ['仪表板']],
          ['pt-BR', ['painel']],
        ]),
      },
    ],
  };

  it.each([
    ['es', 'panel'],
    ['es-AR', 'panel'],
    ['es-MX', 'tablero'],
    ['zh-CN', '仪表板'],
    ['zh-TW', undefined],
    ['pt-BR', 'painel'],
    ['pt', undefined],
    ['fr', undefined],
  ])('has %s: %j', (target, translation) => {
    expect(termsFor(glossary, 'en', target)?.requiredIn(['dashboard'])[0]?.translation).toBe(translation);
  });

  it('is prepared once per direction', () => {
    expect(termsFor(glossary, 'en', 'es')).toBe(termsFor(glossary, 'en', 'es'));
    expect(termsFor({ ...glossary }, 'en', 'es')).not.toBe(termsFor(glossary, 'en', 'es'));
    expect(termsFor(glossary, 'en', 'fr')).toBeUndefined();
    expect(termsFor({ terms: [] }, 'en', 'es')).toBeUndefined();
  });

  it('reports missing terms', () => {
    expect(missingTermText({ term: 'Firefox', translation: 'Firefox' })).toBe('"Firefox" is missing');
    expect(missingTermText({ term: 'key\n', translation: 'clave' })).toBe(
      '"key\\n" is not translated as "clave"',
    );
  });

  it('ignores text that is not tagged', () => {
    const terms = prepare([name('Firefox'), word('key', 'clave')]);
    for (const text of ['Firefox <b> key', 'Firefox key <x id="1">', '</x> Firefox key']) {
      expect(terms.protect(text).tagged).toBe(text);
      expect(terms.missingIn([text], [text])).toEqual([]);
    }
    expect(terms.protect('Firefox').restore('<x id="1"> broken')).toBe('<x id="1"> broken');
  });
});

import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { DragomanError } from '../../src/base/errors.ts';
import { loadGlossary } from '../../src/project/glossary/glossary.ts';
import { ProjectDirectory } from './project-directory.ts';

const load = (name: string, text: string): ReturnType<typeof loadGlossary> =>
  loadGlossary(join(new ProjectDirectory({ [name]: text }).path, name));

const TERMS = [
  {
    term: 'Firefox',
    translations: new Map(),
    doNotTranslate: true,
    caseSensitive: true,
    note: 'the browser',
  },
  {
    term: 'web hook',
    translations: new Map(),
    doNotTranslate: true,
    caseSensitive: false,
    note: undefined,
  },
  {
    term: 'dashboard',
    translations: new Map([
      ['es', ['panel', 'tablero']],
      ['pt-BR', ['painel']],
    ]),
    doNotTranslate: false,
    caseSensitive: false,
    note: undefined,
  },
  {
    term: 'Order',
    translations: new Map([['es', ['Pedido, "el"']]]),
    doNotTranslate: false,
    caseSensitive: true,
    note: undefined,
  },
];

describe('a glossary', () => {
  it.each([
    [
      'glossary.csv',
      'term,dnt,case,es,pt_BR,note\r\nFirefox,yes,,,,the browser\r\n\r\n web hook ,x,insensitive,,,\r\ndashboard,no,,panel | tablero,painel,\r\nOrder,,sensitive,"Pedido, ""el""",,\r\n',
    ],
    [
      'glossary.csv',
      '\ufeffNote;Term;do_not_translate;Case;es;pt-BR\nthe browser;Firefox;1;;;\n;web hook;TRUE;insensitive\n;dashboard;;;panel|tablero;painel\n;Order;;sensitive;"Pedido, ""el"""',
    ],
    [
      'glossary.CSV',
      'term\tdnt\tcase\tes\tpt-BR\tnote\rFirefox\tyes\t\t\t\tthe browser\rweb hook\tyes\tinsensitive\rdashboard\t\t\tpanel|tablero\tpainel\rOrder\t\tsensitive\t"Pedido, ""el"""\r',
    ],
    [
      'glossary.yaml',
      `- term: Firefox
  dnt: true
  note: the browser
- {term: web hook, do_not_translate: yes, case: insensitive, translations: }
- term: dashboard
  translations:
    es: [panel, tablero]
    pt_BR: painel
- term: Order
  case: sensitive
  translations: {es: 'Pedido, "el"'}
`,
    ],
    [
      'glossary.yml',
      `Firefox: {dnt: true, note: the browser}
web hook: {dnt: true, case: insensitive}
dashboard:
  translations: {es: [panel, tablero], pt-BR: painel}
Order: {case: sensitive, translations: {es: 'Pedido, "el"'}}
`,
    ],
  ])('is read from %s', async (name, text) => {
    expect((await load(name, text)).terms).toEqual(TERMS);
  });

  it.each([
    ['term,dnt\n', []],
    ['term\n\n\n', []],
  ])('may be empty: %j', async (text, terms) => {
    expect((await load('glossary.csv', text)).terms).toEqual(terms);
    expect((await load('glossary.yaml', '[]')).terms).toEqual(terms);
  });

  it('may have a term twice if case distinguishes them', async () => {
    const text = 'term,dnt,case,es\nApple,yes,sensitive,\napple,,insensitive,manzana\n';
    expect((await load('glossary.csv', text)).terms).toHaveLength(2);
  });

  it.each([
    ['term,dnt,es,dee\na,,b,c', 1, 13, /"dee" is neither a column nor a language code/, /Did you mean de\?/],
    ['term,notes\na,b', 1, 6, /"notes" is neither a column/, /Did you mean note\?/],
    ['term,es,\na,b,', 1, 9, /a column has no name/, /term, dnt/],
    ['term,es,es\na,b,c', 1, 9, /two columns for es/, /Remove/],
    ['term,pt-BR,pt_BR\na,b,c', 1, 12, /two columns for pt-BR/, /Remove/],
    ['es,de\na,b', 1, 1, /no column `term`/, /first line/],
    ['', 1, 1, /no column `term`/, /first line/],
    ['term,es\n\na,b,c', 3, 5, /more cells than the header/, /quotation marks/],
    ['term,es\n"x\ny",z\n,b', 4, 1, /the term is empty/, /Remove it/],
    ['term,dnt,es\na,yes,b', 2, 7, /"a" is marked as not to be translated, but has a translation/, /dnt/],
    ['term,dnt,es\na,,', 2, 1, /"a" has no translation/, /dnt/],
    ['term,dnt,es\na,maybe,', 2, 3, /`dnt` must be yes or no/, undefined],
    ['term,case,es\na,sensitve,b', 2, 3, /`case` must be/, /Did you mean sensitive\?/],
    ['term,es\na,b\n"A",c', 3, 1, /"A" appears twice/, /line 2/],
    ['term,es\na,b||c', 2, 3, /the translation into es is empty/, undefined],
    ['term,es\na,"b"c', 2, 1, /not well-formed CSV/, /twice/],
    ['term,es\na,b\nb,"c', 3, 1, /not well-formed CSV/, /twice/],
    [`term,es\n${'a'.repeat(501)},b`, 2, 1, /more than 500 characters/, undefined],
    ['term,es\na\u0007,b', 2, 1, /invalid characters/, /control/],
  ])('is refused as the table %j', async (text, line, column, message, hint) => {
    const project = new ProjectDirectory({ 'glossary.csv': text });
    const path = join(project.path, 'glossary.csv');
    await expect(loadGlossary(path)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(message),
      at: { file: path, line, column },
      ...(hint && { hint: expect.stringMatching(hint) }),
    });
  });

  it.each([
    ['- term: a\n  translations: {dee: b}', 2, 18, /"dee" is not a language code/, /Did you mean de\?/],
    ['- term: a\n  translatoins: {de: b}', 2, 3, /unknown key `translatoins`/, /Did you mean translations\?/],
    ['a:\n  term: b', 2, 3, /unknown key `term`/, undefined],
    ['- term: a\n  dnt: true\n  do_not_translate: true', 3, 3, /mean the same/, undefined],
    ['- term: a\n  dnt: 2', 2, 3, /yes or no/, undefined],
    ['- term: 404\n  dnt: true', 1, 3, /the term must be a string/, /quotation marks/],
    ['- dnt: true', 1, 3, /an entry has no `term`/, undefined],
    ['- term: " "\n  dnt: true', 1, 3, /the term is empty/, undefined],
    ['- a', 1, 3, /must be a mapping/, undefined],
    ['a: b', 1, 1, /must be a mapping/, undefined],
    ['text', 1, 1, /is a list of terms/, undefined],
    ['', 1, 1, /is a list of terms/, undefined],
    ['- term: a\n  translations: [b]', 2, 3, /mapping of languages/, undefined],
    ['- term: a\n  translations: {es: 4}', 2, 18, /into es must be a string/, undefined],
    ['- term: a\n  translations: {es: []}', 2, 18, /into es is empty/, undefined],
    ['- term: a\n  translations: {es: b, ES: c}', 2, 25, /two translations into es/, /list/],
    ['- term: a\n  dnt: true\n- term: b\n  dnt: true\n- term: a\n  dnt: true', 5, 3, /twice/, /line 1/],
    ['- term: a\n  note: [b]\n  dnt: true', 2, 3, /note must be a string/, undefined],
    ['- term: a\n  dnt: true\n dnt: x', 3, 1, /not well-formed YAML/, undefined],
    ['a: &a {dnt: true}\na: *a', 2, 1, /not well-formed YAML/, undefined],
    [
      `x: &a [x]\n${Array.from({ length: 200 }, (_, i) => `b${i}: [*a, *a]\n`).join('')}`,
      1,
      1,
      /not usable/,
      undefined,
    ],
  ])('is refused as the YAML %j', async (text, line, column, message, hint) => {
    await expect(load('glossary.yaml', text)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(message),
      at: { line, column },
      ...(hint && { hint: expect.stringMatching(hint) }),
    });
  });

  it('is refused if it is missing, in another format, or too large', async () => {
    const project = new ProjectDirectory({
      'glossary.txt': '',
      'dir/x': '',
      'big.csv': 'x'.repeat(9_000_000),
    });
    const at = (name: string): string => join(project.path, name);
    await expect(loadGlossary(at('glossary.txt'))).rejects.toMatchObject({ code: 'usage' });
    await expect(loadGlossary(at('none.csv'))).rejects.toMatchObject({ code: 'unreadable_input' });
    await expect(loadGlossary(at('big.csv'))).rejects.toMatchObject({ code: 'limit_exceeded' });
    const rows = Array.from({ length: 50_001 }, (_, i) => `t${i},yes`).join('\n');
    await expect(load('many.csv', `term,dnt\n${rows}`)).rejects.toMatchObject({
      message: expect.stringMatching(/at most 50000 terms/),
    });
  });

  it('must be UTF-8', async () => {
    const project = new ProjectDirectory();
    const { writeFileSync } = await import('node:fs');
    const path = join(project.path, 'glossary.csv');
    writeFileSync(path, Buffer.from('term,es\nkey,contrase\xf1a\n', 'latin1'));
    const error = await loadGlossary(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DragomanError);
    expect(error).toMatchObject({ code: 'unreadable_input', message: expect.stringMatching(/UTF-8/) });
  });
});

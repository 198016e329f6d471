import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GlossaryFile } from '../../src/project/glossary/glossary-file.ts';
import { ProjectDirectory } from './project-directory.ts';

interface Words {
  readonly term?: string;
  readonly translation?: string;
  readonly locale?: string;
}

/** Adds `Order` → `Pedido`, or the given words. */
async function add(name: string, text: string, words: Words = {}): Promise<string> {
  const { path } = new ProjectDirectory({ [name]: text });
  const file = new GlossaryFile(join(path, name));
  await file.add({ term: 'Order', translation: 'Pedido', locale: 'es', ...words }, path);
  return readFileSync(join(path, name), 'utf8');
}

describe('a term is added to a table', () => {
  it.each([
    ['as its last line', 'term,es\nhome,inicio\n', {}, 'term,es\nhome,inicio\nOrder,Pedido\n'],
    ['below a header alone', 'term,es', {}, 'term,es\nOrder,Pedido'],
    ['without a final line end', 'term,es\r\nhome,inicio', {}, 'term,es\r\nhome,inicio\r\nOrder,Pedido'],
    [
      'with its byte order mark, separator and line ends',
      '\ufeffnote;term;es\r\n;home;inicio\r\n',
      {},
      '\ufeffnote;term;es\r\n;home;inicio\r\n;Order;Pedido\r\n',
    ],
    [
      'with tabs',
      'term\tes\tnote\nhome\tinicio\t\n',
      {},
      'term\tes\tnote\nhome\tinicio\t\nOrder\tPedido\t\n',
    ],
    [
      'with the line ends of an old Mac',
      'term,es\rhome,inicio\r',
      {},
      'term,es\rhome,inicio\rOrder,Pedido\r',
    ],
    [
      'where all cells have quotes',
      '"term","es"\n"home","inicio"\n',
      {},
      '"term","es"\n"home","inicio"\n"Order","Pedido"\n',
    ],
    [
      'with quotes around separators and quotes',
      'term,es\n',
      { term: 'Order, new', translation: 'Pedido "nuevo"' },
      'term,es\n"Order, new","Pedido ""nuevo"""\n',
    ],
    ['with single spaces', 'term,es\n', { term: ' big\n order ' }, 'term,es\nbig order,Pedido\n'],
    ['below empty lines', 'term,es\n\nhome,inicio\n\n', {}, 'term,es\n\nhome,inicio\n\nOrder,Pedido\n'],
    ['for a region, as its language', 'term,es\n', { locale: 'es-MX' }, 'term,es\nOrder,Pedido\n'],
    [
      'for a region that has a column',
      'term,es,es_MX\n',
      { locale: 'es-MX' },
      'term,es,es_MX\nOrder,,Pedido\n',
    ],
    [
      'in the empty cell of the term',
      'term,es,de\norder,,Bestellung\nhome,inicio,\n',
      {},
      'term,es,de\norder,Pedido,Bestellung\nhome,inicio,\n',
    ],
    [
      'in the empty quotes of the term',
      '"term","es","de"\n"order","","Bestellung"\n',
      { translation: 'el "Pedido"' },
      '"term","es","de"\n"order","el ""Pedido""","Bestellung"\n',
    ],
    [
      'in a cell that the line lacks',
      'term,de,note,es\nOrder,Bestellung\n',
      {},
      'term,de,note,es\nOrder,Bestellung,,Pedido\n',
    ],
  ])('%s', async (_name, before, words, after) => {
    expect(await add('glossary.csv', before, words)).toBe(after);
  });
});

describe('a term is added to YAML', () => {
  const line = '- { term: Order, translations: { es: Pedido } }';

  it.each([
    [
      'as the last item of a list',
      '# Words\n- term: home\n  translations:\n    es: inicio\n',
      {},
      `# Words\n- term: home\n  translations:\n    es: inicio\n${line}\n`,
    ],
    [
      'as deep as the others',
      '---\n  - {term: home, translations: {es: inicio}} # first\n\n# end\n',
      {},
      `---\n  - {term: home, translations: {es: inicio}} # first\n\n# end\n  ${line}\n`,
    ],
    [
      'with its byte order mark and line ends, and without a final one',
      '\ufeff- {term: home, translations: {es: inicio}}\r\n- {term: Firefox, dnt: true}',
      {},
      `\ufeff- {term: home, translations: {es: inicio}}\r\n- {term: Firefox, dnt: true}\r\n${line}`,
    ],
    [
      'as the last key of a mapping',
      'home: { translations: { es: inicio } }\n',
      {},
      'home: { translations: { es: inicio } }\nOrder: { translations: { es: Pedido } }\n',
    ],
    [
      'below a text of several lines',
      '- term: home\n  translations: { es: inicio }\n  note: |+\n    the first\n    page\n\n',
      {},
      `- term: home\n  translations: { es: inicio }\n  note: |+\n    the first\n    page\n\n${line}\n`,
    ],
    [
      'in quotes where YAML needs them',
      'Firefox: { dnt: true }\n',
      { term: 'yes: "now"', translation: 'no' },
      'Firefox: { dnt: true }\n"yes: \\"now\\"": { translations: { es: "no" } }\n',
    ],
    [
      'for a region, as its language',
      '- {term: home, translations: {es: inicio}}\n',
      { locale: 'es-MX' },
      `- {term: home, translations: {es: inicio}}\n${line}\n`,
    ],
    [
      'in Norwegian',
      '- {term: Firefox, dnt: true}\n',
      { locale: 'no', translation: 'Ordre' },
      '- {term: Firefox, dnt: true}\n- { term: Order, translations: { "no": Ordre } }\n',
    ],
  ])('%s', async (_name, before, words, after) => {
    expect(await add('glossary.yaml', before, words)).toBe(after);
  });
});

describe('a term', () => {
  it.each([
    ['glossary.csv', 'term,es\norder,orden|pedido\n', { translation: 'pedido' }],
    ['glossary.csv', 'term,es\norder,orden\n', { translation: 'orden', locale: 'es-MX' }],
    ['glossary.yml', 'Order: {translations: {es: [Pedido, Orden]}}\n', {}],
  ])('that the glossary has stays as it is', async (name, text, words) => {
    expect(await add(name, text, words)).toBe(text);
  });

  it.each<[string, string, string, Words]>([
    ['the term is empty', 'glossary.csv', 'term,es\n', { term: ' \n' }],
    ['the translation is empty', 'glossary.csv', 'term,es\n', { translation: '' }],
    ['the term has more than 500 characters', 'glossary.csv', 'term,es\n', { term: 'o'.repeat(501) }],
    ['the translation has invalid characters', 'glossary.csv', 'term,es\n', { translation: 'a\u0007b' }],
    ['the term has invalid characters', 'glossary.csv', 'term,es\n', { term: 'a\ud800b' }],
    ['the translation contains |', 'glossary.csv', 'term,es\n', { translation: 'a|b' }],
    ['the glossary has "order" with the translation orden', 'glossary.csv', 'term,es\norder,orden\n', {}],
    [
      'the glossary has "ORDER" with the translation orden',
      'glossary.csv',
      'term,case,es\nORDER,sensitive,orden\n',
      {},
    ],
    [
      'the glossary has "order" as a name that stays as it is',
      'glossary.csv',
      'term,dnt,es\norder,yes\n',
      {},
    ],
    ['glossary.csv has no column fr', 'glossary.csv', 'term,es\n', { locale: 'fr' }],
    ['not well-formed CSV: a quotation mark is out of place', 'glossary.csv', 'term,es\n"a,b\n', {}],
    [
      'the term cannot be added to glossary.yaml: its terms are in brackets',
      'glossary.yaml',
      '[{term: home, translations: {es: inicio}}]\n',
      {},
    ],
    [
      'the term cannot be added to glossary.yaml: its terms are in brackets',
      'glossary.yaml',
      '{"home": {"translations": {"es": "inicio"}}}\n',
      {},
    ],
    [
      'the term cannot be added to glossary.yaml: it has "Order" with translations into other languages',
      'glossary.yaml',
      'order: {translations: {de: Bestellung}}\n',
      {},
    ],
    [
      'the term cannot be added to glossary.yaml: not well-formed YAML',
      'glossary.yaml',
      'home: {translations: {es: inicio}}\n...\n',
      {},
    ],
    ['a glossary is a list of terms', 'glossary.yaml', '# none yet\n', {}],
    ['glossary.txt is not a glossary', 'glossary.txt', 'term,es\n', {}],
  ])('is refused: %s', async (message, name, text, words) => {
    const { path } = new ProjectDirectory({ [name]: text });
    const file = new GlossaryFile(join(path, name));
    const wanted = { term: 'Order', translation: 'Pedido', locale: 'es', ...words };
    await expect(file.add(wanted, path)).rejects.toThrow(message);
    expect(readFileSync(join(path, name), 'utf8')).toBe(text);
  });

  it('is refused without a file, and for one that is not regular or not in the project', async () => {
    const wanted = { term: 'Order', translation: 'Pedido', locale: 'es' };
    const { path } = new ProjectDirectory();
    const outside = join(new ProjectDirectory({ 'glossary.csv': 'term,es\n' }).path, 'glossary.csv');
    const added = (name: string): Promise<void> => new GlossaryFile(join(path, name)).add(wanted, path);
    await expect(added('none.csv')).rejects.toThrow('none.csv does not exist');
    mkdirSync(join(path, 'directory.csv'));
    await expect(added('directory.csv')).rejects.toThrow('is a directory');
    symlinkSync(outside, join(path, 'out.csv'));
    await expect(added('out.csv')).rejects.toThrow('leads out of');
    await expect(new GlossaryFile(outside).add(wanted, path)).rejects.toThrow('leads out of');
    mkdirSync(join(path, '.git'));
    writeFileSync(join(path, '.git', 'config'), 'term,es\n');
    symlinkSync(join(path, '.git', 'config'), join(path, 'hidden.csv'));
    await expect(added('hidden.csv')).rejects.toThrow('.git does not belong to the project');
    expect(readFileSync(outside, 'utf8')).toBe('term,es\n');
  });
});

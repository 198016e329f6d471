import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignTranslation } from '../../src/text/align.ts';
import { parseMessage } from '../../src/text/message.ts';
import { reconcile } from '../../src/text/reconcile.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';
import { runs } from '../property-runs.ts';
import { codes, syntaxes, translate, values, words } from './generators.ts';

const locales = fc.constantFrom('en', 'ru', 'ja', 'fr');

describe('every assembled translation', () => {
  const pieces = fc.array(fc.oneof({ weight: 4, arbitrary: words }, codes), { minLength: 1, maxLength: 4 });

  it.each(['bytes', 'reading'] as const)('is aligned if it verifies (%s)', (keep) => {
    let aligned = 0;
    fc.assert(
      fc.property(
        syntaxes,
        values,
        pieces,
        fc.boolean(),
        locales,
        (syntax, value, texts, reverse, locale) => {
          // Two plurals over one number that change places are mistaken for one another.
          fc.pre(!reverse || (value.match(/plural,|select,/g) ?? []).length < 2);
          const message = parseMessage(value, syntax);
          const translations: string[] = [];
          for (const segment of message.segments(locale)) {
            const result = reconcile(segment, translate(segment, texts, reverse));
            if (!result.ok) return;
            translations.push(result.tagged);
          }
          const target = message.assemble(locale, translations);
          const found = alignTranslation(message, target, locale, { keep });
          if (found) {
            aligned++;
            expect(found).toHaveLength(translations.length);
            const again = message.assemble(locale, found);
            if (keep === 'bytes') expect(again).toBe(target);
            else expect(alignTranslation(message, again, locale, { keep })).toEqual(found);
          } else expect(verify(value, target, { syntax, locale })).not.toEqual([]);
        },
      ),
      { numRuns: runs(1500) },
    );
    expect(aligned).toBeGreaterThan(runs(1000));
  });
});

const golden: readonly (readonly [Syntax, string, string, readonly string[] | undefined])[] = [
  ['plain', 'Save file', 'Guardar archivo', ['Guardar archivo']],
  ['plain', '  Save\n', '  Guardar\n', ['Guardar']],
  ['plain', '  Save\n', 'Guardar', undefined],
  ['plain', 'Save', ' Guardar', [' Guardar']],
  ['plain', '12 – 30', '12 – 30', []],
  ['plain', '12 – 30', '12 a 30', undefined],
  ['plain', '{a} in {b}', '{b} tiene {a}', ['<x id="2"/> tiene <x id="1"/>']],
  ['plain', '{a} and {a} in {b}', '{b}: {a}, {a}', ['<x id="3"/>: <x id="1"/>, <x id="2"/>']],
  ['plain', 'Hello {name}', 'Hola {nombre}', undefined],
  ['plain', 'Hello {name}', 'Hola', ['Hola']],
  ['plain', 'Hello', 'Hola {name}', undefined],
  ['plain', 'a < b & c', 'si a < b & c', ['si a &lt; b &amp; c']],
  ['android', '%s of %d', '%2$d de %1$s', ['<x id="2"/> de <x id="1"/>']],
  ['android', '%1$s of %2$d', '%2$d de %1$s', ['<x id="2"/> de <x id="1"/>']],
  ['android', '%s of %d', '%1$s de %2$d', undefined],
  ['apple', '%@ of %@', '%2$@ de %1$@', ['<x id="2"/> de <x id="1"/>']],
  ['python-brace', 'From {} to {:>5}', 'Zu {1:>5} von {0}', ['Zu <x id="2"/> von <x id="1"/>']],
  ['c', '%d%% of it', 'un %d%% de eso', ['un <x id="1"/><x id="2"/> de eso']],
  ['c', '%d of it', '%d (100 %%)', ['<x id="1"/> (100 %)']],
  [
    'plain',
    'Click <a href="/x">here</a> or <b>there</b>',
    '<b>Allí</b> o <a href="/x">aquí</a>',
    ['<x id="2">Allí</x> o <x id="1">aquí</x>'],
  ],
  ['plain', '<b>a</b> and <b>c</b>', '<b>x</b> y <b>z</b>', ['<x id="1">x</x> y <x id="2">z</x>']],
  ['plain', '<b><i>both</i></b>', '<i><b>ambos</b></i>', ['<x id="2"><x id="1">ambos</x></x>']],
  ['plain', 'Click <a href="/en">here</a>', 'Clic <a href="/es">aquí</a>', undefined],
  ['plain', 'Click <b>here</b>', 'Clic <b>aquí', undefined],
  ['plain', 'Click <b>here</b>', 'Clic aquí', undefined],
  ['plain', 'one<br>two', 'uno<br>dos', ['uno<x id="1"/>dos']],
  ['plain', 'Open <file> now', 'Abra <archivo> ya', ['Abra &lt;archivo&gt; ya']],
  ['plain', 'A&nbsp;B &copy; C', '&copy; C&nbsp;D', ['<x id="2"/> C<x id="1"/>D']],
  ['plain', 'See https://a.b/c now', 'Vea https://a.b/c ya', ['Vea <x id="1"/> ya']],
  ['plain', 'See https://a.b/en now', 'Vea https://a.b/es ya', undefined],
  ['markup', 'Tom &amp; <b>Jo</b>', 'Tom y &lt;<b>Jo</b>&gt;', undefined],
  ['markup', 'Tom &amp; <b>Jo</b>', '<b>Jo</b> &amp; Tom &lt;3', ['<x id="1">Jo</x> &amp; Tom &lt;3']],
  ['vue', 'one | {n} many', 'uno | muchos {n}', ['uno', 'muchos <x id="1"/>']],
  ['vue', 'one | {n} many', 'uno | pocos {n} | muchos {n}', undefined],
  ['icu', "It's {name}", "C'est {name}", ['C\'est <x id="1"/>']],
  [
    'icu',
    '{n, plural, one {# file} other {# files}}',
    '{n, plural, one {# Datei} other {# Dateien}}',
    ['<x id="1"/> Datei', '<x id="1"/> Dateien'],
  ],
  [
    'icu',
    '{n, plural, one {# file} other {# files}}',
    '{n, plural, one {eine Datei} other {# Dateien}}',
    ['eine Datei', '<x id="1"/> Dateien'],
  ],
  [
    'icu',
    '{n, plural, one {# file} other {# files}}',
    '{n, plural, one{# Datei} other {# Dateien}}',
    undefined,
  ],
  [
    'icu',
    '{g, select, male {his {x}} other {their {x}}} own',
    '{g, select, male {sein {x}} other {ihr {x}}} Eigen',
    ['<x id="1"/> Eigen', 'sein <x id="1"/>', 'ihr <x id="1"/>'],
  ],
  ['icu', '{g, select, male {his} other {their}}', '{g, select, other {ihr}}', undefined],
];

describe('alignment byte for byte', () => {
  it.each(golden)('%s: %s is %s', (syntax, source, translation, expected) => {
    const message = parseMessage(source, syntax);
    const texts = alignTranslation(message, translation, 'de');
    expect(texts).toEqual(expected);
    if (texts) expect(message.assemble('de', texts)).toBe(translation);
  });

  it('has a text for each branch that the target language has', () => {
    const message = parseMessage('{n, plural, one {# file} other {# files}}', 'icu');
    const target = '{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}';
    expect(alignTranslation(message, target, 'ru')).toEqual([
      '<x id="1"/> файл',
      '<x id="1"/> файла',
      '<x id="1"/> файлов',
      '<x id="1"/> файла',
    ]);
  });

  it('is impossible for a source that is not a message', () => {
    expect(alignTranslation(parseMessage('Hello {name', 'icu'), 'Hola', 'es')).toBeUndefined();
  });
});

describe('the branches of a choice in the target language', () => {
  const source = parseMessage('one file|:count files', 'laravel');

  it.each([
    ['один файл|:count файла|:count файлов', ['один файл', '<x id="1"/> файла', '<x id="1"/> файлов']],
    ['один файл|:count файлов', undefined],
    ['файлы', undefined],
  ])('%s', (translation, texts) => {
    expect(alignTranslation(source, translation, 'ru')).toEqual(texts);
  });
});

const read: readonly (readonly [Syntax, string, string, string | undefined])[] = [
  ['plain', '  Save\n', 'Guardar ', '  Guardar\n'],
  ['plain', 'Hi {{ name }}!', '¡Hola {{name}}!', '¡Hola {{ name }}!'],
  ['icu', "It's {name}", "C''est {name}", "C'est {name}"],
  ['markup', 'It is <b>so</b>', 'L&apos;eau <b>&#233;t&#233;</b>', "L'eau <b>été</b>"],
  ['android', '%s of %d', '%1$s de %2$d', '%s de %d'],
  ['android', '%1$s of %2$d', '%s de %d', '%1$s de %2$d'],
  ['android', '%1$s of %1$s', '%1$s de %2$s', undefined],
  [
    'icu',
    '{n, plural, one {# file} other {# files}}',
    '{n,plural, one{# archivo} other{{n} archivos} }',
    '{n, plural, one {# archivo} many {# archivos} other {# archivos}}',
  ],
  [
    'icu',
    '{n, plural, one {# file} other {# files}}',
    '{n, plural, =0 {nada} other {# archivos}}',
    undefined,
  ],
  ['icu', '{n, plural, one {# file} other {# files}}', '{n, plural, few {x} other {# archivos}}', undefined],
  ['plain', 'Click <a href="/en">here</a>', 'Clic <a href="/es">aquí</a>', undefined],
];

describe('alignment of visible text', () => {
  it.each(read)('%s: %s is %s', (syntax, source, translation, expected) => {
    const message = parseMessage(source, syntax);
    const texts = alignTranslation(message, translation, 'es', { keep: 'reading' });
    expect(texts && message.assemble('es', texts)).toBe(expected);
  });
});

describe('long values', () => {
  it.each([
    '{ a}',
    '<b>x</b>',
    '<b>',
    '</b>',
    '%s',
    '{n, plural, other {x}} ',
    'https://a.b/{c} ',
    '&nbsp;',
    "''",
    ' ',
  ])('take time in proportion to their length: %s', (unit) => {
    const value = `word ${unit.repeat(2_000)}`;
    for (const syntax of ['plain', 'icu'] as const) {
      const message = parseMessage(value, syntax);
      const target = value.replace('word', 'Wort');
      const texts = alignTranslation(message, target, 'en');
      expect(texts === undefined || message.assemble('en', texts) === target).toBe(true);
      alignTranslation(message, target.replaceAll('{ a}', '{a}'), 'en', { keep: 'reading' });
    }
  });
});

describe('the title of a link', () => {
  it('is aligned by itself', () => {
    const source = parseMessage('See <a r="u">docs<link-title>A title</link-title></a>', 'markup');
    const translation = '<a r="u">docs<link-title>Titel</link-title></a> sehen';
    expect(alignTranslation(source, translation, 'de')).toEqual(['<x id="1">docs</x> sehen', 'Titel']);
    expect(alignTranslation(source, 'Siehe <a r="u">docs</a>', 'de')).toBeUndefined();
  });
});

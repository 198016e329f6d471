import { describe, expect, it } from 'vitest';
import type { Syntax } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';

type Row = readonly [Syntax, string, string];

const sound: readonly Row[] = [
  ['plain', 'Hello {name}', 'Bonjour {name}'],
  [
    'markup',
    '<a>x<link-title>{a}</link-title></a> <a>y<link-title>{b}</link-title></a>',
    '<a>y<link-title>{b} z</link-title></a> <a>x<link-title>{a} z</link-title></a>',
  ],
  ['plain', '{a} of {{b}}', '{{ b }} : {a}'],
  ['plain', '100% sure', 'sûr à 100 %'],
  ['plain', 'See https://a.b/en.', 'Voir https://a.b/fr.'],
  ['plain', '<a href=https://a.b/>x</a>', '<a href=https://a.b/>y</a>'],
  ['plain', 'See github.com/a/en.', 'Voir github.com/a/fr.'],
  ['plain', 'See [it](https://a.b/en)', 'Voir [cela](https://a.b/fr)'],
  ['plain', '[Open](command:x?%5B1%5D) it', 'le [ouvrir](command:x?%5B1%5D)'],
  ['android', 'From <Unknown Sender>', 'De <Inconnu>'],
  ['icu', 'From <Unknown Sender>', 'De <Expéditeur inconnu>'],
  ['plain', '%1 of %2', '%2 von %1'],
  ['sh', 'in $dir', 'dans ${dir}'],
  ['lisp', 'Take ~a~%', '~%Prends ~A'],
  ['object-pascal', '%s of %d', '%1:d von %0:s'],
  ['plain', '<a href="/x" title="Help">x</a>', '<a href="/x" title="Aide">y</a>'],
  ['plain', '&lt;b&gt;', '&lt;c&gt;'],
  ['plain', '-f <file>\tread <file>', '-f <fichier>\tlire <fichier>'],
  ['plain', 'Translated by the team', 'Traduit par X <x@y.org>'],
  ['c', '%s of %d', '%2$d von %1$s'],
  ['c', '%d%%', '%d %%'],
  ['c', '%(a)r of %(b)5.2f', '%(b).1f von %(a)s'],
  ['apple', '%@ is %lld', '%2$lld %1$@'],
  ['python-brace', '{} of {}', '{1} von {0}'],
  ['vue', 'a | {n} b', "x{'@'}y | {n} z"],
  ['icu', '{n, plural, one {# a} other {# b}}', '{n, plural, one {un a} other {# b}}'],
  ['icu', '{n, plural, one {# a} other {# b}}', '{n, plural, =0 {rien} one {# a} other {{n} b}}'],
  ['icu', '{d, date, short}', '{d, date, ::yyyyMMdd}'],
  ['icu', "it''s {x}", "l''{x}"],
  ['java', '{0} x', "l''{0}"],
  ['markup', 'a &amp; <b>c</b>', '<b>x</b> &amp; y'],
];

const unsound: readonly (readonly [...Row, string])[] = [
  ['plain', 'See github.com/a.', 'Voir gitlab.com/a.', 'placeholder-mismatch'],
  ['plain', '[Open](command:a) it', '[Ouvrir](command:b)', 'placeholder-mismatch'],
  ['plain', '[Open](command:a) it', 'Ouvrir', 'tag-mismatch'],
  ['plain', '[x]({url}) it', '[x]({uri})', 'placeholder-mismatch'],
  ['plain', '%1 of %2', '%2 von %2', 'placeholder-mismatch'],
  ['android', 'From <b>me</b>', 'De <moi>', 'tag-mismatch'],
  ['sh', 'in $dir', 'dans 5 $ $dir', 'placeholder-mismatch'],
  ['lisp', 'Take ~a of ~d', '~d von ~a', 'placeholder-mismatch'],
  ['lua', '%s of it', '%1$s davon', 'placeholder-mismatch'],
  ['csharp', 'Take {0}', 'Nimm { {0}', 'placeholder-mismatch'],
  ['qt', '%n of %1', '%1 von %2', 'placeholder-mismatch'],
  ['kde-kuit', 'Take <b>%1</b>', 'Nimm <b>%1</b> < 5', 'placeholder-mismatch'],
  ['plain', 'Hello {name}', 'Bonjour {nom}', 'placeholder-mismatch'],
  ['plain', 'Hello {name}', 'Bonjour', 'placeholder-mismatch'],
  ['plain', 'Hello {name}', 'Bonjour {name} {name}', 'placeholder-mismatch'],
  ['plain', 'Hello', 'Bonjour {x}', 'placeholder-mismatch'],
  ['plain', 'Hello', 'Bonjour %s', 'placeholder-mismatch'],
  ['plain', 'Hello', 'Bonjour ${x}', 'placeholder-mismatch'],
  ['plain', 'Hello', 'Bonjour %{x}', 'placeholder-mismatch'],
  ['plain', 'Hello', 'Bonjour <b>x</b>', 'tag-mismatch'],
  ['plain', '<x-y>Hello</x-y>', 'Bonjour', 'tag-mismatch'],
  ['markup', 'Hello', 'Bonjour <fichier>', 'tag-mismatch'],
  ['markup', '<a>x<link-title>t</link-title></a>', '<a>x</a>', 'placeholder-mismatch'],
  [
    'markup',
    '<a>x<link-title>t {a}</link-title></a>',
    '<a>x<link-title>t</link-title></a>',
    'placeholder-mismatch',
  ],
  ['plain', '<b>Hello</b>', '</b>Bonjour<b>', 'tag-mismatch'],
  ['icu', 'a <link>{b}</link>', '{b}</link> a <link>', 'tag-mismatch'],
  ['plain', '<b>a</b> <i>b</i>', '<b>a <i>b</b></i>', 'tag-mismatch'],
  ['plain', 'a<br>b', 'a b', 'tag-mismatch'],
  ['plain', '<a href="{url}">x</a>', '<a href="{uri}">x</a>', 'placeholder-mismatch'],
  ['plain', 'See https://a.b/en now', 'https://a.b/enword', 'placeholder-mismatch'],
  ['plain', 'Mail x@y.org', 'à xx@y.org', 'placeholder-mismatch'],
  ['plain', 'a\\nb', 'a b', 'placeholder-mismatch'],
  ['plain', '%s and %d', '%d et %s', 'placeholder-mismatch'],
  ['plain', '%s and %s', '%2$s et %1$s', 'placeholder-mismatch'],
  ['plain', '%d%% of it', '%d% de', 'placeholder-mismatch'],
  ['plain', '5% of it', '5%% de', 'placeholder-mismatch'],
  ['plain', '&lt;b&gt;', '&amp;lt;b&amp;gt;', 'double-escaped'],
  ['plain', '{n, plural, other {x}}', '{n, plural, other {x}', 'icu-syntax'],
  ['markup', 'a &lt; b', 'a &amp;lt; b', 'double-escaped'],
  ['c', '%d files', '%d files 5 % x', 'placeholder-mismatch'],
  ['c', '%s in %s', '%2$s in %s', 'placeholder-mismatch'],
  ['c', '%d', '%s', 'placeholder-mismatch'],
  ['c', '%(a)d', '%(a)s', 'placeholder-mismatch'],
  ['i18next', 'a', 'a $t(b)', 'placeholder-mismatch'],
  ['i18next', 'a {{b}}', 'a {b}', 'placeholder-mismatch'],
  ['vue', 'a', 'a | b', 'placeholder-mismatch'],
  ['vue', 'a', 'a @:key', 'placeholder-mismatch'],
  ['laravel', ':name x', ':nom x', 'placeholder-mismatch'],
  ['chrome', 'a', 'a $NAME$', 'placeholder-mismatch'],
  ['ruby', '%{a}', '%{b}', 'placeholder-mismatch'],
  ['icu', 'a {x}', 'a {x', 'icu-syntax'],
  ['icu', 'l {x}', "l'{x}", 'placeholder-mismatch'],
  ['java', '{0} x', "l'{0}'", 'placeholder-mismatch'],
  ['icu', '{n, number}', '{n, date}', 'placeholder-mismatch'],
  ['icu', '{n, plural, other {#}}', '{n}', 'placeholder-mismatch'],
  ['icu', '{n, plural, one {#} other {#}}', '{m, plural, one {#} other {#}}', 'placeholder-mismatch'],
  ['icu', '{n, plural, one {#} other {#}}', '{n, plural, one {#} few {#} other {#}}', 'plural-categories'],
  ['icu', '{n, plural, one {#} other {#}}', '{n, plural, other {#}}', 'plural-categories'],
  ['icu', '{n, plural, one {#} other {#}}', '{n, plural, one {#}}', 'missing-other'],
  ['icu', '{n, plural, one {#} other {#}}', '{n, plural, one {#} other {x}}', 'placeholder-mismatch'],
  ['icu', '{g, select, a {x} other {y}}', '{g, select, b {x} other {y}}', 'placeholder-mismatch'],
  ['icu', '{g, select, a {x {z}} other {y}}', '{g, select, a {x} other {y}}', 'placeholder-mismatch'],
  ['icu', '{0, select, a {{1}} other {{2}}}', '{0, select, a {{2}} other {{1}}}', 'placeholder-mismatch'],
  ['icu', '<b>a</b>', '<b>a', 'tag-mismatch'],
];

describe('verify', () => {
  it.each(sound)('%s: %s → %s is valid', (syntax, source, target) => {
    expect(verify(source, target, { syntax, locale: 'fr' })).toEqual([]);
  });

  it.each(unsound)('%s: %s → %s is not valid: %s', (syntax, source, target, rule) => {
    const problems = verify(source, target, { syntax, locale: 'fr' });
    expect(problems.map((problem) => problem.rule)).toContain(rule);
    for (const problem of problems) expect(problem.detail).toMatch(/\S/);
  });

  it('accepts a translation of any form of a plural', () => {
    const forms = ['one file', '%d files'];
    expect(verify(forms, '%d fichiers', { syntax: 'c', locale: 'fr' })).toEqual([]);
    expect(verify(forms, 'un fichier', { syntax: 'c', locale: 'fr' })).toEqual([]);
    expect(verify(forms, '%s fichiers', { syntax: 'c', locale: 'fr' })).not.toEqual([]);
  });

  it('finds a source that is invalid itself', () => {
    const value = '{n, plural, one {#}}';
    expect(verify(value, value, { syntax: 'icu', locale: 'en' })[0]?.rule).toBe('missing-other');
    expect(verify('{a', '{a', { syntax: 'icu', locale: 'en' })[0]?.rule).toBe('icu-syntax');
  });
});

describe('exact selectors', () => {
  const rulesFor = (value: string, locale: string): readonly string[] =>
    verify(value, value, { syntax: 'icu', locale }).map(({ rule }) => rule);

  it('replace a category if they cover all of its numbers', () => {
    expect(rulesFor('{n, plural, =0 {none} =1 {one} other {#}}', 'en')).toEqual([]);
    expect(rulesFor('{n, plural, =0 {none} other {#}}', 'en')).toEqual(['plural-categories']);
    expect(rulesFor('{n, plural, =1 {un} other {#}}', 'fr')).toEqual(['plural-categories']);
    expect(rulesFor('{n, plural, =0 {un} =1 {un} other {#}}', 'fr')).toEqual([]);
    expect(rulesFor('{n, plural, =1 {x} few {#} many {#} other {#}}', 'ru')).toEqual(['plural-categories']);
    expect(rulesFor('{n, plural, offset:1 =1 {one} other {#}}', 'en')).toEqual(['plural-categories']);
  });
});

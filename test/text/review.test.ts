import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Remark } from '../../src/text/review/remark.ts';
import { reviewMessage, reviewTranslation } from '../../src/text/review/review.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';
import { processorTime } from '../processor-time.ts';

/** What is shown without being asked for. */
const isShown = ({ rule }: Remark): boolean =>
  !['number-left-out', 'unused-category', 'select-added', 'markup-changed'].includes(rule);

const FILES = '{n, plural, one {# file} other {# files}}';

type Row = readonly [what: string, locale: string, Syntax, source: string, target: string];

const fine: readonly Row[] = [
  ['`other` alone', 'de', 'icu', FILES, '{n, plural, other {# Dateien}}'],
  ['`other` with =1', 'ru', 'icu', FILES, '{n, plural, =1 {один файл} other {# файлов}}'],
  ['a plural that a language without forms does not need', 'ja', 'icu', FILES, '{n} 個のファイル'],
  [
    '# left out of one',
    'ru',
    'icu',
    FILES,
    '{n, plural, one {файл} few {# файла} many {# файлов} other {# файла}}',
  ],
  ['# left out of other', 'de', 'icu', FILES, '{n, plural, one {eine Datei} other {Dateien}}'],
  ['# by its name', 'de', 'icu', FILES, '{n, plural, one {{n} Datei} other {{n, number} Dateien}}'],
  [
    'categories of fractions',
    'cs',
    'icu',
    FILES,
    '{n, plural, one {# soubor} few {# soubory} other {# souborů}}',
  ],
  [
    'a category of older rules',
    'he',
    'icu',
    FILES,
    '{n, plural, one {# א} two {# ב} many {# ג} other {# ד}}',
  ],
  [
    'an added select',
    'fr',
    'icu',
    '{name} left',
    '{gender, select, female {{name} est partie} other {{name} est parti}}',
  ],
  [
    'a select that lost a branch',
    'tr',
    'icu',
    '{g, select, male {his} female {her} other {their}} file',
    '{g, select, other {onun}} dosyası',
  ],
  ['a select that is not needed', 'tr', 'icu', '{g, select, male {his} other {their}} file', 'dosyası'],
  ['a name that the text explains', 'de', 'plain', 'INTEGER one\n{INTEGER} all', 'ZAHL eins\n{ZAHL} alle'],
  ['a variable beside a conversion', 'ca', 'plain', 'only ${VARNAME}, at: %s', 'només ${VARIABLE}, a: %s'],
  ['a variable in braces', 'de', 'plain', 'run \'"$SHELL" -i\'', '„${SHELL} -i“ ausführen'],
  ['a percent sign before a word', 'ca', 'plain', 'Invalid %-encoding', 'Codificació %-e no vàlida'],
  ['a percent sign in front', 'pl', 'plain', 'IUse%', '%uż.I'],
  ['an argument used twice', 'ja', 'icu', '{user} replies', '{user} は {user}'],
  ['another type of argument', 'de', 'icu', '{d, date, short}', '{d}'],
  ['forms between bars as the language has them', 'ru', 'vue', 'a car | {n} cars', '{n} а | {n} б | {n} в'],
  ['a localized URL', 'de', 'plain', 'See https://a.org/en/help', 'Siehe https://a.org/de/hilfe'],
  ['a URL of another site', 'de', 'plain', 'See https://en.a.org', 'Siehe https://de.b.org.'],
  ['an example address', 'de', 'plain', 'like name@example.com', 'wie name at beispiel'],
  ['an entity for a character', 'de', 'chrome', '&ldquo;x&rdquo;', '„x“'],
  ['an entity that the source does not have', 'de', 'chrome', '"x"', '&ldquo;x&rdquo;'],
  ['an escaped quote', 'de', 'plain', 'say "x"', 'sage \\"x\\"'],
  ['another line break', 'de', 'plain', 'a\\nb\\nc', 'a b\\nc'],
  ['words in angle brackets', 'de', 'plain', 'Dear <Unknown Sender>', 'Liebe <Unbekannter Absender>'],
  ['such words in Android', 'de', 'android', '<access token>', '<Zugangsschlüssel>'],
  ['such words in XML', 'de', 'markup', '<b>x</b> &lt;file&gt;', '<b>x</b> &lt;Datei&gt;'],
  ['the name of an element as a word', 'ja', 'c', '-f <font>\tuse <font>', '-f <font>\t使う'],
  ['%-a that is no format', 'hu', 'plain', '{n}% done', '{n}%-a kész'],
  ['parts of a date in another order', 'de', 'ruby', '%B %d, %Y', '%-d. %m %Y'],
  ['parts of a date without flags', 'ja', 'plain', '%a %b %d %Y', '%Y/%m/%d (%a)'],
  ['one part for a whole date', 'eo', 'plain', '%m/%d/%y', '%F'],
  ['a time in other figures', 'ar', 'plain', '%H:%M', '%OH:%OM'],
  ['a choice in braces', 'de', 'plain', '[={up,down}] {name|-F file}', '[={auf,ab}] {Name|-F Datei}'],
  ['braces in a format of C', 'de', 'c', '%s {INTEGER} ${HOME}', '%s {GANZZAHL} ${VERZEICHNIS}'],
  ['an escape with braces', 'de', 'plain', 'missing } in \\x{HEX}', 'fehlende } in \\x{…}'],
  ['large hexadecimal digits', 'de', 'c', '%02X', '%02x'],
  [
    'the language of a URL in brackets',
    'de',
    'c',
    'at <https://a.org/team/>',
    'unter <https://a.org/team/de.html>',
  ],
  [
    'elements without an end as words',
    'de',
    'c',
    '--install <link> <source>',
    '--install <Verweis> <Quelle>',
  ],
  ['a word in capitals', 'de', 'c', 'set VAR', 'setze <VAR>'],
  ['a scheme alone', 'de', 'plain', 'only file:// works', 'nur lokale'],
  ['a percent sign as a word', 'de', 'plain', '{n}% of it', '{n} % davon'],
  ['numbered conversions', 'de', 'plain', '%s in %s', '%2$s: %1$s'],
  ['braces that are words', 'ja', 'plain', 'E1128: } without {', 'E1128: { のない }'],
  ['braces around prose', 'de', 'plain', '?d{Date: %d\\n}?f{By: %f}', '?d{Datum: %d\\n}?f{Von: %f}'],
  ['a style sheet', 'de', 'plain', '<p>{ margin: 0px }</p>', '<p>{ margin: 1em }</p>'],
  ['a conversion before letters', 'fr', 'plain', '%d.%02dKiB', '%d.%02d Kio'],
  ['letters behind a number', 'ku', 'plain', 'go to %1 layer', 'here %1yê'],
  ['letters in front of a number', 'vi', 'plain', 'start %1', 'đầu%1'],
  ['a per cent sign behind a number', 'fa', 'plain', 'set it to %1%', '% %1 x'],
  ['colours without a space', 'hu', 'plain', '%C19*%O You by %C26$1', '%C19%C26$1%C x'],
  ['a per cent sign in front of figures', 'eu', 'plain', 'from 0% to 50%', '%0tik %50era: %0 da'],
  ['a per cent sign in front of an argument', 'tr', 'plain', '{n}% done', '%{n} bitti'],
  ['a translated name that is highlighted', 'sv', 'plain', 'if @{field} is 0', 'om @{fält} är 0'],
  ['an object with and without quotation marks', 'lv', 'scheme', 'type ~s', 'tips "~a"'],
  ['a format behind a name', 'uk', 'chrome', '{{input}} KB', '{{input:number}} кБ'],
  ['a format of i18next', 'de', 'i18next', '{{n}} files', '{{n, number}} Dateien'],
  ['a whole date in parts', 'ar', 'plain', '%c', '%-e %B %Y %-l:%M %p'],
  ['a case of an argument', 'hr', 'python-brace', 'from {month} {year}', 'od {month.f[G]} {year}'],
  ['a case of an argument without a flag', 'ru', 'plain', 'from {month}', 'с {month.f[Р]}'],
  ['a width from a numbered argument', 'zh', 'c', "'%.*s' in '%s'", "'%3$s' 中的 '%2$.*1$s'"],
  ['a width before a numbered argument', 'it', 'tcl', '%s: %*i of %*i', '%4$*i di %2$*i: %1$s'],
  ['a letter behind a number', 'sv', 'plain', "%1's groups", '%1s grupper'],
  ['braces as characters', 'fr', 'plain', 'Insert { }', 'Insérer des accolades'],
  ['a plural of a wiki', 'de', 'plain', '{{plural:%n%|one=file|other=files}}', 'Dateien'],
  [
    'an argument inside a choice',
    'fr',
    'plain',
    'the %nation% fleet',
    'la flotte des {{tag:people|%nation%}}',
  ],
  ['a per cent sign behind a number of KDE', 'tr', 'kde', 'is %1%.', "%1%'e göre"],
  ['a page that Qt finds out', 'eu', 'kde', '<qt>save <b>%1</b>?</qt>', '<b>%1</b> gorde?'],
  ['a page that is words', 'fr', 'plain', '<html>Draw a line.</html>', 'Trace une ligne'],
  ['words that are a page', 'ja', 'plain', 'Draw a line', '<html>線を<br>引く</html>'],
  ['a page without its body', 'de', 'plain', '<html><body>a</body></html>', '<html>b'],
  ['a page of Qt without its end', 'pl', 'kde', '<qt>a <b>b</b> c</qt>', '<qt>a <b>b</b> d'],
  ['a line break of KDE', 'fi', 'kde-kuit', 'a<nl/><emphasis>b</emphasis>', 'c\nd'],
  ['words in the middle', 'kk', 'plain', 'Only now.', '<center>Қазір ғана</center>'],
  ['a page that ends in an element', 'it', 'plain', '<html><b>a<br>b?</b>', '<html><b>c<br>d?'],
  ['an end without a beginning in a page', 'ru', 'plain', '<html><b>a</b> c', '<html><b>a</b> c</b>'],
  ['a name and brackets', 'pt', 'php', "The $cfg['Dir'] (%s) is", "O $cfg['Dir'](%s) está"],
  ['a host with an ending', 'eu', 'plain', 'Report to www.a.org now', 'www.a.org-era bidali'],
  ['the name of a site', 'hy', 'plain', 'Thanks to Archive.org', 'Շնորհակալություն Արխիվին'],
  [
    'an address in other brackets',
    'et',
    'plain',
    '[a@https://a.org/1]words[/a] x',
    '[a@https://a.org/1]sõnadega[/a] y',
  ],
  ['forms of a text that is not translated', 'ru', 'icu', FILES, FILES],
  ['emphasis added and left out', 'de', 'plain', '<b>x</b> y', 'x <i>y</i>'],
  ['a line break as a tag', 'de', 'android', 'a<br>b', 'a b'],
];

const wrong: readonly (readonly [...Row, Remark['rule']])[] = [
  ['a name in capitals', 'fr', 'plain', 'Hello {NAME}', 'Bonjour {NOM}', 'placeholder-mismatch'],
  [
    'a conversion beside a percent sign',
    'fr',
    'plain',
    '%d% of %s',
    'une part de %s',
    'placeholder-mismatch',
  ],
  [
    'a placeholder that was translated',
    'de',
    'plain',
    'Hello {name}',
    'Hallo {Name}',
    'placeholder-mismatch',
  ],
  ['a placeholder that is gone', 'de', 'icu', 'Hello {name}', 'Hallo', 'placeholder-mismatch'],
  [
    'a percent sign that was added',
    'pt',
    'plain',
    'Role of {nick}',
    'Papel de %{nick}',
    'placeholder-mismatch',
  ],
  ['a part of another argument', 'de', 'plain', '{a} of {b}', '{a.c} von {d.e}', 'placeholder-mismatch'],
  ['a delimiter that is gone', 'de', 'plain', 'by %count% now', 'um %count jetzt', 'placeholder-mismatch'],
  ['a sigil that is gone', 'sv', 'plain', 'the @{n} of @{k}', 'de {n} av @{k}', 'placeholder-mismatch'],
  ['an object for a number', 'de', 'scheme', 'a ~d', 'b ~a', 'placeholder-mismatch'],
  ['an address behind words', 'de', 'plain', 'See www.a.org', 'Siehe dort', 'link-mismatch'],
  ['a page that is none', 'de', 'plain', '<html>a<br>b</html>', 'a<br>b', 'tag-mismatch'],
  [
    'an element of a page that goes on',
    'de',
    'plain',
    '<html><b>a</b> c</html>',
    '<html><b>a c</html>',
    'tag-mismatch',
  ],
  [
    'a link in Markdown with a space',
    'de',
    'plain',
    '[a](https://a.org/x) b',
    '[a] (https://a.org/x) b',
    'tag-mismatch',
  ],
  ['a placeholder of no source', 'de', 'plain', 'Hello', 'Hallo %s', 'placeholder-mismatch'],
  ['conversions in the wrong order', 'de', 'c', '%s: %d', '%d: %s', 'placeholder-mismatch'],
  ['a conversion of another type', 'de', 'c', '%d', '%s', 'placeholder-mismatch'],
  ['a conversion that lost its letter', 'de', 'c', '%d files', '% Dateien', 'placeholder-mismatch'],
  ['a lone percent sign in a format', 'de', 'c', '%d files', '%d Dateien, 5 % x', 'placeholder-mismatch'],
  ['mixed numbering', 'de', 'c', '%s in %s', '%2$s in %s', 'placeholder-mismatch'],
  ['%% where nothing is a format', 'de', 'plain', '5% of it', '5%% davon', 'placeholder-mismatch'],
  [
    'an argument in an attribute',
    'de',
    'plain',
    '<a href="{url}">x</a>',
    '<a href="{uri}">x</a>',
    'placeholder-mismatch',
  ],
  ['a plural that is gone with its number', 'de', 'icu', FILES, 'Dateien', 'placeholder-mismatch'],
  [
    'a plural without number that is gone',
    'de',
    'icu',
    '{n, plural, one {a file} other {many}}',
    'x',
    'placeholder-mismatch',
  ],
  [
    'a plural by an unknown argument',
    'de',
    'icu',
    FILES,
    '{m, plural, one {# x} other {# y}}',
    'placeholder-mismatch',
  ],
  [
    'another placeholder in a branch',
    'de',
    'icu',
    '{n, plural, one {# in {a}} other {# in {a}}}',
    '{n, plural, one {# in {a}} other {#}}',
    'placeholder-mismatch',
  ],
  ['more parts than the language has forms', 'de', 'vue', 'a | b', 'a | b | c | d', 'placeholder-mismatch'],
  ['a bar that makes parts', 'de', 'vue', 'a and b', 'a | b', 'placeholder-mismatch'],
  ['a date that is gone', 'de', 'ruby', '%Y-%m-%d', 'J-M-T', 'placeholder-mismatch'],
  ['a plural without other', 'de', 'icu', FILES, '{n, plural, one {x}}', 'missing-other'],
  [
    'a select without other',
    'de',
    'icu',
    '{g, select, a {x} other {y}}',
    '{g, select, a {x}}',
    'missing-other',
  ],
  [
    'forms that are missing',
    'ru',
    'icu',
    FILES,
    '{n, plural, one {# файл} other {# файла}}',
    'plural-categories',
  ],
  [
    '=1 for a form of many numbers',
    'ru',
    'icu',
    FILES,
    '{n, plural, =1 {файл} few {# файла} many {# файлов} other {#}}',
    'plural-categories',
  ],
  [
    'a zero that is never shown',
    'de',
    'icu',
    FILES,
    '{n, plural, zero {nichts} one {#} other {#}}',
    'plural-categories',
  ],
  ['ICU that does not parse', 'de', 'icu', FILES, '{n, plural, one {x} other {y}', 'icu-syntax'],
  ['a tag that is not closed', 'de', 'plain', 'a <b>c</b>', 'a <b>c', 'tag-mismatch'],
  ['a tag that closes nothing', 'de', 'plain', 'a', 'a</b>', 'tag-mismatch'],
  ['tags in the wrong order', 'de', 'plain', '<b>a</b>', '</b>a<b>', 'tag-mismatch'],
  ['tags that cross', 'de', 'plain', '<b>a</b> <i>b</i>', '<b>a <i>b</b></i>', 'tag-mismatch'],
  ['a component that is gone', 'de', 'i18next', 'a <0>b</0>', 'a b', 'tag-mismatch'],
  [
    'a component that was translated',
    'de',
    'icu',
    'a <link>b</link>',
    'a <verweis>b</verweis>',
    'tag-mismatch',
  ],
  ['a link that is gone', 'de', 'android', 'a <a href="x">b</a>', 'a b', 'tag-mismatch'],
  ['a tag for which ICU has no value', 'ja', 'icu', '{a} b', '<i>{a}</i> b', 'tag-mismatch'],
  ['a script', 'de', 'plain', 'a', '<script>a</script>', 'tag-mismatch'],
  [
    'a URL that swallowed a word',
    'de',
    'plain',
    'See https://a.org/en now',
    'https://a.org/enword',
    'link-mismatch',
  ],
  ['a URL that is gone', 'de', 'plain', 'See https://a.org', 'Siehe', 'link-mismatch'],
  ['an address that is gone', 'de', 'plain', 'Mail us at help@a.org', 'Schreiben Sie', 'link-mismatch'],
  ['an entity escaped twice', 'de', 'markup', 'a &lt; b', 'a &amp;lt; b', 'double-escaped'],
];

describe('reviewTranslation', () => {
  it.each(fine)('leaves %s alone', (_, locale, syntax, source, target) => {
    expect(reviewTranslation([source], target, { syntax, locale }).filter(isShown)).toEqual([]);
  });

  it.each(wrong)('finds %s', (_, locale, syntax, source, target, rule) => {
    const remarks = reviewTranslation([source], target, { syntax, locale }).filter(isShown);
    expect(remarks.map((remark) => remark.rule)).toContain(rule);
    // One problem is one finding.
    expect(new Set(remarks.map(({ detail }) => detail)).size).toBe(remarks.length);
  });

  const FORMS = ['One file in %s', '%d files in %s'];
  const numbered = ['%1$d file in %2$s', '%1$d files in %2$s'];

  it.each<[form: string, locale: string, target: string, rules: readonly string[]]>([
    ['one', 'de', 'Datei in %2$s', []],
    ['zero', 'ar', 'لا ملف في %2$s', []],
    ['two', 'ar', 'ملفان في %2$s', []],
    // 21 files, 0 fichier: worth knowing, and nothing to stop for.
    ['one', 'ru', 'файл в %2$s', ['number-left-out']],
    ['one', 'fr', 'fichier dans %2$s', ['number-left-out']],
    ['other', 'de', 'Dateien in %2$s', ['placeholder-mismatch']],
    ['one', 'de', 'Datei', ['placeholder-mismatch']],
    ['one', 'de', 'Datei in %2$s %3$s', ['placeholder-mismatch']],
  ])('the form %s in %s may leave the number out: %s', (form, locale, target, rules) => {
    const remarks = reviewTranslation(numbered, target, { syntax: 'android', locale, form });
    expect([...new Set(remarks.map(({ rule }) => rule))]).toEqual(rules);
  });

  it('takes a form for the translation of any form of the source', () => {
    const options = { syntax: 'c', locale: 'de' } as const;
    expect(reviewTranslation(FORMS, 'Datei in %s', { ...options, form: 'one' })).toEqual([]);
    expect(reviewTranslation(FORMS, '%d Datei in %s', { ...options, form: 'one' })).toEqual([]);
    expect(reviewTranslation(FORMS, '%d Dateien', { ...options, form: 'other' })).not.toEqual([]);
  });

  it('says for information what may be meant', () => {
    const rules = (source: string, target: string, locale: string): readonly string[] =>
      reviewTranslation([source], target, { syntax: 'icu', locale }).map(({ rule }) => rule);
    expect(rules(FILES, '{n, plural, one {#} other {#}}', 'ja')).toEqual(['unused-category']);
    expect(rules(FILES, '{n, plural, one {#} other {x}}', 'de')).toEqual(['number-left-out']);
    expect(rules('a', '{g, select, other {a}}', 'de')).toEqual(['select-added']);
    expect(rules('<b>a</b>', 'a', 'de')).toEqual(['markup-changed']);
  });

  it('knows the arguments that a program has anyway', () => {
    const supplied = new Set(['attribute']);
    const options = { syntax: 'ruby', locale: 'ar', supplied } as const;
    expect(reviewTranslation(['must be given'], '%{attribute} x', options)).toEqual([]);
    expect(reviewTranslation(['%{attribute} %{a}'], '%{a}', options)).toEqual([]);
    expect(reviewTranslation(['must be given'], '%{atribute} x', options)).toHaveLength(1);
  });

  it('finds nothing in a message beside itself, and never throws', () => {
    const syntax = fc.constantFrom<Syntax>('plain', 'icu', 'vue', 'c', 'android', 'markup', 'ruby', 'java');
    const piece = fc.constantFrom(
      ...[
        '{n, plural, ',
        'one {',
        'other {',
        '}',
        '}}',
        '{a}',
        '<b>',
        '</b>',
        '<x y>',
        '%s',
        '%1$d',
        '%',
        '#',
      ],
      ...["'", ' | ', 'https://a.org/', '%Y', '&lt;', '\\n', 'word ', '{g, select, other {', '<0/>'],
    );
    const message = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(syntax, message, message, (syntax, source, target) => {
        const options = { syntax, locale: 'ru' };
        const own = reviewMessage(source, options);
        expect(reviewTranslation([source], source, options)).toEqual(own);
        // What passes the strict judge has at most faults of its own.
        const strict = verify(source, target, options);
        const remarks = reviewTranslation([source], target, options).filter(isShown);
        if (strict.length === 0) expect(remarks).toEqual([]);
      }),
    );
  });

  it('accepts conversions with and without numbers in the plurals of Android, if they mean the same', () => {
    const source = '%1$d min until <b>%2$s</b>';
    for (const syntax of ['android', 'markup'] as const) {
      const review = (target: string, form?: string): number =>
        reviewTranslation([source], target, { syntax, locale: 'de', form }).length;
      expect(review('%d min bis <b>%2$s</b>', 'other')).toBe(0);
      expect(review('%2$s bis <b>%d</b>', 'other')).toBe(0);
      expect(review('%s bis <b>%2$s</b>', 'other')).not.toBe(0);
      expect(review('%d min bis <b>%2$s</b>')).toBe(1);
    }
  });

  it('accepts another argument that the developers name to translators', () => {
    const note = '%0 is the preceding hour, %1 is the coming hour';
    const options = { syntax: 'plain', locale: 'de' } as const;
    expect(reviewTranslation(['half past %0'], 'halb %1', { ...options, note })).toEqual([]);
    expect(reviewTranslation(['half past %0'], 'halb', { ...options, note })).toHaveLength(1);
    expect(reviewTranslation(['half past %0'], 'halb %2', { ...options, note })).not.toEqual([]);
    expect(reviewTranslation(['half past %0'], 'halb %1', options)).not.toEqual([]);
  });

  it('takes names in braces for words where a catalogue has no such arguments', () => {
    const options = { syntax: 'plain', locale: 'de', hasNames: false } as const;
    expect(reviewTranslation(['{unset} %{year}'], '{leer} %{Jahr}', options)).toEqual([]);
    expect(reviewTranslation(['Run {1}'], 'Starten', options)).toHaveLength(1);
    expect(reviewTranslation(['{unset}'], '{leer}', { ...options, hasNames: true })).not.toEqual([]);
  });

  // Each token of the translation is left out, cut short and renamed.
  it.each<[Syntax, source: string, target: string, tokens: readonly string[]]>([
    ['c', '%s: %d files', '%s: %d Dateien', ['%s', '%d']],
    ['python', '%(user)s in %(place)s', '%(user)s aus %(place)s', ['%(user)s', '%(place)s']],
    ['python-brace', '{user} in {place}', '{user} aus {place}', ['{user}', '{place}']],
    ['scheme', '~a of ~d', '~a von ~d', ['~a', '~d']],
    ['kde', '%1 of %2', '%1 von %2', ['%1', '%2']],
    ['icu', '{user} sent {size, number}', '{user}: {size, number}', ['{user}', '{size, number}']],
    ['i18next', '{{user}} in {{place}}', '{{user}} aus {{place}}', ['{{user}}', '{{place}}']],
    ['vue', '{user} in {place}', '{user} aus {place}', ['{user}', '{place}']],
    ['chrome', '$USER$ in $PLACE$', '$USER$ aus $PLACE$', ['$USER$', '$PLACE$']],
    ['ruby', '%{user} in %{place}', '%{user} aus %{place}', ['%{user}', '%{place}']],
    ['laravel', ':user in :place', ':user aus :place', [':user', ':place']],
    ['java', '{0} of {1}', '{0} von {1}', ['{0}', '{1}']],
    ['apple', '%@ of %d', '%@ von %d', ['%@', '%d']],
    ['android', '%1$s of %2$d', '%1$s von %2$d', ['%1$s', '%2$d']],
    ['plain', '%s of %d', '%s von %d', ['%s', '%d']],
    ['plain', '%1 of %2', '%1 von %2', ['%1', '%2']],
    ['plain', '{user}: {done}%', '{user}: {done} %', ['{user}', '{done}']],
    ['plain', '%user% in %place%', '%user% aus %place%', ['%user%', '%place%']],
  ])('finds what is damaged in %s: %s', (syntax, source, target, tokens) => {
    const options = { syntax, locale: 'de' };
    expect(reviewTranslation([source], target, options)).toEqual([]);
    const damages: readonly ((token: string) => string)[] = [
      () => '',
      (token) => token.slice(0, -1),
      (token) => token.replace(/[a-z\d]/i, (c) => (/\d/.test(c) ? '9' : 'q')),
    ];
    const found = tokens.flatMap((token) =>
      damages.map((damage) => {
        const damaged = target.replace(token, () => damage(token));
        const rules = reviewTranslation([source], damaged, options).map(({ rule }) => rule);
        return damaged === target || rules.includes('placeholder-mismatch') || rules.includes('icu-syntax')
          ? 'found'
          : damaged;
      }),
    );
    expect(found).toEqual(found.map(() => 'found'));
  });

  it('lets the form for zero say that there is nothing', () => {
    const options = { syntax: 'python', locale: 'ar' } as const;
    const source = '%(count)s %(name)s were changed.';
    expect(reviewTranslation([source], 'لم يتغير شيء', { ...options, form: 'zero' })).toEqual([]);
    expect(reviewTranslation([source], 'تغير', { ...options, form: 'few' })).not.toEqual([]);
  });

  it('takes time in proportion to the length', () => {
    const branches = Array.from({ length: 2_000 }, (_, i) => `=${i} {# {a${i}}}`).join(' ');
    const source = `{n, plural, ${branches} other {#}}`;
    const started = processorTime();
    reviewTranslation([source], source.replace('{a7}', ''), { syntax: 'icu', locale: 'de' });
    reviewTranslation(['<b>'.repeat(20_000)], '</b>'.repeat(20_000), { syntax: 'plain', locale: 'de' });
    reviewTranslation(['{a} '.repeat(20_000)], '{b '.repeat(20_000), { syntax: 'plain', locale: 'de' });
    expect(processorTime() - started).toBeLessThan(5_000);
  });
});

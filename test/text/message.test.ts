import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import type { Syntax } from '../../src/text/syntax.ts';

/** The text that an engine gets, with the placeholders' own spelling in brackets, to make the table readable. */
function shown(value: string, syntax: Syntax, locale = 'en'): string[] {
  const message = parseMessage(value, syntax);
  expect(message.problem).toBeUndefined();
  const segments = message.segments(locale);
  expect(message.assemble('en', message.segments('en'))).toBe(value);
  return [...segments];
}

const table: readonly (readonly [Syntax, string, readonly string[]])[] = [
  ['plain', '', []],
  [
    'markup',
    'See <a r="x">docs<link-title>A {n} title</link-title></a>.',
    ['See <x id="1">docs</x>.', 'A <x id="1"/> title'],
  ],
  ['markup', '<a r="x">1<link-title>Title</link-title></a>', ['Title']],
  [
    'markup',
    '<a><alt>a<link-title>b</link-title></alt><link-title>c</link-title></a>',
    ['<x id="1"><x id="2">a</x></x>', 'b', 'c'],
  ],
  [
    'xliff',
    `{N, plural, one {the '<x id="A" equiv-text="{{ it's }}"/>' file} other {{P, select, other {<x id="B" equiv-text="#"/>'s}}}}`,
    [`the '<x id="1"/>' file`, `<x id="1"/>'s`],
  ],
  ['markup', 'An <link-title>x</link-title> alone', ['An <x id="1">x</x> alone']],
  ['plain', ' 12 – 30 ', []],
  ['plain', '  Save file\n', ['Save file']],
  ['plain', 'Hello {name}!', ['Hello <x id="1"/>!']],
  ['plain', 'Hello {{ name }}!', ['Hello <x id="1"/>!']],
  ['plain', '{{count, number}} of ${a.b} files', ['<x id="1"/> of <x id="2"/> files']],
  ['plain', '100% sure, 50 % de, 5%', ['100% sure, 50 % de, 5%']],
  ['plain', '50%discount on it', ['50%discount on it']],
  [
    'plain',
    '%d%% of %s, %1$s %-5.2f %lld %@',
    ['<x id="1"/><x id="2"/> of <x id="3"/>, <x id="4"/> <x id="5"/> <x id="6"/> <x id="7"/>'],
  ],
  ['plain', '%(name)s has %{count} and %<n>d', ['<x id="1"/> has <x id="2"/> and <x id="3"/>']],
  ['plain', 'Dear %name%, hi', ['Dear <x id="1"/>, hi']],
  ['plain', '%dpx wide', ['<x id="1"/>px wide']],
  ['plain', 'a < b & c > d', ['a &lt; b &amp; c &gt; d']],
  ['plain', 'set { "{" }x{"\\"}"} to {"a": {"b": 1}}', ['set <x id="1"/>x<x id="2"/> to <x id="3"/>']],
  ['plain', 'I <3 you', ['I &lt;3 you']],
  [
    'plain',
    'Click <a href="/x?a=1" title="a > b">here</a>, <b>now</b><br>or <img src=x> <!-- no -->',
    ['Click <x id="1">here</x>, <x id="2">now</x><x id="3"/>or <x id="4"/> <x id="5"/>'],
  ],
  [
    'plain',
    'un<b>paired and <i>crossed</b></i>',
    ['un<x id="1">paired and <x id="2"/>crossed</x><x id="3"/>'],
  ],
  ['plain', 'Read <link>the <br> {x}</link>', ['Read <x id="1">the <x id="2"/> <x id="3"/></x>']],
  [
    'icu',
    'Read <link>the < {x}</link> <meta> or <link>',
    ['Read <x id="1">the &lt; <x id="2"/></x> <x id="3"/> or <x id="4"/>'],
  ],
  ['icu', '<col>a <link to="{x}">b</link></col></input>', ['<x id="1">a <x id="2">b</x></x><x id="3"/>']],
  ['plain', 'an <b></b> empty pair', ['an <x id="1"/> empty pair']],
  ['plain', 'Use <0>this</0> and <1/>', ['Use <x id="1">this</x> and <x id="2"/>']],
  ['plain', 'A&nbsp;B &#160; &amp; C', ['A<x id="1"/>B <x id="2"/> <x id="3"/> C']],
  ['plain', 'one\\ntwo \\"x\\" \\u00e9', ['one<x id="1"/>two <x id="2"/>x<x id="3"/> <x id="4"/>']],
  ['plain', 'See https://a.b/c_(d)?e=%20f. Or (http://x.y/z), ok', ['See <x id="1"/>. Or (<x id="2"/>), ok']],
  ['plain', 'Go to https://a.b/{id}/edit/%s now', ['Go to <x id="1"/><x id="2"/><x id="3"/><x id="4"/> now']],
  ['plain', 'Mail me.too@ex-ample.org, or @home', ['Mail <x id="1"/>, or @home']],
  ['plain', 'Total: __count__ of it', ['Total: <x id="1"/> of it']],
  ['plain', 'time 12:30 and a::b :name', ['time 12:30 and a::b :name']],
  ['plain', 'costs $5 and $NAME$', ['costs $5 and $NAME$']],
  ['plain', 'a | b', ['a | b']],
  ['plain', '👍 {n} 👩‍👩‍👧 ok \ud83d', ['👍 <x id="1"/> 👩‍👩‍👧 ok \ud83d']],
  ['plain', 'stray } and { braces', ['stray } and { braces']],
  ['i18next', 'Hi {{name}}, {x} $t(key, {"a": "{{b}}"}) done', ['Hi <x id="1"/>, {x} <x id="2"/> done']],
  ['i18next', '{{- raw}} text $t(a, $t(b)) end', ['<x id="1"/> text <x id="2"/> end']],
  ['vue', 'no car | one car | {n} cars', ['no car', 'one car', '<x id="1"/> cars']],
  [
    'vue',
    "mail{'@'}x.y @:a.b, @.lower:c and @:{'d e'}.",
    ['mail<x id="1"/>x.y <x id="2"/>, <x id="3"/> and <x id="4"/>.'],
  ],
  ['vue', "a {'|'} b", ['a <x id="1"/> b']],
  [
    'laravel',
    'Hello :name at 12:30, see a::b and :Count',
    ['Hello <x id="1"/> at 12:30, see a:<x id="2"/> and <x id="3"/>'],
  ],
  ['laravel', 'In :directory:file', ['In <x id="1"/><x id="2"/>']],
  ['laravel', 'Release v:version', ['Release v<x id="1"/>']],
  ['laravel', 'At :hour::minute', ['At <x id="1"/>:<x id="2"/>']],
  ['laravel', '[Reset](:address/password/reset)', ['[Reset](<x id="1"/>/password/reset)']],
  ['apple', '%1#@files@ in %2$#@folders@', ['<x id="1"/> in <x id="2"/>']],
  ['laravel', '{0} none|[1,19] :n some|[20,*] many', ['none', '<x id="1"/> some', 'many']],
  ['chrome', 'Hi $NAME$, $1 owes $$5', ['Hi <x id="1"/>, <x id="2"/> owes <x id="3"/>5']],
  ['plain', 'Read <ruby>kanji<rt>reading</rt></ruby>', ['Read <x id="1">kanji<x id="2"/></x>']],
  ['ruby', '%{name} has %<n>05.1f left', ['<x id="1"/> has <x id="2"/> left']],
  // `% d` is a directive of C, whatever the author meant.
  [
    'c',
    '%5$*2$d %ld%% %<PRIu64> 50 % de',
    ['<x id="1"/> <x id="2"/><x id="3"/> <x id="4"/> 50 <x id="5"/>e'],
  ],
  ['java-printf', 'at %1$tY%n%s and %<s', ['at <x id="1"/><x id="2"/><x id="3"/> and <x id="4"/>']],
  ['javascript', 'as %j or %2$s', ['as <x id="1"/> or <x id="2"/>']],
  [
    'lisp',
    'Take ~D~:P~% or ~{~a~^, ~}: ~~',
    ['Take <x id="1"/><x id="2"/><x id="3"/> or <x id="4"/><x id="5"/><x id="6"/>, <x id="7"/>: <x id="8"/>'],
  ],
  ['scheme', "Value ~5,'0d of ~a", ['Value <x id="1"/> of <x id="2"/>']],
  ['sh', 'Copy $from to ${to}.x', ['Copy <x id="1"/> to <x id="2"/>.x']],
  ['lua', '%q in 100%%', ['<x id="1"/> in 100<x id="2"/>']],
  ['object-pascal', '%0:s has %1:d', ['<x id="1"/> has <x id="2"/>']],
  ['smalltalk', '%1 is not %2', ['<x id="1"/> is not <x id="2"/>']],
  ['qt', '%n files of %L1, 5%', ['<x id="1"/> files of <x id="2"/>, 5%']],
  ['kde-kuit', '<filename>%1</filename> is %2', ['<x id="1"><x id="2"/></x> is <x id="3"/>']],
  ['boost', '%1% of %|2$s|, %-5d', ['<x id="1"/> of <x id="2"/>, <x id="3"/>']],
  ['perl', '%vd and %-10s', ['<x id="1"/> and <x id="2"/>']],
  ['perl-brace', '{name} is at {place}', ['<x id="1"/> is at <x id="2"/>']],
  ['php', "%'*10s is %1$s", ['<x id="1"/> is <x id="2"/>']],
  ['gcc-internal', '%qD in %<main%>: %m', ['<x id="1"/> in <x id="2"/>main<x id="3"/>: <x id="4"/>']],
  ['gfc-internal', 'Error at %C near %L', ['Error at <x id="1"/> near <x id="2"/>']],
  ['go', '%v is %[1]T', ['<x id="1"/> is <x id="2"/>']],
  ['csharp', '{0,10:N2} of {{x}}', ['<x id="1"/> of <x id="2"/>x<x id="3"/>']],
  ['ruby-printf', '%<size>d of %{name}', ['<x id="1"/> of <x id="2"/>']],
  ['python-brace', '{name!r:>{width}} {{lit}} {}', ['<x id="1"/> <x id="2"/>lit<x id="3"/> <x id="4"/>']],
  ['python-brace', 'x<y {user!r:>10}', ['x&lt;y <x id="1"/>']],
  [
    'apple',
    '%#@files@ in %1$@, %lu%%, %arg',
    ['<x id="1"/> in <x id="2"/>, <x id="3"/><x id="4"/>, <x id="5"/>'],
  ],
  ['android', '%1$s: %,d <b>%2$tY</b>', ['<x id="1"/>: <x id="2"/> <x id="3"><x id="4"/></x>'].slice(1)],
  ['java', "It''s {0}, can't '{1}' {2,number,#.##}", ['It\'s <x id="1"/>, can\'t <x id="2"/> <x id="3"/>']],
  ['java', "It''s plain", ["It''s plain"]],
  ['java', '{0,choice,0#none|1#one|1<many {0}} here', ['<x id="1"/> here']],
  [
    'markup',
    'Tom &amp; <b>J&#233;r&#x2019;s</b> &nbsp;&#160;x<br/>',
    ['Tom &amp; <x id="1">Jér’s</x> <x id="2"/><x id="3"/>x<x id="4"/>'],
  ],
  ['markup', 'a &lt;b&gt; &amp;lt; c', ['a &lt;b&gt; &amp;lt; c']],
  ['icu', "It's {name}''s '{'x'}'", ['It\'s <x id="1"/>\'s {x}']],
  [
    'icu',
    "keep '{x}' and <b>{n, number, ::currency/USD}</b> {d, date, short}",
    ['keep <x id="1"/> and <x id="2"><x id="3"/></x> <x id="4"/>'],
  ],
  [
    'icu',
    'Click <a href="https://x.y/{y}?z">here</a> <b/> # %s',
    ['Click <x id="1">here</x> <x id="2"/> # <x id="3"/>'],
  ],
  [
    'icu',
    "It''s <a href='{x}'>a</a> or <a\nhref='{y}'>b''s</a>",
    ['It\'s <x id="1">a</x> or <x id="2">b\'s</x>'],
  ],
  // Words in angle brackets are never tags.
  ['plain', 'From <Unknown Sender>: hi', ['From &lt;Unknown Sender&gt;: hi']],
  ['android', '<Unknown Sender> at <b>6</b> pm', ['&lt;Unknown Sender&gt; at <x id="1">6</x> pm']],
  ['icu', 'Use <access token> or {x}', ['Use &lt;access token&gt; or <x id="1"/>']],
  ['plain', 'Use &lt;access token&gt; here', ['Use <x id="1"/>access token<x id="2"/> here']],
  ['markup', 'Use &lt;access token&gt; here', ['Use &lt;access token&gt; here']],
  ['plain', 'git <your branch> <user {name}>', ['git &lt;your branch&gt; &lt;user <x id="1"/>&gt;']],
  ['plain', 'see <https://a.b/c> or <me@a.org>', ['see &lt;<x id="1"/>&gt; or &lt;<x id="2"/>&gt;']],
  [
    'plain',
    '<b>a</b> <0>c</0> <link> d<br/> <a href="x y">e</a> <input disabled> <Trans bold>f</Trans> <Foo bar/>',
    [
      '<x id="1">a</x> <x id="2">c</x> <x id="3"/> d<x id="4"/> <x id="5">e</x> <x id="6"/> <x id="7">f</x> <x id="8"/>',
    ],
  ],
  ['icu', '<Trans bold>{x} f</Trans> </link>', ['<x id="1"><x id="2"/> f</x> <x id="3"/>']],
  // The address of a Markdown link is protected, but its text is not.
  [
    'plain',
    'Open [your settings](command:x.open?%5B%22a%22%5D), then [read](https://a.b/c_(d) "Title").',
    ['Open <x id="1">your settings</x>, then <x id="2">read</x>.'],
  ],
  ['icu', '{n} ![alt text](img/a.png) [x](#top)', ['<x id="1"/> <x id="2">alt text</x> <x id="3">x</x>']],
  ['plain', '[Docs]({url}) of [{name}](/p/%s)', ['<x id="1">Docs</x> of <x id="2"><x id="3"/></x>']],
  ['plain', 'array[i](j), [optional](s), [a]( b)', ['array[i](j), [optional](s), [a]( b)']],
  // Hosts without a scheme.
  [
    'plain',
    'See github.com/x/y. Or youtu.be/a?b=c, (example.com) and WWW.Example.org!',
    ['See <x id="1"/>. Or <x id="2"/>, (<x id="3"/>) and <x id="4"/>!'],
  ],
  ['plain', 'and/or e.g./i.e. 3.1/3.11 a.xml/opf Node.js', ['and/or e.g./i.e. 3.1/3.11 a.xml/opf Node.js']],
  [
    'plain',
    'on github.com/{user}/{repo}/edit now',
    ['on <x id="1"/><x id="2"/><x id="3"/><x id="4"/><x id="5"/> now'],
  ],
  // A name between percent signs is one placeholder, not two conversions.
  [
    'plain',
    'all %keyurls%a of %file%s, %dpx%s',
    ['all <x id="1"/>a of <x id="2"/>s, <x id="3"/>px<x id="4"/>'],
  ],
  ['android', 'all %keyurls%a and %filename% on %1$s', ['all <x id="1"/>a and <x id="2"/> on <x id="3"/>']],
  ['apple', 'all %keyurls%a and %filename% on %1$@', ['all <x id="1"/>a and <x id="2"/> on <x id="3"/>']],
  ['ruby', 'all %keyurls%a on %A', ['all <x id="1"/>a on <x id="2"/>']],
  // One letter after a sign may be prose; several are a format.
  ['plain', '%h in %v [%-15.15L]', ['<x id="1"/> in <x id="2"/> [<x id="3"/>]']],
  ['plain', '%<%f%h%m%=Page %N', ['%&lt;<x id="1"/><x id="2"/><x id="3"/>%=Page <x id="4"/>']],
  ['plain', 'of 100 %h it', ['of 100 %h it']],
  ['icu', 'https://a.b/{id}/edit me', ['<x id="1"/><x id="2"/><x id="3"/> me']],
];

describe('segments', () => {
  it.each(table)('%s: %s', (syntax, value, expected) => {
    expect(shown(value, syntax)).toEqual(expected);
  });

  it('separates ICU branches at every depth and position', () => {
    const value =
      'In {where} {g, select, male {he has {n, plural, offset:1 =0 {none} one {# file} other {# files}}} other {they}} now';
    for (const syntax of ['icu', 'plain', 'android', 'apple', 'i18next', 'vue', 'java', 'c'] as const) {
      const first = syntax === 'i18next' ? 'In {where} <x id="1"/> now' : 'In <x id="1"/> <x id="2"/> now';
      expect(shown(value, syntax)).toEqual([
        first,
        'he has <x id="1"/>',
        'none',
        '<x id="1"/> file',
        '<x id="1"/> files',
        'they',
      ]);
    }
  });

  it.each([
    '.input {$count :integer}\n.match $count\none {{{$count} item}}\n* {{{$count} items}}',
    '.local $n = {$count :number}\n{{{$n} items}}',
    '.match $count one {{An item}} * {{Items}}',
  ])('does not translate a MessageFormat 2 message with declarations: %j', (value) => {
    expect(parseMessage(value, 'plain').problem).toMatch(/MessageFormat 2/);
  });

  it.each(['.input', '.match the colours of {name}', '{{name}} .match $x', 'Hello {$name}'])(
    'does not take %j for such a message',
    (value) => {
      expect(parseMessage(value, 'plain').problem).toBeUndefined();
    },
  );

  it('reports the problem of a message that does not parse', () => {
    const bad: [Syntax, string][] = [
      ['icu', 'Hello {name'],
      ['icu', 'Hello {}'],
      ['icu', '{n, plural, one {x}'],
      ['android', 'a {n, plural, one {x}'],
      ['plain', 'a {n, select, {x}} b'],
    ];
    for (const [syntax, value] of bad) {
      const message = parseMessage(value, syntax);
      expect(message.problem, value).toMatch(/\w/);
      expect(message.segments('fr')).toEqual([]);
      expect(message.assemble('fr', [])).toBe(value);
    }
  });

  it('rejects a plural without other', () => {
    expect(parseMessage('{n, plural, one {x}}', 'icu').problem).toMatch(/other/);
  });

  it('refuses extreme nesting, and survives input that would exhaust the stack', () => {
    const nest = (depth: number): string => '{a, select, other {'.repeat(depth) + 'x' + '}}'.repeat(depth);
    expect(parseMessage(nest(20), 'icu').problem).toBeUndefined();
    expect(parseMessage(nest(60), 'icu').problem).toMatch(/deep/);
    expect(parseMessage(nest(60), 'plain').problem).toMatch(/deep/);
    expect(parseMessage(nest(100_000), 'icu').problem).toMatch(/deep/);
  });
});

const written: readonly (readonly [Syntax, string, string, string])[] = [
  ['icu', 'Take {name}', 'L\'<x id="1"/> d\'or', "L''{name} d'or"],
  ['icu', 'Take {name}', '&lt;b&gt; {x} <x id="1"/>', "'<'b> '{'x'}' {name}"],
  ['icu', 'Take <my own> {x}', '<x id="1"/> &lt;mine&gt;', '{x} <mine>'],
  ['android', 'By <Unknown Sender>', 'Von &lt;Unbekannt&gt;', 'Von <Unbekannt>'],
  ['lisp', 'Take ~a', '<x id="1"/> ~ 5', '~a ~~ 5'],
  ['csharp', 'Take {0}', '<x id="1"/> {a}', '{0} {{a}}'],
  ['tcl', 'From %s to %d', 'Zu <x id="2"/> von <x id="1"/>', 'Zu %2$d von %1$s'],
  ['object-pascal', 'From %s to %d', 'Zu <x id="2"/> von <x id="1"/>', 'Zu %1:d von %0:s'],
  ['icu', 'Take it', "'quoted' ''", "'quoted' ''''"],
  ['icu', 'Take it', '{} #1 | a', "'{}' #1 | a"],
  ['icu', "Don''t", "N'y", "N'y"],
  ['icu', "Don''t", "Don't", "Don''t"],
  ['java', 'Take {0}', 'L\'<x id="1"/> {a}', "L''{0} '{'a'}'"],
  ['java', "Don't take", "N'y va pas", "N'y va pas"],
  ['python-brace', 'Take {0}', '<x id="1"/> {a}', '{0} {{a}}'],
  ['vue', 'Take {a}', '<x id="1"/> a@b | {c}', "{a} a{'@'}b {'|'} {'{'}c{'}'}"],
  ['markup', 'Take <b>it</b>', 'A &amp; <x id="1">b</x> &lt;c&gt;', 'A &amp; <b>b</b> &lt;c>'],
  ['chrome', 'Take $1', '<x id="1"/> $5', '$1 $$5'],
  ['c', 'Take %d', '<x id="1"/> 5 % de', '%d 5 %% de'],
  ['plain', 'Take it', '5 % de', '5 % de'],
  ['android', 'From %s to %d', 'Zu <x id="2"/> von <x id="1"/>', 'Zu %2$d von %1$s'],
  ['python-brace', 'From {} to {:>5}', 'Zu <x id="2"/> von <x id="1"/>', 'Zu {1:>5} von {0}'],
];

describe('assemble', () => {
  it.each(written)('%s: %s with %s', (syntax, value, translation, expected) => {
    expect(parseMessage(value, syntax).assemble('fr', [translation])).toBe(expected);
  });

  it('quotes the number sign and apostrophes inside a plural', () => {
    const message = parseMessage('{n, plural, one {# x} other {# y}}', 'icu');
    expect(message.assemble('en', ['<x id="1"/> l\'', "d'une #1"])).toBe(
      "{n, plural, one {# l''} other {d'une '#'1}}",
    );
  });

  it('quotes nothing in branches with XLIFF elements, as Angular reads them', () => {
    const message = parseMessage('{n, select, other {<x id="A" equiv-text="{{ a }}"/> file}}', 'xliff');
    expect(message.assemble('fr', [`l'<x id="1"/> d'or`])).toBe(
      `{n, select, other {l'<x id="A" equiv-text="{{ a }}"/> d'or}}`,
    );
    const [problem] = message.problemsOf(message.assemble('fr', [`<x id="1"/> {b}`]), 'fr');
    expect(problem?.rule).toBe('placeholder-mismatch');
  });

  it.each(['angular', 'xliff'] as const)(
    'a select in %s may omit the branch other, as in Angular',
    (syntax) => {
      const message = parseMessage('{g, select, male {his file} female {her file}}', syntax);
      expect(message.problem).toBeUndefined();
      expect(message.segments('de')).toEqual(['his file', 'her file']);
      const translation = message.assemble('de', ["l'une", 'ihre']);
      expect(translation).toBe("{g, select, male {l'une} female {ihre}}");
      expect(message.problemsOf(translation, 'de')).toEqual([]);
      const lost = '{g, select, male {his} other {their}}';
      expect(parseMessage(lost, syntax).problemsOf('{g, select, male {sein}}', 'de')[0]?.rule).toBe(
        'missing-other',
      );
    },
  );

  it('an Angular plural may omit the branch other, and gets none', () => {
    const message = parseMessage('{n, plural, =0 {none} =1 {one}}', 'angular');
    const translation = message.assemble('pl', ['brak', 'jeden']);
    expect(translation).toBe('{n, plural, =0 {brak} =1 {jeden}}');
    expect(message.problemsOf(translation, 'pl')).toEqual([]);
  });

  it.each([
    ['{n, plural, =1 {one} other {#}}', 'pl', '{n, plural, =1 {one} few {#} many {#} other {#}}'],
    ['{n, plural, =0 {no} =1 {one} other {#}}', 'fr', '{n, plural, =0 {no} =1 {one} many {#} other {#}}'],
    // There, `one` also applies to 21, and in French to 0.
    ['{n, plural, =1 {one} other {#}}', 'ru', '{n, plural, =1 {one} one {#} few {#} many {#} other {#}}'],
    ['{n, plural, =1 {one} other {#}}', 'fr', '{n, plural, =1 {one} one {#} many {#} other {#}}'],
    // With an offset of 1, the category depends on the number minus 1, and exact branches on the number itself.
    ['{n, plural, offset:1 =1 {a} other {#}}', 'de', '{n, plural, offset:1 =1 {a} one {#} other {#}}'],
    ['{n, plural, =1 {one} one {#} other {#}}', 'de', '{n, plural, =1 {one} one {#} other {#}}'],
  ])('%s gets no branch in %s whose numbers all have exact branches', (value, locale, expected) => {
    const message = parseMessage(value, 'icu');
    const translation = message.assemble(locale, message.segments(locale));
    expect(translation).toBe(expected);
    expect(message.problemsOf(translation, locale)).toEqual([]);
  });

  it('other libraries refuse a select without other', () => {
    expect(parseMessage('{g, select, male {his}}', 'icu').problem).toContain('no "other" branch');
    expect(parseMessage('{g, select, male {his}}', 'plain').problem).toContain('no "other" branch');
  });

  it('refuses the wrong number of translations', () => {
    expect(() => parseMessage('Take it', 'plain').assemble('fr', [])).toThrow(RangeError);
  });
});

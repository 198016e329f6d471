import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reconcile, splitRuns } from '../../src/text/reconcile.ts';
import { encodeWords, tokenize } from '../../src/text/tagged.ts';

const one = 'Hello <x id="1"/> and <x id="2">you</x>!';

describe('reconcile', () => {
  it.each([
    ['as it is', one, one, false],
    ['reordered', one, '<x id="2">Toi</x> et <x id="1"/>', false],
    ['with white space at the ends', one, ` ${one}\n`, false],
    ['spaces in tags', one, 'A < x id = "1" / > b <x id="2" >c</ x>', true],
    ['other quotes and case', one, "A <X ID='1'/> b <X id=“2”>c</X>", true],
    ['no quotes', one, 'A <x id=1/> b <x id=2>c</x>', true],
    ['escaped as HTML', one, 'A &lt;x id=&quot;1&quot;/&gt; b &lt;x id=&#34;2&#34;&gt;c&lt;/x&gt;', true],
    ['a pair around nothing', one, 'A <x id="1"></x> b <x id="2">c</x>', true],
    ['never closed', one, 'A <x id="1"> b <x id="2">c</x>', true],
    ['full-width', one, 'A＜ｘ ｉｄ＝＂１＂／＞ b <x id="2">c</x>', true],
    ['a bare angle bracket', 'a &lt; b <x id="1"/>', 'c < d <x id="1"/>', true],
    ['quotes escaped as HTML', 'the water', 'l&#39;eau &quot;x&quot;', true],
  ])('takes an answer %s', (_, source, answer, repaired) => {
    const result = reconcile(source, answer);
    expect(result).toMatchObject({ ok: true, repaired });
    if (result.ok) expect(ids(result.tagged)).toEqual(ids(source));
  });

  it.each([
    ['lost', one, 'Bonjour <x id="2">toi</x>'],
    ['doubled', one, 'A <x id="1"/><x id="1"/> <x id="2">c</x>'],
    ['renamed', one, 'A <x id="3"/> <x id="2">c</x>'],
    ['a pair turned into a placeholder', one, 'A <x id="1"/> <x id="2"/>'],
    ['a placeholder turned into a pair', one, 'A <x id="1">b</x> <x id="2">c</x>'],
    ['a pair that does not close', one, 'A <x id="1"/> <x id="2">c'],
    ['nothing', one, ''],
    ['no words', one, '<x id="1"/><x id="2"></x>'],
    ['white space', 'Hello', '  '],
    ['something made up', 'Hello', 'Bonjour <x id="1"/>'],
  ])('refuses an answer with %s', (_, source, answer) => {
    const result = reconcile(source, answer);
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.reason).toMatch(/\w/);
  });

  it('does not take words as damage', () => {
    const source = 'Write &lt;x id="1"/&gt; or <x id="1"/>';
    expect(reconcile(source, 'Écrire &lt;x id="1"/&gt;').ok).toBe(false);
    expect(reconcile(source, source)).toEqual({ ok: true, tagged: source, repaired: false });
  });

  it('restores the white space at the ends of the source', () => {
    expect(reconcile(' a ', 'b')).toMatchObject({ tagged: ' b ' });
  });

  it('never accepts a damaged answer with different placeholders', () => {
    fc.assert(
      fc.property(sources, fc.array(damages, { maxLength: 3 }), (source, steps) => {
        const answer = steps.reduce((text, step) => step(text), source);
        const result = reconcile(source, answer);
        if (result.ok) {
          expect(tokenize(result.tagged)).toBeDefined();
          expect(ids(result.tagged)).toEqual(ids(source));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('tokenize', () => {
  it.each([
    ['<x id="1"/>', [{ type: 'placeholder', id: 1 }]],
    ['a<x id="12">b</x>', [words('a'), { type: 'open', id: 12 }, words('b'), { type: 'close', id: 12 }]],
    ['', []],
    ['a &amp; b & c', [words('a & b & c')]],
  ])('reads %s', (tagged, tokens) => {
    expect(tokenize(tagged)).toEqual(tokens);
  });

  it.each([
    ['<x id=""/>'],
    ['<x id="1/>'],
    ['<x id="1" />'],
    ['<x id="a"/>'],
    ['<x id="1"'],
    ['<x id="1">'],
    ['</x>'],
    ['<x id="1"/><x id="1"/>'],
    ['<x id="1"/><x id="2"><x id="01"/></x>'],
    ['a > b'],
    ['<x id="1"/> a < b'],
    ['<b>'],
  ])('refuses %s', (tagged) => {
    expect(tokenize(tagged)).toBeUndefined();
  });
});

function words(text: string): object {
  return { type: 'words', text };
}

describe('words without placeholders', () => {
  it('are reconciled like words next to a placeholder', () => {
    const runs = fc
      .array(fc.constantFrom('a', 'é', ' ', '\n', '\u00a0', '.', '"'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(runs, runs, (source, answer) => {
        const tag = '<x id="1"/>';
        const plain = reconcile(source, answer);
        const tagged = reconcile(source + tag, answer + tag);
        expect(plain.ok).toBe(tagged.ok);
        if (plain.ok && source.trim() !== '')
          expect(plain.tagged.trimEnd()).toBe(source.match(/^\s*/)?.[0] + answer.trim());
      }),
    );
  });
});

describe('answers with the tags of their source', () => {
  it('are reconciled like those whose words are split', () => {
    const word = fc.constantFrom('a', 'é', ' ', '\n', '.', '>', '');
    const tag = fc.constantFrom('<x id="1"/>', '<x id="2">', '</x>', '<x id="1">', '<b>');
    const pieces = fc.array(fc.tuple(tag, word, word), { maxLength: 4 });
    const join = (parts: readonly string[]): string => parts.join('');
    fc.assert(
      fc.property(word, word, pieces, (first, other, rest) => {
        const source = join([first, ...rest.flatMap(([one, words]) => [one, words])]);
        const answer = join([other, ...rest.flatMap(([one, , words]) => [one, words])]);
        const quick = reconcile(source, answer);
        // An ampersand makes both go through the parser.
        const slow = reconcile(`${source}<x id="9"/>&amp;`, `${answer}<x id="9"/>&amp;`);
        if (tokenize(source) && tokenize(answer) && /[^\s<]/.test(answer.replace(/<[^>]*>/g, '')))
          expect(slow.ok && `${quick.ok && quick.tagged.trimEnd()}`).toBe(
            slow.ok && slow.tagged.replace('<x id="9"/>&amp;', '').trimEnd(),
          );
        else if (!tokenize(source)) expect(quick.ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

const word = fc.constantFrom(
  'one',
  'two',
  ' ',
  ', ',
  'a<b',
  'x & y',
  '"q"',
  '</x>',
  '<x id="1"/>',
  '👍',
  'שלום',
);

const sources = fc
  .array(fc.tuple(word, fc.constantFrom('none', 'alone', 'pair')), { maxLength: 6 })
  .map((parts) => {
    let id = 0;
    return parts
      .map(([text, kind]) => {
        if (kind === 'alone') return `${encodeWords(text)}<x id="${++id}"/>`;
        return kind === 'pair' ? `<x id="${++id}">${encodeWords(text)}</x>` : encodeWords(text);
      })
      .join('');
  });

const damages: fc.Arbitrary<(text: string) => string> = fc.constantFrom(
  (text: string) => text.replace(/<x id="\d+"\/>/, ''),
  (text: string) => text.replace(/<x id="\d+"\/>/, '$&$&'),
  (text: string) => text.replace(/id="(\d+)"/, 'id="$19"'),
  (text: string) => text.replaceAll('/>', ' / >'),
  (text: string) => text.toUpperCase(),
  (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  (text: string) => text.split(' ').reverse().join(' '),
  (text: string) => text.replaceAll('"', "'"),
  (text: string) => text.replace('</x>', ''),
  (text: string) => text.normalize('NFKC').replaceAll('<', '＜').replaceAll('1', '１'),
  (text: string) => text.slice(0, -3),
  (text: string) => `${text}</x>`,
);

function ids(tagged: string): string[] {
  const tokens = tokenize(tagged) ?? [];
  return tokens
    .filter((token) => token.type === 'placeholder' || token.type === 'open')
    .map((token) => `${token.type} ${token.id}`)
    .sort();
}

describe('splitRuns', () => {
  it('returns the texts between placeholders, without the white space around them', () => {
    const split = splitRuns('Hello <x id="1"/> , a &amp; <x id="2">b</x> 12');
    expect(split.runs).toEqual(['Hello', ', a &amp;', 'b']);
    expect(split.join(['Bonjour', ', c &amp;', 'd'])).toBe(
      'Bonjour <x id="1"/> , c &amp; <x id="2">d</x> 12',
    );
  });

  it('returns a text without placeholders as one run', () => {
    expect(splitRuns('a &lt; b').runs).toEqual(['a &lt; b']);
  });

  it('joins its own runs to the same text', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const split = splitRuns(source);
        expect(split.join(split.runs)).toBe(source);
      }),
    );
  });

  it('refuses the wrong number of translations', () => {
    expect(() => splitRuns('a').join([])).toThrow(RangeError);
  });
});

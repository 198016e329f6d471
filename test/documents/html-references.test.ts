import fc from 'fast-check';
import { parse, type DefaultTreeAdapterMap } from 'parse5';
import { describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { adversary } from '../pipeline/adversary.ts';
import { runs } from '../property-runs.ts';

const translate = async (html: string, engine: Engine): Promise<string> => {
  const { signal } = new AbortController();
  const result = await translateHtml(html, { engine, source: 'en', target: 'fr', signal, attributes: true });
  expect(result.failures).toEqual([]);
  return result.html;
};

interface Piece {
  readonly raw: string;
  /** The text as the pseudo engine translates it. */
  readonly pseudo: string;
}

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'å',
  b: 'ƀ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  r: 'ŕ',
  t: 'ţ',
  '1': '1',
};
const accent = (words: string): string => words.replace(/[a-z]/g, (letter) => ACCENTS[letter] ?? '');

const words = fc
  .array(fc.constantFrom('right', 'bat', ' hi ', '1', ' 12 ', 'a', '. ', '=', "'"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((some): Piece => ({ raw: some.join(''), pseudo: accent(some.join('')) }));

const kept = (some: readonly string[]): fc.Arbitrary<Piece> =>
  fc.constantFrom(...some).map((raw): Piece => ({ raw, pseudo: raw }));

/** Characters that the pseudo engine keeps and never produces. */
const closed = kept([
  '&copy;', '&#169;', '&#xa9;', '&#XA9;', '&quot;', '&#34;', '&#x22;', '&amp;', '&#38;', '&AMP;', '&lt;', '&#60;', '&LT;', '&gt;', '&#62;',
  '&mdash;', '&#8212;', '&#151;', '&rsquo;', '&#8217;', '&#39;', '&apos;', '&nbsp;', '&#160;', '&#xA0;', '&shy;', '&#32;', '&euro;', '&#128;',
  '&NotEqualTilde;', '&#x1F600;', '&#128512;', '&#49;', '&#x31;', '&hellip;', '&ccedil;', '&laquo;', '&#0000000171;', '&thinsp;', '&#8203;',
]); // prettier-ignore
const openNames = ['&copy', '&quot', '&amp', '&AMP', '&lt', '&gt', '&nbsp', '&ccedil', '&laquo', '&reg'];
const open = kept([...openNames, '&#169', '&#xa9', '&#39']);
const bare = kept(['©', '"', "'", '—', '…', 'ç', '«', '& ', '< ', '>', '😀']);

/** A reference without a semicolon, and the text after it: a letter, `=` or a digit may continue it. */
const ended = fc.tuple(open, fc.constantFrom('.', ' ', '!', '/')).map(([{ raw }, end]): Piece => {
  return { raw: raw + end, pseudo: raw + end };
});

const join = (pieces: readonly Piece[], part: keyof Piece): string =>
  pieces.map((piece) => piece[part]).join('');
const text = fc.array(fc.oneof(words, closed, ended, bare), { maxLength: 12 });
const cut = fc
  .array(fc.oneof(words, closed, fc.tuple(kept(openNames), words)), { maxLength: 12 })
  .map((some) => some.flat());

const tidy = (html: string): string => html.replace(/ +/g, ' ');

describe('references of a page', () => {
  const page = fc
    .tuple(text, text, cut, text)
    .map(([first, inner, last, title]) => (part: keyof Piece): string => {
      const sentence = `${join(first, part)}<b>${accentedA(part)}${join(inner, part)}</b> ${join(last, part)}.`;
      const attribute = join(title, part).replaceAll('"', "'");
      return tidy(`<p>${accentedA(part)}${sentence}</p>\n<img title="${accentedA(part)} ${attribute}">`);
    });
  const accentedA = (part: keyof Piece): string => (part === 'raw' ? 'a' : 'å');

  it('are returned byte for byte by an engine that changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(page, async (write) => {
        const html = write('raw');
        expect(
          await translate(
            html,
            adversary((answer) => answer),
          ),
        ).toBe(html);
      }),
      { numRuns: runs(150) },
    );
  });

  it('keep their spelling when the words around them change', async () => {
    await fc.assert(
      fc.asyncProperty(page, async (write) => {
        expect(await translate(write('raw'), createPseudoEngine())).toBe(write('pseudo'));
      }),
      { numRuns: runs(250) },
    );
  });

  it('keep their meaning, whatever characters an engine puts around them', async () => {
    const reorder = (answer: string): string => answer.replace(/[^<>]+(?![^<]*>)/g, (run) => shuffle(run));
    await fc.assert(
      fc.asyncProperty(page, async (write) => {
        const html = write('raw');
        const engine = adversary(reorder);
        const result = await translate(html, engine);
        expect(charactersOf(result)).toEqual(charactersOf(html));
      }),
      { numRuns: runs(150) },
    );
  });
});

/** Returns the same characters in a different order; references are not split. */
function shuffle(text: string): string {
  const characters = text.match(/&[a-z]+;|\s+|[^]/gu) ?? [];
  return characters.toReversed().join('');
}

/** The characters of a page's text and title, sorted, as a browser reads them. */
function charactersOf(html: string): readonly string[] {
  const texts: string[] = [];
  const walk = (node: DefaultTreeAdapterMap['node']): void => {
    if ('value' in node) texts.push(node.value);
    if ('attrs' in node) for (const { value } of node.attrs) texts.push(value);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return Array.from(texts.join('').replace(/[ \n]+/g, '')).toSorted();
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GlossaryTerm } from '../../../src/pipeline/glossary.ts';
import { piecesOf } from '../../../src/pipeline/terms/word-segmentation.ts';
import { termsFor } from '../../../src/pipeline/terms/terms.ts';
import { translateUnits } from '../../../src/pipeline/units.ts';
import { parseMessage } from '../../../src/text/message.ts';
import { reconcile } from '../../../src/text/reconcile.ts';
import { encodeWords, tokenize } from '../../../src/text/tagged.ts';
import { syntaxes, translate, values } from '../../text/generators.ts';
import { adversary, DAMAGES } from '../adversary.ts';
import { processorTime } from '../../processor-time.ts';
import { codePoint } from '../../code-point.ts';

const NAMES = [
  'Firefox', 'Firefox Sync', 'Sync', 'a', 'C++', '.*', '$1', '(', '[a-z]+', '\\d', '%s', '{name}', '<b>',
  'AT&T', '&amp;', "don't", "L'Équipe", 'שלום', 'שלום Firefox', '日本語', '日', '👩‍👩‍👧', '👍', '\u202b', 'é', 'e\u0301', '|', ' x ',
  'two words', 'word', 'İstanbul', 'ß', 'ﬁ', '__proto__', 'constructor', '<x id="1"/>', '\u0301', '\u200d',
]; // prettier-ignore

const name = fc.constantFrom(...NAMES);

const term: fc.Arbitrary<GlossaryTerm> = fc
  .record({
    term: name,
    translations: fc.constantFrom(
      new Map<string, readonly string[]>(),
      new Map([['es', ['palabra', '言葉']]]),
    ),
    caseSensitive: fc.boolean(),
  })
  .map((fields) => ({ ...fields, doNotTranslate: fields.translations.size === 0 }));

const glossaries = fc.array(term, { minLength: 1, maxLength: 8 }).map((terms) => ({ terms }));

/** Texts that contain names, in all syntaxes. */
const messages = fc
  .tuple(syntaxes, fc.array(fc.oneof(values, name, fc.constant(' ')), { maxLength: 6 }))
  .map(([syntax, parts]) => ({ syntax, value: parts.join('') }));

const segmentsOf = ({ value, syntax }: { value: string; syntax: Parameters<typeof parseMessage>[1] }) =>
  parseMessage(value, syntax).segments('es');

describe('for any text and any glossary', () => {
  it('the pieces make up the whole text', () => {
    fc.assert(
      fc.property(fc.oneof(values, fc.string({ unit: codePoint }), name), (text) => {
        const pieces = piecesOf(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        let at = 0;
        for (const { start, text: own } of pieces) {
          expect(start).toBe(at);
          at += own.length;
        }
      }),
    );
  });

  it('protected parts are restored exactly, and are well-formed in between', () => {
    fc.assert(
      fc.property(messages, glossaries, (message, glossary) => {
        const terms = termsFor(glossary, 'en', 'es');
        for (const segment of segmentsOf(message)) {
          const { tagged, restore } = terms?.protect(segment) ?? {
            tagged: segment,
            restore: (t: string) => t,
          };
          expect(tokenize(tagged)).toBeDefined();
          expect(restore(tagged)).toBe(segment);
          expect(tagsOf(tagged)).toEqual(expect.arrayContaining(tagsOf(segment)));
        }
      }),
    );
  });

  it('names survive every reconciled answer', () => {
    fc.assert(
      fc.property(
        messages,
        glossaries,
        fc.array(values, { minLength: 1 }),
        fc.boolean(),
        (message, glossary, others, reverse) => {
          const terms = termsFor(glossary, 'en', 'es');
          for (const segment of segmentsOf(message)) {
            if (!terms) return;
            const { tagged, restore } = terms.protect(segment);
            const result = reconcile(tagged, translate(tagged, others, reverse));
            if (!result.ok) continue;
            const restored = restore(result.tagged);
            expect(reconcile(segment, restored)).toMatchObject({ ok: true });
            for (const [placeholder] of tagged.matchAll(/<x id="\d+"\/>/g)) {
              const spelling = restore(placeholder);
              if (spelling !== placeholder) expect(restored).toContain(spelling);
            }
          }
        },
      ),
    );
  });

  it('a copy never lacks names, only terms that need a translation', () => {
    fc.assert(
      fc.property(messages, glossaries, (message, glossary) => {
        const terms = termsFor(glossary, 'en', 'es');
        const segments = segmentsOf(message);
        const needed = terms?.requiredIn(segments).map(({ term: each }) => each) ?? [];
        for (const { term: lacking } of terms?.missingIn(segments, segments) ?? [])
          expect(needed).toContain(lacking);
        expect(terms?.missingIn([], []) ?? []).toEqual([]);
      }),
    );
  });

  it('any number of translations is accepted', () => {
    fc.assert(
      fc.property(messages, messages, glossaries, (source, target, glossary) => {
        const terms = termsFor(glossary, 'ru', 'es');
        terms?.missingIn(segmentsOf(source), segmentsOf(target));
      }),
    );
  });
});

function tagsOf(tagged: string): string[] {
  return tagged.match(/<x id="\d+"\/?>|<\/x>/g) ?? [];
}

describe('engines that damage placeholders', () => {
  const glossary = {
    terms: ['Firefox', 'Firefox Sync', "L'Équipe", 'C++', 'AT&T', '{brace}'].map((each) => ({
      term: each,
      translations: new Map<string, readonly string[]>(),
      doNotTranslate: true,
      caseSensitive: true,
    })),
  };
  const units = [
    { value: 'Open Firefox with {count} tabs', syntax: 'plain' as const },
    { value: '<b>Firefox Sync</b> or Firefox', syntax: 'markup' as const },
    { value: "{n, plural, one {# file in L''Équipe} other {# files in L''Équipe}}", syntax: 'icu' as const },
    { value: '%d lines of C++ at AT&amp;T', syntax: 'android' as const },
    { value: 'Firefox', syntax: 'plain' as const },
    { value: 'a C++ program', syntax: 'c' as const },
  ];

  it.each(Object.entries(DAMAGES))('%s: every value has its names', async (kind, damage) => {
    const engine = adversary(damage);
    const signal = new AbortController().signal;
    const context = { engine, source: 'en', target: 'es', signal, glossary };
    const outcomes = await translateUnits(units, context);
    for (const [i, outcome] of outcomes.entries()) {
      const unit = units[i];
      if (!unit || 'failure' in outcome) continue;
      const names = namesIn(segmentsOf(unit), glossary);
      const words = segmentsOf({ ...unit, value: outcome.value }).join(' ');
      for (const spelling of names) expect(words).toContain(encodeWords(spelling));
    }
    if (['space', 'reorder', 'other quotes'].includes(kind))
      expect(outcomes.filter((each) => 'failure' in each)).toEqual([]);
    expect(engine.asked.join(' ')).not.toMatch(/Firefox|Équipe|C\+\+|AT&amp;T/);
  });
});

function namesIn(
  segments: readonly string[],
  { terms }: { terms: readonly GlossaryTerm[] },
): readonly string[] {
  return terms.map((each) => each.term).filter((each) => segments.join(' ').includes(encodeWords(each)));
}

describe('large glossaries', () => {
  const signal = new AbortController().signal;
  const translated = (each: string): GlossaryTerm => ({
    term: each,
    translations: new Map([['es', ['palabra', 'otra palabra']]]),
    doNotTranslate: false,
    caseSensitive: false,
  });
  const nested = Array.from({ length: 60 }, (_, i) => 'a '.repeat(i + 1).trim());
  const shared = Array.from({ length: 5_000 }, (_, i) => `account ${i % 70} setting ${i}`);

  it('5,000 terms with a common beginning cost 10,000 strings less than a millisecond each', async () => {
    const glossary = { terms: [...shared, ...nested].map(translated) };
    const units = Array.from({ length: 10_000 }, (_, i) => ({
      value: `Open account ${i % 70} setting ${i} of accounts ${i}, please`,
      syntax: 'plain' as const,
    }));
    const begin = processorTime();
    const engine = adversary((text) => text);
    const outcomes = await translateUnits(units, { engine, source: 'en', target: 'es', signal, glossary });
    expect(processorTime() - begin).toBeLessThan(10_000);
    expect(outcomes.filter((each) => 'missingTerms' in each)).toHaveLength(5_000);
  });

  it.each([
    ['terms of one word each', nested, 'a '.repeat(3_000)],
    ['one endless word', ['a', 'aa', 'aaa'], 'a'.repeat(200_000)],
    ['endless marks', ['e\u0301', 'e'], `e${'\u0301'.repeat(200_000)}`],
    ['endless symbols', ['(', '()', '((('], '('.repeat(50_000)],
    ['endless dots', ['.', '..', 'a.'], '.'.repeat(50_000)],
    ['endless white space', ['a b'], `a${' '.repeat(200_000)}b`],
    ['characters without spaces', ['漢', '漢漢'], '漢'.repeat(40_000)],
    ['joined emoji', ['👩', '👩‍👩'], '👩\u200d'.repeat(50_000)],
    ['scripts side by side', ['aб', 'б'], 'aбהא'.repeat(40_000)],
  ])('a text of %s is scanned once', (_, list, text) => {
    for (const doNotTranslate of [true, false]) {
      const terms = termsFor(
        { terms: list.map((each) => ({ ...translated(each), doNotTranslate })) },
        'en',
        'es',
      );
      const begin = processorTime();
      const { tagged, restore } = terms?.protect(text) ?? { tagged: '', restore: (each: string) => each };
      expect(restore(tagged)).toBe(text);
      terms?.missingIn([text], [text]);
      expect(processorTime() - begin).toBeLessThan(5_000);
    }
  });
});

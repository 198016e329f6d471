import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import { reconcile } from '../../src/text/reconcile.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { tokenize } from '../../src/text/tagged.ts';
import { verify } from '../../src/text/verify.ts';
import { codes, syntaxes, translate, values, words } from './generators.ts';
import { runs } from '../property-runs.ts';

/** A translation may add a link. */
const codesButLinks = codes.filter((code) => !code.startsWith('https') && !/^(?:x@|github)/.test(code));

describe('every value', () => {
  it('stays byte for byte the same if its segments do not change', () => {
    fc.assert(
      fc.property(syntaxes, values, (syntax, value) => {
        const message = parseMessage(value, syntax);
        const segments = message.segments('en');
        for (const segment of segments) {
          expect(tokenize(segment)).toBeDefined();
          expect(reconcile(segment, ` ${segment.trim()}\n`)).toMatchObject({ ok: true, tagged: segment });
        }
        const problems = verify(value, value, { syntax, locale: 'en' });
        // A plural with the categories of another language is adapted, and then differs from its source.
        fc.pre(!problems.some((problem) => problem.rule === 'plural-categories'));
        expect(message.assemble('en', segments)).toBe(value);
      }),
      { numRuns: runs(4000) },
    );
  });

  it('is valid as its own translation, or has a problem that verification finds too', () => {
    fc.assert(
      fc.property(syntaxes, values, (syntax, value) => {
        const message = parseMessage(value, syntax);
        const problems = verify(value, value, { syntax, locale: 'en' });
        const rules = problems.map((problem) => problem.rule);
        if (message.problem !== undefined) expect(rules).not.toEqual([]);
        else expect(rules.filter((rule) => rule !== 'plural-categories')).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('has the same problems whether its source is given as a message or as text', () => {
    fc.assert(
      fc.property(syntaxes, values, values, (syntax, source, other) => {
        const message = parseMessage(source, syntax);
        for (const target of [source, other, `${source} ${other}`, `${source} %`]) {
          expect(message.problemsOf(target, 'ru')).toEqual(verify(source, target, { syntax, locale: 'ru' }));
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('keeps the words of a translation, or verification refuses it', () => {
    fc.assert(
      fc.property(
        syntaxes,
        values,
        fc.array(fc.oneof({ weight: 4, arbitrary: words }, codesButLinks), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.constantFrom('en', 'ru', 'ja'),
        (syntax, value, replacement, reverse, locale) => {
          // Words that spell out a placeholder of the source, next to a lost one, are indistinguishable from it.
          fc.pre(!replacement.some((text) => /[:$%{@\\<&_]\S/.test(text) && value.includes(text)));
          const message = parseMessage(value, syntax);
          const translations: string[] = [];
          for (const segment of message.segments(locale)) {
            const result = reconcile(segment, translate(segment, replacement, reverse));
            if (!result.ok) return;
            translations.push(result.tagged);
          }
          const target = message.assemble(locale, translations);
          if (verify(value, target, { syntax, locale }).length > 0) return;
          const again = parseMessage(target, syntax);
          expect(again.problem).toBe(message.problem);
          expect(wordsOf(again.segments(locale))).toBe(wordsOf(translations));
        },
      ),
      { numRuns: runs(5000) },
    );
  });
});

describe('words that look like syntax', () => {
  const rows: readonly (readonly [Syntax, string, readonly string[]])[] = [
    [
      'icu',
      "It''s {name}, {n, plural, one {# file} other {# files}} <b>now</b>",
      ['{', '}', '{x}', "'", "''", '#', '<b>', '|'],
    ],
    ['java', "It''s {0} or {1,number}", ['{', '}', '{x}', '{0}', "'", "''"]],
    ['python-brace', 'Take {name} or {0!r:>10}', ['{', '}', '{x}', '{{', '}}', '{}']],
    ['vue', 'Take {name} or | @:(a.b) it', ['{', '}', '{x}', '@', '@:a', '|', ' | ']],
    ['chrome', 'Take $NAME$ or $1', ['$', '$$', '$1', '$X$']],
    ['c', 'Take %d%% or %s', ['%', '%%', '%s', '50 % de']],
    ['apple', 'Take %@ or %lld', ['%', '%%', '%@', '50 % de']],
    ['markup', 'Take <b>it</b> &amp; <i>that</i>', ['<', '>', '&', '<b>', ']]>']],
  ];
  const letters = ['a', 'é', ' ', 'שלום', '\u202b', '👍', '"', '.', 'l’'];

  it.each(rows)('%s', (syntax, value, special) => {
    const pieces = fc.array(fc.constantFrom(...letters, ...special), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 3 }), (texts) => {
        const message = parseMessage(value, syntax);
        const replacement = texts.map((parts) => `x${parts.join('')}y`);
        const translations = message.segments('ru').map((segment) => translate(segment, replacement, false));
        const target = message.assemble('ru', translations);
        expect(verify(value, target, { syntax, locale: 'ru' }), target).toEqual([]);
        expect(wordsOf(parseMessage(target, syntax).segments('ru'))).toBe(wordsOf(translations));
      }),
      { numRuns: runs(500) },
    );
  });
});

/** The visible text, without placeholders and white space; literal characters that became syntax are omitted. */
function wordsOf(segments: readonly string[]): string {
  return segments
    .map(withoutTags)
    .filter((text) => /\p{L}/u.test(text))
    .map((text) => text.replace(/[\s%{}@|$<>&;]+/g, ''))
    .sort()
    .join('\n');
}

function withoutTags(segment: string): string {
  return (tokenize(segment) ?? []).map((token) => (token.type === 'words' ? token.text : '')).join('');
}

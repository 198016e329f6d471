import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { answersSchema, branchRuleOf } from '../../src/review/protocol.ts';

const answer = { id: 'a1', sourceHashes: ['1'], bases: ['2'] };
const accepts = (one: unknown): boolean => v.is(answersSchema, { answers: [one] });

describe('the protocol of the review page', () => {
  it('accepts answers with and without values', () => {
    expect(accepts(answer)).toBe(true);
    expect(accepts({ ...answer, values: ['Hola'], verdict: 'reviewed', note: 'short' })).toBe(true);
    expect(accepts({ ...answer, undo: 7 })).toBe(true);
  });

  it.each([
    ['no id', { ...answer, id: '' }],
    ['no fingerprints', { ...answer, bases: [] }],
    ['an unknown verdict', { ...answer, verdict: 'perfect' }],
    ['a value that is not a string', { ...answer, values: [1] }],
    ['a text of more than 100,000 characters', { ...answer, values: ['x'.repeat(100_001)] }],
    ['a note of more than 500 characters', { ...answer, note: 'x'.repeat(501) }],
    ['undo: 0', { ...answer, undo: 0 }],
  ])('refuses an answer with %s', (_name, one) => {
    expect(accepts(one)).toBe(false);
  });

  it('carries a rule for branches as a table', () => {
    const rule = branchRuleOf([[[1], [0, 2]], null, [[1], [0, 2]]]);
    expect(rule('es')).toEqual([[1], [0, 2]]);
    expect(rule('es', 1)).toBeUndefined();
    expect(rule('es', 2)).toEqual([[1], [0, 2]]);
    expect(rule('es', 3)).toBeUndefined();
  });
});

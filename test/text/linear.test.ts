import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { findGrowth } from '../hostile/growth.ts';
import type { Work } from '../hostile/work.ts';
import { processorTime } from '../processor-time.ts';

/** Beginnings of syntax that never end, which make a careless scanner start over repeatedly. */
const UNITS = [
  '{',
  '}',
  '{a',
  '{{',
  '<a "',
  '<a ',
  '<!--',
  '<?',
  "'",
  "'{",
  '%',
  '%(',
  '%a_',
  '$t(',
  '$(',
  '(',
  '$a',
  ':a',
  '__a_',
  'https://',
  'https://a.',
  'a.',
  'x@a.',
  'www.a.',
  '&a',
  '&#1',
  '\\u',
  '@:a.',
  '[1',
  '|',
  '{a,plural,',
  '1',
  "''",
  '[',
  '](',
  '[a](b:',
  '](a:x',
  '![',
  '[a](',
  'a.com/',
  'a.b.',
  'a.bc/',
  '~',
  '~,',
  '~{',
  '$a{',
  '%|',
  '%h ',
  '<a b>',
  '<a1 b c',
  '</a',
  '{a,plural,x}',
  '<b>',
  '</b>',
  '<a x={b}',
  '{a, select, other {',
  'https://a/{b}',
  '<b></b>',
  '-',
  'é',
  '👍',
];

/** Parses a value, and assembles it again from the texts that an engine gets. */
function workOnBytes(syntax: Syntax): Work {
  return (value) => {
    const begin = processorTime();
    const message = parseMessage(value, syntax);
    const isWhole = message.problem === undefined && message.assemble('en', message.segments('en')) === value;
    const times = new Map([['message', processorTime() - begin]]);
    expect(isWhole || message.problem).toBeTruthy();
    return Promise.resolve(times);
  };
}

describe('hostile values', () => {
  it.each([
    'plain',
    'icu',
    'vue',
    'laravel',
    'java',
    'c',
    'python-brace',
    'markup',
    'lisp',
    'sh',
    'boost',
    'perl',
    'php',
    'patchouli',
  ] satisfies Syntax[])('%s: time grows only with the length', { timeout: 1_200_000 }, async (syntax) => {
    for (const unit of UNITS) {
      const make = (length: number): string => unit.repeat(Math.floor(length / unit.length));
      expect(await findGrowth(workOnBytes(syntax), { name: unit, make }), unit).toEqual([]);
    }
  });
});

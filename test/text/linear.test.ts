import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import type { Syntax } from '../../src/text/syntax.ts';

/** Beginnings of syntax that never end: what makes a careless scanner start over and over again. */
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

const LENGTH = 200_000;

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
  ] satisfies Syntax[])('%s: time grows with the length only', (syntax) => {
    for (const unit of UNITS) {
      const value = unit.repeat(Math.floor(LENGTH / unit.length));
      const message = parseMessage(value, syntax);
      if (message.problem === undefined)
        expect(message.assemble('en', message.segments('en')) === value).toBe(true);
      else expect(message.problem).not.toBe('');
    }
  });
});

import { describe, expect, it } from 'vitest';
import { excessOf, lengthOf, type LengthUnit, limitIn } from '../../src/text/length-limit.ts';

describe('limitIn', () => {
  it.each([
    ['max 30 chars', 30],
    ['Label of a button (max. 30 characters)', 30],
    ['Max. length: 12', 12],
    ['Maximum length is 12 characters.', 12],
    ['max-length: 12', 12],
    ['maxLength=12', 12],
    ['Character limit: 40', 40],
    ['Shown in the menu. At most 15 characters. Keep it short', 15],
    ['20 characters max', 20],
    ['Title; no more than 50 chars', 50],
    ['Title - up to 50 characters', 50],
    ['Shown below.\nlength limit 8', 8],
  ])('reads %j', (note, max) => {
    expect(limitIn(note)).toEqual({ max, unit: 'characters' });
  });

  it.each(['max 12 columns', 'At most 12 cols', 'column limit: 12'])('reads columns in %j', (note) => {
    expect(limitIn(note)).toEqual({ max: 12, unit: 'columns' });
  });

  it.each([
    'The error if a password has more than 20 characters',
    'A password has at most 20 characters',
    'max 30',
    'Chapter 30',
    'length of the file: 30 of 50 MB',
    'the limit is 30 requests',
    'max 0 chars',
    'max 12345 chars',
    'chars',
    'Maximum 30 users',
  ])('finds none in %j', (note) => {
    expect(limitIn(note)).toBeUndefined();
  });
});

describe('lengthOf', () => {
  it.each([
    ['Größe', 5, 5],
    ['e\u0301', 1, 1],
    ['👩‍👩‍👧‍👦', 1, 2],
    ['日本', 2, 4],
    ['{name}!', 7, 7],
  ])('%j has %d characters and %d columns', (text, characters, columns) => {
    const lengthIn = (unit: LengthUnit): number => lengthOf(text, { max: 1, unit }, 'plain');
    expect([lengthIn('characters'), lengthIn('columns')]).toEqual([characters, columns]);
  });
});

describe('excessOf', () => {
  it.each([
    ['\uac01', 'NFD', 8, 9],
    ['\u0958', 'NFC', 5, 6],
  ] as const)('measures %j in %s', (text, form, max, length) => {
    const unit = 'bytes in UTF-8';
    expect(excessOf(text, { max, unit, form }, 'plain')).toBe(`${length} ${unit}, but at most ${max} fit`);
    expect(excessOf(text, { max: length, unit, form }, 'plain')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';
import { hasWords } from '../../src/text/words.ts';

const PATTERNS = [
  'MMM DD, YYYY',
  'YYYY-MM-DD',
  'dd/MM/yyyy',
  'EEEE, d MMMM yyyy',
  'HH:mm:ss',
  'h:mm A',
  'D. MMMM YYYY',
  'Do MMM YYYY',
  'yyyyMMdd',
  'd.m.Y',
  'F j, Y',
  'H:i',
  '#,##0.00',
  ' DD.MM.YYYY ',
  'MMM Y',
  'dddd (MMM Do)',
  'MMMM',
  'EEEE',
  'dddd',
  'yyyy',
];

const WORDS = [
  'Add',
  'A. M.',
  'H',
  'mm',
  'Mmmm',
  'Dr',
  'Today, HH:mm',
  'am',
  'A/B',
  'Sa, So',
  'mm per day',
  'HTML: MM',
  'é',
];

describe('words', () => {
  it.each(PATTERNS)('do not occur in the pattern %s', (pattern) => {
    expect(hasWords(pattern)).toBe(false);
    expect(parseMessage(pattern, 'plain').segments('de')).toEqual([]);
    expect(parseMessage(pattern, 'plain').assemble('de', [])).toBe(pattern);
  });

  it.each(WORDS)('occur in %s', (text) => expect(hasWords(text)).toBe(true));

  it('do not occur in a pattern if a syntax reads a part as an argument', () => {
    expect(parseMessage('MMM DD, YYYY hh:mm A', 'laravel').segments('de')).toEqual([]);
    expect(parseMessage('Today at hh:mm A', 'laravel').segments('de')).toHaveLength(1);
  });

  it('do not occur in a pattern next to a placeholder', () => {
    expect(parseMessage('{day} HH:mm', 'plain').segments('de')).toEqual([]);
  });
});

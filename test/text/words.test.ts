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
];

const WORDS = [
  'Add',
  'A. M.',
  'H',
  'mm',
  'Today, HH:mm',
  'am',
  'A/B',
  'Sa, So',
  'mm per day',
  'HTML: MM',
  'é',
];

describe('words', () => {
  it.each(PATTERNS)('are not in the pattern %s', (pattern) => {
    expect(hasWords(pattern)).toBe(false);
    expect(parseMessage(pattern, 'plain').segments('de')).toEqual([]);
    expect(parseMessage(pattern, 'plain').assemble('de', [])).toBe(pattern);
  });

  it.each(WORDS)('are in %s', (text) => expect(hasWords(text)).toBe(true));

  it('are not in a pattern beside a placeholder', () => {
    expect(parseMessage('{day} HH:mm', 'plain').segments('de')).toEqual([]);
  });
});

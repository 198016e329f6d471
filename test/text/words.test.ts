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

/** Values for programs, which also occur in files with texts. */
const OF_PROGRAMS = [
  'ltr',
  'rtl',
  'UTF-8',
  'utf8',
  'ISO-8859-1',
  'windows-1252',
  'Shift_JIS',
  'Ctrl+I',
  'Shift+F5',
  'F11',
  'Ctrl+Shift+P',
  'Ctrl++',
  'Ctrl+K, Ctrl+C',
  'ctrl+k ctrl+left',
  'ctrl+k c',
  'CmdOrCtrl+Q',
  'Alt+PageDown',
  '<Primary>q',
  '<Control><Shift>Delete',
  'nplurals=2; plural=(n != 1);',
  'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
];

const WORDS = [
  'Ctrl',
  'Ctrl + click',
  'Ctrl+click',
  'Shift+F5: reload',
  'Press Ctrl+I',
  'Delete',
  'Home',
  'A+B',
  'Q',
  'F5 key',
  'Alt',
  '<b>q',
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
  'Big',
  'ISO 8859',
  '/month',
  '/user/month',
  '/seat/year',
  'note:important',
  'a.k.a',
  'pay.as.you.go',
  'and/or',
  'Note:this',
  'Name: value',
  'e.g.',
  'index.html',
  'nplurals',
];

describe('words', () => {
  it.each(PATTERNS)('do not occur in the pattern %s', (pattern) => {
    expect(hasWords(pattern)).toBe(false);
    expect(parseMessage(pattern, 'plain').segments('de')).toEqual([]);
    expect(parseMessage(pattern, 'plain').assemble('de', [])).toBe(pattern);
  });

  it.each(OF_PROGRAMS)('do not occur in the value %s', (value) => {
    expect(hasWords(value)).toBe(false);
    expect(parseMessage(value, 'plain').segments('de')).toEqual([]);
  });

  it.each(WORDS)('occur in %s', (text) => expect(hasWords(text)).toBe(true));

  it('do not occur in a pattern if a syntax reads a part as an argument', () => {
    expect(parseMessage('MMM DD, YYYY hh:mm A', 'laravel').segments('de')).toEqual([]);
    expect(parseMessage('Today at hh:mm A', 'laravel').segments('de')).toHaveLength(1);
  });

  it('do not occur in a pattern next to a placeholder', () => {
    expect(parseMessage('{day} HH:mm', 'plain').segments('de')).toEqual([]);
  });

  it.each(['{{amount}}/user/month', '<b>{{amount}}</b>/seat/year'])('occur in the price %s', (price) => {
    expect(parseMessage(price, 'i18next').segments('de')).toHaveLength(1);
  });
});

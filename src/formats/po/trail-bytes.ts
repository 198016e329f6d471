import type { Edit } from '../../base/span.ts';

/**
 * Shift_JIS characters whose second byte is a backslash. Old tools read bytes, so files made for them have a second
 * backslash behind each of these; gettext itself reads characters and has none.
 */
const AFFECTED = '―ソЫⅨ噂浬欺圭構蚕十申曾箪貼能表暴予禄兔喀媾彌拿杤歃濬畚秉綵臀藹觸軆鐔饅鷭偆砡纊犾';
const PAIR = new RegExp(`([${AFFECTED}])\\\\`, 'g');
const CHARACTER = new RegExp(`[${AFFECTED}]`, 'g');
const SINGLE_OUTSIDE_COMMENTS = new RegExp(`^(?!#).*[${AFFECTED}](?!\\\\)`, 'm');

/** No text file holds it, and it is as long as the backslash it stands for. */
const FILLER = '\u0000';

/** Whether a file is written for tools that read bytes: then each of its affected characters shows it. */
export function doublesTrailBytes(text: string, charset: string | undefined): boolean {
  if (!/^(?:shift[-_]?jis|sjis|x-sjis|cp932|windows-31j|ms_kanji)$/i.test(charset ?? '')) return false;
  return text.search(PAIR) >= 0 && !SINGLE_OUTSIDE_COMMENTS.test(text);
}

/** The text with every second backslash blanked out: offsets stay. */
export function hideTrailBytes(text: string): string {
  return text.replace(PAIR, `$1${FILLER}`);
}

/** Edits that take every second backslash away. */
export function secondTrailBytes(text: string): readonly Edit[] {
  return Array.from(text.matchAll(PAIR), ({ index }) => ({
    span: { start: index + 1, end: index + 2 },
    text: '',
  }));
}

export function dropFillers(value: string): string {
  return value.replaceAll(FILLER, '');
}

export function doubleTrailBytes(quoted: string): string {
  return quoted.replace(CHARACTER, '$&\\');
}

/** The characters from 0x80 on in NeXTSTEP's encoding, which octal escapes refer to. */
const NEXTSTEP =
  '\u00a0ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\ufffd\ufffd';

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
]);

const ESCAPE = /\\(?:U([0-9A-Fa-f]{1,4})|u([0-9A-Fa-f]{4})|([0-7]{1,3})|([\s\S]))/g;

/** Decodes the content of a quoted string. */
export function unescapeStrings(raw: string): string {
  if (!raw.includes('\\')) return raw;
  const parts: string[] = [];
  for (let start = 0; start < raw.length;) {
    const end = endOfPart(raw, start);
    parts.push(raw.slice(start, end).replace(ESCAPE, unescape));
    start = end;
  }
  return parts.join('');
}

/** Decodes in parts: millions of escapes at once would take hundreds of megabytes. */
const PART = 65_536;

/** The end of a part that begins at `start`, not inside an escape. */
function endOfPart(raw: string, start: number): number {
  const end = start + PART;
  if (end >= raw.length) return raw.length;
  const last = raw.lastIndexOf('\\', end - 1);
  let first = last;
  while (first > start && raw[first - 1] === '\\') first--;
  const beginsEscape = last > start && last > end - LONGEST_ESCAPE && (last - first) % 2 === 0;
  return beginsEscape ? last : end;
}

const LONGEST_ESCAPE = 6;

function unescape(_: string, unit?: string, lower?: string, octal?: string, letter?: string): string {
  const hex = unit ?? lower;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (octal !== undefined) return fromNextStep(Number.parseInt(octal, 8) & 0xff);
  return LETTERS.get(letter ?? '') ?? letter ?? '';
}

function fromNextStep(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : NEXTSTEP.charAt(byte - 0x80);
}

/** How a file and one string in it are spelled. */
export interface Spelling {
  readonly quote: '"' | "'";
  /** The kind of line break that the string contains unescaped. */
  readonly rawBreak: '\n' | '\r\n' | '\r' | undefined;
  /** Whether tabs are literal. */
  readonly rawTab: boolean;
  /** `U` or `u` if the file escapes non-ASCII characters. */
  readonly escapes: 'U' | 'u' | undefined;
  readonly encodable: (text: string) => boolean;
}

const NAMES: ReadonlyMap<string, string> = new Map(
  [...LETTERS].map(([letter, meaning]) => [meaning, `\\${letter}`]),
);

/** A value with its quotes. */
export function quoteStrings(value: string, spelling: Spelling): string {
  const { quote, rawBreak, rawTab, escapes, encodable } = spelling;
  const letter = escapes ?? 'U';
  const number = (text: string): string =>
    text.replace(/[\s\S]/g, (unit) => `\\${letter}${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  let body = value.replace(/\r\n|[\u0000-\u001f"'\\\u007f]/g, (found) => {
    if (found === rawBreak || (found === '\t' && rawTab)) return found;
    if (found === '"' || found === "'") return found === quote ? `\\${found}` : found;
    if (found === '\\') return '\\\\';
    return found.replace(/[\s\S]/g, (unit) => NAMES.get(unit) ?? number(unit));
  });
  if (escapes !== undefined) body = body.replace(/[^\u0000-\u007f]+/g, number);
  else if (!encodable(body)) {
    body = body.replace(/[^\u0000-\u007f]/gu, (character) =>
      encodable(character) ? character : number(character),
    );
  }
  return `${quote}${body}${quote}`;
}

/** Whether a text may be written without quotes. */
export function isBare(value: string): boolean {
  return /^[A-Za-z0-9_$/:.-]+$/.test(value) && !value.startsWith('//');
}

import { DragomanError } from '../../base/errors.ts';
import { illegalCharacterIn, isSpace } from './characters.ts';

/** Characters without a special meaning, unless an escape precedes them. */
const ORDINARY = /[^\\" \t\n\r]+/y;

const LINE_BREAKS: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/**
 * Reads the text of a resource as aapt2 does, one character at a time: backslash escapes, double quotes that preserve
 * white space, and runs of white space that collapse to one space outside quotes.
 */
export class AndroidReader {
  /** Positions of unescaped double quotes, in characters. */
  readonly quotes: number[] = [];
  readonly #parts: string[] = [];
  #count = 0;
  #quoted = false;
  #space = false;
  #escape = false;
  #digits: string | undefined;
  readonly #show: (decoded: string) => string;

  /** @param show the value's spelling of a character written as `\uXXXX` */
  constructor(show: (decoded: string) => string = (decoded) => decoded) {
    this.#show = show;
  }

  /** The text read so far. */
  get value(): string {
    return this.#parts.join('');
  }

  /** Reads text without references. */
  pushText(text: string): void {
    let at = 0;
    while (at < text.length) {
      ORDINARY.lastIndex = at;
      const run = this.#escape || this.#digits !== undefined ? undefined : ORDINARY.exec(text)?.[0];
      if (run === undefined) this.push(text.charAt(at++));
      else {
        this.#parts.push(run);
        this.#space = false;
        this.#count += run.length;
        at += run.length;
      }
    }
  }

  /**
   * @param shown the value's spelling of the character, which is different if the character was written as a reference
   */
  push(character: string, shown: string = character): void {
    this.#count++;
    if (this.#digits !== undefined && this.#readDigit(character)) return;
    if (this.#escape) {
      this.#escape = this.#space = false;
      if (character === 'u') this.#digits = '';
      else this.#parts.push(LINE_BREAKS[character] ?? shown);
    } else if (!this.#quoted && shown === character && isSpace(character.charCodeAt(0))) {
      if (!this.#space) this.#parts.push(' ');
      this.#space = true;
    } else {
      this.#space = false;
      if (character === '\\') this.#escape = true;
      else if (character === '"') {
        this.#quoted = !this.#quoted;
        this.quotes.push(this.#count);
      } else this.#parts.push(shown);
    }
  }

  /** Ends a run of text: aapt2 drops a trailing backslash. */
  flush(): void {
    if (this.#digits !== undefined) this.#parts.push(`\\u${this.#digits}`);
    this.#digits = undefined;
    this.#escape = false;
  }

  /** Copies markup literally. */
  copy(source: string, resets: boolean): void {
    this.flush();
    this.#parts.push(source);
    // A style tag ends the effect of quotes and white space; namespaced tags (xliff) do not.
    if (resets) this.#quoted = this.#space = false;
  }

  /** Copies content that aapt2 would read as text, but that the value keeps literally. */
  copyText(source: string): void {
    this.copy(source, false);
    this.#space = false;
  }

  /** Whether the character belongs to `\uXXXX`. Fewer than four digits are not an escape, so they are kept. */
  #readDigit(character: string): boolean {
    const digits = this.#digits ?? '';
    this.#digits = undefined;
    if (!/^[\da-fA-F]$/.test(character)) {
      this.#parts.push(`\\u${digits}`);
      return false;
    }
    if (digits.length < 3) this.#digits = digits + character;
    else this.#parts.push(this.#show(String.fromCharCode(Number.parseInt(digits + character, 16))));
    return true;
  }
}

export interface AndroidText {
  readonly value: string;
  /** Whether the text is enclosed in one pair of double quotes. */
  readonly quoted: boolean;
}

/** Decodes text that XML has already decoded. */
export function decodeAndroid(text: string): AndroidText {
  const trimmed = text.replace(/^[ \t\n\r]+/, '').replace(/(?<![ \t\n\r])[ \t\n\r]+$/, '');
  if (!/[\\"\t\n\r]| {2}/.test(trimmed)) return { value: trimmed, quoted: false };
  const reader = new AndroidReader();
  reader.pushText(trimmed);
  reader.flush();
  const { quotes } = reader;
  const quoted = quotes.length === 2 && quotes[0] === 1 && quotes[1] === trimmed.length;
  return { value: reader.value, quoted };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  "'": "\\'",
  '\n': '\\n',
  '\t': '\\t',
};

/** Escapes a value for aapt2, before XML escaping. `quoted` keeps the enclosing double quotes. */
export function encodeAndroid(value: string, quoted: boolean): string {
  if (value.includes('\0')) throw new DragomanError('unencodable_value', 'a resource cannot hold U+0000');
  const quotes = quoted || /^ | $| {2}/.test(value);
  const pattern = quotes && quoted ? /[\\"\n\t]/g : /[\\"'\n\t]/g;
  let text = value.replace(pattern, (c) => ESCAPES[c] ?? c);
  if (/^[@?]/.test(text)) text = `\\${text}`;
  text = text.replace(/[\u0001-\u0008\u000b-\u001f\ufffe\uffff]/g, escapeUnit);
  if (illegalCharacterIn(text) >= 0) {
    throw new DragomanError('unencodable_value', 'a resource cannot hold half of a surrogate pair');
  }
  return quotes ? `"${text}"` : text;
}

/** Writes `\uXXXX` for each code unit. */
export function escapeUnit(text: string): string {
  let escaped = '';
  for (let i = 0; i < text.length; i++) {
    escaped += `\\u${text.charCodeAt(i).toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return escaped;
}

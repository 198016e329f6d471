/** A piece of a cue's text: words, a line end, or a code. */
export type CueToken =
  | { readonly type: 'words'; readonly raw: string }
  | { readonly type: 'break'; readonly raw: '\n' }
  | { readonly type: 'code'; readonly raw: string; readonly kind: CueCode }
  /** One end of a tag; the name is in lower case and without classes. */
  | { readonly type: 'open' | 'close'; readonly raw: string; readonly name: string };

export type CueCode =
  /** `<00:00:01.000>`: the words after it appear at this time. */
  | 'timestamp'
  /** `{\an8}`, `{y:i}` */
  | 'override'
  | 'entity'
  /** `♪` */
  | 'note'
  /** A URL, an e-mail address, or a placeholder. */
  | 'link'
  /** `<br>` */
  | 'tag'
  /** `<rt>…</rt>` */
  | 'reading';

/** How a format writes the texts of its cues. */
export interface CueTextSyntax {
  /** Splits a text into tokens, whose raw texts concatenate to the text. Linear in the length. */
  readonly readTokens: (text: string) => readonly CueToken[];
  /** Whether a text consists of words and line ends only: a cheap test. */
  readonly isBare: (text: string) => boolean;
  /** Escapes the words of a translation. */
  readonly writeWords: (words: string) => string;
}

const LINKS = [
  String.raw`\{\{[A-Za-z_][\w.]{0,60}\}\}|\{[A-Za-z_][\w.]{0,60}\}`,
  String.raw`%(?:\d{1,2}\$)?[sd@](?![A-Za-z\d])`,
  String.raw`https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]`,
  String.raw`(?<![\w.@-])www\.[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}(?:\/[^\s<>"]*[^\s<>".,;:!?)\]])?`,
  String.raw`(?<![\w.+@-])[A-Za-z\d][\w.+-]{0,63}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}`,
];

export const TAG = String.raw`<\/?[A-Za-z][^<>\n]{0,1000}>`;

const TOKEN = new RegExp(
  [
    String.raw`\n`,
    TAG,
    String.raw`<\d[\d:.,]{0,30}>`,
    String.raw`\{\\[^{}\n]{0,1000}\}`,
    String.raw`\{[A-Za-z]:[^{}\n]{0,200}\}`,
    String.raw`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{0,31});`,
    '[♩♪♫♬]+',
    ...LINKS,
  ].join('|'),
  'g',
);

/** A text without a match consists of words and line ends, as most do. */
const SPECIAL = /[<{&@%♩♪♫♬]|:\/\/|www\./;

/** Splits the text of an SRT or VTT cue into tokens, whose raw texts concatenate to the text. Linear in the length. */
export function readCueText(text: string): readonly CueToken[] {
  return SPECIAL.test(text) ? sealReadings(splitTokens(text, TOKEN, tokenOf)) : readBare(text);
}

/** Makes each `<rt>…</rt>` one code: pronunciations are not translated. */
function sealReadings(tokens: readonly CueToken[]): readonly CueToken[] {
  if (!tokens.some((token) => token.type === 'open' && token.name === 'rt')) return tokens;
  const sealed: CueToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    const end = token.type === 'open' && token.name === 'rt' ? endOfReading(tokens, at) : at;
    if (end > at) {
      const raw = tokens
        .slice(at, end + 1)
        .map((one) => one.raw)
        .join('');
      sealed.push({ type: 'code', raw, kind: 'reading' });
    } else sealed.push(token);
    at = end;
  }
  return sealed;
}

/** The end tag of a pronunciation on the same line; without an end tag, the start tag itself. */
function endOfReading(tokens: readonly CueToken[], start: number): number {
  for (let at = start + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type === 'break') break;
    if (token?.type === 'close' && token.name === 'rt') return at;
  }
  return start;
}

/** Texts with tags, as in SRT and VTT. */
export function taggedSyntax(writeWords: CueTextSyntax['writeWords']): CueTextSyntax {
  return { readTokens: readCueText, isBare: (text) => !SPECIAL.test(text), writeWords };
}

/**
 * Texts with codes unlike those of SRT and VTT; links and music notes are recognized.
 *
 * @param codes patterns of the codes, none of which is a prefix of another
 * @param special matches every text that contains a code
 */
export function codedSyntax(
  codes: readonly string[],
  special: RegExp,
  {
    readCode,
    writeWords,
  }: { readonly readCode: (raw: string) => CueToken; readonly writeWords?: CueTextSyntax['writeWords'] },
): CueTextSyntax {
  const pattern = new RegExp(['\\n', ...codes, '[♩♪♫♬]+', ...LINKS].join('|'), 'g');
  const isCode = new RegExp(`^(?:${codes.join('|')})$`);
  const isBare = (text: string): boolean => !special.test(text) && !/[{@%♩♪♫♬]|:\/\/|www\./.test(text);
  return {
    isBare,
    readTokens: (text) =>
      isBare(text)
        ? readBare(text)
        : splitTokens(text, pattern, (raw) => (isCode.test(raw) ? readCode(raw) : tokenOf(raw))),
    writeWords: writeWords ?? ((words) => words),
  };
}

function splitTokens(
  text: string,
  pattern: RegExp,
  tokenOfRaw: (raw: string) => CueToken,
): readonly CueToken[] {
  const tokens: CueToken[] = [];
  let at = 0;
  for (const { index, 0: raw } of text.matchAll(pattern)) {
    if (index > at) tokens.push({ type: 'words', raw: text.slice(at, index) });
    tokens.push(tokenOfRaw(raw));
    at = index + raw.length;
  }
  if (at < text.length) tokens.push({ type: 'words', raw: text.slice(at) });
  return tokens;
}

function readBare(text: string): readonly CueToken[] {
  const tokens: CueToken[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (i > 0) tokens.push({ type: 'break', raw: '\n' });
    if (line !== '') tokens.push({ type: 'words', raw: line });
  }
  return tokens;
}

/** The token of an SRT or VTT code. */
export function tokenOf(raw: string): CueToken {
  switch (raw.charAt(0)) {
    case '\n':
      return { type: 'break', raw: '\n' };
    case '<':
      return readTag(raw);
    case '{':
      return { type: 'code', raw, kind: /^\{(?:\\|[A-Za-z]:)/.test(raw) ? 'override' : 'link' };
    case '&':
      return { type: 'code', raw, kind: 'entity' };
    default:
      return { type: 'code', raw, kind: /^[♩♪♫♬]/.test(raw) ? 'note' : 'link' };
  }
}

function readTag(raw: string): CueToken {
  const name = /^<\/?([A-Za-z][A-Za-z\d]*)/.exec(raw)?.[1]?.toLowerCase();
  if (name === undefined) return { type: 'code', raw, kind: 'timestamp' };
  if (name === 'br' || raw.endsWith('/>')) return { type: 'code', raw, kind: 'tag' };
  return { type: raw[1] === '/' ? 'close' : 'open', raw, name };
}

/** The words of a cue on one line, for language detection and sentence boundaries. */
export function wordsOf(tokens: readonly CueToken[]): string {
  return tokens
    .map((token) => (token.type === 'words' ? token.raw : token.type === 'break' ? ' ' : ''))
    .join('');
}

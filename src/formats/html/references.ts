import { Tokenizer, type Token } from 'parse5';

/** A character reference, or what looks like one: the parser decides. */
export const REFERENCE = /&(?:#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{0,63});?/g;

const known = new Map<string, string>();
/** Pages have a few dozens; the bound is for hostile ones. */
const MAX_KNOWN = 4096;

/** What a reference in text stands for, as the HTML standard says, or its own characters when it is none. */
export function decodeReference(raw: string): string {
  const number = /^&#(\d{3,6});$/.exec(raw)?.[1];
  // From U+00A0 on numbers are what they say; those below have exceptions, which are the parser's.
  if (number !== undefined && Number(number) >= 0xa0 && Number(number) < 0xd800) {
    return String.fromCharCode(Number(number));
  }
  let decoded = known.get(raw);
  if (decoded === undefined) {
    decoded = tokenizeText(raw);
    if (known.size < MAX_KNOWN) known.set(raw, decoded);
  }
  return decoded;
}

/** Text as people read it. */
export function decodeText(raw: string): string {
  return raw.includes('&') ? raw.replace(REFERENCE, decodeReference) : raw;
}

function tokenizeText(raw: string): string {
  let text = '';
  const add = ({ chars }: Token.CharacterToken): void => {
    text += chars;
  };
  const nothing = (): void => undefined;
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onCharacter: add,
      onNullCharacter: add,
      onWhitespaceCharacter: add,
      onComment: nothing,
      onDoctype: nothing,
      onStartTag: nothing,
      onEndTag: nothing,
      onEof: nothing,
    },
  );
  tokenizer.write(raw, true);
  return text;
}

import { pairTags } from '../../text/tag.ts';
import { alignmentOfOverride, type CueAlignment } from './alignment.ts';
import { readCueText, type CueToken } from './cue-text.ts';
import { isTextStyle, type LossListener, type StyledToken } from './styled-cue.ts';

/** The text of an SRT or VTT cue in the common model. */
export interface TaggedCueText {
  readonly tokens: readonly StyledToken[];
  /** The alignment in the first override that has one; it applies to the whole cue. */
  readonly alignment: CueAlignment | undefined;
}

export interface TagReading {
  /** Reads an opening tag other than bold, italic and underline; undefined if it is dropped. */
  readonly readTag: (raw: string, name: string) => StyledToken | undefined;
  readonly lose: LossListener;
}

/** Reads a cue's text. Tags without an equivalent are reported, once for both ends. */
export function readTaggedText(text: string, { readTag, lose }: TagReading): TaggedCueText {
  const source = readCueText(text);
  const pairs = pairTags(source);
  const tokens: StyledToken[] = [];
  const colored = new Set<number>();
  let alignment: CueAlignment | undefined;
  const readCode = (token: Extract<CueToken, { readonly type: 'code' }>): void => {
    if (token.kind === 'timestamp') tokens.push({ type: 'time', at: readTimestamp(token.raw) });
    else if (token.kind === 'entity') tokens.push({ type: 'words', text: decodeEntity(token.raw) });
    else if (token.kind === 'override') {
      const found = alignmentOfOverride(token.raw);
      alignment ??= found?.alignment;
      if (found?.isAll !== true) lose('positions and effects in braces');
    } else if (token.kind === 'tag') lose('tags without text');
    else if (token.kind === 'reading') lose('pronunciations');
    else tokens.push({ type: 'words', text: token.raw });
  };
  for (const [at, token] of source.entries()) {
    if (token.type === 'words') tokens.push({ type: 'words', text: token.raw });
    else if (token.type === 'break') tokens.push({ type: 'break' });
    else if (token.type === 'code') readCode(token);
    else if (isTextStyle(token.name)) tokens.push({ type: token.type, style: token.name });
    else if (token.type === 'open') {
      const read = pairs.has(at) ? readTag(token.raw, token.name) : undefined;
      if (read?.type === 'open' && read.style === 'color') colored.add(pairs.get(at) ?? at);
      if (read) tokens.push(read);
      else lose(`<${token.name}> tags`);
    } else if (colored.has(at)) tokens.push({ type: 'close', style: 'color' });
    else if (!pairs.has(at)) lose(`<${token.name}> tags`);
  }
  return { tokens, alignment };
}

/** Hours are optional. */
function readTimestamp(raw: string): number {
  const parts = raw.slice(1, -1).replace(',', '.').split(':').map(Number);
  return Math.round(parts.reduce((sum, part) => sum * 60 + (Number.isFinite(part) ? part : 0), 0) * 1000);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00a0',
  '&lrm;': '\u200e',
  '&rlm;': '\u200f',
  '&quot;': '"',
  '&apos;': "'",
};

/** Keeps an unknown name, because both formats display it. */
export function decodeEntity(raw: string): string {
  const [, hex, decimal] = /^&#(?:[xX]([\da-fA-F]{1,6})|(\d{1,7}));$/.exec(raw) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (isCharacter) return String.fromCodePoint(code);
  return Object.hasOwn(ENTITIES, raw) ? (ENTITIES[raw] ?? raw) : raw;
}

/** The brace of an ASS or MicroDVD code, which many players accept in SRT and VTT. There is no entity for it. */
export const CODE_BRACE = /\{(?=\\|[A-Za-z]:)/g;

/** Escapes words that would be read as markup. Keeps unknown entities. */
export function escapeMarkup(words: string): string {
  return words
    .replaceAll(/&(?!(?!amp;|lt;|gt;|nbsp;|lrm;|rlm;|quot;|apos;)[A-Za-z][A-Za-z\d]{0,31};)/g, '&amp;')
    .replaceAll('<', '&lt;');
}

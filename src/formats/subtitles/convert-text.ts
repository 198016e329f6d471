import { alignmentOfOverride, DEFAULT_ALIGNMENT, type Alignment } from './alignment.ts';
import { pairCueTags, readCueText, type CueToken } from './cue-text.ts';
import { readTiming } from './timing.ts';

/** What a conversion leaves out: a kind of thing, once for all its occurrences. */
export type Loss = (what: string) => void;

const SHARED_TAGS = new Set(['b', 'i', 'u']);

/** SubRip text as WebVTT has it. */
export interface VttText {
  readonly text: string;
  /** What the first override that has one says of the whole cue. */
  readonly alignment: Alignment;
}

/** `<b>`, `<i>` and `<u>` stay, bare `&` and `<` become entities, `{\an8}` becomes the alignment. */
export function textToVtt(text: string, lose: Loss): VttText {
  let alignment: Alignment | undefined;
  const converted = convert(text, {
    takesOverride: (raw) => {
      const found = alignmentOfOverride(raw);
      alignment ??= found?.alignment;
      return found?.isAll ?? false;
    },
    keepsTag: (name) => SHARED_TAGS.has(name),
    words: (raw) => raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    entity: (raw) => raw,
    lose,
  });
  // Last: where a tag was left out, its neighbours can be an arrow.
  return { text: converted.replaceAll('-->', '--&gt;'), alignment: alignment ?? DEFAULT_ALIGNMENT };
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

/** WebVTT text as SubRip text: classes, voices, languages, ruby and timestamps have no counterpart. */
export function textToSrt(text: string, lose: Loss): string {
  const converted = convert(text, {
    keepsTag: (name) => SHARED_TAGS.has(name),
    words: (raw) => raw,
    entity: (raw) => ENTITIES[raw] ?? raw,
    lose,
  });
  // Decoded, `&lt;b&gt;` would become a tag, and `&gt;` make a timing line: such a text keeps its entities.
  const isText = withoutTimings(converted) === converted;
  if (isText && codeCount(converted) === codeCount(text, true)) return converted;
  const kept = convert(text, {
    keepsTag: (name) => SHARED_TAGS.has(name),
    words: (raw) => raw,
    entity: (raw) => raw,
    lose: () => undefined,
  });
  return withoutTimings(kept);
}

/** The text without the arrow in lines that SubRip would take for times: a tag that was left out stood in it. */
function withoutTimings(text: string): string {
  return text
    .split('\n')
    .map((line) => (readTiming(line, 'srt') === undefined ? line : line.replaceAll('-->', '--&gt;')))
    .join('\n');
}

/** Tags that stay, timestamps and overrides left aside: what reads as syntax. */
function codeCount(text: string, onlyShared = false): number {
  return readCueText(text).filter((token) =>
    token.type === 'open' || token.type === 'close'
      ? !onlyShared || SHARED_TAGS.has(token.name)
      : token.type === 'code' && token.kind !== 'entity' && token.kind !== 'link' && !isLost(token),
  ).length;
}

interface Rules {
  /** Whether an override is kept, in another way than as text. */
  readonly takesOverride?: (raw: string) => boolean;
  readonly keepsTag: (name: string) => boolean;
  readonly words: (raw: string) => string;
  readonly entity: (raw: string) => string;
  readonly lose: Loss;
}

function convert(text: string, rules: Rules): string {
  const tokens = readCueText(text);
  const pairs = pairCueTags(tokens);
  const converted = tokens.map((token, at) => convertToken(token, pairs.has(at), rules)).join('');
  // A line that held nothing but what was left out would end the cue.
  return converted
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function convertToken(token: CueToken, paired: boolean, rules: Rules): string {
  const { keepsTag, words, entity, lose } = rules;
  switch (token.type) {
    case 'words':
      return words(token.raw);
    case 'break':
      return token.raw;
    case 'open':
    case 'close':
      if (keepsTag(token.name)) return `<${token.type === 'close' ? '/' : ''}${token.name}>`;
      if (token.type === 'open' || !paired) lose(`<${token.name}> tags`);
      return '';
    case 'code':
    default:
      if (token.kind === 'entity') return entity(token.raw);
      if (!isLost(token)) return token.raw;
      if (token.kind === 'override' && rules.takesOverride?.(token.raw)) return '';
      lose(LOST[token.kind] ?? 'tags without text');
      return '';
  }
}

const LOST: Readonly<Partial<Record<string, string>>> = {
  timestamp: 'timestamps within texts',
  override: 'positions and effects in braces',
};

function isLost(token: CueToken): boolean {
  return (
    token.type === 'code' && (token.kind === 'timestamp' || token.kind === 'override' || token.kind === 'tag')
  );
}

import { pairTags } from '../../text/tag.ts';
import type { CueToken } from './cue-text.ts';

/** The formatting of a cue's line: colours, styles and classes distinguish speakers and kinds of text. */
export interface LineMarks {
  /** The formatting that all words of the line share, in one spelling; empty if they share none. */
  readonly marks: string;
  /** Whether any of the line's formatting begins on it. */
  readonly opens: boolean;
  /** Whether the line and the previous one share a tag that does not cover all words of both. */
  readonly isTied: boolean;
}

interface OpenLine {
  /** Tags by token index, and values by property. Undefined until the first word. */
  common: Map<number | string, string> | undefined;
  opens: boolean;
  /** The tags that are open at the start of the line. */
  readonly shared: readonly number[];
}

/** The formatting of each line. A line without words has that of the previous one. */
export function markLines(tokens: readonly CueToken[]): readonly LineMarks[] {
  const pairs = pairTags(tokens);
  const tags = new Map<number, string>();
  const properties = new Map<string, string>();
  const lines: OpenLine[] = [{ common: undefined, opens: false, shared: [] }];
  for (const [at, token] of tokens.entries()) {
    const line = lines.at(-1);
    if (!line) break;
    if (token.type === 'break') {
      for (const name of properties.keys()) if (LINE_PROPERTY.test(name)) properties.delete(name);
      lines.push({ common: undefined, opens: false, shared: [...tags.keys()] });
    } else if (token.type === 'open') {
      tags.set(at, spellTag(token.raw));
      line.opens ||= line.common === undefined;
    } else if (token.type === 'close') tags.delete(pairs.get(at) ?? -1);
    else if (token.type === 'code' && token.kind === 'override') {
      const isStyled = applyOverride(properties, token.raw);
      line.opens ||= isStyled && line.common === undefined;
    } else if (token.type === 'words' && /[\p{L}\p{N}]/u.test(token.raw)) {
      const now = new Map<number | string, string>([...tags, ...properties]);
      const { common } = line;
      line.common = common ? new Map([...common].filter(([name, mark]) => now.get(name) === mark)) : now;
    }
  }
  return lines.map(({ common, opens, shared }, i) => {
    const before = lines.slice(0, i).findLast((line) => line.common !== undefined)?.common;
    const isWhole = (tag: number): boolean => common?.has(tag) === true && before?.has(tag) === true;
    return {
      marks: spellMarks(common ?? before),
      opens: common !== undefined && opens,
      isTied: common !== undefined && before !== undefined && !shared.every(isWhole),
    };
  });
}

function spellMarks(marks: ReadonlyMap<number | string, string> = new Map()): string {
  return [...marks.values()].sort().join('');
}

/** Identifiers and times in a tag do not indicate the speaker. */
function spellTag(raw: string): string {
  return raw.replaceAll(/\s+(?:xml:[a-z]+|id|begin|end|dur)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '').toLowerCase();
}

/** In MicroDVD, lower-case codes apply to their line. */
const LINE_PROPERTY = /^[a-z]:$/;

/** The ASS tags that change the look of words: positions, fades and times do not indicate a speaker. */
const STYLE = /^(?:[1-4]?c|[1-4]?a|alpha|b|i|u|s|fn|fs|r)(?=$|[&\d(\s-])|^(?:fn|r)(?=\S)/;

/** @returns whether the code affects the look of words */
function applyOverride(properties: Map<string, string>, raw: string): boolean {
  const [, letter, value] = /^\{([A-Za-z]:)(.*)\}$/s.exec(raw) ?? [];
  if (letter !== undefined && value !== undefined) {
    properties.set(letter, raw.toLowerCase());
    return true;
  }
  let isStyled = false;
  for (const tag of raw.slice(1, -1).split('\\').slice(1)) {
    const name = STYLE.exec(tag)?.[0];
    if (name === undefined) continue;
    isStyled = true;
    const set = tag.slice(name.length).trim();
    if (name === 'r') {
      properties.clear();
      if (set !== '') properties.set('r', tag);
    } else if (set === '' || (set === '0' && name.length === 1)) properties.delete(name);
    else properties.set(name === '1c' ? 'c' : name, `\\${tag.trim()}`);
  }
  return isStyled;
}

import { type CueToken, pairCueTags } from './cue-text.ts';

/** How a line of a cue is marked: colours, styles and classes tell speakers and kinds of text apart. */
export interface LineMarks {
  /** What holds for all words of the line, in one spelling; empty where nothing does. */
  readonly marks: string;
  /** Whether marks of the line begin on it. */
  readonly opens: boolean;
  /** Whether the line shares a tag with the line before it that does not hold for all words of both. */
  readonly isTied: boolean;
}

interface OpenLine {
  /** By tag, its place among the tokens; by property, its value. Undefined until the first word. */
  common: Map<number | string, string> | undefined;
  opens: boolean;
  /** The tags that are open where the line begins. */
  readonly shared: readonly number[];
}

/** The marks of each line. A line without words has those of the line before it. */
export function markLines(tokens: readonly CueToken[]): readonly LineMarks[] {
  const pairs = pairCueTags(tokens);
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

/** Identifiers and times of a tag say nothing of who speaks. */
function spellTag(raw: string): string {
  return raw.replaceAll(/\s+(?:xml:[a-z]+|id|begin|end|dur)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '').toLowerCase();
}

/** Of MicroDVD, a small letter holds for its line. */
const LINE_PROPERTY = /^[a-z]:$/;

/** The tags of ASS that change how words look: places, fades and times are not of a speaker. */
const STYLE = /^(?:[1-4]?c|[1-4]?a|alpha|b|i|u|s|fn|fs|r)(?=$|[&\d(\s-])|^(?:fn|r)(?=\S)/;

/** @returns whether the code says how words look */
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

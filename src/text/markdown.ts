import { matchBrackets } from './brackets.ts';

/** `](address)`, where the address begins with a scheme, a path, an anchor, a host, or a placeholder. */
const ADDRESS =
  /\]\((?=[a-z][a-z0-9+.-]{0,30}:|\/|\.{1,2}\/|#|[\w-]{1,63}[./][\w-]|\{|%|\$)[^\s()<>[\]]*(?:\([^\s()<>[\]]*\)[^\s()<>[\]]*)*(?:[ \t]{1,4}"[^"\n]{0,300}")?\)/y;

/** The Markdown links of a text. */
export interface MarkdownLinks {
  /** Offsets of `[` before a link's text. */
  readonly openings: ReadonlySet<number>;
  /** The end of each `](address)`, by its start. */
  readonly ends: ReadonlyMap<number, number>;
}

/** Finds `[text](address)`. Linear: an address has no brackets, so no two attempts read the same characters. */
export function findMarkdownLinks(text: string): MarkdownLinks {
  const openings = new Set<number>();
  const ends = new Map<number, number>();
  for (const [open, close] of matchBrackets(text, '[', ']')) {
    ADDRESS.lastIndex = close;
    if (open + 1 === close || !ADDRESS.test(text)) continue;
    openings.add(open);
    ends.set(close, ADDRESS.lastIndex);
  }
  return { openings, ends };
}

/** The name of the tags at the ends of a link. */
export const LINK = '[';

/** The address in `](address "title")`. */
export function addressIn(raw: string): string {
  return raw.slice(2, -1).split(/\s/, 1)[0] ?? '';
}

/** Whether the address in `](address)` only shows where an address belongs: `](https://url)`. */
export function isExampleAddress(raw: string): boolean {
  return /^(?:https?:\/\/)?(?:address|link|ur[il])$/i.test(addressIn(raw));
}

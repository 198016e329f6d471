import type { Entry, Key } from '../format.ts';
import { endOfComment, endOfString } from './characters.ts';
import { stringSpeller } from './encode.ts';
import { type MemberCode, ownStart } from './layout.ts';
import { isGoNote } from '../go-i18n.ts';
import { decodeString, type Node, parse, type Shape, hasEntries, textIn, withShape } from './tree.ts';

/** The place of an entry among its neighbours. */
export interface Site {
  readonly node: Node;
  readonly parent: Node;
  readonly index: number;
}

export interface Outline extends MemberCode {
  readonly root: Node;
  readonly shape: Shape;
  readonly entries: readonly Entry[];
  readonly sites: ReadonlyMap<Entry, Site>;
}

/** The lexical rules of JSON for editing its objects and arrays. */
export function jsonCode(text: string): MemberCode {
  return {
    text,
    endOfComment: (at) => (text.charCodeAt(at) === 0x2f ? endOfComment(text, at) : undefined),
    endOfString: (at) => (text.charCodeAt(at) === 0x22 ? endOfString(text, at) : undefined),
    makeSpeller: () => stringSpeller(text),
  };
}

/**
 * The entries of a document with their places. Messages of Chrome and FormatJS, and ARB's metadata, are indivisible.
 */
export function readOutline(text: string): Outline {
  return outlineOf(jsonCode(text), withShape(parse(text), textIn(text, decodeString)));
}

export function outlineOf(
  code: MemberCode,
  { root, shape }: { readonly root: Node; readonly shape: Shape },
): Outline {
  const sites = new Map<Entry, Site>();
  const read = (parent: Node, path: Key): Entry[] =>
    parent.children.flatMap((node, index) => {
      // Statements that assign nothing are not entries, although they may lie between entries.
      if (parent.kind === 'statements' && node.nameEnd === node.nameStart) return [];
      if (shape === 'go-i18n' && path.length === 1 && isGoNote(node.name)) return [];
      const key = path.concat(node.name);
      const span = { start: ownStart(code, parent, index), end: node.end };
      const whole = hasEntries(shape) || (shape === 'ARB' && node.name.startsWith('@'));
      const divisible = (node.kind === 'object' || node.kind === 'array') && !whole && node.isWhole !== true;
      const noText = noTextOf(code.text, node);
      const entry = divisible ? { key, span, children: read(node, key), noText } : { key, span, noText };
      sites.set(entry, { node, parent, index });
      return [entry];
    });
  return {
    text: code.text,
    endOfComment: (at) => code.endOfComment(at),
    endOfString: (at) => code.endOfString(at),
    makeSpeller: (lineEnd) => code.makeSpeller(lineEnd),
    root,
    shape,
    entries: read(root, []),
    sites,
  };
}

function noTextOf(text: string, { kind, start, end, children }: Node): Entry['noText'] {
  if (kind === 'string' || children.length > 0) return undefined;
  // PHP accepts `null` in any case.
  return kind === 'other' && end - start === 4 && /^null$/i.test(text.slice(start, end)) ? 'null' : 'value';
}

export function siteOf(outline: Outline, entry: Entry): Site {
  const site = outline.sites.get(entry);
  if (!site) throw new RangeError(`no entry ${entry.key.join(' › ')}`);
  return site;
}

/** The keys of the entries that hold these slots: whole messages; in ARB, messages with their metadata. */
export function entryKeys(shape: Shape, keys: readonly Key[]): readonly Key[] {
  if (shape === 'Chrome' || shape === 'FormatJS') return keys.map((key) => key.slice(0, 1));
  if (shape !== 'ARB') return keys;
  return keys.flatMap((key) => (key.length === 1 ? [key, [`@${key[0] ?? ''}`]] : [key]));
}

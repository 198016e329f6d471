import type { Entry, Key } from '../format.ts';
import { ownStart } from './layout.ts';
import { shapeOf, type Shape } from './shape.ts';
import { parse, type Node } from './tree.ts';

/** Where an entry stands among its neighbours. */
export interface Site {
  readonly node: Node;
  readonly parent: Node;
  readonly index: number;
}

export interface Outline {
  readonly text: string;
  readonly root: Node;
  readonly shape: Shape;
  readonly entries: readonly Entry[];
  readonly sites: ReadonlyMap<Entry, Site>;
}

/** A document's entries with their places. Messages of Chrome and FormatJS, and ARB's metadata, are indivisible. */
export function outlineOf(text: string): Outline {
  const root = parse(text);
  const shape = shapeOf(root);
  const sites = new Map<Entry, Site>();
  const read = (parent: Node, path: Key): Entry[] =>
    parent.children.map((node, index) => {
      const key = [...path, node.name];
      const span = { start: ownStart(text, parent, index), end: node.end };
      const whole =
        shape === 'Chrome' || shape === 'FormatJS' || (shape === 'ARB' && node.name.startsWith('@'));
      const divisible = (node.kind === 'object' || node.kind === 'array') && !whole;
      const entry = divisible ? { key, span, children: read(node, key) } : { key, span };
      sites.set(entry, { node, parent, index });
      return entry;
    });
  return { text, root, shape, entries: read(root, []), sites };
}

export function siteOf(outline: Outline, entry: Entry): Site {
  const site = outline.sites.get(entry);
  if (!site) throw new RangeError(`no entry ${entry.key.join(' › ')}`);
  return site;
}

/** The keys of the entries that hold these slots: whole messages, and ARB's metadata with its message. */
export function entryKeys(shape: Shape, keys: readonly Key[]): readonly Key[] {
  if (shape === 'Chrome' || shape === 'FormatJS') return keys.map((key) => key.slice(0, 1));
  if (shape !== 'ARB') return keys;
  return keys.flatMap((key) => (key.length === 1 ? [key, [`@${key[0] ?? ''}`]] : [key]));
}

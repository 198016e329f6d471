import type { MessageNode, TagNode } from './node.ts';
import { VOID } from './tag.ts';

const NO_PAIRS: ReadonlyMap<number, number> = new Map();

/** One end of an element, or anything else. */
type Paired = { readonly type: 'open' | 'close'; readonly name: string } | { readonly type: OtherType };
type OtherType = Exclude<MessageNode['type'], 'open' | 'close'> | 'alone';

/**
 * The partner of every tag that has one with proper nesting, in both directions, by position among `nodes`. A closing
 * tag belongs to the nearest open one of its name; what was opened between them and not closed has no partner.
 */
export function pairTags(nodes: readonly Paired[]): ReadonlyMap<number, number> {
  if (!nodes.some((node) => node.type === 'close')) return NO_PAIRS;
  const pairs = new Map<number, number>();
  const open = new OpenTags();
  nodes.forEach((node, at) => {
    if (node.type === 'open') open.push(at, node.name);
    else if (node.type === 'close') {
      const start = open.close(node.name);
      if (start !== undefined) pairs.set(start, at).set(at, start);
    }
  });
  return pairs;
}

/** Tags that wait for their end. */
class OpenTags {
  readonly #open: { readonly at: number; readonly name: string }[] = [];
  /** How many there are of each name. Made when tags do not nest: most do. */
  #counts: Map<string, number> | undefined;

  push(at: number, name: string): void {
    this.#open.push({ at, name });
    this.#count(name, 1);
  }

  /** Takes the nearest tag of a name, with those behind it. @returns where it is */
  close(name: string): number | undefined {
    if (this.#open.at(-1)?.name !== name && !this.#isOpen(name)) return undefined;
    for (let top = this.#open.pop(); top; top = this.#open.pop()) {
      this.#count(top.name, -1);
      if (top.name === name) return top.at;
    }
    return undefined;
  }

  #isOpen(name: string): boolean {
    if (!this.#counts) {
      this.#counts = new Map();
      for (const tag of this.#open) this.#count(tag.name, 1);
    }
    return (this.#counts.get(name) ?? 0) > 0;
  }

  #count(name: string, by: number): void {
    this.#counts?.set(name, (this.#counts.get(name) ?? 0) + by);
  }
}

const LONE_TAG = /^<([A-Za-z]+)(?=[\s>])/;

/**
 * Components may be named like HTML's void elements: `<link>terms</link>` is a pair, because it has an end tag.
 * Without one, the tag stays a void element.
 */
export function openVoidTags(nodes: readonly MessageNode[]): readonly MessageNode[] {
  if (!nodes.some((node) => node.type === 'close' && VOID.test(node.name))) return nodes;
  const opened = [...nodes];
  const lone = new Map<string, { readonly at: number; readonly tag: TagNode }[]>();
  nodes.forEach((node, at) => {
    if (node.type === 'close') {
      const start = lone.get(node.name)?.pop();
      if (start) opened[start.at] = start.tag;
    } else if (node.type === 'code' && node.kind === 'tag' && !node.raw.endsWith('/>')) {
      const name = LONE_TAG.exec(node.raw)?.[1];
      if (name === undefined || !VOID.test(name)) return;
      const starts = lone.get(name) ?? [];
      starts.push({ at, tag: { type: 'open', raw: node.raw, name } });
      lone.set(name, starts);
    }
  });
  return opened;
}

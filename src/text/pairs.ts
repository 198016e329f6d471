import type { MessageNode, TagNode } from './node.ts';
import { VOID } from './tag.ts';

const NO_PAIRS: ReadonlyMap<number, number> = new Map();

/**
 * The partner of every tag that has one with proper nesting, in both directions, by position among `nodes`. A closing
 * tag belongs to the nearest open one of its name; what was opened between them and not closed has no partner.
 */
export function pairTags(nodes: readonly MessageNode[]): ReadonlyMap<number, number> {
  if (!nodes.some((node) => node.type === 'close')) return NO_PAIRS;
  const pairs = new Map<number, number>();
  const open: { readonly at: number; readonly name: string }[] = [];
  const waiting = new Map<string, number>();
  const count = (name: string, by: number): void => void waiting.set(name, (waiting.get(name) ?? 0) + by);
  nodes.forEach((node, at) => {
    if (node.type === 'open') {
      open.push({ at, name: node.name });
      count(node.name, 1);
    } else if (node.type === 'close' && (waiting.get(node.name) ?? 0) > 0) {
      for (let top = open.pop(); top; top = open.pop()) {
        count(top.name, -1);
        if (top.name !== node.name) continue;
        pairs.set(top.at, at).set(at, top.at);
        break;
      }
    }
  });
  return pairs;
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

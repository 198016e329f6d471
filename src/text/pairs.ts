import type { Node } from './node.ts';

/**
 * The partner of every tag that has one with proper nesting, in both directions, by position among `nodes`. A closing
 * tag belongs to the nearest open one of its name; what was opened between them and not closed has no partner.
 */
export function pairTags(nodes: readonly Node[]): ReadonlyMap<number, number> {
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

import { pushText, type Node, type Part } from './node.ts';

/** The branches of `a | b`: every bar in the words separates, with the spaces around it. */
export function splitBranches(nodes: readonly Node[]): readonly Part[] {
  const parts: { separator: string; nodes: Node[] }[] = [{ separator: '', nodes: [] }];
  for (const node of nodes) {
    if (node.type !== 'text') {
      parts.at(-1)?.nodes.push(node);
      continue;
    }
    node.raw.split('|').forEach((piece, i) => {
      if (i > 0) parts.push({ separator: '|', nodes: [] });
      const part = parts.at(-1);
      if (part) pushText(part.nodes, piece);
    });
  }
  return parts;
}

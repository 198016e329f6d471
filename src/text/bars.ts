import { pushText, type MessageNode, type MessagePart } from './node.ts';

/** The branches of `a | b`: every bar in the words separates, with the spaces around it. */
export function splitBranches(nodes: readonly MessageNode[]): readonly MessagePart[] {
  const parts: { separator: string; nodes: MessageNode[] }[] = [{ separator: '', nodes: [] }];
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

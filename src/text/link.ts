import { pushText, type Node } from './node.ts';

const URL_REST = /^[!#&()*+,\-./0-9:;=?@A-Z[\]_a-z~%]+/;

/**
 * Makes what follows a placeholder inside a URL part of the URL: in `https://a.b/{id}/edit` the word `edit` is none.
 */
export function joinLinks(nodes: readonly Node[]): readonly Node[] {
  if (!nodes.some((node) => node.type === 'code' && node.kind === 'link')) return nodes;
  const joined: Node[] = [];
  let inside = false;
  for (const node of nodes) {
    if (node.type === 'text' && inside) {
      const found = URL_REST.exec(node.raw)?.[0].replace(/[.,;:!?)\]]{1,9}$/, '') ?? '';
      const rest = node.text.startsWith(found) ? found : '';
      if (rest !== '') joined.push({ type: 'code', raw: rest, kind: 'link' });
      pushText(joined, node.raw.slice(rest.length), node.text.slice(rest.length));
      inside = rest !== '' && rest.length === node.raw.length;
      continue;
    }
    inside = node.type === 'code' && (node.kind === 'link' || (inside && isValue(node.kind)));
    joined.push(node);
  }
  return joined;
}

function isValue(kind: string): boolean {
  return kind === 'argument' || kind === 'printf' || kind === 'pound';
}

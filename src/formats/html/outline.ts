import type { DefaultTreeAdapterMap } from 'parse5';

/** The elements of a document and how they nest, without texts: equal for equal trees. Walks without recursion. */
export function outlineOf(document: DefaultTreeAdapterMap['document']): string {
  const parts: string[] = [];
  const rest: (DefaultTreeAdapterMap['node'] | string)[] = [document];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (typeof node === 'string') {
      parts.push(node);
      continue;
    }
    if (node.nodeName === '#text') continue;
    parts.push(node.nodeName);
    if ('content' in node) rest.push(']', node.content, '[');
    if (!('childNodes' in node)) continue;
    rest.push(')');
    for (let i = node.childNodes.length - 1; i >= 0; i--) {
      const child = node.childNodes[i];
      if (child) rest.push(child);
    }
    rest.push('(');
  }
  return parts.join(' ');
}

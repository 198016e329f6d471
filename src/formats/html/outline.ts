import type { DefaultTreeAdapterMap } from 'parse5';

/** Writes the elements of a document and their nesting, without texts: equal for equal trees. Not recursive. */
export function writeOutline(
  document: DefaultTreeAdapterMap['document'],
  write: (part: string) => void,
): void {
  const rest: (DefaultTreeAdapterMap['node'] | string)[] = [document];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (typeof node === 'string') {
      write(node);
      continue;
    }
    if (node.nodeName === '#text') continue;
    write(node.nodeName);
    if ('content' in node) rest.push(']', node.content, '[');
    if (!('childNodes' in node)) continue;
    rest.push(')');
    for (let i = node.childNodes.length - 1; i >= 0; i--) {
      const child = node.childNodes[i];
      if (child) rest.push(child);
    }
    rest.push('(');
  }
}

import { sourceOf, type MessageNode } from './node.ts';
import { pairTags } from './pairs.ts';

/** XLIFF 1.2: elements whose content is the native code of the document, with all texts in it (`sub`). */
const NATIVE_CODE = /^(?:[\w-]+:)?(?:bpt|ept|it|ph)$/;

const PROTECTED = /^<(?:[\w-]+:)?mrk\b[^>]*?\s(?:mtype\s*=\s*["']protected["']|translate\s*=\s*["']no["'])/;

/** Makes one code of every inline element of XLIFF whose content is not for translation. */
export function sealCode(nodes: readonly MessageNode[]): readonly MessageNode[] {
  if (!nodes.some(isSealed)) return nodes;
  const pairs = pairTags(nodes);
  const sealed: MessageNode[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node) continue;
    const partner = isSealed(node) ? pairs.get(i) : undefined;
    if (partner === undefined) {
      sealed.push(node);
      continue;
    }
    sealed.push({ type: 'code', raw: sourceOf(nodes.slice(i, partner + 1)), kind: 'tag' });
    i = partner;
  }
  return sealed;
}

function isSealed(node: MessageNode): boolean {
  return node.type === 'open' && (NATIVE_CODE.test(node.name) || PROTECTED.test(node.raw));
}

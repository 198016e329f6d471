import { pushText, type MessageNode, type TextNode } from './node.ts';
import { isXmlSource, type Syntax } from './syntax.ts';
import { TagScanner, type TagOptions } from './tag.ts';

const URL_REST = /^[!#&()*+,\-./0-9:;=?@A-Z[\]_a-z~%]+/;

/** Joins text after a placeholder inside a URL to the URL: in `https://a.b/{id}/edit`, `edit` is not a word. */
export function joinLinks(nodes: readonly MessageNode[]): readonly MessageNode[] {
  if (!nodes.some((node) => node.type === 'code' && node.kind === 'link')) return nodes;
  const joined: MessageNode[] = [];
  let place: 'outside' | 'url' | 'argument' = 'outside';
  for (const node of nodes) {
    if (node.type === 'text' && place === 'argument') {
      const found = URL_REST.exec(node.raw)?.[0].replace(/[.,;:!?)\]]{1,9}$/, '') ?? '';
      const rest = node.text.startsWith(found) ? found : '';
      if (rest !== '') joined.push({ type: 'code', raw: rest, kind: 'link' });
      pushText(joined, node.raw.slice(rest.length), node.text.slice(rest.length));
      place = rest !== '' && rest.length === node.raw.length ? 'url' : 'outside';
      continue;
    }
    place = placeAfter(node, place);
    joined.push(node);
  }
  return joined;
}

function placeAfter(node: MessageNode, place: 'outside' | 'url' | 'argument'): typeof place {
  if (node.type !== 'code') return 'outside';
  if (node.kind === 'link') return /^[^/]*@/.test(node.raw) ? 'outside' : 'url';
  return place !== 'outside' && isValue(node.kind) ? 'argument' : 'outside';
}

function isValue(kind: string): boolean {
  return kind === 'argument' || kind === 'printf' || kind === 'pound';
}

const TAG_START = /<[A-Za-z][\w:.-]*(?:\s[^<>]*)?$/;

/** Longer texts are not tags. */
const MAX_TAG = 4096;

/**
 * Joins tags that an argument split: `<a href="{url}">` is one tag, although the ICU parser sees text, an argument, and
 * text.
 */
export function joinTags(nodes: readonly MessageNode[], syntax: Syntax): readonly MessageNode[] {
  if (nodes.length < 3 || !nodes.some((node) => node.type === 'text' && node.raw.includes('<'))) return nodes;
  const joined: MessageNode[] = [];
  const closings = new Set(nodes.flatMap((node) => (node.type === 'close' ? [node.name] : [])));
  const options: TagOptions = { isMarkup: isXmlSource(syntax), closings: () => closings };
  const rest = [...nodes].reverse();
  for (let node = rest.pop(); node; node = rest.pop()) {
    const start = node.type === 'text' ? TAG_START.exec(node.raw)?.[0] : undefined;
    const tag =
      node.type === 'text' && start !== undefined && node.text.endsWith(start)
        ? tagAcross(start, rest, options)
        : undefined;
    if (node.type !== 'text') joined.push(node);
    else if (!tag || start === undefined) pushText(joined, node.raw, node.text);
    else {
      pushText(joined, node.raw.slice(0, -start.length), node.text.slice(0, -start.length));
      joined.push(tag.node);
      rest.length -= tag.taken;
      if (tag.after.raw !== '') rest.push(tag.after);
    }
  }
  return joined;
}

/** The tag formed by `start` and the next nodes (at the end of `rest`). */
function tagAcross(
  start: string,
  rest: readonly MessageNode[],
  options: TagOptions,
): { readonly node: MessageNode; readonly taken: number; readonly after: TextNode } | undefined {
  let raw = start;
  for (let taken = 1; taken <= rest.length && raw.length < MAX_TAG; taken++) {
    const next = rest[rest.length - taken];
    if (!next || (next.type !== 'code' && next.type !== 'text')) return undefined;
    raw += next.raw;
    if (next.type !== 'text') continue;
    const tag = new TagScanner(raw, options).read(0);
    if (!tag) continue;
    const used = next.raw.length - (raw.length - tag.end);
    if (!next.text.startsWith(next.raw.slice(0, used))) return undefined;
    const after: TextNode = { type: 'text', raw: next.raw.slice(used), text: next.text.slice(used) };
    return { node: tag.node, taken, after };
  }
  return undefined;
}

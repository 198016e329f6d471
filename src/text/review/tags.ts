import { isHtmlName } from '../nesting.ts';
import type { MessageNode } from '../node.ts';
import { pairTags } from '../pairs.ts';
import type { Syntax } from '../syntax.ts';
import type { Remark } from './remark.ts';

/** Elements that only say how a text looks: a language may want them elsewhere, or not at all. */
const LOOKS =
  /^(?:abbr|b|bdi|bdo|big|blockquote|br|cite|code|dd|del|dfn|div|dl|dt|em|font|h[1-6]|hr|i|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strike|strong|sub|sup|tt|u|ul|var|wbr|xliff:g)$/i;

/** Elements that a translator has no business to add. */
const ACTIVE =
  /^(?:button|embed|form|iframe|input|link|meta|object|option|script|select|style|svg|textarea)$/i;

/** HTML may leave these open. */
const OPEN_END = /^(?:dd|dt|li|option|p|td|th|tr)$/i;

/** The tags of one text, by name. */
interface Tags {
  /** Names that are surely markup: with an end, attributes, or an element without an end. */
  readonly markup: ReadonlySet<string>;
  /** How many tags of a name have no partner. */
  readonly lone: ReadonlyMap<string, number>;
  /** Names of end tags without a partner. */
  readonly closed: ReadonlySet<string>;
}

/**
 * Whether markup works as it does in the source: every tag is closed, and the tags that a program replaces by name
 * are there. Translators may reword words in angle brackets, such as `<file>`.
 */
export function reviewTags(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  syntax: Syntax,
): readonly Remark[] {
  const from = tagsOf(source);
  const to = tagsOf(target);
  const remarks: Remark[] = [];
  for (const [name, count] of to.lone) {
    if (OPEN_END.test(name) || count <= (from.lone.get(name) ?? 0)) continue;
    // Where the source has no markup, `<VAR>` says where the reader puts something.
    const isMarkup =
      isHtmlName(name) && from.lone.size === 0 && (from.markup.size > 0 || to.closed.has(name));
    if (from.markup.has(name) || isMarkup)
      remarks.push({ rule: 'tag-mismatch', detail: `<${name}> is not opened and closed in pairs` });
  }
  for (const name of from.markup) {
    if (to.markup.has(name) || to.lone.has(name)) continue;
    remarks.push({
      rule: LOOKS.test(name) ? 'markup-changed' : 'tag-mismatch',
      detail: `<${name}> is missing`,
    });
  }
  for (const name of to.markup) {
    if (from.markup.has(name) || from.lone.has(name)) continue;
    const detail = `<${name}> is not in the source`;
    remarks.push({ rule: mayAdd(name, syntax) ? 'markup-changed' : 'tag-mismatch', detail });
  }
  return remarks;
}

/** ICU libraries want something for every tag of a message; elsewhere it is HTML, or a component by its name. */
function mayAdd(name: string, syntax: Syntax): boolean {
  if (LOOKS.test(name)) return syntax !== 'icu';
  return syntax !== 'icu' && isHtmlName(name) && !ACTIVE.test(name);
}

function tagsOf(nodes: readonly MessageNode[]): Tags {
  const markup = new Set<string>();
  const lone = new Map<string, number>();
  const closed = new Set<string>();
  const pairs = pairTags(nodes);
  nodes.forEach((node, at) => {
    const name = nameOf(node);
    if (name === undefined || node.type === 'text' || node.type === 'complex') return;
    const isWord = node.type === 'code' && !isElement(node.raw);
    if (pairs.has(at) || HAS_ATTRIBUTE.test(node.raw) || (node.type === 'code' && !isWord)) markup.add(name);
    if (node.type === 'code' ? !isWord : pairs.has(at)) return;
    if (node.type === 'close') closed.add(name);
    lone.set(name, (lone.get(name) ?? 0) + 1);
  });
  return { markup, lone, closed };
}

const HAS_ATTRIBUTE = /\s[\w:@.-]+=/;

/** `<link>` and `<source>` by themselves are words, although HTML has elements without an end of these names. */
function isElement(raw: string): boolean {
  return raw.endsWith('/>') || HAS_ATTRIBUTE.test(raw) || /^<(?:br|hr|img|wbr)\b/i.test(raw);
}

function nameOf(node: MessageNode): string | undefined {
  if (node.type === 'open' || node.type === 'close') return node.name.toLowerCase();
  if (node.type !== 'code' || node.kind !== 'tag') return undefined;
  return /^<([A-Za-z\d][\w:.-]*)/.exec(node.raw)?.[1]?.toLowerCase();
}

import { LINK } from '../markdown.ts';
import { isHtmlName, nameWithId } from '../nesting.ts';
import type { MessageNode } from '../node.ts';
import { pairTags } from '../tag.ts';
import type { Syntax } from '../syntax.ts';
import type { Remark } from './remark.ts';
import { isOfQt } from './shown.ts';

/** Elements of HTML and KDE that only say how a text looks: a language may want them elsewhere, or not at all. */
const LOOKS =
  /^(?:abbr|b|bdi|bdo|big|blockquote|br|center|cite|code|dd|del|dfn|div|dl|dt|em|emphasis|font|h[1-6]|hr|i|ins|kbd|li|mark|nl|nobr|ol|p|para|pre|q|s|samp|small|span|strike|strong|sub|sup|tt|u|ul|var|wbr|xliff:g)$/i;

/** What KDE has beside these: it says what a word is, which shows in its look. */
const LOOKS_IN_KDE =
  /^(?:application|bcode|command|email|envar|filename|icode|interface|item|list|message|note|placeholder|resource|shortcut|subtitle|title|warning)$/;

/** In a manual tags are not replaced by name: those that lead nowhere only say what a word is. */
const LEADS = /^(?:a|link|ulink|xref)$/;

/** Elements that a translator has no business to add. */
const ACTIVE =
  /^(?:button|embed|form|iframe|input|link|meta|object|option|script|select|style|svg|textarea)$/i;

/** HTML may leave these open. */
const OPEN_END = /^(?:dd|dt|li|option|p|td|th|tr)$/i;

/** What is around a page, and says to Swing and Qt that a text is one. HTML may leave it out. */
const FRAME = /^(?:html|head|body|qt)$/;

/** The tags of one text, by name. */
interface Tags {
  /** Names that are surely markup: with an end, attributes, or an element without an end. */
  readonly markup: ReadonlySet<string>;
  /** How many tags of a name have no partner. */
  readonly lone: ReadonlyMap<string, number>;
  /** Names of end tags without a partner. */
  readonly closed: ReadonlySet<string>;
  /** The tag that makes the text a page: readers of pages end what is open, and skip lone ends. */
  readonly frame: string | undefined;
  /** Names of the end tags behind which nothing is shown. */
  readonly endings: ReadonlySet<string>;
}

export interface TagContext {
  readonly syntax: Syntax;
  /** Whether the text is one of a manual, in DocBook or AsciiDoc. */
  readonly isManual: boolean;
  /** The plural form that the text is, and whether it is for one number, which it may leave out. */
  readonly form?: string | undefined;
  readonly isForOneNumber?: boolean;
}

/**
 * Whether markup works as it does in the source: every tag is closed, and the tags that a program replaces by name
 * are there. Translators may reword words in angle brackets, such as `<file>`.
 */
export function reviewTags(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  context: TagContext,
): readonly Remark[] {
  const { syntax } = context;
  if (syntax === 'xliff') return reviewInline(source, target, context);
  const from = tagsOf(source, syntax);
  const to = tagsOf(target, syntax);
  const remarks = comparePages(from, to, syntax);
  const hasNoTags = from.markup.size === 0 && from.lone.size === 0 && from.frame === undefined;
  for (const [name, count] of to.lone) {
    if (OPEN_END.test(name) || count <= (from.lone.get(name) ?? 0)) continue;
    if (to.frame !== undefined && (to.closed.has(name) || from.endings.has(name))) continue;
    // Where the source has no markup, `<VAR>` says where the reader puts something.
    const isMarkup =
      isHtmlName(name) &&
      from.lone.size === 0 &&
      (from.markup.size > 0 || from.frame !== undefined || to.closed.has(name));
    if (from.markup.has(name) || isMarkup)
      remarks.push({ rule: 'tag-mismatch', detail: `${nameTag(name)} is not opened and closed in pairs` });
  }
  for (const name of from.markup) {
    if (to.markup.has(name) || to.lone.has(name)) continue;
    remarks.push({
      rule: isForLooks(name, context) ? 'markup-changed' : 'tag-mismatch',
      detail: `${nameTag(name)} is missing`,
    });
  }
  for (const name of to.markup) {
    if (from.markup.has(name) || from.lone.has(name) || name === LINK) continue;
    // `needs <address type='usb'>` for "needs an address of type usb" shows what to write.
    if (hasNoTags && to.lone.has(name) && !to.closed.has(name) && !isComponent(name, syntax)) continue;
    const detail = `<${name}> is not in the source`;
    remarks.push({ rule: mayAdd(name, context) ? 'markup-changed' : 'tag-mismatch', detail });
  }
  return remarks;
}

/** Annotations: what they are around is the same without them. */
const ANNOTATION = /^<(?:[\w-]+:)?(?:mrk|sm|em)\b/;

/** Programs put in for the elements of XLIFF what the text is about, by their ids. */
function reviewInline(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  { form = '', isForOneNumber }: TagContext,
): readonly Remark[] {
  const namesIn = (nodes: readonly MessageNode[]): ReadonlySet<string> =>
    new Set(
      nodes.flatMap((node) => {
        const name = node.type === 'close' ? undefined : nameWithId(node);
        return name === undefined || ANNOTATION.test(name) ? [] : [name];
      }),
    );
  const [from, to] = [namesIn(source), namesIn(target)];
  const rule = 'placeholder-mismatch';
  // One of them may be the number.
  const ruleOfMissing = /^(?:zero|one|two)$/.test(form) ? 'number-left-out' : rule;
  const missing = isForOneNumber === true ? [] : [...from].filter((name) => !to.has(name));
  return [
    ...missing.map((name): Remark => ({ rule: ruleOfMissing, detail: `${name} is missing` })),
    ...[...to].flatMap((name) =>
      from.has(name) ? [] : ({ rule, detail: `${name} is not in the source` } as const),
    ),
  ];
}

/** Without `<html>` readers see the other tags of a page, other than where Qt finds out what is one. */
function comparePages(from: Tags, to: Tags, syntax: Syntax): Remark[] {
  const frame = from.frame ?? to.frame;
  if (frame === undefined || (from.frame !== undefined && to.frame !== undefined)) return [];
  const hasTags = to.markup.size > 0 || to.lone.size > 0;
  const isShown = to.frame === undefined && hasTags && frame === 'html' && !isOfQt(syntax);
  const detail = `<${frame}> ${to.frame === undefined ? 'is missing' : 'is not in the source'}`;
  return [{ rule: isShown ? 'tag-mismatch' : 'markup-changed', detail }];
}

function endingsOf(nodes: readonly MessageNode[]): ReadonlySet<string> {
  const last = nodes.findLastIndex((node) => node.type !== 'close' && !isBlank(node));
  return new Set(nodes.slice(last + 1).flatMap((node) => tagName(node) ?? []));
}

function isBlank(node: MessageNode): boolean {
  return node.type === 'text' && node.text.trim() === '';
}

function nameTag(name: string): string {
  return name === LINK ? 'the link […](…)' : `<${name}>`;
}

function isForLooks(name: string, { syntax, isManual }: TagContext): boolean {
  if (LOOKS.test(name)) return true;
  return isManual ? !LEADS.test(name) && name !== LINK : isOfQt(syntax) && LOOKS_IN_KDE.test(name);
}

/** Whether a program may have to replace the tag by its name. */
function isComponent(name: string, syntax: Syntax): boolean {
  return isHtmlName(name) || syntax === 'icu' || syntax === 'i18next' || syntax === 'vue';
}

/** ICU libraries want something for every tag of a message; elsewhere it is HTML, or a component by its name. */
function mayAdd(name: string, context: TagContext): boolean {
  const { syntax } = context;
  if (isForLooks(name, context)) return syntax !== 'icu';
  return syntax !== 'icu' && isHtmlName(name) && !ACTIVE.test(name);
}

function tagsOf(nodes: readonly MessageNode[], syntax: Syntax): Tags {
  const markup = new Set<string>();
  const lone = new Map<string, number>();
  const closed = new Set<string>();
  // `<b>` and `</B>` are one element of HTML.
  const pairs = pairTags(syntax === 'icu' ? nodes : nodes.map(withSmallName));
  const first = nodes.find((node) => !isBlank(node));
  const frame = /^(?:html|qt)$/.exec((first && tagName(first)) ?? '')?.[0];
  nodes.forEach((node, at) => {
    const name = tagName(node);
    if (name === undefined || node.type === 'text' || node.type === 'complex' || FRAME.test(name)) return;
    const before = nodes[at - 1];
    if (before?.type === 'text' && POD.test(before.raw) && !isHtmlName(name)) return;
    const isWord = node.type === 'code' && !isElement(node.raw);
    if (pairs.has(at) || HAS_ATTRIBUTE.test(node.raw) || (node.type === 'code' && !isWord)) markup.add(name);
    if (node.type === 'code' ? !isWord : pairs.has(at)) return;
    if (node.type === 'close') closed.add(name);
    lone.set(name, (lone.get(name) ?? 0) + 1);
  });
  return { markup, lone, closed, frame, endings: endingsOf(nodes) };
}

function withSmallName(node: MessageNode): MessageNode {
  const isTag = node.type === 'open' || node.type === 'close';
  return isTag && isHtmlName(node.name) ? { ...node, name: node.name.toLowerCase() } : node;
}

/** In manuals of Perl `B<bold>` and `I<file/name>` are no tags. */
const POD = /(?<![A-Za-z])[BCEFILSXZ]$/;

const HAS_ATTRIBUTE = /\s[\w:@.-]+=/;

/** `<link>` and `<source>` by themselves are words, although HTML has elements without an end of these names. */
function isElement(raw: string): boolean {
  return raw.endsWith('/>') || HAS_ATTRIBUTE.test(raw) || /^<(?:br|hr|img|wbr)\b/i.test(raw);
}

/** The name of a tag in small letters; undefined for what is none. */
export function tagName(node: MessageNode): string | undefined {
  if (node.type === 'open' || node.type === 'close') return node.name.toLowerCase();
  if (node.type !== 'code' || node.kind !== 'tag') return undefined;
  return /^<([A-Za-z\d][\w:.-]*)/.exec(node.raw)?.[1]?.toLowerCase();
}

import { isExampleAddress, LINK } from '../markdown.ts';
import { isHtmlName, nameWithId } from '../nesting.ts';
import type { MessageNode } from '../node.ts';
import { pairTags } from '../tag.ts';
import type { Syntax } from '../syntax.ts';
import type { Remark } from './remark.ts';
import { isOfQt } from './wording.ts';

/** HTML and KDE elements that only format text: a language may place them elsewhere or omit them. */
const LOOKS =
  /^(?:abbr|b|bdi|bdo|big|blockquote|br|center|cite|code|dd|del|dfn|div|dl|dt|em|emphasis|font|h[1-6]|hr|i|ins|kbd|li|mark|nl|nobr|ol|p|para|pre|q|s|samp|small|span|strike|strong|sub|sup|tt|u|ul|var|wbr|xliff:g)$/i;

/** Further elements of KDE, which classify words and thereby format them. */
const LOOKS_IN_KDE =
  /^(?:application|bcode|command|email|envar|filename|icode|interface|item|list|message|note|placeholder|resource|shortcut|subtitle|title|warning)$/;

/** In a manual, tags are not replaced by name, and tags without a destination only classify words. */
const LEADS = /^(?:a|link|ulink|xref)$/;

/** Elements that a translator must not add. */
const ACTIVE =
  /^(?:applet|audio|base|button|canvas|embed|form|frame|iframe|img|input|link|math|meta|object|option|picture|script|select|source|style|svg|textarea|track|video)$/i;

/** Attributes with programs: `onerror="…"`. */
const HANDLER = /[\s"'/]on[a-z]{3,}\s*=/i;

/** Elements that HTML allows to be unclosed. */
const OPEN_END = /^(?:dd|dt|li|option|p|td|th|tr)$/i;

/** Elements around a whole document, by which Swing and Qt recognize HTML. HTML allows omitting them. */
const FRAME = /^(?:html|head|body|qt)$/;

/** The tags of a text, by name. */
interface Tags {
  /** Names that are certainly markup: with an end tag, attributes, or a void element. */
  readonly markup: ReadonlySet<string>;
  /** The tags with attributes, as written, by name. */
  readonly attributed: ReadonlyMap<string, string>;
  /** The number of tags without a partner, by name. */
  readonly lone: ReadonlyMap<string, number>;
  /** Names of end tags without a partner. */
  readonly closed: ReadonlySet<string>;
  /** The tag that makes the text an HTML document: readers then close open tags and skip stray ends. */
  readonly frame: string | undefined;
  /** Names of end tags with no displayed text after them. */
  readonly endings: ReadonlySet<string>;
}

export interface TagContext {
  readonly syntax: Syntax;
  /** Whether the text belongs to a manual in DocBook or AsciiDoc. */
  readonly isManual: boolean;
  /** The text's plural form, and whether it is for one number, which it may omit. */
  readonly form?: string | undefined;
  readonly isForOneNumber?: boolean;
  /** See `LintRules`. */
  readonly unwrapsElements?: boolean | undefined;
}

/**
 * Checks that markup works as in the source: every tag is closed, and tags that a program replaces by name are present.
 * Translators may reword placeholders such as `<file>`.
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
    // If the source has no markup, `<VAR>` is a placeholder for the reader.
    const isMarkup =
      isHtmlName(name) &&
      from.lone.size === 0 &&
      (from.markup.size > 0 || from.frame !== undefined || to.closed.has(name));
    if (from.markup.has(name) || isMarkup)
      remarks.push({
        rule: 'tag-mismatch',
        detail: `${nameTag(name)} has a start or end tag without a partner`,
      });
  }
  for (const name of from.markup) {
    if (to.markup.has(name) || to.lone.has(name)) continue;
    if (name === LINK && source.every(showsNotation)) continue;
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
    const isUnwrapped = context.unwrapsElements === true && !ACTIVE.test(name) && !to.attributed.has(name);
    const rule = mayAdd(name, context) ? 'markup-changed' : 'tag-mismatch';
    remarks.push({ rule, detail, ...(isUnwrapped && { isDoubtful: true }) });
  }
  for (const [name, raw] of to.attributed)
    if (HANDLER.test(raw) && !HANDLER.test(from.attributed.get(name) ?? ''))
      remarks.push({ rule: 'tag-mismatch', detail: `the event handler of <${name}> is not in the source` });
  return remarks;
}

/** Annotations, which can be removed without changing the content. */
const ANNOTATION = /^<(?:[\w-]+:)?(?:mrk|sm|em)\b/;

/** Programs replace XLIFF elements, which they identify by id. */
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
  // One of the missing codes may be the number.
  const ruleOfMissing = /^(?:zero|one|two)$/.test(form) ? 'number-left-out' : rule;
  const missing = isForOneNumber === true ? [] : [...from].filter((name) => !to.has(name));
  return [
    ...missing.map((name): Remark => ({ rule: ruleOfMissing, detail: `${name} is missing` })),
    ...[...to].flatMap((name) =>
      from.has(name) ? [] : ({ rule, detail: `${name} is not in the source` } as const),
    ),
  ];
}

/** Without `<html>`, the other tags of a document are displayed as text, except where Qt detects HTML itself. */
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

/** Whether a node ends an example of a link, `[name](https://url)`, or does not end a link. */
function showsNotation(node: MessageNode): boolean {
  return node.type !== 'close' || node.name !== LINK || isExampleAddress(node.raw);
}

function isForLooks(name: string, { syntax, isManual }: TagContext): boolean {
  if (LOOKS.test(name)) return true;
  return isManual ? !LEADS.test(name) && name !== LINK : isOfQt(syntax) && LOOKS_IN_KDE.test(name);
}

/** Whether a tag of this name may have a meaning to a program, as HTML or as a component. */
function isComponent(name: string, syntax: Syntax): boolean {
  return isHtmlName(name) || syntax === 'icu' || syntax === 'i18next' || syntax === 'vue';
}

/** ICU libraries need a replacement for every tag of a message; elsewhere a tag is HTML or a named component. */
function mayAdd(name: string, context: TagContext): boolean {
  const { syntax } = context;
  if (isForLooks(name, context)) return syntax !== 'icu';
  return syntax !== 'icu' && isHtmlName(name) && !ACTIVE.test(name);
}

function tagsOf(nodes: readonly MessageNode[], syntax: Syntax): Tags {
  const markup = new Set<string>();
  const attributed = new Map<string, string>();
  const lone = new Map<string, number>();
  const closed = new Set<string>();
  // `<b>` and `</B>` are one element in HTML.
  const pairs = pairTags(syntax === 'icu' ? nodes : nodes.map(withSmallName));
  const first = nodes.find((node) => !isBlank(node));
  const frame = /^(?:html|qt)$/.exec((first && tagName(first)) ?? '')?.[0];
  nodes.forEach((node, at) => {
    const name = tagName(node);
    if (name === undefined || node.type === 'text' || node.type === 'complex' || FRAME.test(name)) return;
    const before = nodes[at - 1];
    if (before?.type === 'text' && POD.test(before.raw) && !isHtmlName(name)) return;
    const isWord = node.type === 'code' && !isElement(node.raw);
    const hasAttribute = HAS_ATTRIBUTE.test(node.raw);
    if (hasAttribute) attributed.set(name, (attributed.get(name) ?? '') + node.raw);
    if (pairs.has(at) || hasAttribute || (node.type === 'code' && !isWord)) markup.add(name);
    if (node.type === 'code' ? !isWord : pairs.has(at)) return;
    if (node.type === 'close') closed.add(name);
    lone.set(name, (lone.get(name) ?? 0) + 1);
  });
  return { markup, attributed, lone, closed, frame, endings: endingsOf(nodes) };
}

function withSmallName(node: MessageNode): MessageNode {
  const isTag = node.type === 'open' || node.type === 'close';
  return isTag && isHtmlName(node.name) ? { ...node, name: node.name.toLowerCase() } : node;
}

/** In Perl manuals, `B<bold>` and `I<file/name>` are not tags. */
const POD = /(?<![A-Za-z])[BCEFILSXZ]$/;

const HAS_ATTRIBUTE = /\s[\w:@.-]+=/;

/** A lone `<link>` or `<source>` is a word, although HTML has void elements with these names. */
function isElement(raw: string): boolean {
  return raw.endsWith('/>') || HAS_ATTRIBUTE.test(raw) || /^<(?:br|hr|img|wbr)\b/i.test(raw);
}

/** The lower-case name of a tag; undefined for other nodes. */
export function tagName(node: MessageNode): string | undefined {
  if (node.type === 'open' || node.type === 'close') return node.name.toLowerCase();
  if (node.type !== 'code' || node.kind !== 'tag') return undefined;
  return /^<([A-Za-z\d][\w:.-]*)/.exec(node.raw)?.[1]?.toLowerCase();
}

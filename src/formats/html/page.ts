import type { DefaultTreeAdapterMap } from 'parse5';
import type { Element, Parent } from './lean-tree.ts';
import { findAttributes } from './attributes.ts';
import { BlockFinder } from './block-finder.ts';
import { startOf, type TextBlock } from './block.ts';
import { readHtml, type HtmlEvent } from './events.ts';
import { MarkupDigest, TextDigest, type PageFrame } from './frame.ts';
import { writeOutline } from './outline.ts';
import { decodeText, hasLetters, isBlank } from './references.ts';
import { maskTemplates } from './templates.ts';

/** A parsed page with the places of its texts. Nothing to close. */
export interface Page {
  readonly html: string;
  /** All translatable texts, in page order; their places are disjoint. */
  readonly blocks: readonly TextBlock[];
  /** The number of text nodes that are not blank and not in scripts or styles. */
  readonly textNodes: number;
  /** The language that the page declares, as spelled there. */
  readonly language: string | undefined;
  readonly frame: PageFrame;
}

interface PageOptions {
  /** Includes the values of attributes that people read. */
  readonly attributes?: boolean | undefined;
}

/**
 * Reads a page.
 *
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements.
 */
export function readPage(html: string, { attributes }: PageOptions = {}): Page {
  const masked = maskTemplates(html);
  const finder = new BlockFinder(html, masked);
  const markup = new MarkupDigest(html);
  const worded: TextBlock[] = [];
  let textNodes = 0;
  const document = readHtml(masked.text, { source: html, attributes }, (event) => {
    if (isTextNode(html, event)) textNodes++;
    const values = attributes ? findAttributes(html, event, masked.templates) : [];
    for (const value of values) if (hasWords(html, value)) worded.push(value);
    skipTexts(markup, event, values);
    finder.take(event);
  });
  const sentences = finder.end();
  const blocks =
    worded.length === 0 ? sentences : [...sentences, ...worded].sort((a, b) => startOf(a) - startOf(b));
  const frame = { markup: markup.end(), outline: digestOutline(document) };
  return { html, blocks, textNodes, language: languageOfDocument(document), frame };
}

/**
 * Computes the frame that {@link readPage} would return, without the texts: enough to verify a translation, in less
 * time and memory.
 *
 * @throws DragomanError `limit_exceeded` like {@link readPage}
 */
export function readFrame(html: string, { attributes }: PageOptions = {}): PageFrame {
  const masked = maskTemplates(html);
  const markup = new MarkupDigest(html);
  const document = readHtml(masked.text, { source: html, attributes }, (event) => {
    skipTexts(markup, event, attributes ? findAttributes(html, event, masked.templates) : []);
  });
  return { markup: markup.end(), outline: digestOutline(document) };
}

/** A service may change the language and direction that a page declares. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(['lang', 'xml:lang', 'dir']);

/**
 * Digests a page without its texts: tags with their attributes, comments, scripts and styles. Ignores differences in
 * spelling, such as the kind of quotes.
 *
 * @throws DragomanError `limit_exceeded` like {@link readPage}
 */
export function digestMarkup(html: string): string {
  const digest = new TextDigest();
  readHtml(maskTemplates(html).text, { source: html }, ({ type, start, end, name, tag, rules }) => {
    if (type === 'comment') digest.write(JSON.stringify(html.slice(start, end)));
    if (type === 'text' && !rules.translated)
      digest.write(JSON.stringify(decodeText(html.slice(start, end)).trim()));
    if (type !== 'open' && type !== 'alone') return;
    const attributes = (tag?.attributes ?? []).filter((one) => !OF_LANGUAGE.has(one.name));
    digest.write(JSON.stringify([name, attributes.map((one) => [one.name, one.value])]));
  });
  return digest.end();
}

/**
 * Counts the text nodes of a page that are not blank and not in scripts or styles.
 *
 * @throws DragomanError `limit_exceeded` like {@link readPage}
 */
export function countTextNodes(html: string): number {
  let count = 0;
  readHtml(maskTemplates(html).text, { source: html }, (event) => {
    if (isTextNode(html, event)) count++;
  });
  return count;
}

const NO_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'iframe', 'noembed', 'noframes']);

function isTextNode(html: string, { type, start, end, host }: HtmlEvent): boolean {
  return type === 'text' && !NO_TEXT.has(host.toLowerCase()) && !isBlank(html.slice(start, end));
}

function hasWords(html: string, { gaps }: TextBlock): boolean {
  return gaps.some(({ start, end }) => hasLetters(html.slice(start, end)));
}

/** Excludes the changeable parts from the digest: texts for people and values of attributes. */
function skipTexts(markup: MarkupDigest, event: HtmlEvent, values: readonly TextBlock[]): void {
  if (event.type === 'text' && event.rules.translated) markup.skip(event);
  for (const { gaps } of values) for (const gap of gaps) markup.skip(gap);
}

function digestOutline(document: Parameters<typeof writeOutline>[0]): string {
  const digest = new TextDigest();
  writeOutline(document, (part) => {
    digest.write(part);
    digest.write(' ');
  });
  return digest.end();
}

/**
 * The language that a page declares, as spelled there: `lang` of its `<html>`; otherwise `xml:lang` (XHTML), or
 * `Content-Language` in its head. Undefined if it declares none; an empty `lang` means that the language is unknown.
 */
function languageOfDocument(document: DefaultTreeAdapterMap['document']): string | undefined {
  const root = childOf(document, 'html');
  if (!root) return undefined;
  return valueOf(root, 'lang') ?? valueOf(root, 'xml:lang') ?? pragmaOf(childOf(root, 'head'));
}

/** HTML: a value with a comma is ignored; otherwise the first word is the language. */
function pragmaOf(head: Element | undefined): string | undefined {
  const pragma = elementsOf(head, 'meta').find(
    (meta) => valueOf(meta, 'http-equiv')?.toLowerCase() === 'content-language',
  );
  const content = pragma && valueOf(pragma, 'content');
  return content === undefined || content.includes(',') ? undefined : content.split(/\s+/, 1)[0];
}

function childOf(parent: Parent, name: string): Element | undefined {
  return elementsOf(parent, name)[0];
}

function elementsOf(parent: Parent | undefined, name: string): readonly Element[] {
  return (parent?.childNodes ?? []).filter((node): node is Element => node.nodeName === name);
}

function valueOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value.trim();
}

import { findAttributes } from './attributes.ts';
import type { Block } from './block.ts';
import { findBlocks } from './blocks.ts';
import { readHtml, type HtmlEvent } from './events.ts';
import { languageOfDocument } from './language.ts';
import { outlineOf } from './outline.ts';
import { decodeText } from './references.ts';
import { maskTemplates } from './templates.ts';

/** A page that was read: where its words are. Holds nothing to close. */
export interface Page {
  readonly html: string;
  /** Everything that is translated, in the order of the page; the places are disjoint. */
  readonly blocks: readonly Block[];
  /** Texts between tags that are not only white space and not in scripts or styles. */
  readonly textNodes: number;
  /** The language that the page itself declares, as spelled there. */
  readonly language: string | undefined;
  /** What a translation must not change: the page without its texts, and the tree of its elements. */
  frame(): Frame;
}

export interface Frame {
  readonly markup: string;
  readonly outline: string;
}

/**
 * Reads a page.
 *
 * @param options.attributes also finds the values of attributes that people read
 * @throws DragomanError `limit_exceeded` for a page that is too long, too deep or has too many elements.
 */
export function readPage(html: string, options: { readonly attributes?: boolean | undefined } = {}): Page {
  const masked = maskTemplates(html);
  const { events, document } = readHtml(masked.text, html);
  const attributes = options.attributes ? findAttributes(html, events, masked.templates) : [];
  const worded = attributes.filter(({ gaps }) =>
    gaps.some(({ start, end }) => /\p{L}/u.test(decodeText(html.slice(start, end)))),
  );
  const blocks = [...findBlocks(html, events, masked), ...worded];
  return {
    html,
    blocks: blocks.sort((a, b) => startOf(a) - startOf(b)),
    textNodes: countTexts(html, events),
    language: languageOfDocument(document),
    frame: () => ({ markup: emptied(html, events, attributes), outline: outlineOf(document) }),
  };
}

/**
 * How many text nodes a page has: texts between tags that are not only white space and not in scripts or styles.
 *
 * @throws DragomanError `limit_exceeded` as {@link readPage}.
 */
export function countTextNodes(html: string): number {
  return countTexts(html, readHtml(maskTemplates(html).text, html).events);
}

export function startOf(block: Block): number {
  return block.gaps[0]?.start ?? 0;
}

const NO_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'iframe', 'noembed', 'noframes']);

function countTexts(html: string, events: readonly HtmlEvent[]): number {
  return events.filter(
    ({ type, start, end, host }) =>
      type === 'text' && !NO_TEXT.has(host.toLowerCase()) && decodeText(html.slice(start, end)).trim() !== '',
  ).length;
}

/** The page without the texts that may change, each replaced by nothing. */
function emptied(html: string, events: readonly HtmlEvent[], attributes: readonly Block[]): string {
  const texts = events.filter(({ type, rules }) => type === 'text' && rules.translated);
  const spans = [...texts, ...attributes.flatMap(({ gaps }) => gaps)].sort((a, b) => a.start - b.start);
  let at = 0;
  const parts = spans.map(({ start, end }) => {
    const part = html.slice(at, start);
    at = end;
    return part;
  });
  return parts.join('') + html.slice(at);
}

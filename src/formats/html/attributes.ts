import { startOf, type TextBlock } from './block.ts';
import type { HtmlEvent } from './events.ts';
import { findTemplates } from './templates.ts';
import type { Span } from '../../base/span.ts';

const FOR_PEOPLE: readonly string[] = ['alt', 'title', 'placeholder', 'aria-label'];

/**
 * The values of a tag's attributes that people read or hear, in order, with or without words: `alt`, `title`,
 * `placeholder`, `aria-label`, a page's description.
 */
export function findAttributes(
  html: string,
  { name, tag }: HtmlEvent,
  masked: readonly Span[],
): readonly TextBlock[] {
  if (!tag?.translated) return [];
  const blocks: TextBlock[] = [];
  const wanted = name === 'meta' && isDescription(tag.attributes) ? [...FOR_PEOPLE, 'content'] : FOR_PEOPLE;
  for (const attribute of wanted) {
    const location = tag.locations[attribute];
    const block = location && blockOf(html, { start: location.startOffset, end: location.endOffset }, masked);
    if (block) blocks.push(block);
  }
  return blocks.sort((a, b) => startOf(a) - startOf(b));
}

function isDescription(attributes: readonly { readonly name: string; readonly value: string }[]): boolean {
  return attributes.some(({ name, value }) => name === 'name' && /^\s*description\s*$/i.test(value));
}

/** `name = "value"`, with any spacing. */
const VALUE = /^[^=]+=[\t\n\f\r ]*(["']?)/;

function blockOf(html: string, attribute: Span, masked: readonly Span[]): TextBlock | undefined {
  const raw = html.slice(attribute.start, attribute.end);
  const head = VALUE.exec(raw);
  if (!head) return undefined;
  const quote = head[1] ?? '';
  const span = { start: attribute.start + head[0].length, end: attribute.end - quote.length };
  const place = quote === '"' ? 'double-quoted' : quote === "'" ? 'single-quoted' : 'unquoted';
  return { gaps: [{ ...span, templates: findTemplates(html, span, masked) }], markup: [], place };
}

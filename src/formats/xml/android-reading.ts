import { decodeAndroid, encodeAndroid, escapeUnit } from './android-escapes.ts';
import { decodeAndroidMarkup, encodeAndroidMarkup } from './android-markup.ts';
import { encodeCdata, encodeText, replaceUnencodable, type Encodable } from './character-data.ts';
import { characterDataOf, contentOf, trimSpan } from './content.ts';
import { parseFragment } from './fragment.ts';
import type { Syntax } from '../../text/syntax.ts';
import { isMarkup, openEmptyTag, type Reading, requireMarkup, styleOf } from './reading.ts';
import type { XmlElement, XmlTree } from './tree.ts';

/** `@string/name`, `@null`, `?attr/name`, `?name`: the whole value is another resource. */
const RESOURCE =
  /^\s*(?:@(?:null|empty|[+*]?(?:[\w.]+:)?\w+\/[\w.$-]+)|\?(?:[\w.]+:)?(?:\w+\/)?[A-Za-z_][\w.]*)\s*$/;

/** Undefined when the value is nothing but a reference to another resource. */
export function readAndroid(
  tree: XmlTree,
  element: XmlElement,
  encodable: Encodable | undefined,
): Reading | undefined {
  const content = contentOf(tree, element);
  const span = trimSpan(tree.text, content.span);
  const raw = tree.text.slice(span.start, span.end);
  // With nothing between it, the white space around the value would become the value's own place.
  const empty = span.start > content.span.start || span.end < content.span.end ? '""' : '';
  const markup = content.kind === 'markup';
  const text = markup ? '' : characterDataOf(tree, element, content.span);
  if (RESOURCE.test(text)) return undefined;
  const { value, quoted } = markup ? decodeAndroidMarkup(tree, element, span) : decodeAndroid(text);
  const encode = (source: string, syntax?: Syntax): string => {
    if (isMarkup(syntax, markup)) {
      const fragment = parseFragment(source, tree, raw);
      requireMarkup(source, fragment);
      return encodeAndroidMarkup(fragment, markup && quoted, tree.lineEnd, encodable) || empty;
    }
    const style = styleOf(tree, raw, encodable);
    const escaped = encodeAndroid(source, quoted && !markup);
    if (content.kind !== 'cdata') return encodeText(escaped, style) || empty;
    return encodeCdata(replaceUnencodable(escaped, encodable, escapeUnit), style);
  };
  return openEmptyTag(tree, element, { value, span, markup, encode });
}

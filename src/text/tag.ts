import type { Node } from './node.ts';

/** Elements of HTML that never have an end tag. */
export const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** `<name`, `</name`, and the numbered tags of component libraries: `<0>`, `</0>`. Not `<https://a.b/>`. */
const HEAD = /<(\/?)([A-Za-z][\w:.-]*(?<!:)|\d{1,3})(?=[\s/>])/y;

const COMMENT = /<!--|<!\[CDATA\[|<\?/y;
const COMMENT_END: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };

/** The slash of `<a href=https://a.b/>` is the address's: an HTML reader takes all of an attribute without quotes. */
const UNQUOTED_END = /=[^\s"'=<>`{}]+\/>$/;

interface ReadTag {
  readonly node: Node;
  readonly end: number;
}

/** Attributes longer than this are taken for words: the bound keeps scanning linear. */
const MAX_QUOTED = 1024;

/**
 * The inline tag or comment that begins at `start`, where the text has a `<`; undefined when none does.
 *
 * @param unclosed remembers kinds of comments that never close, so that a text full of openings is searched once
 */
export function readTag(text: string, start: number, unclosed: Set<string>): ReadTag | undefined {
  COMMENT.lastIndex = start;
  const comment = COMMENT.exec(text);
  if (comment) return readComment(text, start, comment[0], unclosed);
  HEAD.lastIndex = start;
  const head = HEAD.exec(text);
  if (!head) return undefined;
  const end = endOfTag(text, HEAD.lastIndex);
  if (end === undefined) return undefined;
  const raw = text.slice(start, end);
  const name = head[2] ?? '';
  if (head[1] === '/') return { node: { type: 'close', raw, name }, end };
  if ((raw.endsWith('/>') && !UNQUOTED_END.test(raw)) || VOID.test(name))
    return { node: { type: 'code', raw, kind: 'tag' }, end };
  return { node: { type: 'open', raw, name }, end };
}

function readComment(
  text: string,
  start: number,
  opening: string,
  unclosed: Set<string>,
): ReadTag | undefined {
  if (unclosed.has(opening)) return undefined;
  const closing = COMMENT_END[opening] ?? '>';
  const found = text.indexOf(closing, start + opening.length);
  if (found < 0) {
    unclosed.add(opening);
    return undefined;
  }
  const end = found + closing.length;
  return { node: { type: 'code', raw: text.slice(start, end), kind: 'tag' }, end };
}

/** A `>` in quotes or braces ends no tag: `{name:>10}` is a placeholder, `onClick={() => 1}` an attribute. */
function endOfTag(text: string, from: number): number | undefined {
  let quote = '';
  let quoted = 0;
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i] ?? '';
    if (quote !== '') {
      if (c === quote) quote = '';
      else if (++quoted > MAX_QUOTED) return undefined;
    } else if (c === '{') depth++;
    else if (c === '}') depth--;
    else if (c === '>' && depth <= 0) return i + 1;
    else if (c === '<' || i - from > 2 * MAX_QUOTED) return undefined;
    else if (c === '"' || c === "'") quote = c;
  }
  return undefined;
}

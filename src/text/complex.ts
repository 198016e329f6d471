import type { Branch, MessageNode } from './node.ts';
import { isPluralCategory } from './plural.ts';
import { isXmlSource, type Syntax } from './syntax.ts';

/** The beginning of an ICU argument with branches. */
const COMPLEX = /\{\s*[^\s{},'"]{1,200}\s*,\s*(?:plural|selectordinal|select)\s*,/y;

/**
 * The end of the argument with branches at `start`. Undefined for other text. An unclosed one ends with the text, so
 * that the parser reports the error.
 */
export function findComplex(text: string, start: number): number | undefined {
  COMPLEX.lastIndex = start;
  if (!COMPLEX.test(text)) return undefined;
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === '{') depth++;
    else if (c === '}') {
      if (--depth === 0) return i + 1;
    } else if (c === "'") i = endOfQuote(text, i);
  }
  return text.length;
}

/** The last offset of the quotation that an apostrophe opens; the apostrophe's own offset if it is literal. */
function endOfQuote(text: string, start: number): number {
  const next = text[start + 1];
  if (next === "'") return start + 1;
  if (next === undefined || !'{}<>'.includes(next)) return start;
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] !== "'") continue;
    if (text[i + 1] !== "'") return i;
    i++;
  }
  return text.length;
}

const TAGS = /<[^<>"']{1,1024}(?:(?:"[^"]{0,1024}"|'[^']{0,1024}')[^<>"']{0,1024}){0,64}>/g;

/**
 * The value as an ICU parser must see it, with the same offsets: a tag in XML source is not message syntax, even if its
 * attributes look like it (`equiv-text="{{ name }}"`).
 */
export function hideMarkup(value: string, syntax: Syntax): string {
  const hidden =
    isXmlSource(syntax) && value.includes('<')
      ? value.replace(TAGS, (tag) => tag.replace(/[{}'#]/g, '_'))
      : value;
  return quotesWords(syntax) ? hidden : hidden.replaceAll("'", '’');
}

/** Whether an apostrophe quotes in branches. Messages with XLIFF elements belong to Angular, where it is literal. */
export function quotesWords(syntax: Syntax): boolean {
  return syntax !== 'xliff' && syntax !== 'angular';
}

/** Whether an argument may lack `other`: Angular then displays nothing (`getCaseIndex` of its runtime). */
export function mayLackOther(syntax: Syntax): boolean {
  return !quotesWords(syntax);
}

/** A fast check for whether a value may have an argument with branches. */
export function mayHaveComplex(text: string): boolean {
  return /,\s*(?:plural|selectordinal|select)\s*,/.test(text);
}

/** Without `other`, an argument with branches has no text for some values. */
export function missingBranch(nodes: readonly MessageNode[], syntax: Syntax): string | undefined {
  if (mayLackOther(syntax)) return undefined;
  for (const node of nodes) {
    if (node.type !== 'complex') continue;
    if (!node.branches.some((branch) => branch.selector === 'other'))
      return `{${node.argument}, ${node.style}, …} has no "other" branch`;
    for (const branch of node.branches) {
      const problem = missingBranch(branch.body, syntax);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Whether a formatter has a text for every value and can use every branch. */
export function isFormattable(node: MessageNode, syntax: Syntax): boolean {
  if (node.type !== 'complex') return true;
  const known = ({ selector }: Branch): boolean =>
    node.style === 'select' || selector.startsWith('=') || isPluralCategory(selector);
  return (
    missingBranch([node], syntax) === undefined &&
    node.branches.every(
      (branch) => known(branch) && branch.body.every((inner) => isFormattable(inner, syntax)),
    )
  );
}

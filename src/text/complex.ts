import type { Branch, MessageNode } from './node.ts';
import { isPluralCategory } from './plural.ts';
import { isXmlSource, type Syntax } from './syntax.ts';

/** How an ICU argument with branches begins, wherever it stands. */
const COMPLEX = /\{\s*[^\s{},'"]{1,200}\s*,\s*(?:plural|selectordinal|select)\s*,/y;

/**
 * Where the argument with branches that begins at `start` ends. Undefined when none begins there. An unclosed one
 * ends with the text, so that the parser reports the error.
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

/** The last offset of the quotation that an apostrophe begins; the apostrophe's own where it is only a character. */
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
 * The value for a reader of ICU, with the same offsets: a tag of XML source is no syntax of a message, whatever its
 * attributes say (`equiv-text="{{ name }}"`).
 */
export function hideMarkup(value: string, syntax: Syntax): string {
  const hidden =
    isXmlSource(syntax) && value.includes('<')
      ? value.replace(TAGS, (tag) => tag.replace(/[{}'#]/g, '_'))
      : value;
  return quotesWords(syntax) ? hidden : hidden.replaceAll("'", '’');
}

/** Whether an apostrophe quotes in branches. Messages with elements of XLIFF are Angular's, where it is a character. */
export function quotesWords(syntax: Syntax): boolean {
  return syntax !== 'xliff' && syntax !== 'angular';
}

/** Whether an argument may have no branch `other`: Angular shows nothing then (`getCaseIndex` of its runtime). */
export function mayLackOther(syntax: Syntax): boolean {
  return !quotesWords(syntax);
}

/** Whether a value has an argument with branches, for a first look. */
export function mayHaveComplex(text: string): boolean {
  return /,\s*(?:plural|selectordinal|select)\s*,/.test(text);
}

/** Without a branch `other` an argument with branches has no text for some values. */
export function missingBranch(nodes: readonly MessageNode[], syntax: Syntax): string | undefined {
  if (mayLackOther(syntax)) return undefined;
  for (const node of nodes) {
    if (node.type !== 'complex') continue;
    if (!node.branches.some((branch) => branch.selector === 'other'))
      return `{${node.argument}, ${node.style}, …} has no branch other`;
    for (const branch of node.branches) {
      const problem = missingBranch(branch.body, syntax);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Whether a formatter has a text for every value, and a use for every branch. */
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

import { isArgument } from './adapt.ts';
import { directivesOf } from './directives.ts';
import { grammarOf } from './grammar.ts';
import { addressIn, LINK } from './markdown.ts';
import type { CodeNode, MessageNode, TagNode, TextNode } from './node.ts';
import { scanText } from './scan.ts';
import type { Syntax } from './syntax.ts';

interface Counted {
  count: number;
  /** The code as written, for messages to the user. */
  readonly raw: string;
}

/** The syntax in a run of nodes, by meaning instead of spelling. */
export interface Inventory {
  readonly codes: ReadonlyMap<string, Counted>;
  readonly links: readonly string[];
  /** Whether the nodes belong to a format string: they include conversions or `%%`. */
  readonly format: boolean;
  /** Format characters outside directives, which make the format string invalid in its language. */
  readonly loose: ReadonlySet<string>;
  readonly doublePercent: boolean;
  /** Whether only some conversions are numbered, which makes their arguments ambiguous. */
  readonly mixed: boolean;
}

/** The characters that begin a directive of the syntax, and may be invalid elsewhere. */
export function signsOf(syntax: Syntax): string {
  return directivesOf(syntax)?.signs ?? (syntax === 'java' ? '{}' : '%');
}

/** @param number the argument of the plural around the nodes, for which `#` and `{n}` are equivalent */
export function identify(
  nodes: readonly MessageNode[],
  syntax: Syntax,
  number: string | undefined,
): Inventory {
  const codes = new Map<string, Counted>();
  const add = (id: string, raw: string): void => {
    const known = codes.get(id);
    if (known) known.count++;
    else codes.set(id, { count: 1, raw });
  };
  const positions = new ArgumentPositions(syntax);
  const links: string[] = [];
  const signs = signsOf(syntax);
  let format = directivesOf(syntax) !== undefined;
  const loose = new Set<string>();
  let doublePercent = false;
  for (const node of nodes) {
    if (node.type === 'text') for (const sign of signs) if (showsLoose(node, sign, syntax)) loose.add(sign);
    for (const code of codesInTag(node, syntax))
      for (const id of identitiesOf(code, positions, number)) add(id, code.raw);
    if (isLinkEnd(node)) links.push(addressIn(node.raw));
    if (node.type !== 'code') continue;
    if (node.kind === 'link') links.push(node.raw);
    format ||= node.kind === 'printf' || node.raw === '%%' || (syntax === 'java' && node.kind === 'argument');
    doublePercent ||= node.raw === '%%';
    for (const id of identitiesOf(node, positions, number)) add(id, node.raw);
  }
  return { codes, links, format, loose, doublePercent, mixed: positions.mixed };
}

/** `](address)`: unlike in a tag, the translator must not change the address. */
function isLinkEnd(node: MessageNode): node is TagNode {
  return node.type === 'close' && node.name === LINK;
}

function showsLoose({ raw, text }: TextNode, sign: string, syntax: Syntax): boolean {
  // java.text reads a brace between apostrophes as literal.
  return (syntax === 'java' ? raw.replace(/'[^']*'/g, '') : text).includes(sign);
}

/**
 * Arguments in a tag's attributes: a link without its address is broken. In XLIFF, attributes only describe an element.
 */
function codesInTag(node: MessageNode, syntax: Syntax): readonly CodeNode[] {
  const isTag = node.type === 'open' || isLinkEnd(node) || (node.type === 'code' && node.kind === 'tag');
  if (!isTag || syntax === 'xliff' || !(syntax === 'laravel' ? /[{%$:]/ : /[{%$]/).test(node.raw)) return [];
  const nodes: MessageNode[] = [];
  scanText(node.raw.slice(1), grammarOf(syntax), nodes, { value: node.raw }, () => ({
    problem: 'an argument with branches',
  }));
  return nodes.filter(
    (inner): inner is CodeNode =>
      inner.type === 'code' && (inner.kind === 'argument' || inner.kind === 'printf'),
  );
}

function identitiesOf(
  node: CodeNode,
  positions: ArgumentPositions,
  number: string | undefined,
): readonly string[] {
  switch (node.kind) {
    case 'printf':
      return positions.ofPrintf(node.raw);
    case 'pound':
      return ['#'];
    case 'argument':
      if (number !== undefined && isArgument(node.raw, number)) return ['#'];
      return [positions.ofArgument(node.raw)];
    // Links are compared separately.
    case 'link':
      return [];
    case 'entity':
    case 'escape':
    case 'quoted':
      return [node.raw];
    // Tags are compared separately; literal characters are words.
    case 'tag':
    case 'literal':
    default:
      return [];
  }
}

const PRINTF = /^%(?:(\d+)([$:]))?[-+0# ',I]*(\*(?:\d+\$)?|\d+)?(?:\.(\*(?:\d+\$)?|\d+)?)?([A-Za-z@#]*.*)$/s;

/** Numbers placeholders that take the next argument, so that `%s %d` equals `%1$s %2$d`. */
class ArgumentPositions {
  readonly #syntax: Syntax;
  #next = 1;
  #numbered = false;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  get mixed(): boolean {
    return this.#numbered && this.#next > 1;
  }

  ofPrintf(raw: string): readonly string[] {
    // Lisp's structural directives, such as `~{` and `~^`, take arguments in order.
    if (raw.startsWith('~')) return [`~${this.#next++} ${raw.toLowerCase()}`];
    const match = PRINTF.exec(raw);
    if (!match) return [raw];
    const [, number, mark, width, precision, conversion = ''] = match;
    // Pascal counts from 0.
    let position = number === undefined ? undefined : Number(number) + (mark === ':' ? 1 : 0);
    if (conversion === 'n' && this.#syntax === 'android') return [raw];
    const ids: string[] = [];
    for (const star of [width, precision]) {
      if (star?.startsWith('*') !== true) continue;
      const own = star.slice(1, -1);
      // Tcl continues counting from this number, which belongs to the width.
      const isCounted = own === '' && position !== undefined && this.#syntax === 'tcl';
      ids.push(`%${own || (isCounted ? position : this.#next++)}$*`);
      if (isCounted && position !== undefined) position++;
    }
    // `Z` is an older spelling of a size, and printf reads `%lf` as `%f`.
    const same = conversion
      .replace(/i$/, 'd')
      .replace(/^Z/, 'z')
      .replace(/^l(?=[aefgAEFG]$)/, '');
    this.#numbered ||= position !== undefined;
    if (position !== undefined) ids.push(`%${position}$${same}${this.#isNumbering() ? '' : ' numbered'}`);
    else ids.push(`%${this.#next++}$${same}`);
    return ids;
  }

  ofArgument(raw: string): string {
    const body = raw.replace(/\s+/g, '');
    if (this.#syntax === 'sh') return body.replace(/[{}]/g, '');
    if (/^\{[:!}]/.test(body)) {
      const numbered = `{${this.#next++ - 1}${body.slice(1)}`;
      return this.#syntax === 'python-brace' ? numbered : `${numbered} in order`;
    }
    if (this.#syntax === 'python-brace' && /^\{\d/.test(body)) this.#numbered = true;
    // In Python, `r` and `s` both display any object.
    if (body.startsWith('%('))
      return body.replace(/\)[^)]*?([A-Za-z])$/, (_, c: string) => `)${c === 'r' ? 's' : c}`);
    // A translation may change the style of a number or date, but not the argument and its type.
    const [name, type] = body.slice(1, -1).split(',', 2);
    if (body.startsWith('{') && !body.startsWith('{{') && type !== undefined) return `{${name},${type}}`;
    return body;
  }

  /** Whether the program certainly accepts `%1$s` for the source's `%s`. */
  #isNumbering(): boolean {
    const { numbers } = directivesOf(this.#syntax) ?? {};
    return numbers !== undefined || this.#syntax === 'apple' || this.#syntax === 'android';
  }
}

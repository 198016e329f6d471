import { isArgument } from './adapt.ts';
import { directivesOf } from './directives.ts';
import { grammarOf } from './grammar.ts';
import { addressIn, LINK } from './markdown.ts';
import type { CodeNode, MessageNode, TagNode, TextNode } from './node.ts';
import { scanText } from './scan.ts';
import type { Syntax } from './syntax.ts';

interface Counted {
  count: number;
  /** As written, for messages to the user. */
  readonly raw: string;
}

/** The syntax in a run of nodes, by meaning rather than by spelling. */
export interface Inventory {
  readonly codes: ReadonlyMap<string, Counted>;
  readonly links: readonly string[];
  /** It is a format string: it has conversions or `%%`. */
  readonly format: boolean;
  /** Signs of directives that belong to none: their language refuses such a format string. */
  readonly loose: ReadonlySet<string>;
  readonly doublePercent: boolean;
  /** Some conversions have numbers and some do not, so that their arguments are ambiguous. */
  readonly mixed: boolean;
}

/** The characters that begin a directive of the syntax, and may be refused where they begin none. */
export function signsOf(syntax: Syntax): string {
  return directivesOf(syntax)?.signs ?? (syntax === 'java' ? '{}' : '%');
}

/** @param number the argument of the plural around the nodes: `#` and `{n}` are the same there */
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

/** `](address)`: other than a tag's its address is no matter of the translator. */
function isLinkEnd(node: MessageNode): node is TagNode {
  return node.type === 'close' && node.name === LINK;
}

function showsLoose({ raw, text }: TextNode, sign: string, syntax: Syntax): boolean {
  // java.text reads a brace between apostrophes as a character.
  return (syntax === 'java' ? raw.replace(/'[^']*'/g, '') : text).includes(sign);
}

/**
 * Arguments in the attributes of a tag: a link that lost its address is broken, however it is worded. In XLIFF they only
 * show what an element stands for.
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
    // Links are compared by their own rule.
    case 'link':
      return [];
    case 'entity':
    case 'escape':
    case 'quoted':
      return [node.raw];
    // Tags are compared as tags; a literal character is words.
    case 'tag':
    case 'literal':
    default:
      return [];
  }
}

const PRINTF = /^%(?:(\d+)([$:]))?[-+0# ',I]*(\*(?:\d+\$)?|\d+)?(?:\.(\*(?:\d+\$)?|\d+)?)?([A-Za-z@#]*.*)$/s;

/** Numbers placeholders that take the next argument, so that `%s %d` and `%1$s %2$d` are the same. */
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
    // Lisp's structure, such as `~{` and `~^`, is in the order of its arguments.
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
      // Tcl counts on from the number, which is that of the width.
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
    // Python: `r` and `s` both show anything.
    if (body.startsWith('%('))
      return body.replace(/\)[^)]*?([A-Za-z])$/, (_, c: string) => `)${c === 'r' ? 's' : c}`);
    // The style of a number or a date is the language's; which argument it is and what type it has is not.
    const [name, type] = body.slice(1, -1).split(',', 2);
    if (body.startsWith('{') && !body.startsWith('{{') && type !== undefined) return `{${name},${type}}`;
    return body;
  }

  /** Whether the program behind the file surely understands `%1$s` where the source says `%s`. */
  #isNumbering(): boolean {
    const { numbers } = directivesOf(this.#syntax) ?? {};
    return numbers !== undefined || this.#syntax === 'apple' || this.#syntax === 'android';
  }
}

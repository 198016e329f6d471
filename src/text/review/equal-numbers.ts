import type { ComplexNode, MessageNode } from '../node.ts';
import type { Parsed } from '../parse.ts';
import type { Syntax } from '../syntax.ts';

/** Counting the numbers below more levels would take quadratic time. */
const MOST_DEPTH = 3;

/** A numbered argument or tag up to its number, and an equal one: `{3` and `{1`, `<1` and `<0`. */
export type EqualNumbers = ReadonlyMap<string, string>;

/**
 * The numbers of a message that refer to the same argument or element. Lingui numbers them in the order of the message:
 * an expression that two branches display has two numbers (`{0, plural, one {{1} file} other {{2} files}}`), and every
 * branch may use both. If branches have the same count of numbers that occur nowhere else, these numbers refer to the
 * same things, in the same order. Other programs may number different arguments, so engines must keep the numbers of
 * each branch.
 */
export function equalNumbers({ parts }: Parsed, syntax: Syntax): EqualNumbers {
  const equal = new Map<string, string>();
  if (syntax !== 'icu') return equal;
  let nodes = parts.flatMap((part) => part.nodes);
  const everywhere = count(nodes, new Map());
  for (let depth = 0; depth < MOST_DEPTH && nodes.length > 0; depth++) {
    const complex = nodes.filter((node) => node.type === 'complex');
    for (const node of complex) for (const sign of '{<') equateBranches(node, sign, everywhere, equal);
    nodes = complex.flatMap(({ branches }) => branches.flatMap(({ body }) => body));
  }
  return equal;
}

/** A message in which equal numbers are replaced by the first of them. */
export function renumber(parsed: Parsed, equal: EqualNumbers): Parsed {
  if (equal.size === 0) return parsed;
  const parts = parsed.parts.map((part) => ({ ...part, nodes: renumberNodes(part.nodes, equal) }));
  return { ...parsed, parts };
}

function equateBranches(
  { argument, branches }: ComplexNode,
  sign: string,
  everywhere: ReadonlyMap<string, number>,
  equal: Map<string, string>,
): void {
  const ranked = new Map<number, readonly string[]>();
  for (const { body } of branches) {
    const own = [...count(body, new Map())].flatMap(([part, times]) =>
      part.startsWith(sign) && part !== `{${argument}` && everywhere.get(part) === times ? [part] : [],
    );
    const first = ranked.get(own.length);
    if (!first) ranked.set(own.length, own);
    first?.forEach((part, i) => {
      const [one, other] = [firstOf(part, equal), firstOf(own[i] ?? part, equal)];
      if (one !== other) equal.set(other, one);
    });
  }
}

function firstOf(part: string, equal: EqualNumbers): string {
  let first = part;
  for (let next = equal.get(first); next !== undefined; next = equal.get(first)) first = next;
  return first;
}

function count(nodes: readonly MessageNode[], into: Map<string, number>): ReadonlyMap<string, number> {
  for (const node of nodes) {
    const part = numberedPart(node);
    if (part !== undefined) into.set(part, (into.get(part) ?? 0) + 1);
    if (node.type === 'complex') for (const { body } of node.branches) count(body, into);
  }
  return into;
}

function renumberNodes(nodes: readonly MessageNode[], equal: EqualNumbers): readonly MessageNode[] {
  return nodes.map((node) => {
    const number = firstOf(numberedPart(node) ?? '', equal).slice(1);
    if (node.type === 'complex') {
      const branches = node.branches.map((branch) => ({
        ...branch,
        body: renumberNodes(branch.body, equal),
      }));
      return { ...node, argument: number || node.argument, branches };
    }
    if (number === '' || node.type === 'text') return node;
    const raw = node.raw.replace(/\d+/, number);
    return node.type === 'code' ? { ...node, raw } : { ...node, raw, name: number };
  });
}

function numberedPart(node: MessageNode): string | undefined {
  if (node.type === 'text') return undefined;
  if (node.type === 'complex') return /^\d+$/.test(node.argument) ? `{${node.argument}` : undefined;
  const [, brace, argument, angle, tag] = /^(?:(\{)\s*(\d+)\s*[,}]|(<)\/?(\d+)\s*\/?>)/.exec(node.raw) ?? [];
  return brace === undefined ? angle && `${angle}${tag}` : `${brace}${argument}`;
}

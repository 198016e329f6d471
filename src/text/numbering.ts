import { directivesOf } from './directives.ts';
import type { CodeNode } from './node.ts';
import type { PlannedNode } from './plan.ts';
import type { Syntax } from './syntax.ts';
import type { Token } from './tagged.ts';

/**
 * Placeholders that stand for the next argument (`%s`, `{}`) mean other arguments when a translation reorders them.
 * Where the syntax surely has numbers they get them: `%2$s of %1$s`. Elsewhere only one gets a number, which
 * verification refuses: then the words are translated between the placeholders, in the old order.
 *
 * @returns the new spelling by id; undefined when the order is the old one
 */
export function numberReordered(
  tokens: readonly Token[],
  pieces: ReadonlyMap<number, readonly PlannedNode[]>,
  syntax: Syntax,
): ReadonlyMap<number, string> | undefined {
  // Most texts have one placeholder or none.
  if (pieces.size < 2) return undefined;
  const ids: number[] = [];
  for (const token of tokens) {
    if (token.type === 'placeholder' && sequentialIn(pieces.get(token.id))) ids.push(token.id);
  }
  if (ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0))) return undefined;
  const numbered = new Map<number, string>();
  const inOrder = [...ids].sort((a, b) => a - b);
  inOrder.forEach((id, position) => {
    const code = sequentialIn(pieces.get(id));
    if (code) numbered.set(id, withNumber(code.raw, position, syntax));
  });
  const raws = inOrder.map((id) => sequentialIn(pieces.get(id))?.raw ?? '');
  if (canNumber(syntax, raws)) return numbered;
  const first = ids[0] ?? 0;
  return new Map([[first, numbered.get(first) ?? '']]);
}

function sequentialIn(items: readonly PlannedNode[] | undefined): CodeNode | undefined {
  const [item] = items ?? [];
  if (items?.length !== 1 || item?.type !== 'code') return undefined;
  if (item.kind === 'printf') return /^%(?:\d+[$:]|n$|arg$)/.test(item.raw) ? undefined : item;
  return item.kind === 'argument' && /^\{\s*[:!}]/.test(item.raw) ? item : undefined;
}

/** printf counts from 1, braces and Pascal from 0. Lisp goes to the argument first. */
function withNumber(raw: string, position: number, syntax: Syntax): string {
  if (raw.startsWith('~')) return `~${position}@*${raw}`;
  if (!raw.startsWith('%')) return `{${position}${raw.slice(1).trimStart()}`;
  if (directivesOf(syntax)?.numbers === ':') return `%${position}:${raw.slice(1)}`;
  return `%${position + 1}$${raw.slice(1)}`;
}

/** msgfmt accepts numbers in these, but not every program that prints them does: other awks, printf outside POSIX. */
const UNSURE: ReadonlySet<Syntax> = new Set<Syntax>(['c', 'awk']);

function canNumber(syntax: Syntax, raws: readonly string[]): boolean {
  const braces = raws.every((raw) => raw.startsWith('{'));
  if (syntax === 'python-brace') return braces;
  if (UNSURE.has(syntax)) return false;
  if (syntax !== 'apple' && syntax !== 'android' && !directivesOf(syntax)?.numbers) return false;
  return raws.every((raw) => raw.startsWith('%') && !/[*|<]/.test(raw));
}

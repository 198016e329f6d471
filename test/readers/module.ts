import { createRequire } from 'node:module';
import type * as ParseAst from 'rolldown/parseAst';
import { refusal, type Entry, type Reader, type Reading } from './reader.ts';

/**
 * Oxc, a parser independent of those in JavaScript. Its code is native, so it is loaded only where it is
 * needed.
 */
export const oxc: Reader = {
  name: 'oxc',
  lastWins: false,
  missing: () => undefined,
  read: (files) =>
    files.map(({ bytes }) => readModule(new TextDecoder('utf-8', { fatal: true }).decode(bytes))),
};

/** The part of a tree that the reader uses. */
interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

function readModule(text: string): Reading {
  try {
    const { parseAst } = createRequire(import.meta.url)('rolldown/parseAst') as typeof ParseAst;
    const { body } = parseAst(text, { lang: 'ts', preserveParens: true }) as unknown as { body: Tree[] };
    const entries: Entry[] = [];
    const literal = exportedLiteral(body);
    if (literal) collect(text, literal, [], entries);
    return { entries };
  } catch (error) {
    return refusal(error);
  }
}

function exportedLiteral(body: readonly Tree[]): Tree | undefined {
  const constants = new Map<unknown, Tree>();
  let exported: Tree | undefined;
  for (const statement of body) {
    for (const { id, init } of (statement['declarations'] ?? []) as Record<string, Tree>[])
      if (id && init) constants.set(id['name'], init);
    if (statement.type === 'ExportDefaultDeclaration') exported = statement['declaration'] as Tree;
    const assigned = statement['expression'] as Tree | undefined;
    if (statement.type === 'TSExportAssignment') exported = assigned;
    if (statement.type === 'ExpressionStatement' && assigned?.type === 'AssignmentExpression')
      exported = assigned['right'] as Tree;
  }
  const named = bare(exported);
  const value = bare(named?.type === 'Identifier' ? constants.get(named['name']) : named);
  const parts = value?.type === 'CallExpression' ? (value['arguments'] as Tree[]).map(bare) : [value];
  const literals = parts.filter((part) => part && /^(?:Object|Array)Expression$/.test(part.type));
  return literals.length === 1 ? literals[0] : undefined;
}

function bare(value: Tree | undefined): Tree | undefined {
  const isWrapped = value && /^TS.*(?:Expression|Assertion)$|^Parenthesized/.test(value.type);
  return isWrapped ? bare(value['expression'] as Tree) : value;
}

function collect(text: string, value: Tree, key: readonly string[], entries: Entry[]): void {
  const { start, end } = value;
  const inner = bare(value) ?? value;
  const quasi = (inner['quasis'] as { value: { cooked: string } }[] | undefined)?.[0]?.value.cooked;
  const string =
    typeof inner['value'] === 'string' && inner.type === 'Literal'
      ? inner['value']
      : inner.type === 'TemplateLiteral' && (inner['expressions'] as Tree[]).length === 0
        ? quasi
        : undefined;
  if (string !== undefined && inner.start === start)
    entries.push({ key, value: string, kind: 'text', at: { start, end: inner.end } });
  else if (inner.type === 'ObjectExpression' && inner.start === start) {
    for (const member of inner['properties'] as Tree[]) {
      const name = member['key'] as Tree | undefined;
      const label = name && String(name['name'] ?? name['value']);
      const isPlain =
        member['kind'] === 'init' && !member['method'] && !member['shorthand'] && !member['computed'];
      if (isPlain && label !== undefined && label !== '__proto__')
        collect(text, member['value'] as Tree, [...key, label], entries);
      else entries.push({ key, value: text.slice(member.start, member.end), kind: 'code' });
    }
  } else if (inner.type === 'ArrayExpression' && inner.start === start) {
    for (const [index, element] of (inner['elements'] as (Tree | null)[]).entries())
      if (element) collect(text, element, [...key, String(index)], entries);
  } else entries.push({ key, value: text.slice(start, end), kind: 'code' });
}

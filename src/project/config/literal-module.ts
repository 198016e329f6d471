import type { Expression, ModuleDeclaration, Program, SpreadElement, Statement } from 'acorn';
import { DragomanError } from '../../base/errors.ts';
import { isRecord } from './schema.ts';

/** What stands in a module where only running it would tell the value. */
const COMPUTED = Symbol('computed');

/** More levels are no configuration. */
const MAX_DEPTH = 100;

/**
 * The object that a configuration module exports, as far as it is written down: nothing of the module is executed. A
 * symbol stands for each part that is computed.
 *
 * @throws DragomanError `configuration` for what is no JavaScript or TypeScript, or exports nothing that is written down.
 */
export async function readLiteralModule(path: string, text: string): Promise<unknown> {
  const [{ Parser }, { tsPlugin }] = await Promise.all([
    import('acorn'),
    import('@sveltejs/acorn-typescript'),
  ]);
  let program: Program;
  try {
    const isTypeScript = /\.[cm]?ts$/.test(path);
    const parser = isTypeScript ? Parser.extend(tsPlugin()) : Parser;
    const options = { ecmaVersion: 'latest', sourceType: 'module', locations: isTypeScript } as const;
    program = parser.parse(text, options);
  } catch (cause) {
    throw new DragomanError('configuration', `cannot read ${path} as JavaScript`, {
      hint: 'Name the languages with -s and -t instead.',
      cause,
    });
  }
  const exported = exportedFrom(program.body);
  const value = exported === undefined ? COMPUTED : literal(exported, program.body, 0);
  if (isRecord(value)) return value;
  throw new DragomanError('configuration', `${path} exports no object that is written down in it`, {
    hint: 'dragoman does not run it. Name the languages with -s and -t instead.',
  });
}

type TopLevel = readonly (Statement | ModuleDeclaration)[];

/** What is behind `export default` or `module.exports =`. */
function exportedFrom(body: TopLevel): Expression | undefined {
  for (const node of body) {
    if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node;
      return declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration'
        ? undefined
        : declaration;
    }
    if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') continue;
    const { left, right } = node.expression;
    if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier') continue;
    if (left.object.name === 'module' && nameOf(left.property) === 'exports') return right;
  }
  return undefined;
}

/** Of TypeScript's expressions around a value, which acorn's types do not have. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
]);

function literal(node: Expression | SpreadElement, body: TopLevel, depth: number): unknown {
  if (depth > MAX_DEPTH) return COMPUTED;
  const read = (inner: Expression | SpreadElement): unknown => literal(inner, body, depth + 1);
  if (WRAPPERS.has(node.type) && 'expression' in node && typeof node.expression === 'object') {
    return read(node.expression);
  }
  if (node.type === 'Literal') return 'regex' in node && node.regex ? COMPUTED : node.value;
  if (node.type === 'TemplateLiteral')
    return (node.expressions.length === 0 && node.quasis[0]?.value.cooked) || COMPUTED;
  if (node.type === 'ArrayExpression')
    return node.elements.map((element) => (element ? read(element) : COMPUTED));
  if (node.type === 'Identifier') return declared(node.name, body, depth);
  if (node.type === 'CallExpression') {
    // defineConfig({ … })
    const [argument, ...others] = node.arguments;
    return argument && others.length === 0 ? read(argument) : COMPUTED;
  }
  if (node.type !== 'ObjectExpression') return COMPUTED;
  return Object.fromEntries(
    node.properties.flatMap((property) => {
      const name = property.type === 'Property' && !property.computed ? nameOf(property.key) : undefined;
      if (property.type !== 'Property' || name === undefined) return [];
      return [[name, property.kind === 'init' && !property.method ? read(property.value) : COMPUTED]];
    }),
  );
}

function declared(name: string, body: TopLevel, depth: number): unknown {
  for (const node of body) {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') continue;
    for (const { id, init } of node.declarations)
      if (id.type === 'Identifier' && id.name === name && init) return literal(init, body, depth + 1);
  }
  return COMPUTED;
}

function nameOf(key: { readonly type: string }): string | undefined {
  if ('name' in key && typeof key.name === 'string') return key.name;
  return 'value' in key && typeof key.value === 'string' ? key.value : undefined;
}

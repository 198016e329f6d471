import type { AnyNode, Program } from 'acorn';
import { DragomanError } from '../base/errors.ts';
import { parseProgram } from '../formats/module/syntax.ts';
import { parseLocale } from '../languages/locale.ts';
import { type BranchPositions, type BranchRule, positionsByCount } from '../text/choice.ts';

/**
 * The rules by which an application of vue-i18n selects a branch of a message: `pluralRules`, or `pluralizationRules`
 * before version 9. They are arithmetic functions, and are evaluated here, because a program from the checkout must not
 * run. Other functions are ignored.
 *
 * @param texts of the programs
 */
export function readPluralRules(texts: readonly string[]): BranchRule | undefined {
  const functions = new Map<string, (n: number, count: number) => number | undefined>();
  for (const text of texts) {
    const program = parse(text);
    if (!program) continue;
    const names = namesIn(program);
    for (const [key, rule] of rulesIn(program, names)) {
      const locale = parseLocale(key);
      if (locale !== undefined) functions.set(locale, (n, count) => compute(rule, names, n, count));
    }
  }
  if (functions.size === 0) return undefined;
  const known = new Map<string, BranchPositions | undefined>();
  return (locale, count) => {
    const position = functions.get(locale);
    const key = `${locale} ${count ?? ''}`;
    if (position && !known.has(key)) known.set(key, positionsByCount(position, count));
    return known.get(key);
  };
}

function parse(text: string): Program | undefined {
  try {
    return parseProgram(text, new Map());
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

type Names = ReadonlyMap<string, AnyNode>;

/** The top-level declarations of a program, by name. */
function namesIn({ body }: Program): Names {
  const names = new Map<string, AnyNode>();
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type === 'FunctionDeclaration') names.set(declared.id.name, declared);
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init) names.set(id.name, bare(init));
  }
  return names;
}

/** The functions in the option's objects, by language. */
function rulesIn(program: Program, names: Names): readonly (readonly [string, AnyNode])[] {
  const found: (readonly [string, AnyNode])[] = [];
  const open: AnyNode[] = [program];
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...childrenOf(node));
    const name = node.type === 'Property' ? nameOf(node.key) : undefined;
    if (node.type !== 'Property' || (name !== 'pluralRules' && name !== 'pluralizationRules')) continue;
    const object = resolve(node.value, names);
    for (const property of object.type === 'ObjectExpression' ? object.properties : []) {
      const key = property.type === 'Property' && !property.computed ? nameOf(property.key) : undefined;
      if (property.type === 'Property' && key !== undefined)
        found.push([key, resolve(property.value, names)]);
    }
  }
  return found;
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flatMap((value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter((child) => isNode(child)),
  );
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function resolve(node: AnyNode, names: Names): AnyNode {
  const inner = bare(node);
  return (inner.type === 'Identifier' ? names.get(inner.name) : undefined) ?? inner;
}

/** The expression without parentheses and TypeScript assertions. */
function bare(node: AnyNode): AnyNode {
  return 'expression' in node && isNode(node.expression) && node.type !== 'ExpressionStatement'
    ? bare(node.expression)
    : node;
}

/** The result of a rule for a number; undefined if the rule is more than arithmetic, or does not end. */
function compute(rule: AnyNode, names: Names, n: number, count: number): number | undefined {
  try {
    const value = new Computation(names).call(rule, [n, count, usual]);
    return typeof value === 'number' ? value : undefined;
  } catch (error) {
    if (error instanceof NoArithmetic) return undefined;
    throw error;
  }
}

/** vue-i18n's default rule, which it passes to the application's rules. */
function usual(n: number, count: number): number {
  if (count === 2) return n === 1 ? 0 : 1;
  return Math.min(Math.abs(n), 2);
}

type Value = number | boolean | undefined | typeof usual;

class NoArithmetic extends Error {}

const MOST_STEPS = 2000;

class Computation {
  readonly #names: Names;
  #steps = 0;

  constructor(names: Names) {
    this.#names = names;
  }

  call(rule: AnyNode, given: readonly Value[]): Value {
    if (
      rule.type !== 'ArrowFunctionExpression' &&
      rule.type !== 'FunctionExpression' &&
      rule.type !== 'FunctionDeclaration'
    )
      throw new NoArithmetic();
    const scope = new Map<string, Value>();
    rule.params.forEach((param, i) => {
      const [target, fallback] = param.type === 'AssignmentPattern' ? [param.left, param.right] : [param];
      if (target.type !== 'Identifier') throw new NoArithmetic();
      scope.set(target.name, given[i] ?? (fallback && this.#value(fallback, scope)));
    });
    if (rule.body.type !== 'BlockStatement') return this.#value(rule.body, scope);
    return this.#run(rule.body, scope)?.value;
  }

  /** Runs a statement. Undefined if execution continues after the statement. */
  #run(node: AnyNode, scope: Map<string, Value>): { readonly value: Value } | undefined {
    this.#step();
    if (node.type === 'ReturnStatement')
      return { value: node.argument ? this.#value(node.argument, scope) : undefined };
    if (node.type === 'IfStatement') {
      const chosen = truth(this.#value(node.test, scope)) ? node.consequent : node.alternate;
      return chosen ? this.#run(chosen, scope) : undefined;
    }
    if (node.type === 'BlockStatement') {
      for (const statement of node.body) {
        const end = this.#run(statement, scope);
        if (end) return end;
      }
      return undefined;
    }
    if (node.type !== 'VariableDeclaration') throw new NoArithmetic();
    for (const { id, init } of node.declarations) {
      if (id.type !== 'Identifier' || !init) throw new NoArithmetic();
      scope.set(id.name, this.#value(init, scope));
    }
    return undefined;
  }

  #value(given: AnyNode, scope: ReadonlyMap<string, Value>): Value {
    this.#step();
    const node = bare(given);
    if (node.type === 'Literal' && (typeof node.value === 'number' || typeof node.value === 'boolean'))
      return node.value;
    if (node.type === 'Identifier')
      return scope.has(node.name) ? scope.get(node.name) : this.#named(node.name);
    if (node.type === 'ConditionalExpression')
      return this.#value(truth(this.#value(node.test, scope)) ? node.consequent : node.alternate, scope);
    if (node.type === 'LogicalExpression') {
      const left = this.#value(node.left, scope);
      const isDecided =
        node.operator === '??' ? left !== undefined : truth(left) === (node.operator === '||');
      return isDecided ? left : this.#value(node.right, scope);
    }
    if (node.type === 'UnaryExpression' && (node.operator === '!' || node.operator === '-')) {
      const value = this.#value(node.argument, scope);
      return node.operator === '!' ? !truth(value) : -numeric(value);
    }
    const calculate = node.type === 'BinaryExpression' ? OPERATORS[node.operator] : undefined;
    if (node.type === 'BinaryExpression' && calculate)
      return calculate(numeric(this.#value(node.left, scope)), numeric(this.#value(node.right, scope)));
    if (node.type !== 'CallExpression') throw new NoArithmetic();
    const values = node.arguments.map((argument) => this.#value(argument, scope));
    return this.#called(node.callee, values, scope);
  }

  #named(name: string): Value {
    const node = this.#names.get(name);
    if (!node) throw new NoArithmetic();
    return this.#value(node, new Map());
  }

  #called(callee: AnyNode, given: readonly Value[], scope: ReadonlyMap<string, Value>): Value {
    if (callee.type === 'MemberExpression' && nameOf(callee.object) === 'Math') {
      const calculate = FUNCTIONS[nameOf(callee.property) ?? ''];
      if (calculate) return calculate(...given.map(numeric));
    }
    if (callee.type !== 'Identifier') throw new NoArithmetic();
    const own = scope.get(callee.name);
    if (own === usual) return usual(numeric(given[0]), numeric(given[1]));
    const node = this.#names.get(callee.name);
    if (!node) throw new NoArithmetic();
    return this.call(node, given);
  }

  #step(): void {
    if (++this.#steps > MOST_STEPS) throw new NoArithmetic();
  }
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => Value>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '===': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '!==': (a, b) => a !== b,
};

const FUNCTIONS: Readonly<Record<string, (...values: readonly number[]) => number>> = {
  abs: Math.abs,
  floor: Math.floor,
  max: Math.max,
  min: Math.min,
  trunc: Math.trunc,
};

function truth(value: Value): boolean {
  return Boolean(value);
}

function numeric(value: Value): number {
  if (typeof value === 'number') return value;
  throw new NoArithmetic();
}

import { tsPlugin } from '@sveltejs/acorn-typescript';
import {
  Parser,
  type AnyNode,
  type Expression,
  type ObjectExpression,
  type Program,
  type Property,
  type SpreadElement,
} from 'acorn';
import { DragomanError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { refuse } from '../refusal.ts';
import type { Node } from '../json/tree.ts';
import { withLineEnds } from '../lines.ts';

/** Limits the recursion over the tree. Real modules never nest this deep. */
const MAX_DEPTH = 200;

/**
 * The parser rereads code that may be an arrow function or a type, which takes exponential time if nested. In ordinary
 * modules, it reads fewer than two tokens per character.
 */
const MOST_READINGS = 3;

/**
 * The parser compares each name with those that the scopes around it declare. This limit allows 10,000 in one scope.
 */
const MOST_COMPARISONS = 50_000_000;

/** A module and the literal that it exports. */
export interface Module {
  readonly root: Node;
  /** The module's texts, by start. A value ends after its text if `as const` or a similar assertion follows. */
  readonly texts: ReadonlyMap<number, ModuleText>;
  /** The end of each part that is neither a text nor a container of texts, by start. */
  readonly opaque: ReadonlyMap<number, number>;
  readonly comments: ReadonlyMap<number, number>;
  /** The starts of members and items with strings that are not read: in code, or in a constant that is spread. */
  readonly unread: readonly number[];
  /** The name under which the literal is exported, unless it is the default export. */
  readonly exportName: ExportName | undefined;
}

export interface ExportName {
  readonly name: string;
  /** All occurrences of the name outside the literal, in file order. */
  readonly spans: readonly Span[];
}

export interface ModuleText {
  readonly value: string;
  readonly end: number;
}

/** The methods that plug-ins override; the parser's types omit them. */
type ExtensibleParser = new (...given: never[]) => {
  readonly input: string;
  readonly scopeStack: readonly object[];
  nextToken(): void;
  declareName(name: string, binding: number, at: number): void;
  checkLocalExport(id: { readonly start: number }): void;
};

const BoundedParser = Parser.extend(tsPlugin(), (Base) => {
  const Extensible: unknown = Base;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's types omit its methods
  const Bounded: unknown = class extends (Extensible as ExtensibleParser) {
    #tokens = 0;
    readonly #names = new WeakMap<object, number>();
    #comparisons = 0;

    override nextToken(): void {
      if (++this.#tokens > MOST_READINGS * this.input.length + 1000) throw tooComplex(this.input, 0);
      super.nextToken();
    }

    override declareName(name: string, binding: number, at: number): void {
      this.#countComparisons(at);
      const scope = this.scopeStack.at(-1);
      if (scope) this.#names.set(scope, (this.#names.get(scope) ?? 0) + 1);
      super.declareName(name, binding, at);
    }

    override checkLocalExport(id: { readonly start: number }): void {
      this.#countComparisons(id.start);
      super.checkLocalExport(id);
    }

    #countComparisons(at: number): void {
      for (const scope of this.scopeStack) this.#comparisons += 1 + (this.#names.get(scope) ?? 0);
      if (this.#comparisons > MOST_COMPARISONS) throw tooComplex(this.input, at, 'declares too many names');
    }
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it extends the class that it was given
  return Bounded as typeof Parser;
});
const NONE: readonly Node[] = [];

/** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place */
export function parseModule(text: string): Module {
  const comments = new Map<number, number>();
  return new ModuleReader(text, comments).read(parseProgram(text, comments));
}

/**
 * @param comments receives the start and end of each comment
 * @throws DragomanError like {@link parseModule}
 */
export function parseProgram(text: string, comments: Map<number, number>): Program {
  try {
    return BoundedParser.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      allowHashBang: true,
      preserveParens: true,
      onComment: (_isBlock, _content, start, end) => comments.set(start, end),
    });
  } catch (error) {
    // For some broken code, the parser fails with a TypeError instead of reporting the place.
    if (error instanceof TypeError) return refuse(text, 0, 'the code cannot be parsed');
    if (!(error instanceof SyntaxError)) throw error;
    const at = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    if (error.message.startsWith('Not enough stack')) throw tooComplex(text, at);
    const message = error.message.replace(/ \(\d+:\d+\)$/, '');
    return refuse(
      text,
      at,
      `the code cannot be parsed: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    );
  }
}

function tooComplex(text: string, at: number, why = 'is nested too deeply'): DragomanError {
  return new DragomanError('limit_exceeded', `the code ${why}`, {
    at: positionAt(text, Math.min(at, text.length)),
  });
}

/** The place of a value. */
type SyntaxPlace = Pick<Node, 'name' | 'nameStart' | 'nameEnd'>;

/** TypeScript expressions that wrap another one with the same value. */
const ASSERTIONS: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
]);

class ModuleReader {
  readonly #text: string;
  readonly #comments: ReadonlyMap<number, number>;
  readonly #texts = new Map<number, ModuleText>();
  readonly #opaque = new Map<number, number>();
  readonly #unread: number[] = [];
  #constants: Constants = new Map();

  constructor(text: string, comments: ReadonlyMap<number, number>) {
    this.#text = text;
    this.#comments = comments;
  }

  read(program: Program): Module {
    this.#constants = constantsOf(program);
    const named = findLiteral(program, this.#constants) ?? findNamed(program);
    const literal = named?.literal;
    const root: Node = literal
      ? this.#readValue(literal, { name: '', nameStart: literal.start, nameEnd: literal.start }, 0)
      : this.#leave(0, this.#text.length, { name: '', nameStart: 0, nameEnd: 0 });
    return {
      root,
      texts: this.#texts,
      opaque: this.#opaque,
      comments: this.#comments,
      unread: this.#unread,
      exportName:
        named?.name === undefined
          ? undefined
          : { name: named.name, spans: spansOf(named.name, program, literal) },
    };
  }

  #readValue(value: Expression, place: SyntaxPlace, depth: number): Node {
    if (depth > MAX_DEPTH) throw tooComplex(this.#text, value.start);
    const inner = withoutAssertions(value);
    // Prefixes of a value are not editable: `<T>{ … }` and `( … )` stay unchanged.
    const node = inner.start === value.start ? this.#readPlain(inner, place, depth) : undefined;
    const isFull = node && (node.kind === 'string' || node.children.length > 0);
    if (node && (isFull || inner.end === value.end)) {
      // In the type after a value, line ends may be separators of words or members.
      if (inner.end < value.end) this.#opaque.set(inner.end, value.end);
      return { ...node, end: value.end };
    }
    return this.#leave(value.start, value.end, place);
  }

  #readPlain(value: Expression, place: SyntaxPlace, depth: number): Node | undefined {
    const { start, end } = value;
    if (value.type === 'ObjectExpression') {
      const children = value.properties.map((member) => this.#readMember(member, depth + 1));
      return { kind: 'object', ...place, start, end, children };
    }
    if (value.type === 'ArrayExpression') {
      let isWhole = false;
      const children = value.elements.flatMap((element, index): Node[] => {
        if (!element || element.type === 'SpreadElement') isWhole = true;
        if (!element) return [];
        const own = { name: String(index), nameStart: element.start, nameEnd: element.start };
        if (element.type === 'SpreadElement') return [this.#leave(element.start, element.end, own)];
        return [this.#readValue(element, own, depth + 1)];
      });
      return { kind: 'array', ...place, start, end, children, ...(isWhole ? { isWhole } : {}) };
    }
    const text = textOf(value);
    if (text === undefined) return undefined;
    this.#texts.set(start, { value: text, end });
    return { kind: 'string', ...place, start, end, children: NONE };
  }

  #readMember(member: Property | SpreadElement, depth: number): Node {
    const { start, end } = member;
    const name = member.type === 'Property' ? nameOf(member) : undefined;
    if (member.type === 'SpreadElement' && member.argument.type === 'Identifier')
      if (literalIn(member.argument, this.#constants)) this.#unread.push(start);
    if (member.type !== 'Property' || name === undefined) {
      return this.#leave(start, end, {
        name: withLineEnds(this.#text.slice(start, end), '\n'),
        nameStart: start,
        nameEnd: start,
      });
    }
    return this.#readValue(member.value, { name, nameStart: start, nameEnd: member.key.end }, depth);
  }

  #leave(start: number, end: number, place: SyntaxPlace): Node {
    this.#opaque.set(start, end);
    if (/["'`]/.test(this.#text.slice(start, end))) this.#unread.push(start);
    return { kind: 'other', ...place, start, end, children: NONE };
  }
}

/** The name of a member written as `name: value`; undefined for methods, computed names and other members. */
function nameOf({ kind, method, shorthand, computed, key }: Property): string | undefined {
  if (kind !== 'init' || method || shorthand || computed) return undefined;
  // `__proto__: x` does not create a member.
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
  return name === '__proto__' ? undefined : name;
}

function textOf(value: Expression): string | undefined {
  if (value.type === 'Literal') return typeof value.value === 'string' ? value.value : undefined;
  if (value.type !== 'TemplateLiteral' || value.expressions.length > 0) return undefined;
  return value.quasis[0]?.value.cooked ?? undefined;
}

function withoutAssertions(value: Expression): Expression {
  let inner: Expression = value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's types do not know TypeScript
  while (ASSERTIONS.has(inner.type) && 'expression' in inner) inner = inner.expression as Expression;
  return inner;
}

interface ExportedLiteral {
  readonly literal: Expression;
  /** Undefined for the default export. */
  readonly name?: string;
}

/** The only object that a module exports by name: `export const en: Messages = { … }`. */
function findNamed({ body }: Program): ExportedLiteral | undefined {
  const found = body.flatMap((statement): ExportedLiteral[] => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
    return declaration.declarations.flatMap(({ id, init }) => {
      const literal = id.type === 'Identifier' && init ? literalIn(init, new Map()) : undefined;
      return literal?.type === 'ObjectExpression' && id.type === 'Identifier'
        ? [{ literal, name: id.name }]
        : [];
    });
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The identifiers with a name outside a part of the module. */
function spansOf(name: string, program: Program, except: unknown): readonly Span[] {
  const spans: Span[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value) && value !== except) {
      // The parser includes a variable's type in its identifier.
      const { type, start } = value;
      if (type === 'Identifier' && value['name'] === name && typeof start === 'number')
        spans.push({ start, end: start + name.length });
      Object.values(value).forEach(visit);
    }
  };
  visit(program.body);
  const starts = new Set<number>();
  return spans
    .sort((a, b) => a.start - b.start)
    .filter(({ start }) => !starts.has(start) && starts.add(start));
}

/** The values of a module's constants, by name. */
type Constants = ReadonlyMap<string, Expression>;

function constantsOf({ body }: Program): Constants {
  const constants = new Map<string, Expression>();
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration' && declaration.kind === 'const')
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier' && init) constants.set(id.name, init);
  }
  return constants;
}

/** The object or array that a module exports by default, or as `module.exports`. */
function findLiteral({ body }: Program, constants: Constants): ExportedLiteral | undefined {
  let exported: AnyNode | undefined;
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') exported = statement.declaration;
    else if (statement.type === 'ExportNamedDeclaration') {
      const named = statement.source ? undefined : statement.specifiers.find(isDefault);
      if (named?.local.type === 'Identifier') exported = named.local;
    } else if (statement.type === 'ExpressionStatement') exported ??= moduleExports(statement.expression);
    else exported ??= exportAssignment(statement);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it rejects functions and classes
  const literal = exported && literalIn(exported as Expression, constants);
  return literal && { literal: spreadIn(literal, constants) ?? literal };
}

/** The only literal that an object spreads, if it has no other members: `{ ...base, ...messages }`. */
function spreadIn(object: Expression, constants: Constants): Expression | undefined {
  if (object.type !== 'ObjectExpression') return undefined;
  const spreads = object.properties.flatMap((member) =>
    member.type === 'SpreadElement' ? [member.argument] : [],
  );
  const literals = spreads.flatMap((one) =>
    one.type === 'Identifier' ? (literalIn(one, constants) ?? []) : [],
  );
  return literals.length === 1 && spreads.length === object.properties.length ? literals[0] : undefined;
}

const isDefault = ({ exported }: { readonly exported: AnyNode }): boolean =>
  exported.type === 'Identifier' && exported.name === 'default';

/** The expression that `export = …` exports; the parser's types omit this statement. */
function exportAssignment(statement: {
  readonly type: string;
  readonly expression?: unknown;
}): Expression | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's types do not know TypeScript
  return statement.type === 'TSExportAssignment' ? (statement.expression as Expression) : undefined;
}

/** The expression that `module.exports = …` assigns, also in `exports = module.exports = …`. */
function moduleExports(expression: Expression): Expression | undefined {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return undefined;
  const { left, right } = expression;
  const isModule =
    left.type === 'MemberExpression' &&
    left.object.type === 'Identifier' &&
    left.object.name === 'module' &&
    left.property.type === 'Identifier' &&
    left.property.name === 'exports';
  return isModule ? right : moduleExports(right);
}

/**
 * The literal itself, the value of a constant, or the only literal among the arguments of a function such as
 * `defineMessages`.
 */
function literalIn(value: Expression, constants: Constants): Expression | undefined {
  let inner = withoutAssertions(value);
  if (inner.type === 'Identifier') {
    const constant = constants.get(inner.name);
    if (!constant) return undefined;
    inner = withoutAssertions(constant);
  }
  if (inner.type === 'CallExpression') {
    const given = inner.arguments.flatMap((argument) => {
      const literal = argument.type === 'SpreadElement' ? argument : withoutAssertions(argument);
      return isContainer(literal) ? [literal] : [];
    });
    return given.length === 1 ? given[0] : undefined;
  }
  return isContainer(inner) ? inner : undefined;
}

function isContainer(value: AnyNode): value is ObjectExpression {
  return value.type === 'ObjectExpression' || value.type === 'ArrayExpression';
}

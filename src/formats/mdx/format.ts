import { mdxjs } from 'micromark-extension-mdxjs';
import { proseFormat } from '../markdown/format.ts';
import { constructsWith } from '../markdown/parts.ts';
import { Parser, type AnyNode, type Expression, type Node, type Options, type Program } from 'acorn';
import acornJsx from 'acorn-jsx';
import { SlowText } from '../markdown/bounds.ts';

const JsxParser = Parser.extend(acornJsx());

/** The code that may be parsed for a document, in characters and counting repetitions: about a second. */
const MAX_TRIED = 10_000_000;

/** The MDX parser joins the lines of an expression one by one at each attempt. */
const LINE_COST = 20;

/** Checking whether code is only a comment costs less per character. */
const COMMENT_COST = 1 / 20;

/** The limit of these checks in one piece of code: about two seconds. */
const MAX_COMMENT_STEPS = 2_000_000_000;

let tried = 0;

/** Resets the counters for a new document. @throws SlowText */
function beginCode(body: string): void {
  tried = 0;
  if (commentSteps(body) > MAX_COMMENT_STEPS) throw slowCode();
}

/**
 * Replaces acorn for the MDX parser, which parses an expression at each brace that may close it and a module at each
 * empty line. The parser only needs the end of the code and its error. It would visit the whole tree and search the
 * line of each node from the first line on, so it gets a reduced tree.
 */
const boundedAcorn = {
  parse: (value: string, options: Options): Program =>
    within(value, () => {
      const { body, ...program } = JsxParser.parse(value, options);
      return { ...program, body: body.map((node) => shallow(node)) };
    }),

  parseExpressionAt: (value: string, at: number, options: Options): Expression =>
    within(value, () => {
      const outer = JsxParser.parseExpressionAt(value, at, options);
      let inner: Expression = outer;
      while (inner.type === 'ParenthesizedExpression') inner = inner.expression;
      return { ...shallow(inner), start: outer.start, end: endOf(value, outer.end) };
    }),
};

/**
 * The parser treats an exception during code parsing as an error in the code. Beyond the limit, this returns a tree
 * that throws when it is accessed, which stops the parser.
 */
function within<T extends Node>(value: string, parse: () => T): T {
  tried += value.length + LINE_COST * (value.split('\n').length - 1) + COMMENT_COST * commentSteps(value);
  if (tried <= MAX_TRIED) return parse();
  const fail = (): never => {
    throw slowCode();
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every access throws
  return new Proxy({}, { get: fail, set: fail }) as T;
}

/**
 * At each `//` the MDX parser searches for the end of the line, and at each unclosed comment for the end of the code.
 */
function commentSteps(code: string): number {
  const lines = code.split(/[\r\n]/).map((line) => line.length * (line.split('//').length - 1));
  const comments = code.split('*/').map((part) => part.length * (part.split('/*').length - 1));
  return [...lines, ...comments].reduce((sum, steps) => sum + steps, 0);
}

function slowCode(): SlowText {
  return new SlowText(
    0,
    'the document has code that takes too long to read',
    'Move the data into a file that the document imports, or exclude the document.',
  );
}

/** The offset after white space and comments; later code does not belong to the expression. */
function endOf(value: string, start: number): number {
  const gap = /(?:\s|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*[\r\n])*/y;
  gap.lastIndex = start;
  gap.test(value);
  return gap.lastIndex;
}

/** The members of a node that the MDX parser uses. */
function shallow<T extends AnyNode>(node: T): T {
  const { type, start, end } = node;
  const kept: object = {
    type,
    start,
    end,
    ...(node.type === 'ImportDeclaration' && { specifiers: node.specifiers }),
    ...(node.type === 'ObjectExpression' && {
      properties: node.properties.slice(0, 2).map((property) => ({
        type: property.type,
        start: property.start,
        end: property.end,
      })),
    }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the omitted members are never read
  return kept as T;
}

/** Markdown with components and expressions. */
export const mdx = proseFormat({
  isMdx: true,
  constructs: constructsWith([mdxjs({ acorn: boundedAcorn })]),
  begin: beginCode,
});

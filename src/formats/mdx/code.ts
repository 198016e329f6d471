import { Parser, type AnyNode, type Expression, type Node, type Options, type Program } from 'acorn';
import acornJsx from 'acorn-jsx';
import { SlowText } from '../markdown/bounds.ts';

const JsxParser = Parser.extend(acornJsx());

/** Characters of code that may be parsed for a document, which counts again what is parsed again: about a second. */
const MAX_TRIED = 10_000_000;

/** The parser of MDX puts the lines of an expression together one by one, each time. */
const LINE_COST = 20;

/** Characters that the parser of MDX looks at to see whether code is a comment only are less work. */
const COMMENT_COST = 1 / 20;

/** Of those, in one piece of code: about two seconds. */
const MAX_COMMENT_STEPS = 2_000_000_000;

let tried = 0;

/** A new document is read. @throws SlowText */
export function beginCode(body: string): void {
  tried = 0;
  if (commentSteps(body) > MAX_COMMENT_STEPS) throw slowCode();
}

/**
 * What the parser of MDX gets instead of acorn. It parses an expression at each brace that may end it, and a module at each
 * empty line, and wants to know where the code ends and what is wrong with it: of the tree, it gets what it looks at,
 * since it visits all of it, and searches the line of each node from the first one on.
 */
export const boundedAcorn = {
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
 * An error that is thrown while code is parsed is taken for one in the code. Beyond the bound, it is the tree that cannot be
 * read, which ends the reading of the document.
 */
function within<T extends Node>(value: string, parse: () => T): T {
  tried += value.length + LINE_COST * (value.split('\n').length - 1) + COMMENT_COST * commentSteps(value);
  if (tried <= MAX_TRIED) return parse();
  const fail = (): never => {
    throw slowCode();
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing of it can be read
  return new Proxy({}, { get: fail, set: fail }) as T;
}

/** At each `//` it looks for the end of the line, and at each comment that is not closed for the end of the code. */
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

/** Behind white space and comments: what comes then does not belong to the expression. */
function endOf(value: string, start: number): number {
  const gap = /(?:\s|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*[\r\n])*/y;
  gap.lastIndex = start;
  gap.test(value);
  return gap.lastIndex;
}

/** A node as far as the parser of MDX looks at it. */
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody looks at what is left out
  return kept as T;
}

/** Selects the plural form of a number: the rule in a Plural-Forms header. */
export interface PluralRule {
  readonly nplurals: number;
  /** The index for `n`; undefined if the expression yields none (out of range, division by zero). */
  indexOf(n: number): number | undefined;
}

type Evaluate = (n: number) => number;

/** Longer and deeper than any language needs, but short enough to be harmless. */
const MAX_LENGTH = 2000;
const MAX_DEPTH = 100;
const MAX_NUMBER = 0xffff_ffff;

/**
 * Parses `nplurals=2; plural=(n != 1);` as gettext does: the two parts may be anywhere, with optional blanks before
 * their equals signs. Undefined for anything else, such as the placeholders of a template.
 */
export function readPluralForms(header: string): PluralRule | undefined {
  const text = header.slice(0, MAX_LENGTH);
  if (remembered.has(text)) return remembered.get(text);
  const rule = readRule(text);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, rule);
  return rule;
}

/** The catalogues of a language have the same rule, and each is read several times. */
const remembered = new Map<string, PluralRule | undefined>();
/** More languages than any project has. */
const MAX_REMEMBERED = 100;

function readRule(text: string): PluralRule | undefined {
  const nplurals = Number(/nplurals\s*=\s*(\d{1,9})/.exec(text)?.[1] ?? 0);
  if (nplurals < 1 || nplurals > 32) return undefined;
  const evaluate = parseExpression(/plural\s*=([^;]*)/.exec(text)?.[1] ?? '');
  if (!evaluate) return undefined;
  return {
    nplurals,
    indexOf: (n) => {
      const index = evaluate(n);
      return index >= 0 && index < nplurals ? index : undefined;
    },
  };
}

/** Compiles a C expression over `n` with unsigned numbers. Undefined if it is invalid. */
export function parseExpression(source: string): Evaluate | undefined {
  const tokens = source.slice(0, MAX_LENGTH).match(/\d+|[|&=!<>]=|\|\||&&|\S/g) ?? [];
  const parser = new ExpressionParser(tokens);
  const evaluate = parser.ternary(0);
  return parser.finished ? evaluate : undefined;
}

type Operator = (a: number, b: number) => number;

function multiply(a: number, b: number): number {
  const product = a * b;
  return Number.isSafeInteger(product) ? product % (MAX_NUMBER + 1) : Number.NaN;
}

/** The operators, from the lowest to the highest precedence. NaN, from a division by zero, is never an index. */
const LEVELS: readonly (readonly (readonly [string, Operator])[])[] = [
  [['||', (a, b) => Number(a !== 0 || b !== 0)]],
  [['&&', (a, b) => Number(a !== 0 && b !== 0)]],
  [
    ['==', (a, b) => Number(a === b)],
    ['!=', (a, b) => Number(a !== b)],
  ],
  [
    ['<=', (a, b) => Number(a <= b)],
    ['>=', (a, b) => Number(a >= b)],
    ['<', (a, b) => Number(a < b)],
    ['>', (a, b) => Number(a > b)],
  ],
  [
    ['+', (a, b) => (a + b) % (MAX_NUMBER + 1)],
    ['-', (a, b) => (a - b + MAX_NUMBER + 1) % (MAX_NUMBER + 1)],
  ],
  [
    ['*', multiply],
    ['/', (a, b) => (b === 0 ? Number.NaN : Math.trunc(a / b))],
    ['%', (a, b) => a % b],
  ],
];

class ExpressionParser {
  readonly #tokens: readonly string[];
  #at = 0;
  #failed = false;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get finished(): boolean {
    return !this.#failed && this.#at === this.#tokens.length;
  }

  #accept(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #fail(): Evaluate {
    this.#failed = true;
    return () => Number.NaN;
  }

  ternary(depth: number): Evaluate {
    if (depth > MAX_DEPTH) return this.#fail();
    const condition = this.#binary(0, depth);
    if (!this.#accept('?')) return condition;
    const yes = this.ternary(depth + 1);
    if (!this.#accept(':')) return this.#fail();
    const no = this.ternary(depth + 1);
    return (n) => (condition(n) === 0 ? no(n) : yes(n));
  }

  #binary(level: number, depth: number): Evaluate {
    const operators = LEVELS[level];
    if (!operators) return this.#unary(depth);
    let left = this.#binary(level + 1, depth);
    for (;;) {
      const operator = operators.find(([symbol]) => this.#tokens[this.#at] === symbol)?.[1];
      if (!operator) return left;
      this.#at++;
      const [a, b] = [left, this.#binary(level + 1, depth)];
      left = (n) => operator(a(n), b(n));
    }
  }

  #unary(depth: number): Evaluate {
    if (depth > MAX_DEPTH) return this.#fail();
    const token = this.#tokens[this.#at++];
    if (token === 'n') return (n) => n;
    if (token === '!') {
      const operand = this.#unary(depth + 1);
      return (n) => Number(operand(n) === 0);
    }
    if (token === '(') {
      const inner = this.ternary(depth + 1);
      return this.#accept(')') ? inner : this.#fail();
    }
    if (token === undefined || !/^\d{1,9}$/.test(token)) return this.#fail();
    const constant = Number(token);
    return () => constant;
  }
}

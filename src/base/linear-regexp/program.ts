import { DragomanError } from '../errors.ts';

/** Instructions of a compiled expression. Each continues with the next one; distances count from itself. */
export type Instruction =
  /** One UTF-16 unit. */
  | { readonly op: 'unit'; readonly accepts: (unit: number) => boolean }
  /** Tries the instruction at the first distance, then the one at the second. */
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly distance: number }
  | { readonly op: 'start' | 'end' | 'accept' | 'variable' }
  /** The start (even slots) or end (odd ones) of a group. */
  | { readonly op: 'save'; readonly slot: number }
  /** Requires, or forbids, a match of the instructions after it, up to `distance`. */
  | { readonly op: 'look'; readonly isNegative: boolean; readonly distance: number };

export type Program = readonly Instruction[];

const MAX_INSTRUCTIONS = 5_000;
const MAX_NESTING = 200;

/**
 * Compiles a JavaScript regular expression: characters, classes, groups, alternatives, quantifiers, lookahead, `^` and
 * `$`. `variable` is a character that matches a text without a slash, the same text at each occurrence.
 *
 * @throws DragomanError `usage` for constructs without linear matching (backreferences, lookbehind)
 */
export function compileExpression(source: string, variable: string): Program {
  return new Compiler(source, variable).compile();
}

/** At most two unbounded repetitions and few alternatives, which JavaScript also matches in bounded time. */
export function isQuickAnyway(program: Program): boolean {
  const loops = program.flatMap((instruction, end): { begin: number; end: number }[] => {
    if (instruction.op === 'variable') return [{ begin: end, end }];
    return instruction.op === 'jump' && instruction.distance < 0
      ? [{ begin: end + instruction.distance, end }]
      : [];
  });
  const splits = program.filter(({ op }) => op === 'split').length;
  const isNested = loops.some((loop) => loops.some(({ begin, end }) => loop.begin < begin && end < loop.end));
  // A second variable would need a backreference.
  const isPlain = program.filter(({ op }) => op === 'variable').length < 2;
  return isPlain && loops.length <= 2 && !isNested && splits - loops.length <= 4;
}

class Compiler {
  readonly #source: string;
  readonly #variable: string;
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(source: string, variable: string) {
    this.#source = source;
    this.#variable = variable;
  }

  compile(): Program {
    const program = this.#alternatives();
    if (this.#at < this.#source.length) throw this.#unsupported(this.#source.charAt(this.#at));
    return [...program, { op: 'accept' }];
  }

  /** `a|b|c`, up to the bracket that closes it. */
  #alternatives(): Program {
    if (++this.#depth > MAX_NESTING) throw new DragomanError('usage', 'the pattern is nested too deeply');
    const choices = [this.#sequence()];
    while (this.#take('|')) choices.push(this.#sequence());
    this.#depth--;
    const parts = [choices.pop() ?? []];
    let length = parts[0]?.length ?? 0;
    for (const choice of choices.reverse()) {
      const split = { op: 'split', first: 1, second: choice.length + 2 } as const;
      parts.unshift([split, ...choice, { op: 'jump', distance: length + 1 }]);
      length += choice.length + 2;
    }
    return parts.flat();
  }

  #sequence(): Program {
    const program: Instruction[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      program.push(...this.#repeated(this.#atom()));
      if (program.length > MAX_INSTRUCTIONS) throw tooLong();
    }
    return program;
  }

  #atom(): Program {
    if (this.#source.charAt(this.#at) === '(') return this.#group();
    if (this.#take(this.#variable)) return [{ op: 'variable' }];
    if (this.#take('^')) return [{ op: 'start' }];
    if (this.#take('$')) return [{ op: 'end' }];
    return [{ op: 'unit', accepts: unitTest(this.#unit()) }];
  }

  #group(): Program {
    const opening = /^\((?:\?(?:<?[=!]|[^]))?/.exec(this.#source.slice(this.#at))?.[0] ?? '';
    this.#at += opening.length;
    const slot = opening === '(' ? 2 * this.#groups++ : 0;
    const body = this.#alternatives();
    if (!this.#take(')')) throw this.#unsupported('(');
    switch (opening) {
      case '(?:':
        return body;
      case '(':
        return [{ op: 'save', slot }, ...body, { op: 'save', slot: slot + 1 }];
      case '(?=':
      case '(?!': {
        const look = { op: 'look', isNegative: opening === '(?!', distance: body.length + 2 } as const;
        return [look, ...body, { op: 'accept' }];
      }
      default:
        throw this.#unsupported(opening);
    }
  }

  /** The source of what matches one unit: a character, an escape or a class. */
  #unit(): string {
    const unit = this.#match(
      /\[(?:[^\]\\]|\\[^])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|[^])|[^\\*+?]/y,
    )[0];
    if (unit === undefined || /^\\[1-9bBk]/.test(unit)) {
      throw this.#unsupported(unit ?? this.#source.charAt(this.#at));
    }
    return unit;
  }

  /** The body, repeated according to its quantifier. */
  #repeated(body: Program): Program {
    const [quantifier, low, range, high] = this.#match(/[*+?]|\{(\d+)(,(\d*))?\}/y);
    if (quantifier === undefined) return body;
    const isLazy = this.#take('?');
    const least = Number(low ?? (quantifier === '+' ? 1 : 0));
    const most = Number(low === undefined ? quantifier === '?' : range === undefined ? low : high);
    const isEndless = quantifier === '*' || quantifier === '+' || range === ',';
    const times = isEndless ? least + 1 : Math.max(least, most);
    if (times * (body.length + 2) > MAX_INSTRUCTIONS) throw tooLong();
    const split = (distance: number): Instruction =>
      isLazy ? { op: 'split', first: distance, second: 1 } : { op: 'split', first: 1, second: distance };
    let rest: Program = [];
    if (isEndless) rest = [split(body.length + 2), ...body, { op: 'jump', distance: -body.length - 1 }];
    else for (let i = least; i < most; i++) rest = [split(body.length + rest.length + 1), ...body, ...rest];
    for (let i = 0; i < least; i++) rest = [...body, ...rest];
    return rest;
  }

  #match(pattern: RegExp): readonly (string | undefined)[] {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source) ?? [];
    this.#at += match[0]?.length ?? 0;
    return match;
  }

  #take(char: string): boolean {
    const isThere = this.#source.startsWith(char, this.#at);
    if (isThere) this.#at += char.length;
    return isThere;
  }

  #unsupported(what: string): DragomanError {
    return new DragomanError('usage', `${JSON.stringify(what)} has no meaning in a pattern`, {
      hint: 'Put a backslash before a character that is part of the name.',
    });
  }
}

function tooLong(): DragomanError {
  return new DragomanError('usage', 'the pattern is too long', { hint: 'Split it into several.' });
}

/** Classes and escapes have JavaScript's meaning, computed once for each ASCII character. */
function unitTest(source: string): (unit: number) => boolean {
  if (source.length === 1 && source !== '.') {
    const only = source.charCodeAt(0);
    return (unit) => unit === only;
  }
  const expression = new RegExp(`^${source}$`);
  const test = (unit: number): boolean => expression.test(String.fromCharCode(unit));
  const ascii = Array.from({ length: 128 }, (_, unit) => test(unit));
  return (unit) => ascii[unit] ?? test(unit);
}

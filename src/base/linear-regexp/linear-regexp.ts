import { DragomanError } from '../errors.ts';
import { compileExpression, isQuickAnyway, type Instruction, type Program } from './program.ts';

export interface LinearMatch {
  /** What the groups matched, in the order of their opening brackets. */
  readonly groups: readonly string[];
  /** The text of the variable. */
  readonly variable: string | undefined;
}

/** Steps per text: thousands of times what an ordinary pattern needs for the longest path. */
const MAX_STEPS = 10_000_000;

/** The captures of a match so far. */
interface State {
  readonly variable: string | undefined;
  readonly saved: Saved | undefined;
  /** The mark for places tried with this value of the variable. */
  readonly mark: number;
}

/** A place in the program and the text. */
interface Way {
  readonly pc: number;
  readonly at: number;
  readonly state: State;
}

interface Saved {
  readonly slot: number;
  readonly at: number;
  readonly before: Saved | undefined;
}

/**
 * A regular expression whose matching takes steps in proportion to the length of the expression times that of the text:
 * no instruction is tried twice at the same place. JavaScript's own backtracks without limit and cannot be interrupted.
 */
export class LinearRegExp {
  readonly #program: Program;
  /** JavaScript's own expression, if it is bounded too: it is ten times as fast. */
  readonly #quick: RegExp | undefined;
  /** By place and instruction: the mark of the last attempt. */
  #tried = new Uint32Array();
  #marks = 0;
  #steps = 0;
  #isPrefix = false;
  #lookaheads = 0;
  /** Whether a match attempt reached the end of the prefix. */
  #touchedEnd = false;

  /**
   * @param variable a character of the source that matches a text without a slash, the same text at each occurrence
   * @throws DragomanError `usage`, see {@link compileExpression}
   */
  constructor(source: string, variable: string) {
    this.#program = compileExpression(source, variable);
    if (isQuickAnyway(this.#program)) this.#quick = new RegExp(source.replace(variable, '[^/]+?'));
  }

  /** @throws DragomanError `limit_exceeded` after too many steps */
  test(text: string): boolean {
    return this.#quick?.test(text) ?? this.#begin(text, false) !== undefined;
  }

  /** @throws DragomanError `limit_exceeded` after too many steps */
  match(text: string): LinearMatch | undefined {
    if (this.#quick?.test(text) === false) return undefined;
    const state = this.#begin(text, false);
    if (!state) return undefined;
    const places = new Map<number, number>();
    // For a repeated group, the last place counts.
    for (let saved = state.saved; saved; saved = saved.before) {
      if (!places.has(saved.slot)) places.set(saved.slot, saved.at);
    }
    const groups: string[] = [];
    for (const [slot, at] of places)
      if (slot % 2 === 0) groups[slot / 2] = text.slice(at, places.get(slot + 1));
    return { groups, variable: state.variable };
  }

  /** Whether a text that begins with this one may match. @throws DragomanError `limit_exceeded` */
  matchesBeginning(text: string): boolean {
    return this.#begin(text, true) !== undefined;
  }

  #begin(text: string, isPrefix: boolean): State | undefined {
    this.#isPrefix = isPrefix;
    this.#steps = 0;
    this.#lookaheads = 0;
    this.#touchedEnd = false;
    const places = this.#program.length * (text.length + 1);
    if (this.#tried.length < places || this.#marks > 2 ** 31) {
      this.#tried = new Uint32Array(places);
      this.#marks = 0;
    }
    return this.#run(text, 0, 0, { variable: undefined, saved: undefined, mark: ++this.#marks });
  }

  /** The first match, in the order of the expression, from an instruction to its end. */
  #run(text: string, pc: number, at: number, state: State): State | undefined {
    const ways: Way[] = [];
    for (let way: Way | undefined = { pc, at, state }; way; way = ways.pop()) {
      const end = this.#follow(text, way, ways);
      if (end) return end;
    }
    return undefined;
  }

  /** Follows one path until it fails; alternatives are pushed to the stack. */
  #follow(text: string, way: Way, ways: Way[]): State | undefined {
    let { pc, at, state } = way;
    for (;;) {
      const place = at * this.#program.length + pc;
      if (this.#tried[place] === state.mark) return undefined;
      this.#tried[place] = state.mark;
      if (++this.#steps > MAX_STEPS) throw tooManySteps(text);
      const instruction: Instruction = this.#program[pc] ?? ACCEPT;
      switch (instruction.op) {
        case 'accept':
          return state;
        case 'unit':
          if (at === text.length) return this.#atEnd(state);
          if (!instruction.accepts(text.charCodeAt(at++))) return undefined;
          pc++;
          break;
        case 'split':
          // Most paths fail at their first character: those are not started.
          if (!this.#mayBegin(text, pc + instruction.first, at)) pc += instruction.second;
          else {
            if (this.#mayBegin(text, pc + instruction.second, at))
              ways.push({ pc: pc + instruction.second, at, state });
            pc += instruction.first;
          }
          break;
        case 'jump':
          pc += instruction.distance;
          break;
        case 'save':
          state = savedAt(state, instruction.slot, at);
          pc++;
          break;
        case 'look':
          if (!this.#looksLike(text, { pc: pc + 1, at, state }, instruction.isNegative)) return undefined;
          pc += instruction.distance;
          break;
        case 'start':
          if (at > 0) return undefined;
          pc++;
          break;
        case 'end':
          if (at < text.length) return undefined;
          // A prefix is followed by unknown text: only lookaheads may end in it.
          if (this.#isPrefix) return this.#lookaheads > 0 ? this.#atEnd(state) : undefined;
          pc++;
          break;
        case 'variable':
          if (state.variable === undefined) return this.#bind(text, { pc, at, state }, ways);
          if (this.#isPrefix && state.variable.startsWith(text.slice(at))) return this.#atEnd(state);
          if (!text.startsWith(state.variable, at)) return undefined;
          at += state.variable.length;
          pc++;
          break;
      }
    }
  }

  #mayBegin(text: string, pc: number, at: number): boolean {
    const instruction = this.#program[pc];
    return (
      instruction?.op !== 'unit' ||
      (at < text.length ? instruction.accepts(text.charCodeAt(at)) : this.#isPrefix)
    );
  }

  /** A prefix matches as far as it goes. */
  #atEnd(state: State): State | undefined {
    this.#touchedEnd = this.#isPrefix;
    return this.#isPrefix ? state : undefined;
  }

  /** Conditions that depend on the unknown text count as true. */
  #looksLike(text: string, { pc, at, state }: Way, isNegative: boolean): boolean {
    const outer = this.#touchedEnd;
    this.#touchedEnd = false;
    this.#lookaheads++;
    const end = this.#run(text, pc, at, {
      variable: state.variable,
      saved: state.saved,
      mark: ++this.#marks,
    });
    this.#lookaheads--;
    const isOpen = this.#touchedEnd;
    // An undecided lookahead makes the surrounding one undecided too.
    this.#touchedEnd = outer || (isOpen && this.#lookaheads > 0);
    return isOpen || (end !== undefined) !== isNegative;
  }

  /** Tries every possible text of the variable, the shortest first. */
  #bind(text: string, { pc, at, state }: Way, ways: Way[]): State | undefined {
    const slash = text.indexOf('/', at);
    if (slash < 0 && this.#isPrefix) return this.#atEnd(state);
    for (let end = slash < 0 ? text.length : slash; end > at; end--) {
      const variable = text.slice(at, end);
      ways.push({ pc: pc + 1, at: end, state: { ...state, variable, mark: ++this.#marks } });
    }
    return undefined;
  }
}

function savedAt({ variable, saved, mark }: State, slot: number, at: number): State {
  return { variable, saved: { slot, at, before: saved }, mark };
}

const ACCEPT: Instruction = { op: 'accept' };

function tooManySteps(text: string): DragomanError {
  const path = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new DragomanError('limit_exceeded', `the pattern has too many ways to match ${path}`, {
    hint: 'Use fewer wildcards, or exclude the directory.',
  });
}

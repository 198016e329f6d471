import { DragomanError } from '../../base/errors.ts';

/** A character that never occurs in file names; represents `{locale}`. */
export const LOCALE = '\ue000';

/**
 * The maximum total size of {@link Places} per text: thousands of times what an ordinary pattern needs for the longest
 * path.
 */
const MAX_STEPS = 50_000_000;
const MAX_NESTING = 200;

/** One byte per offset in the text: 1 if a match of the pattern so far can end there. */
type Places = Uint8Array<ArrayBuffer>;

/** A match against one text, with a limited number of steps. */
export class GlobMatch {
  readonly text: string;
  /** The text matched by `{locale}`, once it is known. */
  locale: string | undefined;
  #steps = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws DragomanError `limit_exceeded` */
  places(at?: number): Places {
    const { text } = this;
    this.#steps += text.length + 1;
    if (this.#steps > MAX_STEPS) {
      const path = text.length > 200 ? `${text.slice(0, 200)}…` : text;
      throw new DragomanError('limit_exceeded', `the pattern has too many ways to match ${path}`, {
        hint: 'Use fewer wildcards, or exclude the directory.',
      });
    }
    const places = new Uint8Array(text.length + 1);
    if (at !== undefined) places[at] = 1;
    return places;
  }
}

/** A part of a pattern: maps the offsets where it can start to those where it can end. */
type Part = (attempt: GlobMatch, from: Places) => Places;

/** Consecutive parts. */
export type Parts = readonly Part[];

/**
 * Parses a pattern without braces into the parts of each alternative. A part scans the text once for all offsets where
 * it can start, so the time is proportional to pattern times text.
 *
 * @param isLoose whether wildcards match a dot at the start of a name
 * @throws DragomanError `usage`
 */
export function parseGlob(pattern: string, isLoose = false): readonly Parts[] {
  return new Parser(pattern, isLoose).parse();
}

/** Whether the parts match the whole text. @throws DragomanError `limit_exceeded` */
export function matchesParts(parts: Parts, text: string): boolean {
  const attempt = new GlobMatch(text);
  const first = parts.indexOf(locale);
  if (first === parts.lastIndexOf(locale))
    return endsOf(parts, attempt, attempt.places(0))[text.length] === 1;
  const rest = parts.slice(first + 1);
  for (const start of endsFrom(0, parts.slice(0, first), attempt)) {
    for (let end = start + 1; end <= text.length && text[end - 1] !== '/'; end++) {
      attempt.locale = text.slice(start, end);
      if (endsOf(rest, attempt, attempt.places(end))[text.length] === 1) return true;
    }
  }
  return false;
}

/** The offsets where parts that start at `start` can end, in ascending order. @throws DragomanError `limit_exceeded` */
export function endsFrom(start: number, parts: Parts, attempt: GlobMatch): readonly number[] {
  const ends: number[] = [];
  forEachPlace(endsOf(parts, attempt, attempt.places(start)), (at) => ends.push(at));
  return ends;
}

function endsOf(parts: Parts, attempt: GlobMatch, from: Places): Places {
  for (const part of parts) {
    if (!from.includes(1)) break;
    from = part(attempt, from);
  }
  return from;
}

/** Calls `visit` with each offset, in ascending order. */
function forEachPlace(places: Places, visit: (at: number) => void): void {
  for (let at = places.indexOf(1); at >= 0; at = places.indexOf(1, at + 1)) visit(at);
}

/** Adds offsets to a set; returns whether any of them is new. */
function addPlaces(to: Places, more: Places): boolean {
  let isNew = false;
  forEachPlace(more, (at) => {
    isNew ||= to[at] !== 1;
    to[at] = 1;
  });
  return isNew;
}

function literal(words: string): Part {
  return (attempt, from) => {
    const to = attempt.places();
    forEachPlace(from, (at) => {
      if (attempt.text.startsWith(words, at)) to[at + words.length] = 1;
    });
    return to;
  };
}

function character(accepts: (character: string) => boolean): Part {
  return (attempt, from) => {
    const to = attempt.places();
    forEachPlace(from, (at) => {
      if (accepts(attempt.text[at] ?? '/')) to[at + 1] = 1;
    });
    return to;
  };
}

/** Matches any number of characters up to `stop`. @param isGuarded whether the first one must not be a dot */
function run(stop: string, isGuarded: boolean): Part {
  return (attempt, from) => {
    const { text } = attempt;
    const to = attempt.places();
    for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) {
      if (isGuarded && text[at] === '.') continue;
      const start = at;
      const stopped = text.indexOf(stop, start);
      at = stopped < 0 ? text.length : stopped;
      to.fill(1, start, at + 1);
    }
    return to;
  };
}

/** The end of a name. */
const SLASH = '/';
/** The end of a path without hidden names. */
const HIDDEN = '/.';
const NEVER = '\0';

const name = run(SLASH, false);

const locale: Part = (attempt, from) =>
  attempt.locale === undefined
    ? name(attempt, character((unit) => unit !== '/')(attempt, from))
    : literal(attempt.locale)(attempt, from);

function either(choices: readonly Parts[]): Part {
  return (attempt, from) => {
    const to = attempt.places();
    for (const choice of choices) addPlaces(to, endsOf(choice, attempt, from));
    return to;
  };
}

/** @param least 0 or 1 */
function repeated(body: Part, least: number): Part {
  return (attempt, from) => {
    const all = least === 0 ? from.slice() : attempt.places();
    for (let last = body(attempt, from); addPlaces(all, last); last = body(attempt, last));
    return all;
  };
}

/** Like `part`, but only where `choices` do not match: the rest of the text or, if `isPrefix`, its start. */
function unless(choices: readonly Parts[], isPrefix: boolean, part: Part): Part {
  const inner = either(choices);
  return (attempt, from) => {
    const free = attempt.places();
    forEachPlace(from, (at) => {
      const ends = inner(attempt, attempt.places(at));
      const isMatch = isPrefix ? ends.includes(1) : ends[attempt.text.length] === 1;
      free[at] = isMatch ? 0 : 1;
    });
    return part(attempt, free);
  };
}

class Parser {
  readonly #pattern: string;
  readonly #isLoose: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, isLoose: boolean) {
    this.#pattern = pattern.replace(/(?<=^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, '');
    this.#isLoose = isLoose;
  }

  parse(): readonly Parts[] {
    const braces = this.#pattern.replace(/\\[^]/g, '').match(/[{}]/g) ?? [];
    if (braces.length % 2 !== 0) throw this.#unclosed();
    return this.#choices();
  }

  #choices(): readonly Parts[] {
    const choices = [this.#sequence()];
    while (this.#take('|')) choices.push(this.#sequence());
    return choices;
  }

  #sequence(): Parts {
    const parts: Part[] = [];
    let words = '';
    const add = (part: Part): void => {
      if (words !== '') parts.push(literal(words));
      words = '';
      parts.push(part);
    };
    while (this.#at < this.#pattern.length) {
      const char = this.#pattern.charAt(this.#at);
      if (char === '|' || (char === ')' && this.#depth > 0)) break;
      const part = this.#special();
      if (part) add(part);
      else if (this.#take('\\')) words += this.#pattern.charAt(this.#at++) || '\\';
      else {
        words += char;
        this.#at++;
      }
    }
    if (words !== '') parts.push(literal(words));
    return parts;
  }

  /** Parses anything except a literal character. */
  #special(): Part | undefined {
    const isFirst = (this.#pattern[this.#at - 1] ?? '/') === '/';
    const isGuarded = isFirst && !this.#isLoose;
    const rest = this.#pattern.slice(this.#at);
    if (rest === '/**' && !/(?:^|\/|(?<!\\)\*)$/.test(this.#pattern.slice(0, this.#at))) {
      this.#at += rest.length;
      return either([[], [literal('/'), this.#anywhere()]]);
    }
    if (/^[@!+*?]?\(/.test(rest)) return this.#group();
    if (rest.startsWith('[') && rest.includes(']')) return this.#class();
    if (this.#take(LOCALE)) return locale;
    if (this.#take('?')) return character((unit) => unit !== '/' && !(isGuarded && unit === '.'));
    const [stars] = /^\*+/.exec(rest) ?? [];
    if (stars === undefined) return undefined;
    this.#at += stars.length;
    const isDeep = /^\*\*(?:\/|$)/.test(rest) || /^\*\*\.\w+$/.test(this.#pattern);
    if (!isFirst || !isDeep) return run(SLASH, isGuarded);
    return this.#take('/') ? either([[], [this.#anywhere(), literal('/')]]) : this.#anywhere();
  }

  /** Parses `**`, which matches across directories. */
  #anywhere(): Part {
    return this.#isLoose ? run(NEVER, false) : run(HIDDEN, true);
  }

  /** Parses `@(a|b)`, and `(a|b)`, which means the same. */
  #group(): Part {
    if (++this.#depth > MAX_NESTING) throw new DragomanError('usage', 'the pattern is nested too deeply');
    const kind = this.#pattern.charAt(this.#at++);
    if (kind !== '(') this.#at++;
    const start = this.#at;
    const choices = this.#choices();
    const inner = this.#pattern.slice(start, this.#at);
    if (!this.#take(')')) throw this.#unclosed();
    this.#depth--;
    const body = either(choices);
    if (kind === '!') return this.#negation(choices, inner);
    if (kind === '?') return either([[], [body]]);
    return kind === '*' || kind === '+' ? repeated(body, kind === '+' ? 1 : 0) : body;
  }

  /** Like micromatch: the rest of the name counts as the end of the text only for `!(*a).b`. */
  #negation(choices: readonly Parts[], inner: string): Part {
    const rest = this.#pattern.slice(this.#at);
    const isDeep = inner.length > 1 && inner.includes('/');
    const part = isDeep ? run(HIDDEN, false) : name;
    if (isDeep || /^\)*$/.test(rest)) return unless(choices, false, part);
    if (!inner.includes('*') || !/^\.[^\\/.]+$/.test(rest)) return unless(choices, true, part);
    const [behind = []] = parseGlob(rest, this.#isLoose);
    return unless([[either(choices), ...behind]], true, part);
  }

  /** Without special characters, the class also matches its own text, because `[id]` may be the name of a directory. */
  #class(): Part {
    const [whole = '', sign = '', body = ''] =
      /\[([!^]?)((?:\\[^]|[^\]\\]|(?<=\[[!^]?)\])*)\]/y.exec(this.#pattern.slice(this.#at)) ?? [];
    if (whole === '' || /\[[:.=]/.test(body)) throw this.#unclosed();
    this.#at += whole.length;
    let test: RegExp;
    try {
      test = new RegExp(`^[${sign && '^'}${body.replace(/(?<!\\)[[\]^]/g, '\\$&')}]$`);
    } catch {
      throw this.#unclosed();
    }
    const one = character((unit) => unit !== '/' && test.test(unit));
    return /[-*+?.^${}(|)[\]\\]/.test(sign + body) ? one : either([[one], [literal(whole)]]);
  }

  #take(char: string): boolean {
    const isThere = this.#pattern.startsWith(char, this.#at);
    if (isThere) this.#at += char.length;
    return isThere;
  }

  #unclosed(): DragomanError {
    return new DragomanError('usage', `${JSON.stringify(this.#pattern)} is not a file pattern`, {
      hint: 'Close every bracket, or put a backslash before one that is part of the name.',
    });
  }
}

import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { MemberCode } from '../json/layout.ts';
import { refuse } from '../refusal.ts';

/** Limits recursion. Real code never nests this deep. */
export const MAX_DEPTH = 200;

/** The opening of a heredoc or nowdoc, with its line break. */
export const HEREDOC = /<<<[ \t]*(["']?)([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)\1(\r\n|\n|\r)/y;

const LABEL_CHARACTER = /[\w\u0080-\uffff]/;

/** The lexical rules of PHP for texts, comments and brackets. */
export class PhpCode implements MemberCode {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  endOfComment(at: number): number | undefined {
    const { text } = this;
    const first = text.charAt(at);
    if (first !== '/' && first !== '#') return undefined;
    if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      if (close < 0) refuse(text, at, 'the comment is not closed', 'Add */ where it ends.');
      return close + 2;
    }
    // `#[` starts an attribute.
    if (first === '#' ? text.charAt(at + 1) === '[' : text.charAt(at + 1) !== '/') return undefined;
    let end = at + 1;
    while (end < text.length && !/[\r\n]/.test(text.charAt(end)) && !text.startsWith('?>', end)) end++;
    return end;
  }

  endOfString(at: number): number | undefined {
    const first = this.text.charAt(at);
    if (first === "'") return this.#endOfSingle(at);
    if (first === '"' || first === '`') return this.#endOfDouble(at, first, 0);
    return first === '<' ? this.#endOfHeredoc(at) : undefined;
  }

  makeSpeller(): (raw: string) => string {
    return (raw) => raw;
  }

  /**
   * The offset after the first of these characters outside brackets, texts and comments, or the end of the code.
   *
   * @param stops single characters
   * @param ended whether the code may end there
   */
  skipTo(from: number, stops: string, ended = false): number {
    const { text } = this;
    const open: number[] = [];
    for (let at = from; at < text.length;) {
      const quoted = this.endOfComment(at) ?? this.endOfString(at);
      const c = text.charAt(at);
      if (quoted !== undefined) at = quoted;
      else if (open.length === 0 && stops.includes(c)) return at;
      else if (text.startsWith('?>', at)) {
        if (open.length > 0 || !ended) break;
        return at;
      } else {
        if ('([{'.includes(c)) open.push(at);
        else if (')]}'.includes(c)) this.#close(open, at);
        at++;
      }
    }
    if (open.length === 0 && ended) return text.length;
    return refuse(text, open.at(-1) ?? from, 'this code is not closed');
  }

  #close(open: number[], at: number): void {
    const opener = open.pop();
    const pair = opener === undefined ? undefined : '([{'.indexOf(this.text.charAt(opener));
    if (pair === ')]}'.indexOf(this.text.charAt(at))) return;
    refuse(this.text, at, `unexpected ${this.text.charAt(at)}`);
  }

  #endOfSingle(start: number): number {
    const { text } = this;
    for (let at = start + 1; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x27) return at + 1;
      if (c === 0x5c) at++;
    }
    return refuse(text, start, 'the text is not closed', "A ' inside it needs a backslash.");
  }

  /** Code in braces may contain double quotes. */
  #endOfDouble(start: number, quote: string, depth: number): number {
    const { text } = this;
    for (let at = start + 1; at < text.length;) {
      const c = text.charAt(at);
      if (c === quote) return at + 1;
      if (c === '\\') at += 2;
      else if (text.startsWith('{$', at) || text.startsWith('${', at)) at = this.#endOfBraces(at, depth + 1);
      else at++;
    }
    return refuse(text, start, 'the text is not closed', `A ${quote} inside it needs a backslash.`);
  }

  #endOfBraces(start: number, depth: number): number {
    const { text } = this;
    if (depth > MAX_DEPTH) throw tooDeep(text, start);
    let open = 0;
    for (let at = start; at < text.length;) {
      const c = text.charAt(at);
      if (c === "'") at = this.#endOfSingle(at);
      else if (c === '"') at = this.#endOfDouble(at, c, depth);
      else {
        if (c === '{') open++;
        else if (c === '}' && --open === 0) return at + 1;
        at++;
      }
    }
    return refuse(text, start, 'this brace is not closed');
  }

  #endOfHeredoc(start: number): number | undefined {
    HEREDOC.lastIndex = start;
    const opening = HEREDOC.exec(this.text);
    if (!opening) return undefined;
    const end = findLabel(this.text, start + opening[0].length, opening[2] ?? '');
    return end ?? refuse(this.text, start, `no line begins with ${opening[2]}, which ends this text`);
  }
}

/** The offset after the label that closes a heredoc, on the first line that begins with it. */
export function findLabel(text: string, from: number, label: string): number | undefined {
  for (let line = from; line < text.length;) {
    let at = line;
    while (/[ \t]/.test(text.charAt(at))) at++;
    const end = at + label.length;
    if (text.startsWith(label, at) && !LABEL_CHARACTER.test(text.charAt(end))) return end;
    while (at < text.length && !/[\r\n]/.test(text.charAt(at))) at++;
    line = at + 1;
  }
  return undefined;
}

export function tooDeep(text: string, at: number): DragomanError {
  return new DragomanError('limit_exceeded', `the code is nested deeper than ${MAX_DEPTH} levels`, {
    at: positionAt(text, at),
  });
}

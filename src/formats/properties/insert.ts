import type { Edit } from '../../base/span.ts';
import type { Document, Entry, Key, ScanOptions } from '../format.ts';
import { planInsertions } from '../entry-changes.ts';
import { insertAt, newlineOf, withLineEnds } from '../lines.ts';
import { readStrayBytes } from '../stray-bytes.ts';
import { escapeUnits } from '../unicode-escapes.ts';
import { styleOf, isAscii } from './encode.ts';
import type { LogicalLine } from './lines.ts';
import { firstOwnLine, type Table, type Tree } from './table.ts';

export function insert(
  target: Document<Tree>,
  skeleton: Document<Tree>,
  missing: readonly Key[],
  { encodable }: ScanOptions = {},
): readonly Edit[] {
  return new PairInsertion(target.tree, skeleton.tree, encodable).place(missing);
}

/** Blank lines beyond this number are not copied. */
const MAX_GAP = 2;

class PairInsertion {
  readonly #target: Tree;
  readonly #source: Tree;
  readonly #lineEnd: string;
  /** Escapes non-ASCII characters in a pure ASCII file, and characters outside the encoding. */
  readonly #spell: (text: string) => string;
  readonly #comments: ReadonlySet<string>;
  /** Pairs with entries inserted between them and their heading. */
  readonly #passed = new Set<number>();
  readonly #headings = new Map<number, ReadonlySet<string>>();

  constructor(target: Tree, source: Tree, encodable: ScanOptions['encodable']) {
    this.#target = target;
    this.#source = source;
    this.#lineEnd = newlineOf(/[\r\n]/.test(target.text) ? target.text : source.text);
    const escapes = target.pairs.length > 0 && isAscii(target.text);
    const { upper } = styleOf(target.text, target.pairs);
    const stays = (unit: string): boolean => !escapes && encodable?.(unit) !== false;
    // Drops a redundant backslash before a character that becomes `\uXXXX`: it would escape the backslash of `\u`.
    this.#spell = (text) =>
      text.replace(/\\(.)|[^\0-\x7f]/gsu, (written: string, escaped: string | undefined) => {
        const character = escaped ?? written;
        return character <= '\x7f' || stays(character) ? written : escapeUnits(character, upper);
      });
    const lines = target.lines.filter(({ kind }) => kind === 'comment');
    this.#comments = new Set(lines.map((line) => textOf(target, line)));
  }

  place(missing: readonly Key[]): readonly Edit[] {
    const targets = this.#target.entries;
    const sources = this.#source.entries;
    const targetIndex = new Map(targets.map((entry, i) => [entry, i]));
    const sourceIndex = new Map(sources.map((entry, i) => [entry, i]));
    const edits: Edit[] = [];
    const appended: string[] = [];
    for (const placement of planInsertions(targets, sources, missing)) {
      const index = sourceIndex.get(placement.entry) ?? 0;
      const block = this.#block(placement.entry, index);
      const at =
        'before' in placement
          ? (this.#underHeading(targetIndex.get(placement.before) ?? 0, index) ?? placement.before.span.start)
          : 'after' in placement
            ? this.#behind(targets, targetIndex.get(placement.after) ?? 0, index)
            : undefined;
      const gap = 'after' in placement ? this.#gapBefore(index) : '';
      if (at === undefined) appended.push(gap + block);
      else edits.push(insertAt(at, gap + block + this.#lineEnd));
    }
    return appended.length === 0 ? edits : [...edits, this.#append(appended)];
  }

  /** Undefined if the pair ends the file without a line end. */
  #behind(targets: readonly Entry[], after: number, source: number): number | undefined {
    const next = targets[after + 1];
    const heading = next && this.#underHeading(after + 1, source);
    if (heading !== undefined) return heading;
    const line = this.#target.pairs[after]?.line;
    return line && line.next > line.end ? line.next : undefined;
  }

  /** The blank lines in the source above the pair and its own comments. */
  #gapBefore(index: number): string {
    const { lines, places, text } = this.#source;
    const first = firstOwnLine(text, lines, places[index] ?? 0);
    let count = 0;
    while (count < MAX_GAP && lines[first - 1 - count]?.kind === 'blank') count++;
    return this.#lineEnd.repeat(first > count ? count : 0);
  }

  /** The pair with its own comments that the target lacks. */
  #block(entry: Entry, index: number): string {
    const { text, pairs } = this.#source;
    const line = pairs[index]?.line;
    const start = line?.start ?? entry.span.start;
    const known = leadComments(this.#source, index).some((comment) => this.#comments.has(comment));
    const block = text.slice(known ? start : entry.span.start, line?.pieces.at(-1)?.end ?? entry.span.end);
    // At the beginning of a file, this character would become a byte order mark.
    return this.#spell(withLineEnds(readStrayBytes(block), this.#lineEnd)).replace(/^\ufeff/, '\\uFEFF');
  }

  /** Appends to a file that has no final line end or no pairs. */
  #append(blocks: readonly string[]): Edit {
    const { text, lines } = this.#target;
    const lineEnd = this.#lineEnd;
    const last = lines.at(-1);
    const added = blocks.join(lineEnd);
    if (!last) return insertAt(text.length, added + lineEnd);
    if (last.next === last.end) {
      // After a lone backslash the first line end would only continue the line.
      const backslash = last.pieces.length > 0 && (last.pieces.at(-1)?.end ?? last.end) < last.end;
      // The same is true after a backslash and a bare CR, which form one line end with an LF.
      const dangling = backslash || (text.endsWith('\r') && lineEnd === '\n');
      return insertAt(text.length, (dangling ? lineEnd : '') + lineEnd + added);
    }
    return insertAt(text.length, (last.kind === 'comment' ? lineEnd : '') + added + lineEnd);
  }

  /**
   * Inserts above a pair but below its heading, if the source has that heading above the inserted entry. Later entries
   * for the same place follow, regardless of their headings in the source.
   */
  #underHeading(target: number, source: number): number | undefined {
    if (!this.#passed.has(target) && !this.#shareHeading(target, source)) return undefined;
    this.#passed.add(target);
    return this.#target.pairs[target]?.line.start;
  }

  #shareHeading(target: number, source: number): boolean {
    const comments = leadComments(this.#source, source);
    if (comments.length === 0) return false;
    let here = this.#headings.get(target);
    if (!here) {
      here = new Set(leadComments(this.#target, target));
      this.#headings.set(target, here);
    }
    const known = here;
    return comments.some((comment) => known.has(comment));
  }
}

/** All comments between a pair and the previous one. */
function leadComments(table: Table, index: number): readonly string[] {
  const end = table.places[index] ?? 0;
  const start = index === 0 ? 0 : (table.places[index - 1] ?? 0) + 1;
  const lines = table.lines.slice(start, end).filter(({ kind }) => kind === 'comment');
  return lines.map((line) => textOf(table, line)).filter((comment) => /\w/.test(comment));
}

const textOf = (table: Table, { start, end }: LogicalLine): string => table.text.slice(start, end).trim();

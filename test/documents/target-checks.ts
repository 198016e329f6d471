import { expect } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document, Entry } from '../../src/formats/format.ts';
import { openBytes, type OpenFile } from '../../src/documents/localization/open-file.ts';
import { slotIds, type SlotId } from '../../src/documents/localization/pairing.ts';
import {
  buildTarget,
  makeSkeleton,
  type Target,
  type TargetInput,
} from '../../src/documents/localization/target.ts';
import type { Dialect } from './target-model.ts';

export function valuesOf(document: Document): Map<SlotId, string> {
  return new Map(slotIds(document).map((id, i) => [id, document.slots[i]?.value ?? '']));
}

/** The bytes between the slots. */
export function outside(document: Document): readonly string[] {
  let at = 0;
  const parts: string[] = [];
  for (const { span } of document.slots) {
    parts.push(document.text.slice(at, span.start));
    at = span.end;
  }
  return [...parts, document.text.slice(at)];
}

/** The text with normalized values in these slots: where a value changes, its spelling may change too. */
export function masked({ text, slots, ...document }: Document, ids: { has(id: SlotId): boolean }): string {
  const all = slotIds({ text, slots, ...document });
  const edits = slots.flatMap(({ span, value }, i) =>
    ids.has(all[i] ?? '') ? [{ span, text: JSON.stringify(value) }] : [],
  );
  return splice(text, edits);
}

/** A source and its expected result in one language. */
export class Bench {
  readonly source: OpenFile;
  readonly skeleton: Document;
  readonly #dialect: Dialect;

  private constructor(dialect: Dialect, source: OpenFile) {
    this.#dialect = dialect;
    this.source = source;
    this.skeleton = makeSkeleton(source, { locale: dialect.target, spelling: dialect.target });
  }

  static async open(dialect: Dialect, text: string | Uint8Array): Promise<Bench> {
    return new Bench(dialect, await openBytes(Buffer.from(text), dialect.path, { locale: 'en' }));
  }

  openTarget(text: string | Uint8Array): Promise<OpenFile> {
    return openBytes(Buffer.from(text), this.#dialect.path, { locale: this.#dialect.target });
  }

  /** Builds the target, and checks that its bytes read back as promised. */
  async build(
    existing: OpenFile | undefined,
    values: ReadonlyMap<SlotId, string>,
    rest: Pick<TargetInput, 'remove'> = {},
  ): Promise<Target> {
    const { target } = this.#dialect;
    const { source, skeleton } = this;
    const built = buildTarget({
      source,
      skeleton,
      existing,
      values,
      locale: target,
      spelling: target,
      ...rest,
    });
    const read = await this.openTarget(built.bytes);
    expect(read.document.text).toBe(built.document.text);
    expect([...valuesOf(read.document)]).toEqual([...valuesOf(built.document)]);
    return built;
  }
}

/** A line that gets a comma or a container's brackets counts as kept. */
const EMPTY_CONTAINER = /(?:\{\}|\/>|><\/\w+>),?$/;
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/,(?=\r?$)/, ''));

/** Every line of `before` is in `after`, byte for byte, in the same order. */
export function expectLinesKept(before: string, after: string): void {
  const lines = linesOf(after);
  let at = 0;
  const wanted = linesOf(before);
  for (const [i, line] of wanted.entries()) {
    // The last line ends where the file does: text inserted after it gives it a line end.
    const isLast = i === wanted.length - 1;
    if (EMPTY_CONTAINER.test(line.trimEnd()) || (isLast && line === '')) continue;
    const found = lines.findIndex(
      (other, j) => j >= at && (other === line || (isLast && other === `${line}\r`)),
    );
    expect(found, `line ${JSON.stringify(line)} is kept in\n${after}`).toBeGreaterThanOrEqual(at);
    at = found + 1;
  }
}

const keyId = ({ key }: Entry): string => JSON.stringify(key);

/** New entries follow the nearest earlier neighbour that existed; otherwise, they precede the nearest later one. */
export function expectSourceOrder(
  skeleton: readonly Entry[],
  before: readonly Entry[],
  after: readonly Entry[],
  note: string,
): void {
  const old = new Map(before.map((entry) => [keyId(entry), entry]));
  const places = new Map(after.map((entry, i) => [keyId(entry), { entry, i }]));
  let previous: number | undefined;
  const added = new Map<number | undefined, number[]>();
  for (const [at, entry] of skeleton.entries()) {
    const place = places.get(keyId(entry));
    if (!place) continue;
    const counterpart = old.get(keyId(entry));
    if (counterpart) {
      previous = place.i;
      if (counterpart.children && entry.children && place.entry.children)
        expectSourceOrder(entry.children, counterpart.children, place.entry.children, note);
      continue;
    }
    added.set(previous, [...(added.get(previous) ?? []), place.i]);
    const next = skeleton.slice(at).find((later) => old.has(keyId(later)));
    const anchor = previous ?? (next && places.get(keyId(next))?.i);
    if (anchor === undefined) continue;
    const [from, to] = previous === undefined ? [place.i, anchor] : [anchor, place.i];
    expect(from, `${keyId(entry)} on the right side of its neighbour in ${note}`).toBeLessThan(to);
    const between = after.slice(from + 1, to).filter((other) => old.has(keyId(other)));
    expect(between.map(keyId), `between ${keyId(entry)} and its neighbour in ${note}`).toEqual([]);
  }
  for (const run of added.values()) expect(run).toEqual(run.toSorted((a, b) => a - b));
}

/** No comment occurs more often in the result than in its original file. */
export function expectNoCommentTwice(
  comments: readonly string[],
  before: string,
  skeleton: string,
  after: string,
): void {
  const count = (text: string, comment: string): number => text.split(comment).length - 1;
  for (const comment of comments) {
    const most = Math.max(count(before, comment), count(skeleton, comment));
    expect(count(after, comment), `${comment} in\n${after}`).toBeLessThanOrEqual(most);
    expect(count(after, comment), `${comment} in\n${after}`).toBeGreaterThanOrEqual(count(before, comment));
  }
}

/** A file with one kind of line end keeps it. */
export function expectOneLineEnd(before: string, after: string): void {
  if (before.includes('\n') && !/(?<!\r)\n/.test(before)) {
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  } else if (!before.includes('\r') && before.includes('\n')) expect(after).not.toContain('\r');
}

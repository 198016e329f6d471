import { DragomanError } from '../base/errors.ts';
import { splice, type Edit } from '../base/span.ts';
import type { Syntax } from '../text/syntax.ts';
import type { Document, ScanOptions, Slot } from './format.ts';

/** A new value for the slot at this index of `document.slots`. */
export type Values = ReadonlyMap<number, string>;

export interface RenderOptions extends ScanOptions {
  /** What the value at this index is written in, where that may not be the slot's own syntax. */
  readonly syntaxes?: ReadonlyMap<number, Syntax> | undefined;
}

/** What rendering needs of a format. */
export interface Scanner<Scanned extends Document> {
  scan(text: string, options?: ScanOptions): Scanned;
}

export interface Rendering<Scanned extends Document = Document> {
  readonly document: Scanned;
  /** Values that could not be written and why; their slots are as they were. */
  readonly rejected: ReadonlyMap<number, DragomanError>;
}

/**
 * Writes new values into a document and reads the result back: it has the same keys, the intended values, and nothing
 * else changed. A value that breaks this is left out and reported, the others are written.
 *
 * Values equal to the slot's are no edit: rendering unchanged values gives the identical text.
 *
 * @throws DragomanError `integrity` when no single value is to blame: a defect of the format.
 */
export function render<Scanned extends Document>(
  format: Scanner<Scanned>,
  document: Scanned,
  values: Values,
  { syntaxes, ...options }: RenderOptions = {},
): Rendering<Scanned> {
  const rejected = new Map<number, DragomanError>();
  const edits = new Map<number, readonly Edit[]>();
  for (const [index, value] of values) {
    const slot = slotAt(document, index);
    const syntax = syntaxes?.get(index) ?? slot.syntax;
    const converts = (syntax === 'markup') !== (slot.syntax === 'markup');
    if (slot.value === value && !slot.provisional && !converts) continue;
    try {
      edits.set(index, [{ span: slot.span, text: slot.encode(value, syntax) }, ...(slot.companions ?? [])]);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      rejected.set(index, error);
    }
  }
  const rendered = attempt(format, document, values, edits, options);
  if (!('culprits' in rendered)) return { document: rendered, rejected };
  for (const index of isolate(format, document, values, edits, options)) {
    edits.delete(index);
    rejected.set(
      index,
      new DragomanError(
        'integrity',
        `the value for ${slotAt(document, index).key.join(' › ')} does not read back`,
      ),
    );
  }
  const retried = attempt(format, document, values, edits, options);
  if ('culprits' in retried) throw new DragomanError('integrity', retried.culprits);
  return { document: retried, rejected };
}

function slotAt(document: Document, index: number): Slot {
  const slot = document.slots[index];
  if (!slot) throw new RangeError(`no slot ${index}`);
  return slot;
}

interface Mismatch {
  readonly culprits: string;
}

function attempt<Scanned extends Document>(
  format: Scanner<Scanned>,
  document: Scanned,
  values: Values,
  edits: ReadonlyMap<number, readonly Edit[]>,
  options: ScanOptions,
): Scanned | Mismatch {
  if (edits.size === 0) return document;
  let after: Scanned;
  try {
    // Forms of one message share their companions: each is one edit, however many of the forms change.
    after = format.scan(splice(document.text, [...new Set([...edits.values()].flat())]), options);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return { culprits: `the rendering is not well-formed: ${error.message}` };
  }
  if (after.slots.length !== document.slots.length) return { culprits: 'the rendering has other slots' };
  for (const [index, before] of document.slots.entries()) {
    const now = slotAt(after, index);
    const wanted = edits.has(index) ? values.get(index) : before.value;
    if (now.value !== wanted || !sameKey(now.key, before.key)) {
      return { culprits: `slot ${before.key.join(' › ')} reads ${JSON.stringify(now.value)}` };
    }
  }
  return after;
}

function sameKey(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, i) => segment === b[i]);
}

/** Halves the edits until each that breaks the document stands alone: n log n scans at worst, none when all is well. */
function isolate<Scanned extends Document>(
  format: Scanner<Scanned>,
  document: Scanned,
  values: Values,
  edits: ReadonlyMap<number, readonly Edit[]>,
  options: ScanOptions,
): readonly number[] {
  if (!('culprits' in attempt(format, document, values, edits, options))) return [];
  const indexes = [...edits.keys()];
  if (indexes.length === 1) return indexes;
  const middle = indexes.length >> 1;
  return [indexes.slice(0, middle), indexes.slice(middle)].flatMap((half) => {
    const part = new Map<number, readonly Edit[]>();
    for (const index of half) part.set(index, edits.get(index) ?? []);
    return isolate(format, document, values, part, options);
  });
}

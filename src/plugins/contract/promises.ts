import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { positionAt, splice, type Position, type Edit, type Span } from '../../base/span.ts';
import { deriveDocument } from '../../formats/document.ts';
import { keyId } from '../../formats/entry-changes.ts';
import type { Document, ScanOptions, Slot } from '../../formats/format.ts';
import type { KnownFormat } from '../../formats/registry.ts';
import { render } from '../../formats/render.ts';
import { mutate, TRICKY_VALUES, randomValue } from './mutation.ts';
import { Random, seedOf } from './random.ts';

/** The promises of every format, in test order. */
export const PROMISES = {
  reads: 'reads each file, with the same result when it is read again',
  keeps: 'writes every value back unchanged',
  writes: 'writes any other value exactly, or refuses it, and changes nothing else',
  edits: 'changes locale names, removes and inserts entries without loss',
  withstands: 'answers damaged files with a document or a refusal, in time',
} as const;

export type PromiseName = keyof typeof PROMISES;

/** An example file of the format. */
export interface Example {
  readonly path: string;
  readonly text: string;
}

export interface BrokenPromise {
  readonly promise: PromiseName;
  /** The path of the file. A damaged example has the path of its original. */
  readonly path: string;
  readonly at: Position | undefined;
  readonly problem: string;
  /** The damaged text. */
  readonly text?: string;
}

export interface Trial {
  readonly broken: readonly BrokenPromise[];
  /** Promises that no file could test, for example because none was readable. */
  readonly untried: readonly PromiseName[];
}

export interface Trials {
  readonly damaged: number;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Structural edits per file, which differ by seed. */
const EDITS = 10;
/** A program that fails on one damaged file usually fails on many, each time using its full time limit. */
const MOST_FAILED = 5;

/**
 * Tests a format's {@link PROMISES}. If several texts break a promise in the same way, it is reported once per file.
 */
export async function findBrokenPromises(
  format: KnownFormat,
  examples: readonly Example[],
  { damaged, seed, signal }: Trials,
): Promise<Trial> {
  const broken = new Map<string, BrokenPromise>();
  const untried = new Set(Object.keys(PROMISES).filter(isPromise));
  const attempt = (promise: PromiseName, example: Example, work: () => void): boolean => {
    untried.delete(promise);
    const found = problemOf(work);
    if (!found) return true;
    const text = promise === 'withstands' ? { text: example.text } : {};
    const id = `${promise} ${promise === 'withstands' ? '' : example.path} ${gistOf(found.problem)}`;
    if (!broken.has(id)) broken.set(id, { promise, path: example.path, ...found, ...text });
    return false;
  };
  for (const example of examples) {
    if (!attempt('reads', example, () => readTwice(format, example))) continue;
    attempt('keeps', example, () => writeBack(format, example));
    attempt('writes', example, () => writeOthers(format, example));
    for (let i = 0; i < EDITS; i++)
      attempt('edits', example, () => tryEntries(format, example.text, new Random(seedOf(seed, i))));
    await pause(signal);
  }
  const texts = examples.map(({ text }) => text);
  let failed = 0;
  for (let trial = 0; trial < damaged && failed < MOST_FAILED; trial++) {
    const random = new Random(seedOf(seed, trial));
    const text = mutate(texts, random).toWellFormed();
    const example = { path: `damaged file ${trial}`, text };
    if (!attempt('withstands', example, () => tryEntries(format, text, random))) failed++;
    await pause(signal);
  }
  return { broken: [...broken.values()], untried: [...untried] };
}

export function isPromise(name: string): name is PromiseName {
  return name in PROMISES;
}

/** Waiting for a program blocks everything, so signals are only handled between two requests. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  throwIfAborted(signal);
}

/** Problems that only differ in quoted texts and numbers count as one. */
function gistOf(problem: string): string {
  return problem.replace(/"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\d+/g, '…').slice(0, 80);
}

type Problem = Pick<BrokenPromise, 'problem' | 'at'>;

function problemOf(work: () => void): Problem | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof BrokenPlace) return { problem: error.message, at: error.at };
    if (error instanceof Defect) return { problem: error.message, at: undefined };
    if (!(error instanceof DragomanError)) throw error;
    // A refusal has a position in the file; a protocol violation has none.
    const isRefusal = error.code !== 'integrity' && error.at !== undefined;
    return isRefusal ? undefined : { problem: error.message, at: error.at };
  }
}

class BrokenPlace extends Error {
  readonly at: Position | undefined;

  constructor(problem: string, at?: Position) {
    super(problem);
    this.at = at;
  }
}

function readTwice(format: KnownFormat, { text }: Example): void {
  let first: Document;
  try {
    first = format.scan(text);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new BrokenPlace(error.message, error.at);
  }
  if (first.slots.length === 0) throw new BrokenPlace('the file has no values');
  if (gist(first) !== gist(format.scan(text)))
    throw new BrokenPlace('reading it again gives a different result');
}

/** The program's full answer for a text. */
function gist({ slots, entries, locale, dialect }: Document): string {
  return JSON.stringify([slots, entries, locale, dialect]);
}

function writeBack(format: KnownFormat, { text }: Example): void {
  const document = format.scan(text);
  const edits = document.slots.map(({ span, value, key }, i) => {
    try {
      return { span, text: document.slots[i]?.encode(value) ?? '' };
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      throw new BrokenPlace(`${JSON.stringify(key)}: ${error.message}`, positionAt(text, span.start));
    }
  });
  const again = format.scan(splice(text, edits));
  const wrong = document.slots.findIndex(({ value }, i) => again.slots[i]?.value !== value);
  const slot = document.slots[wrong];
  if (slot) {
    const found = JSON.stringify(again.slots[wrong]?.value ?? null);
    throw new BrokenPlace(
      `${JSON.stringify(slot.key)} reads ${found} when ${JSON.stringify(slot.value)} is written`,
      positionAt(text, slot.span.start),
    );
  }
  if (again.slots.length > document.slots.length) throw new BrokenPlace('there are more values than before');
}

/** Tries to write every text of the list into every slot. */
function writeOthers(format: KnownFormat, { text }: Example): void {
  const document = format.scan(text);
  for (let round = 0; round < TRICKY_VALUES.length; round++) {
    const values = new Map(
      document.slots.map((_, i) => [i, TRICKY_VALUES[(i + round) % TRICKY_VALUES.length] ?? '']),
    );
    const { rejected } = render(format, document, values);
    for (const [index, { code, message }] of rejected) {
      if (code === 'unencodable_value') continue;
      const { start } = document.slots[index]?.span ?? { start: 0 };
      throw new BrokenPlace(
        `${JSON.stringify(values.get(index))} is written, and ${message}`,
        positionAt(text, start),
      );
    }
  }
}

/** A format's faulty edit of a document. */
export class Defect extends Error {}

/** The format wrote a value that does not read back. This program detected it and kept the old value. */
export class Caught extends Defect {}

/**
 * Reads, edits and reads again a document of keys and values.
 *
 * @throws Defect, {@link Caught} only if nothing else is wrong, or errors of the format
 */
export function tryEntries(format: KnownFormat, text: string, random: Random): void {
  const document = scanOrRefuse(format, text, { locale: 'en' });
  if (!document) return;
  const caught = tryValues(format, document, random);
  const locale = random.pick(['fr', 'pl', 'ja', 'ar', 'pt-BR']);
  const skeleton = tryRetarget(format, document, locale);
  // A file scanned as one language may read differently as another.
  const options = { locale, source: document };
  const target = tryRemoval(format, format.scan(skeleton.text, options), random, options);
  tryInsertion(format, target, skeleton, options);
  if (caught) throw caught;
}

function scanOrRefuse(format: KnownFormat, text: string, options: ScanOptions): Document | undefined {
  try {
    return format.scan(text, options);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    if (error.at === undefined) throw new Defect(`rejected without a position: ${error.message}`);
    return undefined;
  }
}

function tryValues(format: KnownFormat, document: Document, random: Random): Caught | undefined {
  const values = new Map<number, string>();
  for (const index of document.slots.keys()) if (!random.once(3)) values.set(index, randomValue(random));
  const { rejected } = render(format, document, values, { locale: 'en' });
  return caughtIn(rejected, values);
}

/** The first of the values skipped by {@link render} that did not read back. */
export function caughtIn(
  rejected: ReadonlyMap<number, DragomanError>,
  values: ReadonlyMap<number, string>,
): Caught | undefined {
  for (const [index, { code, message }] of rejected) {
    if (code !== 'unencodable_value')
      return new Caught(`writes ${JSON.stringify(values.get(index))}, and ${message}`);
  }
  return undefined;
}

/** The result of structural edits, which must be a document. */
function edited(
  format: KnownFormat,
  what: string,
  document: Document,
  edits: readonly Edit[],
  options: ScanOptions,
): Document {
  // `render` does the same without edits.
  if (edits.length === 0) return document;
  try {
    return format.scan(splice(document.text, edits), options);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new Defect(`${what} does not scan: ${error.message}`);
  }
}

function tryRetarget(format: KnownFormat, document: Document, locale: string): Document {
  const options = { locale, spelling: locale.replace('-', '_') };
  const edits = format.retarget(document, { ...options, role: 'new' });
  const skeleton = edited(format, 'the skeleton', document, edits, { locale });
  edited(
    format,
    'the completed target',
    document,
    format.retarget(document, { ...options, role: 'existing' }),
    { locale },
  );
  // Texts that stay in the file until they are translated are in the template's language.
  const { locale: own, sourceLocale } = document;
  const template = deriveDocument(skeleton, { locale: own, sourceLocale });
  const again = splice(skeleton.text, format.retarget(template, { ...options, role: 'new' }));
  if (again !== skeleton.text) throw new Defect('the skeleton changes when it is made again');
  return skeleton;
}

/**
 * An entry may be removed as a whole, so slots of one top entry (PO: of one context and text) are not distinguished.
 */
function tryRemoval(format: KnownFormat, document: Document, random: Random, options: ScanOptions): Document {
  const keys = document.slots.filter(() => random.once(3)).map(({ key }) => key);
  const edits = format.remove(document, keys);
  const rest = edited(format, 'the rest', document, edits, options);
  const head = format.bilingual ? 2 : 1;
  const removed = new Set(keys.map((key) => keyId(key.slice(0, head))));
  const kept = document.slots.filter(({ key }) => !removed.has(keyId(key.slice(0, head))));
  requireKept(kept, { before: document, edits, after: rest }, 'a removal loses or changes');
  if (rest.dialect === document.dialect) requireWithin(rest.slots, document.slots, 'a removal makes');
  return rest;
}

interface Editing {
  readonly before: Document;
  readonly edits: readonly Edit[];
  readonly after: Document;
}

/**
 * Requires the values of these slots after the edits. If the result has a different dialect, with other strings as
 * values, it only requires that no edit touches them.
 */
function requireKept(slots: readonly Slot[], { before, edits, after }: Editing, what: string): void {
  if (after.dialect === before.dialect) {
    requireWithin(slots, after.slots, what);
    return;
  }
  for (const { key, span } of slots) {
    if (edits.some((edit) => edit.span.start < span.end && edit.span.end > span.start))
      throw new Defect(`${what} ${keyId(key)}`);
  }
}

/** Requires that these slots' values occur among the others, in this order. */
function requireWithin(slots: readonly Slot[], all: readonly Slot[], what: string): void {
  let at = 0;
  for (const slot of slots) {
    while (at < all.length && all[at]?.value !== slot.value) at++;
    if (at >= all.length) throw new Defect(`${what} ${keyId(slot.key)}`);
    at++;
  }
}

function tryInsertion(format: KnownFormat, target: Document, skeleton: Document, options: ScanOptions): void {
  const present = new Set(target.slots.map(({ key }) => keyId(key)));
  const missing = skeleton.slots.filter(({ key }) => !present.has(keyId(key)));
  const keys = missing.map(({ key }) => key);
  const edits = format.insert(target, skeleton, keys);
  const whole = edited(format, 'the insertion', target, edits, options);
  requireKept(target.slots, { before: target, edits, after: whole }, 'an insertion loses or changes');
  // In a different dialect, the skeleton's keys denote different values.
  if (target.dialect !== skeleton.dialect) return;
  const wanted = new Map<string, string[]>();
  for (const { key, value } of missing) wanted.set(keyId(key), [...(wanted.get(keyId(key)) ?? []), value]);
  // In the same dialect, existing text must not become a value.
  const isOpen = whole.dialect === target.dialect ? () => true : insideEdits(edits);
  for (const { key, value, span } of whole.slots) {
    const values = wanted.get(keyId(key));
    if (values && !values.includes(value) && isOpen(span)) {
      throw new Defect(`an insertion writes ${JSON.stringify(value)} for ${keyId(key)}`);
    }
  }
}

/** Whether a span of the result lies in inserted text. */
function insideEdits(edits: readonly Edit[]): (span: Span) => boolean {
  let shift = 0;
  const written = [...edits]
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ span, text }): Span => {
      const start = span.start + shift;
      shift += text.length - (span.end - span.start);
      return { start, end: start + text.length };
    });
  return ({ start, end }) => written.some((one) => one.start <= start && end <= one.end);
}

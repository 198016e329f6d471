import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { positionAt, splice, type Position } from '../../base/span.ts';
import type { Document } from '../../formats/format.ts';
import type { KnownFormat } from '../../formats/registry.ts';
import { render } from '../../formats/render.ts';
import { Defect, tryEntries } from './entries.ts';
import { mutate, TRICKY_VALUES } from './mutation.ts';
import { Random, seedOf } from './random.ts';

/** The promises of every format, in test order. */
export const PROMISES = {
  reads: 'reads each file, and finds the same in it twice',
  keeps: 'writes every value that it read so that it reads back',
  writes: 'writes any other value exactly or refuses it, and touches nothing else',
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
  /** For a damaged file: usually the one that it was made from. */
  readonly path: string;
  readonly at: Position | undefined;
  readonly problem: string;
  /** The damaged text. */
  readonly text?: string;
}

export interface Trial {
  readonly broken: readonly BrokenPromise[];
  /** Promises that no file could test: an unreadable file shows nothing about the others. */
  readonly untried: readonly PromiseName[];
}

export interface Trials {
  readonly damaged: number;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Structural edits differ by seed. */
const EDITS = 10;
/** A program that fails on one damaged file fails on many, and may use its full time limit for each. */
const MOST_FAILED = 5;

/**
 * Tests {@link PROMISES} with a format. A promise broken in the same way by several texts is reported once for each
 * file.
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

/** Waiting for a program blocks everything, so signals are only handled between two questions. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  throwIfAborted(signal);
}

/** Problems that only differ in quoted texts and numbers are the same. */
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
    // A refusal has a place in the file; a protocol violation has none.
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
  if (first.slots.length === 0) throw new BrokenPlace('there is no value in it');
  if (gist(first) !== gist(format.scan(text)))
    throw new BrokenPlace('the second reading finds something else');
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

/** Writes every text of the list into every slot. */
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

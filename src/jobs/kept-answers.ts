import { setImmediate as nextTurn } from 'node:timers/promises';
import { digestOf, type Digest } from '../base/digest.ts';
import type { HostRequest, PlainOutcome } from '../engines/host.ts';
import { requestOf } from '../engines/engine.ts';
import { addTo } from '../base/map-of-lists.ts';

type Translated = Extract<PlainOutcome, { translation: string }>;
type Ask = (request: HostRequest) => Promise<readonly PlainOutcome[]>;

/** A stored answer, in JSON so that no character needs special treatment. */
type WrittenAnswer = readonly [asked: Digest, translation: string, engine?: string];

/**
 * One piece of a long translation. The pieces follow one another; if one is missing, the translation was never stored
 * completely.
 */
type WrittenPiece = readonly [asked: Digest, piece: string, engine: string | null, index: number, of: number];

/** The maximum size of one write: it blocks the process. */
const WRITTEN_CHARACTERS = 256 * 1024;
/** The size of an answer without its translation. */
const ANSWER_CHARACTERS = 32;

/**
 * How long answers are collected before they are stored. Paid engines take longer per answer; fast engines would
 * otherwise cause hundreds of writes per second.
 */
const COLLECT_MS = 200;

/** The store for the answers of one unit. */
export interface UnitAnswerStore {
  keep(answers: string): Promise<void>;
  /** All stored answers of the unit, in the order they were written. */
  read(): AsyncIterable<string>;
}

/**
 * The engine answers of a unit: if the unit is started again, here or on another machine, the engine receives only the
 * rest. A text that is requested again because its answer was invalid gets its next stored answer, then a new one. Only
 * unused answers are kept in memory: all answers of a 10 MB file take 100 MB.
 */
export class KeptAnswers {
  readonly #open = new Map<Digest, Translated[]>();
  readonly #store: UnitAnswerStore;
  readonly #now: () => number;
  #fresh: WrittenAnswer[] = [];
  #writtenAt: number;
  #freshSince: number | undefined;
  #wasAsked = false;
  #failed = 0;
  #writing = Promise.resolve();
  /** Pending write of the latest answers. */
  #timer: NodeJS.Timeout | undefined;

  constructor(store: UnitAnswerStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#writtenAt = now();
  }

  /** Time of the first new answer; undefined until then. Earlier work repeats a previous run. */
  get freshSince(): number | undefined {
    return this.#freshSince;
  }

  /** Whether any text was sent to the engine. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  /** Texts whose requests failed. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * Call this before each start of the unit: all stored answers that can be read are used again. Reading those of a 10
   * MB file takes a second, without blocking other work.
   */
  async restart(): Promise<void> {
    await this.write();
    this.#failed = 0;
    this.#open.clear();
    try {
      for await (const answers of readAnswers(this.#store.read())) this.#learn(answers);
    } catch {
      // If the stored answers cannot be read, the work is repeated.
    }
  }

  /** Answers known texts from the store, and asks for the rest. @throws errors of `ask` and of storing. */
  async answer(request: HostRequest, ask: Ask): Promise<readonly PlainOutcome[]> {
    const digests = request.texts.map((_, i) => digestOfText(request, i));
    const outcomes: (PlainOutcome | undefined)[] = digests.map((digest) => this.#next(digest));
    const open = [...outcomes.keys()].filter((i) => outcomes[i] === undefined);
    this.#wasAsked ||= open.length > 0;
    const answers = open.length === 0 ? [] : await ask({ ...request, ...requestOf(request, open) });
    for (const [at, i] of open.entries()) {
      const outcome = answers[at] ?? { failure: 'the engine gave no answer' };
      outcomes[i] = outcome;
      const digest = digests[i];
      if ('failure' in outcome) this.#failed++;
      if ('failure' in outcome || digest === undefined) continue;
      const { translation, engine } = outcome;
      this.#fresh.push(engine === undefined ? [digest, translation] : [digest, translation, engine]);
    }
    if (open.length > 0) this.#freshSince ??= this.#now();
    if (this.#now() - this.#writtenAt >= COLLECT_MS) await this.write();
    else if (this.#fresh.length > 0) this.#timer ??= setTimeout(() => void this.write(), COLLECT_MS).unref();
    return outcomes.flatMap((outcome) => outcome ?? []);
  }

  /** Stops storing because the unit has ended. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stores pending answers. */
  async write(): Promise<void> {
    this.close();
    this.#writtenAt = this.#now();
    const fresh = this.#fresh;
    this.#fresh = [];
    const written = this.#writeAfter(this.#writing, fresh);
    this.#writing = written.catch(() => undefined);
    await written;
  }

  async #writeAfter(others: Promise<void>, answers: readonly WrittenAnswer[]): Promise<void> {
    await others;
    for (const row of rowsOf(answers)) await this.#store.keep(JSON.stringify(row));
  }

  #next(digest: Digest): Translated | undefined {
    const answers = this.#open.get(digest);
    const next = answers?.shift();
    if (answers?.length === 0) this.#open.delete(digest);
    return next;
  }

  #learn(kept: readonly WrittenAnswer[]): void {
    for (const [asked, translation, engine] of kept) {
      const answer = engine === undefined ? { translation } : { translation, engine };
      addTo(this.#open, asked, answer);
    }
  }
}

/** Splits answers into the contents of single rows. */
function* rowsOf(answers: readonly WrittenAnswer[]): Generator<readonly (WrittenAnswer | WrittenPiece)[]> {
  let row: WrittenAnswer[] = [];
  let size = 0;
  for (const answer of answers) {
    const length = answer[1].length + ANSWER_CHARACTERS;
    if (row.length > 0 && size + length > WRITTEN_CHARACTERS) {
      yield row;
      row = [];
      size = 0;
    }
    if (length > WRITTEN_CHARACTERS) yield* piecesOf(answer);
    else {
      row.push(answer);
      size += length;
    }
  }
  if (row.length > 0) yield row;
}

function* piecesOf([asked, translation, engine]: WrittenAnswer): Generator<readonly [WrittenPiece]> {
  const count = Math.ceil(translation.length / WRITTEN_CHARACTERS);
  for (let i = 0; i < count; i++) {
    const piece = translation.slice(i * WRITTEN_CHARACTERS, (i + 1) * WRITTEN_CHARACTERS);
    yield [[asked, piece, engine ?? null, i, count]];
  }
}

/** Parses the answers of each row. Lets other work run between rows, because parsing one blocks the process. */
async function* readAnswers(rows: AsyncIterable<string>): AsyncGenerator<readonly WrittenAnswer[]> {
  let pieces: string[] = [];
  for await (const row of rows) {
    await nextTurn();
    const written: unknown = JSON.parse(row);
    const answers: WrittenAnswer[] = [];
    for (const one of Array.isArray(written) ? written : []) {
      if (isAnswer(one)) answers.push(one);
      if (!isPiece(one)) continue;
      const [asked, piece, engine, index, count] = one;
      // An interrupted attempt stored the beginning of this answer; the next attempt stored it again.
      if (index === 0) pieces = [];
      pieces.push(piece);
      if (index + 1 < count || pieces.length < count) continue;
      answers.push(engine === null ? [asked, pieces.join('')] : [asked, pieces.join(''), engine]);
    }
    yield answers;
  }
}

function isAnswer(answer: unknown): answer is WrittenAnswer {
  return Array.isArray(answer) && answer.length >= 2 && answer.every((part) => typeof part === 'string');
}

/** Leaves out similar translations, because the memory may have changed since. */
function digestOfText({ texts, hints, after }: HostRequest, i: number): Digest {
  const hint = hints?.[i];
  const known = hint && { ...hint, similar: undefined };
  return digestOf(JSON.stringify(after ? [texts[i], known, after] : [texts[i], known]));
}

function isPiece(piece: unknown): piece is WrittenPiece {
  if (!Array.isArray(piece) || piece.length !== 5) return false;
  const [asked, text, engine, index, count]: readonly unknown[] = piece;
  return (
    typeof asked === 'string' &&
    typeof text === 'string' &&
    (engine === null || typeof engine === 'string') &&
    typeof index === 'number' &&
    typeof count === 'number'
  );
}

import { DragomanError } from '../../base/errors.ts';
import { isInterrupted } from '../../base/interruption.ts';
import { whileListening } from '../../workers/abandon.ts';
import { Conversation, type ConversationFrame, type Wire } from '../../workers/conversation.ts';
import { MAX_LINE_BYTES, readAnswerLine } from '../../workers/json-lines.ts';
import { printable } from '../../workers/printable.ts';
import {
  divide,
  type Engine,
  type EngineOutcome,
  type EngineRequest,
  type EngineStatus,
  requestOf,
  type SegmentHint,
} from '../engine.ts';
import { boundHint, boundTerm } from '../hints.ts';

export interface ExecOptions {
  /** A command line for the system's shell, from the user's configuration or flag. */
  readonly execCommand?: string | undefined;
  /** Maximum wait for a pending answer. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  /** How long pending work may continue after a call is interrupted. Default 0. */
  readonly graceMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Large enough to amortize a program's fixed cost, small enough that a crash or error affects few texts. */
const BATCH_TEXTS = 64;
const BATCH_CHARACTERS = 64_000;
const WINDOW = 4;
const LONGEST_COMMAND = 30_000;

type ExecConversation = Conversation<ExecBatch, readonly EngineOutcome[]>;

/**
 * Runs any program as an engine: one long-lived child process that exchanges a JSON object per line. It starts with the
 * first text. A crash affects only texts that crash it again when sent alone.
 *
 * @throws DragomanError `configuration` without a command, or for one that no shell accepts
 */
export function createExecEngine(options: ExecOptions): Engine {
  const { execCommand: command = '', timeoutMs = DEFAULT_TIMEOUT_MS, graceMs } = options;
  if (command.trim() === '') {
    throw new DragomanError('configuration', 'the exec engine has no command', {
      hint: 'Give the program that translates: --engine-command COMMAND, or `engineCommand` in your own ~/.config/dragoman/config.yaml.',
    });
  }
  if (command.includes('\0') || command.length > LONGEST_COMMAND) {
    throw new DragomanError(
      'configuration',
      `the engine command has a NUL byte, or more than ${LONGEST_COMMAND} characters`,
    );
  }
  const program = { file: command, args: [], shell: true };
  const asked: ExecConversation = new Conversation({
    name: 'the engine program',
    program,
    wire: execWire,
    window: WINDOW,
    timeoutMs,
  });
  return {
    id: 'exec',
    uses: { hints: true, similar: true, terms: true },
    status: () => Promise.resolve(statusOf(asked)),
    supports: () => Promise.resolve(true),
    translate: (request, signal) => translate(asked, request, { signal, graceMs }),
    close: () => asked.close(),
  };
}

function statusOf(asked: ExecConversation): EngineStatus {
  const { stillborn } = asked;
  return stillborn
    ? { id: 'exec', ready: false, detail: `the engine program ${stillborn.reason}`, pairs: [] }
    : { id: 'exec', ready: true, detail: 'your own program, as configured', pairs: 'any' };
}

async function translate(
  asked: ExecConversation,
  request: EngineRequest,
  { signal, graceMs }: { readonly signal: AbortSignal; readonly graceMs: number | undefined },
): Promise<readonly EngineOutcome[]> {
  const wasBroken = asked.broken;
  const work = async (): Promise<readonly EngineOutcome[]> => {
    const outcomes = await Promise.all(
      batchesOf(request).map((batch) =>
        askBatch(asked, batch, signal).catch((error: unknown) => {
          if (!isInterrupted(error)) throw error;
          return batch.texts.map((): EngineOutcome => ({ failure: error.message, error }));
        }),
      ),
    );
    const flat = outcomes.flat();
    const first = flat[0];
    if ((wasBroken && asked.broken) || isNoProgram(asked)) {
      if (first && 'failure' in first) {
        throw new DragomanError('engine_failed', first.failure, {
          hint: 'Run the engine command by hand: it must read JSON lines and keep running.',
        });
      }
    }
    return flat;
  };
  return whileListening(signal, [asked], work, { graceMs });
}

/** Whether the shell reported a missing command, or one that is not executable. */
function isNoProgram(asked: ExecConversation): boolean {
  const exitCode = asked.stillborn?.exitCode;
  return exitCode === 127 || exitCode === 126;
}

/**
 * A batch that crashed the program twice is sent text by text, once each, so that only the texts that cause the crash
 * fail.
 */
async function askBatch(
  asked: ExecConversation,
  batch: ExecBatch,
  signal: AbortSignal,
): Promise<readonly EngineOutcome[]> {
  const reply = await asked.ask(batch, signal);
  if ('answer' in reply) return reply.answer;
  const giveUp = (): boolean => asked.broken || isNoProgram(asked);
  if (batch.texts.length === 1 || reply.hung || giveUp()) return batch.texts.map(() => failed(reply));
  const outcomes: EngineOutcome[] = [];
  for (const i of batch.texts.keys()) {
    const again = giveUp() ? reply : await asked.ask(requestOf(batch, [i]), signal, true);
    outcomes.push(...('answer' in again ? again.answer : [failed(again)]));
  }
  return outcomes;
}

function failed({ failure }: { readonly failure: string }): EngineOutcome {
  return { failure };
}

function batchesOf({ texts, ...request }: EngineRequest): ExecBatch[] {
  const sizeOf = (i: number): number => texts[i]?.length ?? 0;
  const batches = divide([...texts.keys()], { texts: BATCH_TEXTS, size: BATCH_CHARACTERS }, sizeOf);
  return Array.from(batches, (indices) => requestOf({ texts, ...request }, indices));
}

/**
 * A request line: `{"id":1,"source":"en","target":"fr","texts":["Hello"]}`. `hints`, one for each text or null, are
 * present if known; `terms` and `formality` are present if required. A program may ignore all three.
 */
export type ExecBatch = EngineRequest;

const MESSAGE = 500;

/** JSON lines of the `exec` engine. Answers contain the request's id and may arrive in any order. */
export const execWire: Wire<ExecBatch, readonly EngineOutcome[]> = {
  delimiter: 10,
  maxFrameBytes: MAX_LINE_BYTES,
  ordered: false,
  encode: (id, batch) => `${JSON.stringify({ id, ...writeBatch(batch) })}\n`,
  decode: (line, batchOf) => readAnswer(line, (id) => batchOf(id)?.texts.length),
};

function writeBatch({ source, target, texts, hints, terms, formality }: ExecBatch): object {
  const known = texts.map((_, i) => writeHint(boundHint(hints?.[i])));
  return {
    source,
    target,
    texts,
    ...(known.some((hint) => hint !== null) && { hints: known }),
    ...(terms && terms.length > 0 && { terms: terms.map(boundTerm) }),
    ...(formality && { formality }),
  };
}

function writeHint(hint: SegmentHint | undefined): object | null {
  if (!hint) return null;
  const { similar, ...rest } = hint;
  const pairs = similar?.map(({ source, translation, similarity }) => ({ source, translation, similarity }));
  return { ...rest, ...(pairs && { similar: pairs }) };
}

/** @param countOf returns the number of texts of a request; undefined for an unknown id */
function readAnswer(
  line: Buffer,
  countOf: (id: number) => number | undefined,
): ConversationFrame<readonly EngineOutcome[]> {
  const read = readAnswerLine(line, (id) => countOf(id) !== undefined);
  return 'garbage' in read
    ? read
    : { id: read.id, answer: readOutcomes(read.members, countOf(read.id) ?? 0) };
}

function readOutcomes(answer: Readonly<Record<string, unknown>>, count: number): EngineOutcome[] {
  const { translations, error } = answer;
  if (typeof error === 'string')
    return failAll(count, `the engine program reported: ${printable(error, MESSAGE)}`);
  if (!Array.isArray(translations)) {
    return failAll(count, 'the answer has neither "translations" nor "error"');
  }
  if (translations.length !== count) {
    return failAll(
      count,
      `the engine program returned ${translations.length} translations for ${count} texts`,
    );
  }
  return translations.map(readTranslation);
}

function readTranslation(translation: unknown): EngineOutcome {
  if (translation === null) return { failure: 'the engine program could not translate this text' };
  if (typeof translation !== 'string') {
    return { failure: 'the engine program returned a translation that is not a string' };
  }
  if (/\p{Surrogate}/u.test(translation)) {
    return { failure: 'the engine program returned half a character (a lone surrogate)' };
  }
  return { translation };
}

function failAll(count: number, failure: string): EngineOutcome[] {
  return Array.from({ length: count }, () => ({ failure }));
}

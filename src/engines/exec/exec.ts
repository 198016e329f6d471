import { DragomanError } from '../../base/errors.ts';
import { Conversation } from '../../workers/conversation.ts';
import { whileListening } from '../../workers/abandon.ts';
import type { Engine, EngineOutcome, EngineRequest, EngineStatus } from '../engine.ts';
import { requestOf } from '../request-parts.ts';
import { execWire, type ExecBatch } from './protocol.ts';

export interface ExecOptions {
  /** A command line for the platform's shell, from the user's configuration or flag. */
  readonly execCommand?: string | undefined;
  /** Longest time without an answer while one is due. Default 60 s. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Enough to spread a program's fixed cost, little enough that a crash or an error costs few texts. */
const BATCH_TEXTS = 64;
const BATCH_CHARACTERS = 64_000;
const WINDOW = 4;
const LONGEST_COMMAND = 30_000;

type ExecConversation = Conversation<ExecBatch, readonly EngineOutcome[]>;

/**
 * Any program as an engine: one long-lived child, a JSON object per line each way. The program is started at the
 * first text; a crash costs at most the texts that make it crash again when asked alone.
 *
 * @throws DragomanError `configuration` without a command, or for one that no shell could take.
 */
export function createExecEngine(options: ExecOptions): Engine {
  const { execCommand: command = '', timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (command.trim() === '') {
    throw new DragomanError('configuration', 'the exec engine has no command', {
      hint: 'Give the program that translates: --engine-command COMMAND, or `engineCommand` in your own ~/.config/dragoman/config.yaml.',
    });
  }
  if (command.includes('\0') || command.length > LONGEST_COMMAND) {
    throw new DragomanError('configuration', 'the engine command is no command line');
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
    translate: (request, signal) => translate(asked, request, signal),
    close: () => asked.close(),
  };
}

function statusOf(asked: ExecConversation): EngineStatus {
  const { stillborn } = asked;
  return stillborn
    ? { id: 'exec', ready: false, detail: `the engine program ${stillborn.reason}`, pairs: [] }
    : { id: 'exec', ready: true, detail: 'a program of yours, as configured', pairs: 'any' };
}

async function translate(
  asked: ExecConversation,
  request: EngineRequest,
  signal: AbortSignal,
): Promise<readonly EngineOutcome[]> {
  const wasBroken = asked.broken;
  return whileListening(signal, [asked], async () => {
    const outcomes = await Promise.all(batchesOf(request).map((batch) => askBatch(asked, batch, signal)));
    const flat = outcomes.flat();
    const first = flat[0];
    if ((wasBroken && asked.broken) || isNoProgram(asked)) {
      if (first && 'failure' in first) {
        throw new DragomanError('engine_failed', first.failure, {
          hint: 'Run the engine command by hand: it must read JSON lines and stay alive.',
        });
      }
    }
    return flat;
  });
}

/** What a shell answers when it finds no such command, or one that cannot be executed. */
function isNoProgram(asked: ExecConversation): boolean {
  const exitCode = asked.stillborn?.exitCode;
  return exitCode === 127 || exitCode === 126;
}

/** A batch on which the program ended twice is asked for text by text, each once: only the guilty ones fail. */
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

function batchesOf(request: EngineRequest): ExecBatch[] {
  const batches: number[][] = [];
  let size = 0;
  for (const [i, { length }] of request.texts.entries()) {
    const current = batches.at(-1);
    if (!current || current.length === BATCH_TEXTS || size + length > BATCH_CHARACTERS) {
      batches.push([i]);
      size = length;
    } else {
      current.push(i);
      size += length;
    }
  }
  return batches.map((indices) => requestOf(request, indices));
}

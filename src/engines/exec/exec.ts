import { DragomanError } from '../../base/errors.ts';
import { Conversation } from '../child/conversation.ts';
import { whileListening } from '../child/abort.ts';
import type { Engine, EngineOutcome, EngineRequest, EngineStatus } from '../engine.ts';
import { execWire, type Batch } from './protocol.ts';

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

type Asked = Conversation<Batch, readonly EngineOutcome[]>;

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
      hint: 'Give the program that translates: --engine-command COMMAND, or "engineCommand" in the configuration.',
    });
  }
  if (command.includes('\0') || command.length > LONGEST_COMMAND) {
    throw new DragomanError('configuration', 'the engine command is no command line');
  }
  const program = { file: command, args: [], shell: true };
  const asked: Asked = new Conversation({
    name: 'the engine program',
    program,
    wire: execWire,
    window: WINDOW,
    timeoutMs,
  });
  return {
    id: 'exec',
    status: () => Promise.resolve(statusOf(asked)),
    supports: () => Promise.resolve(true),
    translate: (request, signal) => translate(asked, request, signal),
    close: () => asked.close(),
  };
}

function statusOf(asked: Asked): EngineStatus {
  const { stillborn } = asked;
  return stillborn
    ? { id: 'exec', ready: false, detail: `the engine program ${stillborn.reason}`, pairs: [] }
    : { id: 'exec', ready: true, detail: 'a program of yours, as configured', pairs: 'any' };
}

async function translate(
  asked: Asked,
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
function isNoProgram(asked: Asked): boolean {
  const exitCode = asked.stillborn?.exitCode;
  return exitCode === 127 || exitCode === 126;
}

/** A batch on which the program ended twice is asked for text by text, each once: only the guilty ones fail. */
async function askBatch(asked: Asked, batch: Batch, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
  const reply = await asked.ask(batch, signal);
  if ('answer' in reply) return reply.answer;
  const giveUp = (): boolean => asked.broken || isNoProgram(asked);
  if (batch.texts.length === 1 || reply.hung || giveUp()) return batch.texts.map(() => failed(reply));
  const outcomes: EngineOutcome[] = [];
  for (const text of batch.texts) {
    const again = giveUp() ? reply : await asked.ask({ ...batch, texts: [text] }, signal, true);
    outcomes.push(...('answer' in again ? again.answer : [failed(again)]));
  }
  return outcomes;
}

function failed({ failure }: { readonly failure: string }): EngineOutcome {
  return { failure };
}

function batchesOf({ source, target, texts }: EngineRequest): Batch[] {
  const batches: Batch[] = [];
  let current: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (current.length === BATCH_TEXTS || (current.length > 0 && size + text.length > BATCH_CHARACTERS)) {
      batches.push({ source, target, texts: current });
      current = [];
      size = 0;
    }
    current.push(text);
    size += text.length;
  }
  if (current.length > 0) batches.push({ source, target, texts: current });
  return batches;
}

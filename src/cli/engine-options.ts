import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Engine } from '../engines/engine.ts';
import { createEngine, type EngineOptions } from '../engines/registry.ts';
import { loadConfiguration } from '../project/configuration.ts';
import type { Terminal } from './terminal.ts';

export interface EngineFlags {
  readonly engine?: string;
  readonly engineCommand?: string;
  readonly timeout?: number;
  readonly concurrency?: number;
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('It takes a number above 0.');
  return value;
}

/** `--engine` and what goes with it. */
export function addEngineOptions(command: Command): void {
  command
    .option('--engine <name>', 'what translates; default: the first engine that can')
    .option('--engine-command <command>', 'the program that the exec engine runs')
    .addOption(new Option('--timeout <seconds>', 'time limit of one batch').argParser(positive))
    .addOption(new Option('--concurrency <n>', 'batches that an engine has at once').argParser(positive));
}

export interface EngineChoice {
  readonly id: string;
  readonly options: EngineOptions;
}

/** Which engine the flags, the environment and the configuration choose, in this order. */
export async function chooseEngine(flags: EngineFlags, terminal: Terminal): Promise<EngineChoice> {
  const { env, cwd } = terminal;
  const id = flags.engine ?? env['DRAGOMAN_ENGINE'];
  const command = flags.engineCommand ?? env['DRAGOMAN_ENGINE_COMMAND'];
  const timeoutMs = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 };
  if (id !== undefined && (id !== 'exec' || command !== undefined)) {
    return { id, options: { ...(command === undefined ? {} : { execCommand: command }), ...timeoutMs } };
  }
  const configuration = (await loadConfiguration(cwd))?.configuration;
  const execCommand = command ?? configuration?.engineCommand;
  // A command alone is choice enough.
  const chosen = id ?? (flags.engineCommand === undefined ? configuration?.engine : 'exec') ?? 'auto';
  return { id: chosen, options: { ...(execCommand === undefined ? {} : { execCommand }), ...timeoutMs } };
}

/** Runs `work` with an engine and closes it, whatever happens. */
export async function withEngine<T>(choice: EngineChoice, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await createEngine(choice.id, choice.options);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Engine } from '../engines/engine.ts';
import { createEngine, type EngineOptions } from '../engines/registry.ts';
import type { Configuration } from '../project/configuration.ts';
import { modelsDirectoryOf } from './models-directory.ts';
import { SettingsFiles } from './service/settings-files.ts';
import type { Terminal } from './terminal.ts';

export interface LimitFlags {
  /** Seconds. */
  readonly timeout?: number;
  readonly concurrency?: number;
}

export interface EngineFlags extends LimitFlags {
  readonly engine?: string;
  readonly engineCommand?: string;
}

export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('It takes a number above 0.');
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It takes a whole number above 0.');
}

/** `--engine` and what goes with it. */
export function addEngineOptions(command: Command): void {
  command
    .option('--engine <name>', 'what translates here; default: the first engine that can')
    .option('--engine-command <command>', 'the program that the exec engine runs');
  addLimitOptions(command);
}

export function addLimitOptions(command: Command): void {
  command
    .addOption(new Option('--timeout <seconds>', 'time limit of one batch or request').argParser(positive))
    .addOption(
      new Option('--concurrency <n>', 'batches or requests at the same time').argParser(wholeNumber),
    );
}

export interface EngineChoice {
  readonly id: string;
  readonly options: EngineOptions;
}

/** Which engine the flags, the environment, the project's and the user's configuration choose, in this order. */
export async function chooseEngine(
  flags: EngineFlags,
  terminal: Terminal,
  files = new SettingsFiles(terminal),
): Promise<EngineChoice> {
  const { env } = terminal;
  const id = flags.engine ?? env['DRAGOMAN_ENGINE'];
  const command = flags.engineCommand ?? env['DRAGOMAN_ENGINE_COMMAND'];
  const modelsDirectory = modelsDirectoryOf(terminal);
  const timeoutMs = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 };
  const common = { ...(modelsDirectory === undefined ? {} : { modelsDirectory }), ...timeoutMs };
  if (id !== undefined && (id !== 'exec' || command !== undefined)) {
    return { id, options: { ...(command === undefined ? {} : { execCommand: command }), ...common } };
  }
  const configuration = await engineConfiguration(files);
  const execCommand = command ?? configuration?.engineCommand;
  // A command alone is choice enough.
  const chosen = id ?? (flags.engineCommand === undefined ? configuration?.engine : 'exec') ?? 'auto';
  return { id: chosen, options: { ...(execCommand === undefined ? {} : { execCommand }), ...common } };
}

/** The nearest configuration that says something about engines. */
async function engineConfiguration(files: SettingsFiles): Promise<Configuration | undefined> {
  for (const load of [() => files.project(), () => files.user()]) {
    const configuration = (await load())?.configuration;
    if (configuration?.engine !== undefined || configuration?.engineCommand !== undefined)
      return configuration;
  }
  return undefined;
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

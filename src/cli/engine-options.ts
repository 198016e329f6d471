import { InvalidArgumentError, Option, type Command } from 'commander';
import type { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import { CONFIGURED_CHAIN, createEngine, requireEngines, type EngineOptions } from '../engines/registry.ts';
import { namesEngine, type Configuration } from '../project/config/configuration.ts';
import { modelsDirectoryOf } from './models-directory.ts';
import { SettingsFiles } from './service/settings-files.ts';
import { oneLine, type Terminal } from './terminal.ts';

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

/** Looked at as it is read: some commands come to the engine late, or never. */
function knownEngines(id: string): string {
  if (id !== CONFIGURED_CHAIN) requireEngines(id);
  return id;
}

/** `--engine` and what goes with it. */
export function addEngineOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--engine <name>',
        'what translates here, or several with commas between; default: the first that can',
      ).argParser(knownEngines),
    )
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

/**
 * Which engine the flags, the environment, the project's and the user's configuration choose, in this order.
 *
 * @throws DragomanError `usage` for one that there is not, `configuration`.
 */
export async function chooseEngine(
  flags: EngineFlags,
  terminal: Terminal,
  files = new SettingsFiles(terminal),
): Promise<EngineChoice> {
  const { env } = terminal;
  const warn =
    (what: string) =>
    (engine: string, error: DragomanError): void => {
      const hint = error.hint === undefined ? '' : ` (${error.hint})`;
      terminal.stderr.write(`${oneLine(`${engine} ${what}: ${error.message}${hint}`)}\n`);
    };
  // An empty variable is one that was taken back.
  const id = flags.engine ?? (env['DRAGOMAN_ENGINE'] || undefined);
  const command = flags.engineCommand ?? (env['DRAGOMAN_ENGINE_COMMAND'] || undefined);
  const common = {
    env,
    modelsDirectory: modelsDirectoryOf(terminal),
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    onTrouble: warn('is left out for a minute'),
    onWithoutTerms: warn('translates without the terms of the glossary'),
  };
  const named = id?.split(',').map((name) => name.trim());
  const needsCommand = named?.includes('exec') && command === undefined;
  if (id !== undefined && !needsCommand && !named?.some((name) => CONFIGURABLE.has(name))) {
    requireEngines(id);
    return { id, options: { ...common, execCommand: command } };
  }
  const configuration = await engineConfiguration(files);
  const options = {
    ...common,
    execCommand: command ?? (await files.user())?.configuration.engineCommand,
    engines: configuration?.engines,
    ...(await engineSettings(files)),
  };
  // A command alone is choice enough.
  const configured = configuration?.engines ? CONFIGURED_CHAIN : configuration?.engine;
  const chosen = id ?? (flags.engineCommand === undefined ? configured : 'exec') ?? 'auto';
  requireEngines(chosen, options);
  return { id: chosen, options };
}

/** Engines that have settings of their own in a configuration. */
const CONFIGURABLE: ReadonlySet<string> = new Set(['openai', CONFIGURED_CHAIN]);

/** The nearest configuration that says which engine it is. */
async function engineConfiguration(files: SettingsFiles): Promise<Configuration | undefined> {
  for (const load of [() => files.project(), () => files.user()]) {
    const configuration = (await load())?.configuration;
    if (configuration && namesEngine(configuration)) return configuration;
  }
  return undefined;
}

/** The settings of single engines, the project's before the user's. */
async function engineSettings(files: SettingsFiles): Promise<Pick<EngineOptions, 'openai'>> {
  const project = (await files.project())?.configuration;
  const user = (await files.user())?.configuration;
  return { openai: { ...user?.openai, ...project?.openai } };
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

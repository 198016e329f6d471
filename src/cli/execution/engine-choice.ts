import { closing } from '../../base/closing.ts';
import { join, resolve } from 'node:path';
import type { DragomanError } from '../../base/errors.ts';
import { cacheDirectory } from '../../base/user-directories.ts';
import type { EngineOptions } from '../../engines/description.ts';
import type { Engine } from '../../engines/engine.ts';
import {
  AUTO_ENGINE,
  configurableEngines,
  CONFIGURED_CHAIN,
  createEngine,
  PROGRAM_ENGINE,
  requireEngines,
  runsProgram,
} from '../../engines/registry.ts';
import { type Configuration, namesEngine } from '../../project/config/configuration.ts';
import type { EngineFlags } from '../options/engine.ts';
import { SettingsFiles } from '../options/setting.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';

export interface EngineChoice {
  readonly id: string;
  readonly options: EngineOptions;
}

/**
 * The engine chosen by the flags, the environment, the project's configuration or the user's, in this order.
 *
 * @throws DragomanError `usage` for an unknown engine, `configuration`
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
  // An empty variable counts as unset.
  const id = flags.engine ?? (env['DRAGOMAN_ENGINE'] || undefined);
  const command = flags.engineCommand ?? (env['DRAGOMAN_ENGINE_COMMAND'] || undefined);
  const common = {
    env,
    modelsDirectory: modelsDirectoryOf(terminal),
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    onTrouble: warn('is skipped for a minute'),
    onWithoutTerms: warn('translates without the terms of the glossary'),
  };
  const named = id?.split(',').map((name) => name.trim());
  const needsCommand = named?.some(runsProgram) && command === undefined;
  if (id !== undefined && !needsCommand && !named?.some((name) => CONFIGURABLE.has(name))) {
    requireEngines(id);
    return { id, options: { ...common, execCommand: command } };
  }
  const configuration = await engineConfiguration(files);
  const options = {
    ...common,
    execCommand: command ?? (await files.user())?.configuration.engineCommand,
    engines: configuration?.engines,
    settings: await engineSettings(files),
  };
  // `--engine-command` without an engine chooses that command.
  const configured = configuration?.engines ? CONFIGURED_CHAIN : configuration?.engine;
  const chosen = id ?? (flags.engineCommand === undefined ? configured : PROGRAM_ENGINE) ?? AUTO_ENGINE;
  requireEngines(chosen, options);
  return { id: chosen, options };
}

/** Engines with their own section in a configuration. */
const CONFIGURABLE: ReadonlySet<string> = new Set([...configurableEngines, CONFIGURED_CHAIN]);

/** The nearest configuration that chooses an engine. */
async function engineConfiguration(files: SettingsFiles): Promise<Configuration | undefined> {
  for (const load of [() => files.project(), () => files.user()]) {
    const configuration = (await load())?.configuration;
    if (configuration && namesEngine(configuration)) return configuration;
  }
  return undefined;
}

/** The settings of single engines, the project's before the user's. */
async function engineSettings(files: SettingsFiles): Promise<NonNullable<EngineOptions['settings']>> {
  const project = (await files.project())?.configuration;
  const user = (await files.user())?.configuration;
  return Object.fromEntries(configurableEngines.map((id) => [id, { ...user?.[id], ...project?.[id] }]));
}

/** Runs `work` with an engine, then closes it, even after an error. */
export async function withEngine<T>(choice: EngineChoice, work: (engine: Engine) => Promise<T>): Promise<T> {
  return closing(await createEngine(choice.id, choice.options), work);
}

/**
 * The directory of installed translation models: `DRAGOMAN_FIREFOX_MODELS_DIR`, otherwise in the platform's cache
 * directory. Undefined if neither is known.
 */
export function modelsDirectoryOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string | undefined {
  const named = env['DRAGOMAN_FIREFOX_MODELS_DIR'];
  if (named) return resolve(cwd, named);
  const cache = cacheDirectory(env);
  return cache === undefined ? undefined : join(cache, 'firefox-models');
}

import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { cacheDirectory } from '../../base/user-directories.ts';
import type { LoadedConfiguration } from '../../project/config/configuration.ts';
import type { Project } from '../../project/state/project.ts';
import { requireMemoryPlace } from '../../memory/failure.ts';
import {
  configurationOrigin,
  fromText,
  namedFile,
  OFF,
  resolveIn,
  type Setting,
  SettingsFiles,
} from './setting.ts';
import { inGroup, markRare } from '../output/help.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface MemoryFlags {
  /** The path; false for `--no-memory`. */
  readonly memory?: string | boolean;
}

export function addMemoryOption(command: Command): void {
  addMemoryFileOption(command);
  inGroup(command, 'Memory and glossary', () =>
    command.option('--no-memory', 'translate without a translation memory'),
  );
  markRare(command, '--no-memory');
}

/** Adds the option for commands about the memory itself. */
export function addMemoryFileOption(command: Command): void {
  inGroup(command, 'Memory and glossary', () =>
    command.option('--memory <file>', 'the translation memory; default: one for all projects'),
  );
}

const FILE_NAME = 'memory.db';

/**
 * The file of the translation memory for the current directory: from the flag, `DRAGOMAN_MEMORY`, the project's
 * configuration, the user's, or the default in the user's cache directory. Undefined if it is turned off.
 *
 * @throws DragomanError `configuration` for a path outside of the configuration's directory, `not_a_file`
 */
export async function memoryPathOf(
  flags: MemoryFlags,
  terminal: Terminal,
  files = new SettingsFiles(terminal),
): Promise<string | undefined> {
  return pathOf(await locateMemory(flags, terminal, files));
}

/** The path of a project's memory, by its own configuration and directory. */
export async function projectMemoryPathOf(
  flags: MemoryFlags,
  terminal: Terminal,
  { root, configuration, configurationPath }: Project,
): Promise<string | undefined> {
  const at = { file: configurationPath ?? root, line: 1, column: 1 };
  const configured = fromText(configuration.memory, { kind: 'configuration', owner: 'project', at });
  return pathOf(
    namedMemory(flags, terminal) ??
      (configured && (await inside(root, configured))) ??
      (await usersMemory(terminal, new SettingsFiles(terminal))),
  );
}

/** The memory's location and origin; the value is an absolute path, or `off`. Reads only configurations. */
export async function locateMemory(
  flags: MemoryFlags,
  terminal: Terminal,
  files: SettingsFiles,
): Promise<Setting<string> | undefined> {
  const named = namedMemory(flags, terminal);
  if (named) return named;
  const loaded = await files.project();
  const configured = loaded && configuredIn(loaded);
  return configured ? inside(dirname(loaded.file.path), configured) : usersMemory(terminal, files);
}

function pathOf(located: Setting<string> | undefined): string | undefined {
  if (!located || located.value === OFF) return undefined;
  // Translation continues without a failing memory, but not after an invalid option.
  requireMemoryPlace(located.value);
  return located.value;
}

function namedMemory({ memory }: MemoryFlags, terminal: Terminal): Setting<string> | undefined {
  if (memory === '') throw new DragomanError('usage', '--memory requires a file name');
  return namedFile('memory', memory, terminal);
}

async function usersMemory({ env }: Terminal, files: SettingsFiles): Promise<Setting<string> | undefined> {
  const loaded = await files.user();
  const configured = loaded && configuredIn(loaded);
  if (configured) return resolveIn(dirname(loaded.file.path), configured);
  const path = defaultMemoryPath(env);
  return path === undefined ? undefined : { value: path, origin: { kind: 'default' } };
}

/** The file that only this program creates; undefined without a cache directory. */
export function defaultMemoryPath(env: Terminal['env']): string | undefined {
  const cache = cacheDirectory(env);
  return cache === undefined ? undefined : join(cache, FILE_NAME);
}

function configuredIn(loaded: LoadedConfiguration): Setting<string> | undefined {
  return fromText(loaded.configuration.memory, configurationOrigin(loaded, ['memory']));
}

/** Only the user may place the memory outside a project. The project may not, not even through links. */
async function inside(directory: string, configured: Setting<string>): Promise<Setting<string>> {
  const setting = resolveIn(directory, configured);
  if (setting.value !== OFF) requireUnreserved(directory, setting.value, 'configuration');
  return setting;
}

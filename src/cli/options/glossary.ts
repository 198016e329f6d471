import { dirname, join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { entryAt } from '../../base/file-facts.ts';
import { requireInside } from '../../base/inside.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import type { GlossaryFile } from '../../project/glossary/glossary-file.ts';
import { boundaryOf } from '../../project/config/file.ts';
import type { Project } from '../../project/state/project.ts';
import {
  configurationOrigin,
  fromText,
  namedFile,
  OFF,
  type Setting,
  type SettingsFiles,
} from './setting.ts';
import { inGroup, markRare } from '../output/help.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface GlossaryFlags {
  /** The path; false for `--no-glossary`. */
  readonly glossary?: string | boolean;
}

export function addGlossaryOption(command: Command): void {
  const file = 'terms with translations; default: glossary.csv of the project';
  inGroup(command, 'Memory and glossary', () =>
    command.option('--glossary <file>', file).option('--no-glossary', 'translate without a glossary'),
  );
  markRare(command, '--no-glossary');
}

/** Default names of a glossary. The first existing one wins. */
const GLOSSARY_NAMES = ['glossary.csv', 'glossary.yaml', 'glossary.yml'] as const;

/**
 * The glossary of the current directory: from the flag, `DRAGOMAN_GLOSSARY`, the configuration, or a file with a
 * default name next to the configuration or, without a configuration, in the current directory. `off` and
 * `--no-glossary` disable it.
 *
 * @throws DragomanError like `loadGlossary`, and `configuration` for a path outside of the configuration's directory
 */
export async function findGlossary(
  flags: GlossaryFlags,
  terminal: Terminal,
  files: SettingsFiles,
): Promise<Glossary | undefined> {
  return load(await locateGlossary(flags, terminal, files));
}

/**
 * Finds the glossary of a project: from the flag, `DRAGOMAN_GLOSSARY`, the project's configuration, or a file with a
 * default name in the project's root or, without a configuration, in the current directory.
 */
export async function findProjectGlossary(
  flags: GlossaryFlags,
  terminal: Terminal,
  project: Project,
): Promise<Glossary | undefined> {
  return load(await locateProjectGlossary(flags, terminal, project));
}

/** Like {@link locateGlossary}, for a project. */
export async function locateProjectGlossary(
  flags: GlossaryFlags,
  terminal: Terminal,
  { root, configuration, configurationPath, resources }: Project,
): Promise<Setting<string> | undefined> {
  const isOther = (path: string): boolean => {
    const name = relative(root, path).split(sep).join('/');
    return resources.some(({ source, existing }) => source === name || [...existing.values()].includes(name));
  };
  const at = { file: configurationPath ?? root, line: 1, column: 1 };
  const configured = fromText(configuration.glossary, { kind: 'configuration', owner: 'project', at });
  return (
    namedFile('glossary', flags.glossary, terminal) ??
    (await glossaryIn(root, configured, isOther)) ??
    (configurationPath === undefined ? await glossaryIn(terminal.cwd, undefined) : undefined)
  );
}

/** The glossary's location and origin; the value is an absolute path, or `off`. Reads only configurations. */
export async function locateGlossary(
  flags: GlossaryFlags,
  terminal: Terminal,
  files: SettingsFiles,
): Promise<Setting<string> | undefined> {
  const named = namedFile('glossary', flags.glossary, terminal);
  if (named) return named;
  const loaded = await files.project();
  if (!loaded) return glossaryIn(terminal.cwd, undefined);
  const { file, configuration } = loaded;
  const origin = configurationOrigin(loaded, ['glossary']);
  return glossaryIn(dirname(file.path), fromText(configuration.glossary, origin));
}

/** @param isOther returns whether a file is something other than a glossary, despite its name */
async function glossaryIn(
  directory: string,
  configured: Setting<string> | undefined,
  isOther: (path: string) => boolean = () => false,
): Promise<Setting<string> | undefined> {
  if (configured) {
    if (configured.value === OFF) return configured;
    const path = join(directory, configured.value);
    requireInside(directory, path, 'configuration');
    return { ...configured, value: path };
  }
  for (const name of GLOSSARY_NAMES) {
    const path = join(directory, name);
    // A directory or a dangling link of this name also counts as the glossary, so that reading it reports the error.
    if (entryAt(path) !== undefined && !isOther(path)) return { value: path, origin: { kind: 'default' } };
  }
  return undefined;
}

/** The file of a project's glossary, existing or not; undefined if the glossary is off. */
export async function findGlossaryFile(
  flags: GlossaryFlags,
  terminal: Terminal,
  project: Project,
): Promise<GlossaryFile | undefined> {
  const located = await locateProjectGlossary(flags, terminal, project);
  if (located?.value === OFF) return undefined;
  const { GlossaryFile } = await import('../../project/glossary/glossary-file.ts');
  const path = located?.value ?? join(project.root, GLOSSARY_NAMES[0]);
  const kind = located?.origin.kind ?? 'default';
  // Checked again at each use, because a link may have replaced the file.
  if (kind === 'configuration') return new GlossaryFile(path, project.root);
  return new GlossaryFile(path, kind === 'default' ? boundaryOf(dirname(path)) : undefined);
}

async function load(located: Setting<string> | undefined): Promise<Glossary | undefined> {
  if (!located || located.value === OFF) return undefined;
  const { loadGlossary } = await import('../../project/glossary/glossary.ts');
  // A glossary named in a configuration was already checked against its directory.
  const isFound = located.origin.kind === 'default';
  try {
    return await loadGlossary(located.value, isFound ? boundaryOf(dirname(located.value)) : undefined);
  } catch (error) {
    if (!(error instanceof DragomanError) || !isFound) throw error;
    // A file with this name may be unrelated, and some commands that read it have no --no-glossary.
    const { code, message, hint, at } = error;
    const other = 'Its name marks it as the glossary; DRAGOMAN_GLOSSARY=off ignores it.';
    throw new DragomanError(code, message, {
      hint: hint === undefined ? other : `${hint} ${other}`,
      at,
      cause: error,
    });
  }
}

import { access, readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { withOwnPath } from '../../base/program-path.ts';
import { neededEnvironment } from '../../workers/environment.ts';

/** An installed direction with all its files. */
export interface Mode {
  /** Apertium's name: `eng-spa`, `es-pt_BR`. */
  readonly name: string;
  /** The `.mode` file. */
  readonly path: string;
  /** Canonical codes. */
  readonly source: string;
  readonly target: string;
}

const MODE = /^([a-z]{2,3})(_[A-Z]{2}|_[a-z]{5,8})?-([a-z]{2,3})(_[A-Z]{2}|_[a-z]{5,8})?\.mode$/;
/** Orthographies without a registered BCP 47 variant, and debugging stages. */
const UNNAMED = /^_(?:uni|unicode|iec2017)$/;
/** Apertium codes that `Intl` would misinterpret. */
const CODES: ReadonlyMap<string, string | undefined> = new Map([
  ['zlm', 'ms'],
  // The code covers four standards, so the target language would be ambiguous.
  ['hbs', undefined],
]);

/** `spa` → `es`, `pt` + `_BR` → `pt-BR`, `cat` + `_valencia` → `ca-valencia`. Undefined without a code. */
export function canonicalCode(code: string, suffix: string | undefined): string | undefined {
  const language = CODES.has(code) ? CODES.get(code) : code;
  if (language === undefined || UNNAMED.test(suffix ?? '')) return undefined;
  try {
    return Intl.getCanonicalLocales(language + (suffix ?? '').replace('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** The environment for Apertium's programs, which must not come from a checkout. */
export function apertiumEnvironment(): NodeJS.ProcessEnv {
  return neededEnvironment(withOwnPath(process.env, process.cwd()));
}

/** The directory with Apertium's `.mode` files. */
export function modesDirectory(env: NodeJS.ProcessEnv): string {
  return join(env['APERTIUM_DATADIR'] || '/usr/share/apertium', 'modes');
}

/** The directions whose mode names a language pair and whose programs and files all exist, by name. */
export async function readModes(directory: string, env: NodeJS.ProcessEnv): Promise<Mode[]> {
  const names = await readdir(directory).catch((): string[] => []);
  const programs = new Map<string, Promise<boolean>>();
  const modes = await Promise.all(
    names.sort().map(async (file) => {
      const mode = modeOf(directory, file);
      return mode && (await isComplete(mode, programs, env)) ? [mode] : [];
    }),
  );
  return modes.flat();
}

function modeOf(directory: string, file: string): Mode | undefined {
  const [whole, from = '', fromSuffix, to = '', toSuffix] = MODE.exec(file) ?? [];
  if (whole === undefined) return undefined;
  const source = canonicalCode(from, fromSuffix);
  const target = canonicalCode(to, toSuffix);
  if (source === undefined || target === undefined || source === target) return undefined;
  return { name: file.slice(0, -'.mode'.length), path: join(directory, file), source, target };
}

async function isComplete(
  mode: Mode,
  programs: Map<string, Promise<boolean>>,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const pipeline = await readFile(mode.path, 'utf8').catch(() => '');
  const { programs: named, files } = partsOf(pipeline);
  if (named.includes('')) return false;
  const found = named.map((program) => {
    const known = programs.get(program) ?? isProgram(program, env);
    programs.set(program, known);
    return known;
  });
  return (await Promise.all([...found, ...files.map(exists)])).every(Boolean);
}

/** The programs of a mode's stages, and the files that it names. */
export function partsOf(pipeline: string): {
  readonly programs: readonly string[];
  readonly files: readonly string[];
} {
  return {
    programs: pipeline.split('|').map((stage) => stage.trim().split(/\s/, 1)[0] ?? ''),
    files: [...pipeline.matchAll(/'([^']+)'/g)].map(([, file = '']) => file),
  };
}

/** Where the shell looks for a program of this name. */
export function placesOf(name: string, env: NodeJS.ProcessEnv): readonly string[] {
  if (name.includes('/')) return [name];
  const directories = (env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, name));
}

/** Whether the shell would find a program of this name. */
export async function isProgram(name: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await Promise.all(placesOf(name, env).map(exists))).some(Boolean);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

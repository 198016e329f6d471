import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { expandFiles, filesBelow, type FileBelow } from '../files.ts';
import type { Terminal } from '../terminal.ts';

/** What a command that takes files and directories looks for in directories. */
export interface InputKind {
  /** For messages: `subtitles`. */
  readonly what: string;
  readonly extensions: readonly string[];
  /** Canonical. Files that an earlier run wrote beside their sources in these languages are no sources. */
  readonly targets: readonly string[];
}

/**
 * The files that arguments name, and those below directories, each with the place that it has below its directory.
 *
 * @throws DragomanError `usage` for a directory without such files, and as {@link expandFiles}
 */
export async function listInputs(
  args: readonly string[],
  kind: InputKind,
  terminal: Terminal,
): Promise<ReadonlyMap<string, string | undefined>> {
  const places = new Map<string, string | undefined>();
  for (const path of await expandFiles(args, terminal)) {
    if (!(await isDirectory(path))) places.set(path, undefined);
    else for (const found of await sourcesBelow(path, kind, terminal)) places.set(found.path, found.below);
  }
  return places;
}

async function sourcesBelow(
  directory: string,
  { what, extensions, targets }: InputKind,
  { signal }: Terminal,
): Promise<readonly FileBelow[]> {
  const found = await filesBelow(directory, extensions, signal);
  const stems = new Set(found.map(({ path }) => stemOf(path)));
  const isResult = ({ path }: FileBelow): boolean =>
    targets.some((target) => path.endsWith(`.${target}${extname(path)}`) && stems.has(stemOf(stemOf(path))));
  const sources = found.filter((file) => !isResult(file));
  if (sources.length > 0) return sources;
  throw new DragomanError('usage', `there are no ${what} below ${directory}`, {
    hint: `Known extensions: ${extensions.join(', ')}.`,
  });
}

/** A path without its extension. */
function stemOf(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

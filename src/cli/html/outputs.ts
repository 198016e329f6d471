import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';

export interface OutputOptions {
  readonly output?: string;
  readonly force?: boolean;
}

/** Where a translation goes: a file, or standard output. */
export type Destination = { readonly path: string } | 'stdout';

/** Names of pages that were read: a path, or nothing for standard input. */
export type PageName = string | undefined;

/**
 * Says where each translation goes: one alone to standard output or the file named; several to `{name}.{lang}.html`, in
 * the directory named or beside their source.
 *
 * @returns by page and target, in their order
 * @throws DragomanError `usage` when two would be one file, or an existing file was not named.
 */
export async function placeOutputs(
  pages: readonly PageName[],
  targets: readonly string[],
  options: OutputOptions,
  cwd: string,
): Promise<readonly (readonly Destination[])[]> {
  const { output } = options;
  const single = pages.length === 1 && targets.length === 1;
  if (single && (output === undefined || output === '-')) return [['stdout']];
  if (output === '-') {
    throw new DragomanError('usage', 'several translations cannot all go to standard output', {
      hint: 'Name a directory with -o.',
    });
  }
  const path = output === undefined ? undefined : resolve(cwd, output);
  if (single && path !== undefined && !/[/\\]$/.test(output ?? '') && !(await isDirectory(path)))
    return [[{ path }]];
  const taken = new Set<string>();
  const places: Destination[][] = [];
  for (const page of pages) {
    const row: Destination[] = [];
    for (const target of targets) row.push({ path: await freePath(page, target, path, options, taken) });
    places.push(row);
  }
  return places;
}

async function freePath(
  page: PageName,
  target: string,
  directory: string | undefined,
  { force }: OutputOptions,
  taken: Set<string>,
): Promise<string> {
  if (page === undefined && directory === undefined) {
    throw new DragomanError('usage', 'several translations of standard input need a directory', {
      hint: 'Name it with -o.',
    });
  }
  const name = page ?? 'page.html';
  const extension = extname(name) || '.html';
  const path = join(directory ?? dirname(name), `${basename(name, extname(name))}.${target}${extension}`);
  if (taken.has(path)) throw new DragomanError('usage', `two translations would both be written to ${path}`);
  taken.add(path);
  if (directory === undefined && !force && (await exists(path))) {
    throw new DragomanError('usage', `${path} exists already`, {
      hint: 'Name a directory with -o, or replace it with --force.',
    });
  }
  return path;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';

/** Where one translation goes: a path, or standard output. */
export type Destination = string | typeof STDOUT;

export const STDOUT = Symbol('standard output');

export interface OutputRequest {
  /** Absolute path of the input; undefined: standard input. */
  readonly input: string | undefined;
  readonly targets: readonly string[];
  /** `-o` as given. */
  readonly output: string | undefined;
  readonly force: boolean;
  readonly cwd: string;
  /** With the dot; what a result from standard input is called. */
  readonly extension: string;
}

/**
 * Where the translations go: `-o -` standard output, `-o DIR` `{name}.{lang}.{ext}` in it, `-o FILE` that file; without
 * `-o` beside the input. `-o` names a directory when it ends with a slash, when there is one, and for several targets.
 *
 * @throws DragomanError `usage`: several translations for one place, a file that is there already beside the input.
 */
export async function destinationsOf(request: OutputRequest): Promise<readonly Destination[]> {
  const { input, targets, output, cwd } = request;
  const single = targets.length === 1;
  if (output === '-' || (output === undefined && input === undefined)) {
    if (single) return [STDOUT];
    throw new DragomanError('usage', 'several languages cannot all go to standard output', {
      hint: 'Name a directory with -o.',
    });
  }
  if (
    output !== undefined &&
    single &&
    !/[/\\]$/.test(output) &&
    !(await isDirectory(resolve(cwd, output)))
  ) {
    if (resolve(cwd, output) !== input) return [resolve(cwd, output)];
    throw new DragomanError('usage', `${input} would be replaced by its translation`);
  }
  const extension = input === undefined ? request.extension : extname(input);
  const name = input === undefined ? 'email' : basename(input, extension);
  const directory = output === undefined ? dirname(input ?? cwd) : resolve(cwd, output);
  const paths = targets.map((target) => join(directory, `${name}.${target}${extension}`));
  for (const path of paths) {
    if (output === undefined && !request.force && (await exists(path))) {
      throw new DragomanError('usage', `${path} exists already`, {
        hint: 'Name another place with -o, or replace it with --force.',
      });
    }
  }
  return paths;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

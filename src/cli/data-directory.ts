import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { DragomanError } from '../base/errors.ts';
import { dataDirectory } from '../base/user-directories.ts';
import type { Terminal } from './terminal.ts';

export interface DataDirectoryOptions {
  readonly dataDir?: string;
}

/** `--data-dir`, for the commands that work on the store of a server. */
export function addDataDirectoryOption(command: Command): void {
  command.addOption(
    new Option(
      '--data-dir <directory>',
      "where the server keeps its data; default: DRAGOMAN_DATA_DIR, or the user's",
    ),
  );
}

/**
 * The data directory: `--data-dir`, else `DRAGOMAN_DATA_DIR`, else where the system keeps data of a user's programs.
 *
 * @throws DragomanError `usage` when nothing says where that is.
 */
export function dataDirectoryOf({ dataDir }: DataDirectoryOptions, { env, cwd }: Terminal): string {
  const named = dataDir ?? env['DRAGOMAN_DATA_DIR'];
  if (dataDir === '') throw new DragomanError('usage', '--data-dir names no directory');
  if (named) return resolve(cwd, named);
  const usual = dataDirectory(env);
  if (usual !== undefined) return usual;
  throw new DragomanError('usage', 'no data directory is named', {
    hint: 'Name one with --data-dir or DRAGOMAN_DATA_DIR.',
  });
}

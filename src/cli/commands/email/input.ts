import { resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import type { CommandRun } from '../../documents/document-command.ts';
import type { DocumentFlags } from '../../documents/options.ts';

export interface EmailFlags extends DocumentFlags {
  readonly subject?: string;
  readonly encoding?: string;
}

/** One file, or standard input. */
export const INPUT = {
  missing: new DragomanError('usage', 'no message', { hint: 'Name a file, or pipe one in.' }),
  list: async (
    [argument = '']: readonly string[],
    { context }: CommandRun<EmailFlags>,
  ): Promise<ReadonlyMap<string, undefined>> =>
    new Map([[resolve(context.terminal.cwd, argument), undefined]]),
};

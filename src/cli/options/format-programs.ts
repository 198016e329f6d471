import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { FormatProgram } from '../../plugins/format-programs.ts';
import { loadUserConfiguration } from '../../project/config/user.ts';
import { markRare } from '../output/help.ts';
import { repeatable } from './repeatable.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface FormatProgramFlags {
  readonly formatCommand?: readonly string[];
}

const FLAG = '--format-command';
const VARIABLE = 'DRAGOMAN_FORMAT_COMMAND';

/** Adds `--format-command`. A command with this option runs with the named formats: see `program.ts`. */
export function addFormatCommandOption(command: Command): void {
  command.option(`${FLAG} <name=command>`, 'a program that reads the files with this extension', repeatable);
  markRare(command, FLAG);
}

/**
 * The programs named by flags, the variable and the user's configuration; for each name, the first one wins. A
 * project's configuration cannot name any.
 *
 * @throws DragomanError `usage`, `configuration`
 */
export async function findFormatPrograms(
  { formatCommand = [] }: FormatProgramFlags,
  { env }: Terminal,
): Promise<readonly FormatProgram[]> {
  const lines = (env[VARIABLE] ?? '').split('\n').filter((line) => line.trim() !== '');
  const programs = [
    ...formatCommand.map((text) => parseProgram(text, FLAG)),
    ...lines.map((line) => parseProgram(line, VARIABLE)),
  ];
  const configured = (await loadUserConfiguration(env))?.configuration.formats ?? {};
  for (const [name, { command, extensions }] of Object.entries(configured))
    programs.push({ name, command, extensions: extensions ?? [name] });
  const seen = new Set<string>();
  return programs.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function parseProgram(text: string, origin: string): FormatProgram {
  const sign = text.indexOf('=');
  if (sign > 0) {
    const name = text.slice(0, sign).trim();
    return { name, command: text.slice(sign + 1), extensions: [name] };
  }
  throw new DragomanError('usage', `${origin} does not name a format: ${JSON.stringify(text)}`, {
    hint: 'Write NAME=COMMAND, such as lang=python3 lang.py; files with the extension .lang are of this format.',
  });
}

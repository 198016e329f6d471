import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeProgram } from './commands.ts';
import { describeSettings } from './settings.ts';

export interface Chapter {
  readonly path: string;
  readonly text: string;
}

const DIRECTORY = join(import.meta.dirname, '../../docs/reference');

/** The chapters that are made from the program: its commands, and the settings of its configuration. */
export async function renderReference(): Promise<readonly Chapter[]> {
  const chapters = [
    { path: join(DIRECTORY, 'commands.md'), text: await describeProgram() },
    { path: join(DIRECTORY, 'settings.md'), text: describeSettings() },
  ];
  return Promise.all(
    chapters.map(async ({ path, text }) => {
      const style = await resolveConfig(path);
      return { path, text: await format(text, { ...style, parser: 'markdown' }) };
    }),
  );
}

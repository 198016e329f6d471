import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { format, resolveConfig } from 'prettier';
import { FORMAT_IDS } from '../../src/formats/registry.ts';
import { describeProgram } from './commands.ts';
import { describeAsManPage } from './man-page.ts';
import { describeSettings } from './settings.ts';

export interface Chapter {
  readonly path: string;
  readonly text: string;
}

const DIRECTORY = join(import.meta.dirname, '../../docs/reference');

const MAN_PAGE = join(import.meta.dirname, '../../man/dragoman.1');

const SCHEMA = join(import.meta.dirname, '../../schema/dragoman.schema.json');

/** The schema of a configuration, with the formats that there are. */
function schemaWithFormats(): string {
  const text = readFileSync(SCHEMA, 'utf8');
  const at = ['properties', 'files', 'items', 'properties', 'format', 'enum'];
  return applyEdits(text, modify(text, at, FORMAT_IDS, {}));
}

/** What is made from the program: the chapters on commands and settings, the schema, and the manual page. */
export async function renderReference(): Promise<readonly Chapter[]> {
  const chapters = [
    { path: join(DIRECTORY, 'commands.md'), text: await describeProgram() },
    { path: join(DIRECTORY, 'settings.md'), text: describeSettings() },
    { path: SCHEMA, text: schemaWithFormats() },
  ];
  const formatted = chapters.map(async ({ path, text }) => {
    const style = await resolveConfig(path);
    return { path, text: await format(text, { ...style, filepath: path }) };
  });
  return [...(await Promise.all(formatted)), { path: MAN_PAGE, text: await describeAsManPage() }];
}

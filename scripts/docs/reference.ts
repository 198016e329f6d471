import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { FORMAT_IDS } from '../../src/formats/registry.ts';
import { SUBTITLE_FORMATS } from '../../src/formats/subtitles/format.ts';
import { FRAMEWORKS } from '../../src/frameworks/registry.ts';
import { describeProgram } from './commands.ts';
import { describeFrameworks } from './frameworks.ts';
import { describeLibrary } from './library.ts';
import { describeAsManPage } from './man-page.ts';
import { describeSettings } from './settings.ts';

export interface Chapter {
  readonly path: string;
  readonly text: string;
}

const DIRECTORY = join(import.meta.dirname, '../../docs/reference');

const MAN_PAGE = join(import.meta.dirname, '../../man/dragoman.1');

const SCHEMA = join(import.meta.dirname, '../../schema/dragoman.schema.json');

const FORMATTED = { formattingOptions: { tabSize: 2, insertSpaces: true } };

/** The schema of a configuration, with the existing formats and frameworks. */
function schemaWithIds(): string {
  const text = readFileSync(SCHEMA, 'utf8');
  const ofFiles = ['properties', 'files', 'items', 'properties'];
  const lists: readonly (readonly [path: string[], ids: readonly string[]])[] = [
    [
      [...ofFiles, 'format', 'enum'],
      [...FORMAT_IDS, ...SUBTITLE_FORMATS],
    ],
    [[...ofFiles, 'framework', 'enum'], FRAMEWORKS.map(({ id }) => id)],
    [['properties', 'framework', 'enum'], FRAMEWORKS.map(({ id }) => id)],
  ];
  return lists.reduce((schema, [at, ids]) => applyEdits(schema, modify(schema, at, ids, FORMATTED)), text);
}

/**
 * The generated documents: the chapters on commands, settings and frameworks, the schema, and the manual
 * page. Tables are not aligned, so that a new row changes one line.
 */
export async function renderReference(): Promise<readonly Chapter[]> {
  const schema = schemaWithIds();
  return [
    { path: join(DIRECTORY, 'commands.md'), text: await describeProgram() },
    { path: join(DIRECTORY, 'settings.md'), text: describeSettings(schema) },
    { path: join(DIRECTORY, 'frameworks.md'), text: describeFrameworks() },
    { path: join(DIRECTORY, 'library.md'), text: describeLibrary() },
    { path: SCHEMA, text: schema },
    { path: MAN_PAGE, text: await describeAsManPage() },
  ];
}

import { extname } from 'node:path';
import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { requireUtf8 } from '../../base/utf8.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import type { ConfigurationFile } from '../config/source.ts';
import { checkGlossary } from './terms.ts';

/** Tens of thousands of terms in a dozen languages. */
const MAX_BYTES = 8 * 1024 * 1024;

type GlossaryReader = (path: string, text: string) => ConfigurationFile | Promise<ConfigurationFile>;

/** The parsers are loaded when there is a file for them. */
const READERS: Readonly<Record<string, GlossaryReader>> = {
  '.csv': async (path, text) => (await import('./csv.ts')).readGlossaryCsv(path, text),
  '.yaml': async (path, text) => (await import('../config/yaml.ts')).readYaml(path, text),
  '.yml': async (path, text) => (await import('../config/yaml.ts')).readYaml(path, text),
};

/**
 * Reads a glossary: `.csv` with a header of `term`, language codes, `dnt`, `case` and `note`, and `|` between
 * translations of which any will do; or `.yaml`, a list of terms, or a mapping of terms to what is said of them.
 *
 * @param inside a directory that no link may lead out of
 * @throws DragomanError `not_a_file`, `unreadable_input`, `limit_exceeded`; `configuration`, with file, line and column, for the first
 * thing in it that is wrong.
 */
export async function loadGlossary(path: string, inside?: string): Promise<Glossary> {
  const reader = READERS[extname(path).toLowerCase()];
  if (!reader) {
    throw new DragomanError('usage', `${path} is no glossary`, {
      hint: 'Glossaries are .csv, .yaml or .yml files.',
    });
  }
  return checkGlossary(await reader(path, await readText(path, inside)));
}

async function readText(path: string, inside: string | undefined): Promise<string> {
  const bytes = await readBounded(path, { limit: MAX_BYTES, inside });
  try {
    return requireUtf8(bytes).replace(/^\ufeff/, '');
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

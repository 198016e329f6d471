import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import type { ConfigurationFile } from '../config/source.ts';
import { checkGlossary } from './terms.ts';

/** Tens of thousands of terms in a dozen languages. */
const MAX_BYTES = 8 * 1024 * 1024;

type Reader = (path: string, text: string) => ConfigurationFile | Promise<ConfigurationFile>;

/** The parsers are loaded when there is a file for them. */
const READERS: Readonly<Record<string, Reader>> = {
  '.csv': async (path, text) => (await import('./csv.ts')).readGlossaryCsv(path, text),
  '.yaml': async (path, text) => (await import('../config/yaml.ts')).readYaml(path, text),
  '.yml': async (path, text) => (await import('../config/yaml.ts')).readYaml(path, text),
};

/**
 * Reads a glossary: `.csv` with a header of `term`, language codes, `dnt`, `case` and `note`, and `|` between
 * translations of which any will do; or `.yaml`, a list of terms, or a mapping of terms to what is said of them.
 *
 * @throws DragomanError `unreadable_input`, `limit_exceeded`; `configuration`, with file, line and column, for the first
 * thing in it that is wrong.
 */
export async function loadGlossary(path: string): Promise<Glossary> {
  const reader = READERS[extname(path).toLowerCase()];
  if (!reader) {
    throw new DragomanError('usage', `${path} is no glossary`, {
      hint: 'Glossaries are .csv, .yaml or .yml files.',
    });
  }
  return checkGlossary(await reader(path, await readText(path)));
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) {
      throw new DragomanError('limit_exceeded', 'a glossary may have at most 8 MiB').inFile(path);
    }
    const bytes = await readFile(path);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    const reason = error instanceof TypeError ? 'it is not in UTF-8' : reasonOf(error);
    throw new DragomanError('unreadable_input', `cannot read the glossary ${path}: ${reason}`, {
      cause: error,
    });
  }
}

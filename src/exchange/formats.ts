import { extname } from 'node:path';
import { readBounded } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { decode } from '../formats/encoding.ts';
import { describeFormat } from '../formats/registry.ts';
import { groupUnits, type ReturnedFile } from './returned-row.ts';
import type { ExchangeDocument } from './unit.ts';

/** Formats of files for translators. */
export const EXCHANGE_FORMATS = ['xliff2', 'xliff12', 'po', 'xlsx'] as const;
export type ExchangeFormat = (typeof EXCHANGE_FORMATS)[number];

export const EXTENSIONS: Readonly<Record<ExchangeFormat, string>> = {
  xliff2: 'xlf',
  xliff12: 'xlf',
  po: 'po',
  xlsx: 'xlsx',
};

/** Far above the size of a file with 100,000 texts. */
const MAX_BYTES = 128 << 20;

/** Writes a file for translators, in UTF-8. Units that the format cannot represent are passed to `document.onSkip`. */
export async function writeExchange(
  document: ExchangeDocument,
  format: ExchangeFormat,
): Promise<Iterable<string> | Uint8Array> {
  if (format === 'xlsx') return (await import('./xlsx-writer.ts')).writeXlsx(document);
  if (format === 'po') return (await import('./po-writer.ts')).writePo(document);
  return (await import('./xliff-writer.ts')).writeXliff(document, format === 'xliff2' ? '2.0' : '1.2');
}

/**
 * Reads a translator's answers, in any of the formats or from the review page. The extension determines the format.
 *
 * @throws DragomanError `usage` for other extensions, `not_a_file`, `unreadable_input`, `limit_exceeded`; with the file
 */
export async function readExchange(path: string): Promise<ReturnedFile> {
  const read = READERS.get(extname(path).toLowerCase());
  if (!read) {
    throw new DragomanError('usage', `${path} does not have an extension that names its format`, {
      hint: 'Use .xlf, .xliff, .po, .xlsx or .json.',
    });
  }
  const bytes = await readBounded(path, { limit: MAX_BYTES });
  try {
    return await read(bytes);
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

type ReadFile = (bytes: Uint8Array) => Promise<ReturnedFile>;

const xliff: ReadFile = async (bytes) => {
  const { readXliff } = await import('./xliff-reader.ts');
  return groupUnits(readXliff((await decode(bytes, describeFormat('xliff'))).text));
};

const READERS: ReadonlyMap<string, ReadFile> = new Map<string, ReadFile>([
  ['.xlf', xliff],
  ['.xliff', xliff],
  [
    '.po',
    async (bytes) => {
      const { readPo } = await import('./po-reader.ts');
      return groupUnits(readPo((await decode(bytes, describeFormat('po'))).text));
    },
  ],
  ['.xlsx', async (bytes) => groupUnits(await (await import('./xlsx-reader.ts')).readXlsx(bytes))],
  [
    '.json',
    async (bytes) => {
      const { readAnswerFile } = await import('./answer-file.ts');
      return { rows: readAnswerFile((await decode(bytes, describeFormat('json'))).text), lost: [] };
    },
  ],
]);

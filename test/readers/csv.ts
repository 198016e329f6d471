import { parse } from 'csv-parse/sync';
import { parseLocale } from '../../src/languages/locale.ts';
import { refusal, type Entry, type Input, type Reader, type Reading } from './reader.ts';

/** csv-parse: the cells of one language are texts; all others are other values. Cells without text are skipped. */
export const csvParse: Reader = {
  name: 'csv-parse',
  lastWins: false,
  missing: () => undefined,
  read: (files) => files.map(readTable),
};

function readTable({ bytes, locale = 'en' }: Input): Reading {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '';
    const delimiter = [',', ';', '\t'].reduce((best, one) =>
      header.split(one).length > header.split(best).length ? one : best,
    );
    const rows = parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: false,
      relax_quotes: true,
    });
    const [names = []] = rows;
    const column = names.findIndex(
      (name, i) =>
        i > 0 && parseLocale(/\(([^()]*)\)$/.exec(name.trim())?.[1] ?? name.trim()) === parseLocale(locale),
    );
    const entries = rows.flatMap((row, i) =>
      row.map((value, j): Entry => {
        const key = row[0]?.trim() ?? '';
        const isText = i > 0 && j === column && key !== '' && value !== '';
        return isText
          ? { key: [key], value, kind: 'text' }
          : { key: [String(i), String(j)], value, kind: 'cell' };
      }),
    );
    return { entries };
  } catch (error) {
    return refusal(error);
  }
}

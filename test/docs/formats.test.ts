import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFormat, FORMAT_IDS } from '../../src/formats/registry.ts';
import { SPECIMENS } from '../specimens/specimens.ts';

const chapter = readFileSync(join(import.meta.dirname, '../../docs/formats.md'), 'utf8');

/** The rows of the table whose header has this column, by their first cell. */
function rowsWith(column: string): ReadonlyMap<string, readonly string[]> {
  const tables = chapter.split(/\n(?!\|)/).filter((part) => part.trimStart().startsWith('|'));
  const table = tables.find((part) => part.split('\n').some((line) => line.includes(`| ${column}`))) ?? '';
  const rows = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(rows.map((cells) => [cells[0] ?? '', cells]));
}

describe('the chapter on formats', () => {
  const [extensions, reading] = [rowsWith('extensions'), rowsWith('translated')];

  it.each(FORMAT_IDS)('has the extensions of %s', (id) => {
    const { title, extensions: own } = describeFormat(id);
    expect(extensions.get(title)?.[1]).toBe(own.map((extension) => `\`.${extension}\``).join(', '));
  });

  it.each(FORMAT_IDS)('describes what %s translates and keeps, and the program that tests it', (id) => {
    const cells = reading.get(describeFormat(id).title) ?? [];
    expect(cells.filter((cell) => cell !== '')).toHaveLength(6);
    expect(cells[5]).toBe(SPECIMENS[id].reader.name);
  });

  it('lists no unknown format', () => {
    const titles = new Set(FORMAT_IDS.map((id) => describeFormat(id).title));
    expect(
      [...reading.keys()].filter(
        (name) => !['', 'format'].includes(name) && !/^-+$/.test(name) && !titles.has(name),
      ),
    ).toEqual([]);
  });
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { indexOf } from '../../src/formats/xcstrings/catalog.ts';
import { xcstrings } from '../../src/formats/xcstrings/format.ts';
import { ProjectFiles } from '../../src/project/plan/project-files.ts';

it('a large file that each of its languages needs is read again only after it was written', () => {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-'));
  const path = join(root, 'All.xcstrings');
  writeFileSync(path, 'a'.repeat(2_000_000));
  const files = new ProjectFiles(root);
  files.readOwn('All.xcstrings');
  const bytes = files.readOwn('All.xcstrings');
  expect(files.readOwn('All.xcstrings')).toBe(bytes);
  writeFileSync(path, 'b'.repeat(2_000_000));
  expect(Buffer.from(files.readSource('All.xcstrings')).toString()).toBe('b'.repeat(2_000_000));
  writeFileSync(path, 'c');
  expect(Buffer.from(files.readSource('All.xcstrings')).toString()).toBe('c');
});

it('the strings of a catalogue are found once for all of its languages', () => {
  const unit = (value: string): unknown => ({ stringUnit: { state: 'translated', value } });
  const strings = { hello: { localizations: { de: unit('Hallo'), en: unit('Hello'), fr: unit('Salut') } } };
  const text = JSON.stringify({ sourceLanguage: 'en', strings, version: '1.0' });
  const documents = ['en', 'de', 'fr'].map((locale) =>
    xcstrings.scan(Buffer.from(text).toString(), { locale }),
  );
  expect(documents.map(({ slots }) => slots.map(({ value }) => value))).toEqual([
    ['Hello'],
    ['Hallo'],
    ['Salut'],
  ]);
  expect(indexOf(Buffer.from(text).toString())).toBe(indexOf(text));
  expect(documents.every(({ entries }) => entries.length === 1)).toBe(true);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_IDS } from '../../src/formats/registry.ts';
import { subtitleFormatOfPath, type SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { SUBTITLE_FORMATS } from '../../src/formats/subtitles/format.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';

export const FUZZED = [...FORMAT_IDS, 'html', 'email', ...SUBTITLE_FORMATS] as const;
export type Fuzzed = (typeof FUZZED)[number];

/** Whether the format is a subtitle format. */
export function isSubtitleFormat(fuzzed: Fuzzed): fuzzed is SubtitleFormat {
  return SUBTITLE_FORMATS.some((format) => format === fuzzed);
}

/** Longer documents would make every trial slow. */
const LONGEST = 20_000;

/** The documents of the format's fixtures; e-mails with one character per byte. */
export function readDocuments(fuzzed: Fuzzed, fixtures: string): readonly string[] {
  const directory = join(fixtures, 'formats', fuzzed === 'email' ? 'eml' : fuzzed);
  const encoding = fuzzed === 'email' ? 'latin1' : 'utf8';
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((path) => isDocument(path.slice(path.lastIndexOf('/') + 1), fuzzed))
    .map((path) => readFileSync(join(directory, path), encoding))
    .filter((text) => text.length <= LONGEST);
}

function isDocument(name: string, fuzzed: Fuzzed): boolean {
  if (isSubtitleFormat(fuzzed)) return subtitleFormatOfPath(name) === fuzzed;
  if (fuzzed === 'html') return name.endsWith('.html');
  return fuzzed === 'email' ? name.endsWith('.eml') : SPECIMENS[fuzzed].fixtures.test(name);
}

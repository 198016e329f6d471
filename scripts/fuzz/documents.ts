import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  SUBTITLE_FORMATS,
  subtitleFormatOfPath,
  type SubtitleFormat,
} from '../../src/formats/subtitles/format.ts';

export const FUZZED = [
  'json',
  'yaml',
  'po',
  'properties',
  'strings',
  'xcstrings',
  'xml',
  'csv',
  'xliff',
  'qt',
  'php',
  'fluent',
  'toml',
  'module',
  'json5',
  'ini',
  'html',
  'email',
  ...SUBTITLE_FORMATS,
] as const;
export type Fuzzed = (typeof FUZZED)[number];

/** Whether it is a format of subtitles. */
export function isSubtitleFormat(fuzzed: Fuzzed): fuzzed is SubtitleFormat {
  return SUBTITLE_FORMATS.some((format) => format === fuzzed);
}

const EXTENSIONS: Readonly<Record<Exclude<Fuzzed, SubtitleFormat>, RegExp>> = {
  json: /^(?:source|target|rendered|merged)\.json$/,
  yaml: /\.ya?ml$/,
  po: /\.pot?$/,
  properties: /\.properties$/,
  strings: /\.strings$/,
  xcstrings: /\.xcstrings$/,
  xml: /\.(?:xml|resx|stringsdict)$/,
  csv: /\.csv$/,
  xliff: /\.xlf$/,
  qt: /\.ts$/,
  php: /\.php$/,
  fluent: /\.ftl$/,
  toml: /\.toml$/,
  ini: /\.ini$/,
  json5: /\.json5$/,
  module: /\.(?:[cm]?js|ts)$/,
  html: /\.html$/,
  email: /\.eml$/,
};

/** Longer ones would make every trial slow. */
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
  return isSubtitleFormat(fuzzed) ? subtitleFormatOfPath(name) === fuzzed : EXTENSIONS[fuzzed].test(name);
}

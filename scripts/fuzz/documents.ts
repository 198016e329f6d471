import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FUZZED = [
  'json',
  'yaml',
  'po',
  'properties',
  'strings',
  'xml',
  'php',
  'fluent',
  'toml',
  'html',
  'email',
  'srt',
  'vtt',
] as const;
export type Fuzzed = (typeof FUZZED)[number];

const EXTENSIONS: Readonly<Record<Fuzzed, RegExp>> = {
  json: /^(?:source|target|rendered|merged)\.json$/,
  yaml: /\.ya?ml$/,
  po: /\.pot?$/,
  properties: /\.properties$/,
  strings: /\.strings$/,
  xml: /\.(?:xml|resx)$/,
  php: /\.php$/,
  fluent: /\.ftl$/,
  toml: /\.toml$/,
  html: /\.html$/,
  email: /\.eml$/,
  srt: /\.srt$/,
  vtt: /\.vtt$/,
};

/** Longer ones would make every trial slow. */
const LONGEST = 20_000;

/** The documents of the format's fixtures; e-mails with one character per byte. */
export function readDocuments(fuzzed: Fuzzed, fixtures: string): readonly string[] {
  const directory = join(fixtures, 'formats', fuzzed === 'email' ? 'eml' : fuzzed);
  const encoding = fuzzed === 'email' ? 'latin1' : 'utf8';
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((path) => EXTENSIONS[fuzzed].test(path.slice(path.lastIndexOf('/') + 1)))
    .map((path) => readFileSync(join(directory, path), encoding))
    .filter((text) => text.length <= LONGEST);
}

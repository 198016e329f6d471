import { requireMerged } from '../../base/merge-conflict.ts';
import { extname } from 'node:path';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import { parseLocale } from '../../languages/locale.ts';
import { LANGUAGES_HINT, suggestLanguage } from '../../languages/catalog.ts';
import type { Glossary, GlossaryTerm } from '../../pipeline/glossary.ts';
import type { ConfigurationFile, ValuePath } from '../config/schema.ts';
import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError, inFile } from '../../base/errors.ts';
import { requireUtf8 } from '../../base/utf8.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

/** Enough for any glossary; more would be a dictionary. */
const MAX_TERMS = 50_000;
/** In UTF-16 code units. A term is shorter than a sentence. */
const MAX_LENGTH = 500;
const MAX_NOTE_LENGTH = 2_000;

const FIELDS = ['term', 'dnt', 'do_not_translate', 'case', 'note', 'translations'] as const;
const WITHOUT_TERM = FIELDS.filter((name) => name !== 'term');

const YES: ReadonlySet<unknown> = new Set(['yes', 'true', 'y', '1', 'x']);
const NO: ReadonlySet<unknown> = new Set(['no', 'false', 'n', '0', '']);

/**
 * Checks the terms of a file: a list of `{ term, dnt, case, note, translations }`, or a mapping from terms to the same
 * fields without `term`.
 *
 * @throws DragomanError `configuration` at the first error
 */
export function checkGlossary(file: ConfigurationFile): Glossary {
  const { value } = file;
  const items = Array.isArray(value)
    ? value.map(listed)
    : isObject(value)
      ? Object.entries(value).map(mapped)
      : undefined;
  if (!items) throw file.errorAt([], 'a glossary is a list of terms', 'Write `- term: …` for each of them.');
  if (items.length > MAX_TERMS)
    throw file.errorAt([items[MAX_TERMS]?.path[0] ?? 0], `a glossary has at most ${MAX_TERMS} terms`);
  const seen = new Map<string, ListedTerm>();
  const terms = items.map((item): GlossaryTerm => {
    const term = checkTerm(file, item);
    const id = identityOf(term);
    const other = seen.get(id);
    if (other) {
      const { line } = file.placeOf(other.path);
      throw file.errorAt(
        item.path,
        `the term ${JSON.stringify(term.term)} appears twice`,
        `Merge it with line ${line}.`,
      );
    }
    seen.set(id, item);
    return term;
  });
  return { terms };
}

interface ListedTerm {
  readonly path: ValuePath;
  readonly fields: unknown;
  /** Undefined if the term is the key. */
  readonly term?: string;
}

const listed = (fields: unknown, i: number): ListedTerm => ({ path: [i], fields });
const mapped = ([term, fields]: readonly [string, unknown]): ListedTerm => ({ path: [term], fields, term });

function checkTerm(file: ConfigurationFile, { path, fields, term: key }: ListedTerm): GlossaryTerm {
  if (!isObject(fields))
    throw file.errorAt(path, 'a term must be a mapping', 'Write `dnt: true` or `translations: …` in it.');
  const names = key === undefined ? FIELDS : WITHOUT_TERM;
  for (const name of Object.keys(fields)) {
    if (names.some((known) => known === name)) continue;
    const hint = withSuggestion(nearest(name, names), `Allowed keys: ${names.join(', ')}.`);
    throw file.errorAt([...path, name], `unknown key \`${name}\` of a term`, hint);
  }
  if (key === undefined && !Object.hasOwn(fields, 'term')) {
    throw file.errorAt(path, 'an entry has no `term`', 'Write `term: …` in it.');
  }
  const at = (name: string): ValuePath => [...path, name];
  const term = checkText(
    file,
    key ?? fields['term'] ?? '',
    key === undefined ? at('term') : path,
    'the term',
  );
  const doNotTranslate = checkFlag(file, fields, path);
  const translations = checkTranslations(file, fields['translations'], at('translations'));
  const [language] = translations.keys();
  if (doNotTranslate && language !== undefined) {
    throw file.errorAt(
      [...at('translations'), language],
      `${JSON.stringify(term)} is marked as not to be translated, but has a translation`,
      'Remove dnt, or the translations.',
    );
  }
  if (!doNotTranslate && language === undefined) {
    throw file.errorAt(
      path,
      `${JSON.stringify(term)} has no translation`,
      'Add one, or dnt for a name that stays as it is.',
    );
  }
  const note = fields['note'];
  return {
    term,
    translations,
    doNotTranslate,
    caseSensitive: checkCase(file, fields['case'], at('case')) ?? doNotTranslate,
    note: note === undefined || note === null ? undefined : checkNote(file, note, at('note')),
  };
}

function checkText(file: ConfigurationFile, value: unknown, path: ValuePath, what: string): string {
  if (typeof value !== 'string') {
    throw file.errorAt(path, `${what} must be a string`, 'Put it into quotation marks.');
  }
  const text = value.trim();
  const fault = faultOf(text);
  if (fault) throw file.errorAt(path, `${what} ${fault.message}`, fault.hint);
  return text;
}

/** The problem with the words of a term or translation, as the end of a sentence. */
export function faultOf(text: string): { readonly message: string; readonly hint?: string } | undefined {
  if (text === '') return { message: 'is empty', hint: 'Remove it, or give it a value.' };
  if (text.length > MAX_LENGTH) return { message: `has more than ${MAX_LENGTH} characters` };
  return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, ' ')) || !text.isWellFormed()
    ? { message: 'has invalid characters', hint: 'Remove control characters from it.' }
    : undefined;
}

function checkNote(file: ConfigurationFile, value: unknown, path: ValuePath): string {
  if (typeof value !== 'string')
    throw file.errorAt(path, 'a note must be a string', 'Put it into quotation marks.');
  if (value.length > MAX_NOTE_LENGTH)
    throw file.errorAt(path, `a note has at most ${MAX_NOTE_LENGTH} characters`);
  return value.trim();
}

function checkFlag(file: ConfigurationFile, fields: JsonObject, path: ValuePath): boolean {
  const [name, other] = ['dnt', 'do_not_translate'].filter((key) => Object.hasOwn(fields, key));
  if (name === undefined) return false;
  if (other !== undefined)
    throw file.errorAt(
      [...path, other],
      '`dnt` and `do_not_translate` mean the same thing',
      'Remove one of them.',
    );
  const value = fields[name];
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value === null ? '' : undefined;
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw file.errorAt(
    [...path, name],
    `\`${name}\` must be yes or no`,
    'Write yes for a term that must not be translated.',
  );
}

function checkCase(file: ConfigurationFile, value: unknown, path: ValuePath): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'sensitive') return true;
  if (word === 'insensitive') return false;
  const suggestion = nearest(word, ['sensitive', 'insensitive']);
  const hint = withSuggestion(suggestion, 'By default, only names are case-sensitive.');
  throw file.errorAt(path, '`case` must be sensitive or insensitive', hint);
}

function checkTranslations(
  file: ConfigurationFile,
  value: unknown,
  path: ValuePath,
): ReadonlyMap<string, readonly string[]> {
  if (value === undefined || value === null) return new Map();
  if (!isObject(value))
    throw file.errorAt(path, '`translations` must be a mapping of languages', 'Write `es: …`.');
  const translations = new Map<string, readonly string[]>();
  for (const [spelling, wanted] of Object.entries(value)) {
    const at = [...path, spelling];
    const code = parseLocale(spelling);
    if (code === undefined) {
      const hint = withSuggestion(suggestLanguage(spelling), LANGUAGES_HINT);
      throw file.errorAt(at, `${JSON.stringify(spelling)} is not a language code`, hint);
    }
    if (translations.has(code))
      throw file.errorAt(at, `there are two translations into ${code}`, 'Combine them into a list.');
    const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    if (list.length === 0) throw file.errorAt(at, `the translation into ${code} is empty`, 'Remove it.');
    translations.set(
      code,
      list.map((text) => checkText(file, text ?? '', at, `the translation into ${code}`)),
    );
  }
  return translations;
}

function identityOf({ term, caseSensitive }: GlossaryTerm): string {
  const text = term.normalize('NFC').replace(/\s+/g, ' ');
  return caseSensitive ? `=${text}` : `~${text.toLowerCase()}`;
}

/** Enough for tens of thousands of terms in a dozen languages. */
export const MAX_GLOSSARY_BYTES = 8 * 1024 * 1024;

type GlossaryReader = (path: string, text: string) => ConfigurationFile | Promise<ConfigurationFile>;

/** The parsers are loaded on demand. */
const READERS: Readonly<Record<string, GlossaryReader>> = {
  '.csv': async (path, text) => (await import('./csv.ts')).readGlossaryCsv(path, text),
  '.yaml': async (path, text) => (await import('../config/yaml.ts')).readYaml(path, text),
  '.yml': async (path, text) => (await import('../config/yaml.ts')).readYaml(path, text),
};

/**
 * Reads a glossary: `.csv` with a header of `term`, language codes, `dnt`, `case` and `note`, and `|` between
 * alternative translations; or `.yaml`, a list of terms, or a mapping from terms to their fields.
 *
 * @param inside a directory that links must not leave
 * @throws DragomanError `not_a_file`, `unreadable_input`, `limit_exceeded`; `configuration` for the first error, with
 * file, line and column
 */
export async function loadGlossary(path: string, inside?: string): Promise<Glossary> {
  requireReader(path);
  return parseGlossary(path, await readGlossaryText(path, inside));
}

/** @param text may start with a byte order mark. @throws DragomanError like {@link loadGlossary} */
export async function parseGlossary(path: string, text: string): Promise<Glossary> {
  const reader = requireReader(path);
  const bare = text.replace(/^\ufeff/, '');
  inFile(path, () => requireMerged(bare, 'configuration'));
  return checkGlossary(await reader(path, bare));
}

function requireReader(path: string): GlossaryReader {
  const reader = READERS[extname(path).toLowerCase()];
  if (reader) return reader;
  throw new DragomanError('usage', `${path} is not a glossary`, {
    hint: 'Glossaries are .csv, .yaml or .yml files.',
  });
}

/** The text of a glossary file, including a byte order mark. @throws DragomanError like {@link loadGlossary} */
export async function readGlossaryText(path: string, inside: string | undefined): Promise<string> {
  const bytes = await readBounded(path, { limit: MAX_GLOSSARY_BYTES, inside });
  return inFile(path, () => requireUtf8(bytes));
}

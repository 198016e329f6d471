import type { FrameworkEvidence } from '../../frameworks/evidence.ts';
import { join } from 'node:path';
import { parseObject } from '../../base/json.ts';
import { readHead } from '../../base/file-head.ts';
import { isTextAsKey } from '../../formats/key-text.ts';
import {
  BUILT_IN_FORMATS,
  describeFormat,
  type DescribedFormat,
  type Formats,
} from '../../formats/registry.ts';
import { subtitleFormatOfPath } from '../../formats/subtitles/names.ts';
import { foreignLanguageOf } from '../../languages/foreign-language.ts';
import { isLanguageHolder } from '../../frameworks/registry.ts';
import { parseLocale } from '../../languages/locale.ts';
import { isWord } from '../../languages/words.ts';

/** Headers are at the start, after a licence and a list of translators. */
const LIMIT = 1 << 16;

/** Enough messages to recognize the kind of catalogue. */
const CONTENT_LIMIT = 1 << 18;

/** xgettext writes `2024-01-31 12:00+0100`; templates have `YEAR-MO-DA HO:MI+ZONE` instead. */
const CREATION_DATE =
  /^[^#\r\n\u2028\u2029]*POT-Creation-Date:\s*(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::\d{2})?\s*(?:([+-])(\d{2}):?(\d{2}))?/m;

/**
 * Sorts catalogues by the date of their template, newest first, because the newest has the program's current messages.
 * Catalogues with equal or missing dates are sorted by path.
 */
export function newestFirst(root: string, paths: readonly string[]): readonly string[] {
  const sorted = paths.toSorted((a, b) => (a < b ? -1 : 1));
  if (sorted.length < 2) return sorted;
  const dated = sorted.map((path) => ({ path, date: creationDateOf(root, path) }));
  return dated.sort((a, b) => (a.date === b.date ? 0 : b.date - a.date)).map(({ path }) => path);
}

/**
 * Whether a catalogue in the source language has the messages of the others: it is not older, and has at least half as
 * many.
 */
export function hasMessagesOfAll(
  root: string,
  path: string,
  others: readonly string[],
  { bilingual }: DescribedFormat,
): boolean {
  const count = bilingual?.countMessages;
  const own = readHead(join(root, path), CONTENT_LIMIT);
  if (!own || !count) return false;
  const [messages, date] = [count(own.text), creationDate(own.text)];
  return others.every((other) => {
    const text = readHead(join(root, other), own.isWhole ? CONTENT_LIMIT : LIMIT)?.text ?? '';
    return creationDate(text) <= date && count(text) <= 2 * messages;
  });
}

/** The format of a file, determined by its content if several formats share the extension. */
export function formatOfFile(root: string, path: string, formats: Formats): DescribedFormat | undefined {
  const found = formats.ofPath(path, () => readHead(join(root, path), LIMIT)?.text ?? '');
  const subtitles = found ? undefined : subtitleFormatOfPath(path);
  return subtitles ? describeFormat(subtitles) : found;
}

/** A key at the start of a line in JSON, YAML, PHP or Apple's .strings. */
const KEY =
  /^[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([^\s"'#:[{<$/-](?:[ \t]*[^:\n \t])*?))[ \t]*(?::(?=\s)|=[>\s])/gm;

/** Whether most keys of a file are texts rather than names of texts. */
export function hasTextsAsKeys(root: string, path: string): boolean {
  const head = readHead(join(root, path), LIMIT)?.text ?? '';
  const keys = keysIn(head);
  const texts = keys.filter(isTextAsKey);
  return texts.length * 2 > keys.length && texts.some((text) => /\S \S/.test(text));
}

function keysIn(text: string): readonly string[] {
  return [...text.matchAll(KEY)].map(([, double, single, plain = '']) => double ?? single ?? plain);
}

/** A string, closed or not, with the colon and the empty value that extractors write after it. */
const STRING = /"(?:[^"\\\n]|\\.)*(?:"([ \t]*[:=][ \t]*"")?)?/g;

const COMMENTS = /\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*(?:\/\/|#).*$/gm;
const PHP_OPENING = /^\s*<\?php\s+(?:declare\([^)]*\);\s*)?return(?:\s+array)?\b/;

/**
 * Whether a file may contain a text, in any notation and encoding. The keys are used as the source only if the file
 * contains none. For example, Xcode writes `"" = "";` if all texts are keys.
 */
export function mayHaveTexts(root: string, path: string): boolean {
  const head = readHead(join(root, path), LIMIT);
  if (!head?.isWhole) return true;
  // In UTF-16, the byte order mark is not valid UTF-8, and a NUL is next to every English letter.
  const text = head.text.replace(/^\ufffd\ufffd/, '').replaceAll('\0', '');
  const code = text.replace(COMMENTS, '').replace(PHP_OPENING, '');
  const values = code.replace(STRING, (string, empty?: string) => (empty === undefined ? string : ''));
  return /[\p{L}\p{N}\ufffd]/u.test(values);
}

/** Fewer words are not enough to detect a language reliably. */
const LEAST_WORDS = 20;

/**
 * Whether an English file with its language in its name, such as `messages_en.properties`, translates the base file: it
 * has nearly as many lines of text, most of its words differ, and the base is clearly in another language. Otherwise,
 * it contains copies, a variant's spellings, or only some of the texts.
 *
 * @throws DragomanError like `foreignLanguageOf`
 */
export async function isTranslationOf(root: string, path: string, base: string): Promise<boolean> {
  const [own, others] = [textOf(root, path), textOf(root, base)];
  if (own.length < 0.9 * others.length) return false;
  const all = wordsIn(others);
  const [known, words] = [new Set(all), [...new Set(wordsIn(own))]];
  const isOther = words.filter((word) => known.has(word)).length * 2 < words.length;
  return (
    isOther && all.length >= LEAST_WORDS && (await foreignLanguageOf(others.join('\n'), 'en')) !== undefined
  );
}

/** Comments, tags, and the names of texts at the start of a line. */
const NO_TEXT = /<!--[^]*?(?:-->|(?![^]))|<[^<>]*>|^[ \t]*(?:[#!].*|[\w.$-]+[ \t]*[=:])/gm;

/** Java's notation for letters outside Latin-1. */
const ESCAPE = /\\u+([\da-fA-F]{4})/g;

/** A word, or a character of a script without spaces. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}]|\p{L}+/gu;

function textOf(root: string, path: string): readonly string[] {
  const text = readHead(join(root, path), CONTENT_LIMIT)?.text ?? '';
  return text
    .replaceAll(NO_TEXT, '')
    .replaceAll(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function wordsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.toLowerCase().match(WORD) ?? []);
}

/** Enough for the header of an export. */
const EXPORT_LIMIT = 1 << 12;

/** Whether dragoman exported a file for translators or other programs, in which case it is not a catalogue. */
export function isOwnExport(root: string, path: string): boolean {
  const isExport = BUILT_IN_FORMATS.ofPath(path)?.isExport;
  return isExport?.(readHead(join(root, path), EXPORT_LIMIT)?.text ?? '') === true;
}

/** Why a file whose name suggests a catalogue has no texts. */
export function reasonToSkip(
  root: string,
  path: string,
  evidence: FrameworkEvidence,
): 'data' | 'own_export' | 'all_languages' | undefined {
  const read = (): string => readHead(join(root, path), CONTENT_LIMIT)?.text ?? '';
  if (evidence.isData(path, read)) return 'data';
  if (isOwnExport(root, path)) return 'own_export';
  const [name = '', holder = '', ...above] = path.split('/').reverse();
  // Rails also reads directories below: `config/locales/shop/overrides.yml`.
  const isBelow = above.some(isLanguageHolder) && !above.concat(holder).some(isLanguage);
  const mayHoldAll = isLanguageHolder(holder)
    ? /\.(?:json|ya?ml)$/.test(name)
    : isBelow && /\.ya?ml$/.test(name);
  return mayHoldAll && hasAllLanguages(root, path, name) ? 'all_languages' : undefined;
}

/** Enough for the languages of a few messages. */
const LANGUAGES_LIMIT = 1 << 13;

const isLanguage = (key: string): boolean => parseLocale(key) !== undefined && !isWord(key);

/**
 * Whether a file holds all languages: for each message (`hello: { en: …, de: … }`) or, if its name is not a language,
 * one after the other.
 */
function hasAllLanguages(root: string, path: string, name: string): boolean {
  const isNamed = parseLocale(name.replace(/\..*/, '')) !== undefined;
  // Most files here are named after a language, and are searched in each run.
  const { text = '', isWhole } = readHead(join(root, path), isNamed ? LANGUAGES_LIMIT : CONTENT_LIMIT) ?? {};
  const json = isWhole && name.endsWith('.json') ? parseObject(text) : undefined;
  const lines = json === undefined ? text : JSON.stringify(json, undefined, 1);
  const keys = keysIn(lines);
  const codes = keys.filter(isLanguage);
  const { size } = new Set(codes);
  if (size < 2) return false;
  if (codes.length > size && codes.length * 2 > keys.length) return true;
  const top = lines.match(/^ ?[\w"'].*/gm) ?? [];
  const isBegun = top.every((line) => /:[ \t]*\{?\r?$/.test(line));
  const names = keysIn(`${top.join('\n')}\n`);
  // One name is the root of a file in this language, whose keys may be names of languages, too.
  return names.length > 1 && (!isNamed || isWhole === true) && isBegun && names.every(isLanguage);
}

/** Whether a file is a list of records: see `FormatDescription.listsRecords`. */
export function listsRecords(root: string, path: string, format: DescribedFormat): boolean {
  return format.listsRecords?.(readHead(join(root, path), CONTENT_LIMIT)?.text ?? '') === true;
}

/** Whether a bilingual file in the source language is the source of the others: see `BilingualFiles`. */
export function hasTextsOfItsOwn(root: string, path: string, { bilingual }: DescribedFormat): boolean {
  const head = readHead(join(root, path), CONTENT_LIMIT)?.text ?? '';
  return bilingual?.hasTextsOfItsOwn(head) === true;
}

/** Whether to translate the source texts of a bilingual file rather than its own translations. */
export function isTemplateOf(root: string, path: string, format: DescribedFormat): boolean {
  return format.bilingual !== undefined && !hasTextsOfItsOwn(root, path, format);
}

/** The source language that a bilingual file declares, if any; canonical. */
export function declaredSourceOf(
  root: string,
  path: string,
  { bilingual }: DescribedFormat,
): string | undefined {
  const spelling = bilingual?.sourceLanguage?.(readHead(join(root, path), LIMIT)?.text ?? '');
  return spelling === undefined ? undefined : parseLocale(spelling);
}

/** When a catalogue's messages were extracted from the program: see `creationDate`. */
export function creationDateOf(root: string, path: string): number {
  return creationDate(readHead(join(root, path), LIMIT)?.text ?? '');
}

/** In milliseconds; -Infinity if absent, so that it sorts before all others. */
function creationDate(text: string): number {
  const match = CREATION_DATE.exec(text);
  if (!match) return -Infinity;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1, 6).map(Number);
  const offset = (Number(match[7] ?? 0) * 60 + Number(match[8] ?? 0)) * (match[6] === '-' ? -1 : 1);
  return Date.UTC(year, month - 1, day, hour, minute - offset);
}

import { basename, extname } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import { DragomanError } from '../../base/errors.ts';
import { fallbackCodes } from '../../engines/chain-rules.ts';
import { encodeCell, styleOf } from '../../formats/csv/encode.ts';
import { recordsOf } from '../../formats/csv/records.ts';
import { openTable } from '../../formats/csv/table.ts';
import { parseLocale } from '../../languages/locale.ts';
import { type Glossary, type GlossaryTerm, spellingOf, writeGlossary } from '../../pipeline/glossary.ts';
import { COLUMNS } from './csv.ts';
import { faultOf, MAX_GLOSSARY_BYTES, parseGlossary } from './glossary.ts';

/** A term in the source language and its translation. */
export interface NewTerm {
  readonly term: string;
  readonly translation: string;
  /** Canonical. */
  readonly locale: string;
}

/** Where a translation is missing from a glossary. */
interface Place {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly glossary: Glossary;
  /** The index of the term, if it has translations into other languages. */
  readonly index: number | undefined;
  /** The possible codes for the translation, the best one first. */
  readonly codes: readonly string[];
}

type Words = Pick<NewTerm, 'term' | 'translation'>;

interface Insertion {
  readonly at: number;
  readonly added: string;
  /** The glossary's code for the translation's language. */
  readonly code: string;
}

/**
 * Adds a term to the text of a glossary file: as a new last line, or in a table in the empty cell of a term without a
 * translation into the language. Nothing else changes, and the result is read back to verify it.
 *
 * @param path shows the notation
 * @param text may start with a byte order mark
 * @returns the same text if the glossary already has this translation
 * @throws DragomanError `usage` for words that cannot be a term, and for a term with another translation;
 * `configuration` for an unreadable file, or one that cannot hold the term
 */
export async function insertTerm(path: string, text: string, wanted: NewTerm): Promise<string> {
  const glossary = await parseGlossary(path, text);
  const term = wordsOf(wanted.term, 'the term');
  const translation = wordsOf(wanted.translation, 'the translation');
  if (translation.includes('|'))
    throw new DragomanError('usage', 'the translation contains |', {
      hint: `Add one translation here, and its alternatives in ${basename(path)}.`,
    });
  const index = glossary.terms.findIndex((one) => spellingOf(one) === spellingOf({ term }));
  const known = glossary.terms[index];
  if (known && hasTranslation(known, translation, wanted.locale)) return text;
  const bare = text.replace(/^\ufeff/, '');
  const place = { path, text: bare, glossary, index: known && index, codes: fallbackCodes(wanted.locale) };
  const insert = extname(path).toLowerCase() === '.csv' ? inTable : inYaml;
  const { at, added, code } = insert(place, { term, translation });
  const after = text.slice(0, text.length - bare.length) + bare.slice(0, at) + added + bare.slice(at);
  await requireReadBack(path, after, withTerm(glossary, place.index, { term, translation, code }));
  return after;
}

function wordsOf(text: string, what: string): string {
  const words = text.trim().replace(/\s+/g, ' ');
  const fault = faultOf(words);
  if (fault) throw new DragomanError('usage', `${what} ${fault.message}`, { hint: fault.hint });
  return words;
}

/** @throws DragomanError if the term has another translation */
function hasTranslation(known: GlossaryTerm, translation: string, locale: string): boolean {
  const code = fallbackCodes(locale).find((candidate) => known.translations.has(candidate));
  const accepted = known.translations.get(code ?? '');
  if (!known.doNotTranslate && !accepted) return false;
  if (accepted?.some((one) => one.normalize('NFC') === translation.normalize('NFC')) === true) return true;
  const what = accepted ? `with the translation ${accepted.join(', ')}` : 'as a name that stays as it is';
  throw new DragomanError('usage', `the glossary has ${JSON.stringify(known.term)} ${what}`, {
    hint: 'Change it in the glossary file.',
  });
}

function inTable({ path, text, index, codes }: Place, { term, translation }: Words): Insertion {
  const table = openTable(text);
  const { delimiter, header } = table;
  const style = styleOf(table);
  const [head, ...rows] = [...recordsOf(text)].filter(({ cells }) =>
    cells.some((cell) => cell.trim() !== ''),
  );
  const names = (head?.cells ?? []).map((cell) => cell.trim());
  const columnOf = (code: string): number =>
    names.findIndex((name) => !COLUMNS.has(name.toLowerCase()) && parseLocale(name) === code);
  const code = codes.find((one) => columnOf(one) >= 0);
  if (code === undefined)
    throw new DragomanError('configuration', `${basename(path)} has no column ${codes[0]}`, {
      hint: `Add ${codes[0]} to its first line.`,
    });
  const column = columnOf(code);
  const cell = encodeCell(translation, style, false);
  const places = index === undefined ? undefined : rows[index]?.places;
  const empty = places?.[column];
  if (empty?.isQuoted) return { at: empty.start + 1, added: translation.replaceAll('"', '""'), code };
  if (empty) return { at: empty.start, added: cell, code };
  if (places) {
    const missing = delimiter.repeat(column - places.length + 1);
    return { at: places.at(-1)?.end ?? text.length, added: missing + cell, code };
  }
  const cells = names.map((name, i) =>
    i === column ? cell : name.toLowerCase() === 'term' ? encodeCell(term, style, false) : '',
  );
  const lineEnd = /^(?:\r\n|\r|\n)/.exec(text.slice(header.end, header.end + 2))?.[0] ?? '\n';
  return { ...lastLine(text, cells.join(delimiter), lineEnd), code };
}

function inYaml({ path, text, glossary, index, codes }: Place, { term, translation }: Words): Insertion {
  const { contents } = parseDocument(text, {
    keepSourceTokens: true,
    uniqueKeys: false,
    prettyErrors: false,
  });
  if ((!isSeq(contents) && !isMap(contents)) || contents.flow === true || !contents.range)
    throw cannotTake(path, 'its terms are in brackets');
  if (index !== undefined)
    throw cannotTake(path, `it has ${JSON.stringify(term)} with translations into other languages`);
  const used = new Set(glossary.terms.flatMap(({ translations }) => [...translations.keys()]));
  const code = codes.find((one) => used.has(one)) ?? codes[0] ?? '';
  const [start] = contents.range;
  const indent = ' '.repeat(start - 1 - text.lastIndexOf('\n', start - 1));
  const translations = `translations: { ${scalar(code)}: ${scalar(translation)} }`;
  const line = isSeq(contents)
    ? `${indent}- { term: ${scalar(term)}, ${translations} }`
    : `${indent}${scalar(term)}: { ${translations} }`;
  return { ...lastLine(text, line, text.includes('\r\n') ? '\r\n' : '\n'), code };
}

/** Unquoted if YAML reads it as the same text, also in braces; otherwise quoted. */
function scalar(text: string): string {
  const isPlain =
    /^\p{L}[\p{L}\p{M}\p{N} ’'_-]*$/u.test(text) && !/^(?:true|yes|y|on|false|no|n|off|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** If the text has no final line end, neither does the result. */
function lastLine(text: string, line: string, lineEnd: string): Omit<Insertion, 'code'> {
  const isEnded = /[\r\n]$/.test(text);
  return { at: text.length, added: isEnded ? line + lineEnd : lineEnd + line };
}

function withTerm(
  { terms }: Glossary,
  index: number | undefined,
  { term, translation, code }: Words & { readonly code: string },
): Glossary {
  const added = [translation];
  if (index !== undefined)
    return {
      terms: terms.map((one, i) =>
        i === index ? { ...one, translations: new Map([...one.translations, [code, added]]) } : one,
      ),
    };
  const translations = new Map([[code, added]]);
  return { terms: [...terms, { term, translations, doNotTranslate: false, caseSensitive: false }] };
}

/** @throws DragomanError unless the new text reads back as intended */
async function requireReadBack(path: string, text: string, expected: Glossary): Promise<void> {
  if (Buffer.byteLength(text) > MAX_GLOSSARY_BYTES) throw cannotTake(path, 'it would be too large');
  let found: Glossary | undefined;
  try {
    found = await parseGlossary(path, text);
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    throw cannotTake(path, cause.message, cause);
  }
  if (writeGlossary(sorted(found)) !== writeGlossary(sorted(expected)))
    throw cannotTake(path, 'its other terms would be read differently');
}

/** Sorts languages, whose order has no meaning. */
function sorted({ terms }: Glossary): Glossary {
  const byCode = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
    a < b ? -1 : 1;
  return {
    terms: terms.map((term) => ({ ...term, translations: new Map([...term.translations].sort(byCode)) })),
  };
}

function cannotTake(path: string, why: string, cause?: unknown): DragomanError {
  return new DragomanError('configuration', `the term cannot be added to ${basename(path)}: ${why}`, {
    hint: 'Add it to the file yourself.',
    cause,
  });
}

import { exportHeader, keyword } from '../formats/po/export.ts';
import type { ExchangeDocument, ExchangeUnit } from './unit.ts';
import { isInCharacters, notesOf } from './unit-notes.ts';

/** Approximate size of each output chunk. */
const CHUNK_SIZE = 65_536;

/**
 * Writes a PO file in UTF-8. Keys are contexts, and every plural form is a separate message, because gettext has fewer
 * forms than CLDR. A text that needs a review is `fuzzy`. Units that PO cannot represent are skipped and reported.
 */
export function* writePo(document: ExchangeDocument): Generator<string> {
  const { source, target, version, units, onSkip } = document;
  let text = exportHeader(target, [`X-Source-Language: ${source}`], version);
  const written = new Set<string>();
  for (const unit of units) {
    const { source: id, translation = '' } = unit;
    if ([id, translation].some((value) => value.includes('\0') || !value.isWellFormed())) {
      onSkip(unit, 'PO cannot represent control characters');
      continue;
    }
    text += messageOf(unit, freeContext(unit, written));
    if (text.length < CHUNK_SIZE) continue;
    yield text;
    text = '';
  }
  yield text;
}

function messageOf(unit: ExchangeUnit, context: string): string {
  const { id, source, translation = '', file, limit, needsReview, sourceBefore } = unit;
  const isFuzzy = needsReview !== undefined && translation !== '';
  const flags = [
    ...(isFuzzy ? ['fuzzy'] : []),
    ...(isInCharacters(limit) ? [`max-length:${limit.max}`] : []),
  ];
  const notes = notesOf(unit).filter(({ kind }) => kind !== 'previous-source');
  const previous =
    sourceBefore === undefined ? [] : keyword('msgid', representable(sourceBefore)).trimEnd().split('\n');
  return [
    '',
    ...notes.flatMap(({ text }) => linesOf(text).map((one) => `#. ${one}`)),
    `#. ${id}`,
    `#: ${reference(file)}`,
    ...(flags.length > 0 ? [`#, ${flags.join(', ')}`] : []),
    ...(isFuzzy ? previous.map((one) => `#| ${one}`) : []),
    `${keyword('msgctxt', context)}${keyword('msgid', source)}${keyword('msgstr', translation)}`,
  ].join('\n');
}

/** gettext finds a message by context and text, so every pair must be unique. */
function freeContext({ key, category, source }: ExchangeUnit, written: Set<string>): string {
  const name = representable(category === undefined ? key : `${key} [${category}]`);
  const idOf = (context: string): string => `${context}\0${source}`;
  let context = name;
  for (let number = 2; written.has(idOf(context)); number++) context = `${name} (${number})`;
  written.add(idOf(context));
  return context;
}

/** A comment ends with its line. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/[\u0000-\u001f\u007f]/g, ' ').trimEnd())
    .filter((line) => line !== '');
}

/** gettext encloses names that contain spaces in U+2068 and U+2069. */
function reference(path: string): string {
  const name = path.replace(/[\u0000-\u001f\u007f\u2068\u2069]/g, '_');
  return /\s/.test(name) ? `\u2068${name}\u2069` : name;
}

/** For comments and names, which an import ignores. */
function representable(text: string): string {
  return text.replaceAll('\0', '�').toWellFormed();
}

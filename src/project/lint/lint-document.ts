import { keyId } from '../../documents/localization/pairing.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import { describeFormat } from '../../formats/registry.ts';
import type { PluralEntries } from '../../frameworks/lint-rules.ts';
import { PLAIN } from '../../frameworks/registry.ts';
import { everydayCategories, pluralCategories } from '../../text/plural.ts';
import { reviewCategories } from '../../text/review/plurals.ts';
import { textReviewer, type ReviewedFile } from '../plan/text-review.ts';
import type { Finding } from './finding.ts';
import { FindingCollector } from './findings.ts';
import { lintSubtitles } from './lint-subtitles.ts';

/**
 * The findings in one file: encodings, escapes, duplicate keys, the syntax of its messages, and, compared with their
 * sources, placeholders, tags and links. Missing keys are reported by `check`.
 *
 * @param source the document that the file translates; a PO file contains its source texts. `none` for a file in the source
 *   language: what stands as sources in it are keys
 */
export function lintDocument(file: ReviewedFile, source?: Document | 'none'): Finding[] {
  const { document, framework } = file;
  const { lint: rules = {} } = framework;
  const findings = new FindingCollector(file);
  addWarnings(file, findings);
  addMojibake(file, findings);
  const review = textReviewer(file, source);
  const hidesMarked = describeFormat(file.format).reviewMark?.isHidden === true;
  for (const [index, slot] of document.slots.entries()) {
    if (slot.value === '') continue;
    addNotationFault(file, slot, findings);
    if (slot.provisional || (slot.review && hidesMarked)) continue;
    for (const { rule, detail, isCertain, argument } of review(slot, index))
      findings.addTo(slot, rule, detail, isCertain, argument);
  }
  if (rules.plurals) addPluralFindings(file, rules.plurals, findings);
  const ofTimes = hasCues(document) ? lintSubtitles(document, file.name, file) : [];
  return [...findings.findings(), ...ofTimes];
}

function addWarnings({ document, format, framework }: ReviewedFile, findings: FindingCollector): void {
  const { slots, text, warnings } = document;
  const { lint: rules = {} } = framework;
  const names = new Set(warnings.flatMap(({ key }) => (key ? [keyId(key)] : [])));
  const { uniqueKeys = false } = describeFormat(format);
  const isRefused = uniqueKeys !== false && rules.takesLast !== true;
  const isCertain = uniqueKeys !== 'by some' || framework !== PLAIN;
  const texts = new Map<string, Set<string>>();
  for (const { key, value } of isRefused || names.size === 0 ? [] : slots) {
    const id = keyId(key);
    if (names.has(id)) texts.set(id, (texts.get(id) ?? new Set()).add(value));
  }
  for (const { rule, key, offset, message } of warnings) {
    if (rule === 'unreadable-settings' || (rule === 'unreadable-entry' && !hasCues(document)))
      findings.add(rule, offset, key, message ?? '');
    if (rule === 'invalid-byte') findings.add(rule, offset, key, describeByte(text.charCodeAt(offset)));
    if (rule !== 'duplicate-key' || !key) continue;
    // If a message occurs twice, so do its notes: only the message is reported.
    const noted = rules.messageOf?.(key.at(-1) ?? '');
    if (noted !== undefined && names.has(keyId([...key.slice(0, -1), noted]))) continue;
    if (isRefused) findings.add(rule, offset, key, 'duplicate key', isCertain);
    else if (texts.get(keyId(key))?.size !== 1)
      findings.add('repeated-key', offset, key, 'duplicate key with a different text');
  }
}

function describeByte(unit: number): string {
  return `the byte 0x${(unit & 0xff).toString(16)} is not UTF-8, as the rest of the file is; save the file in UTF-8`;
}

function addNotationFault(
  { document, framework }: ReviewedFile,
  slot: Slot,
  findings: FindingCollector,
): void {
  const { start, end } = slot.span;
  const fault = framework.lint?.findFault?.(document.text.slice(start, end));
  if (fault) findings.add(fault.rule, start + fault.offset, slot.key, fault.detail);
}

/** Fewer texts are looked at one by one. */
const MIN_MISREAD = 3;

/** So many of the texts beyond ASCII make it a fault of the file. The rest is texts in which it cannot be seen. */
const MISREAD_SHARE = 0.9;

/** In characters. */
const MAX_EXAMPLE = 40;

/** Texts that were decoded in the wrong encoding: where that is nearly all of them, it happened to the file as a whole. */
function addMojibake(file: ReviewedFile, findings: FindingCollector): void {
  const { slots } = file.document;
  const foreign = slots.filter(({ value }) => /[^\t\n\r -~]/.test(value));
  const misread = foreign.filter(({ value }) => findMojibake(value) !== undefined || MISREAD.test(value));
  const [first] = misread;
  if (first && misread.length >= MIN_MISREAD && misread.length >= MISREAD_SHARE * foreign.length) {
    const example = JSON.stringify(Array.from(first.value).slice(0, MAX_EXAMPLE).join(''));
    const counts = `${misread.length} of ${foreign.length} texts beyond ASCII`;
    const advice = 'restore the file, and read it in its own encoding';
    findings.add(
      'mojibake',
      first.span.start,
      undefined,
      `${counts} were decoded with the wrong encoding, such as ${example}: ${advice}`,
    );
    return;
  }
  for (const slot of misread) {
    const mojibake = findMojibake(slot.value);
    if (mojibake !== undefined) findings.addTo(slot, 'mojibake', `the text has ${JSON.stringify(mojibake)}`);
  }
}

/**
 * Plurals whose forms are entries of the file and belong to the format. A PO entry has as many forms as its header
 * says; sibling keys (i18next, Rails) are a convention of the program that reads them.
 */
function addPluralFindings(
  { document, format, locale }: ReviewedFile,
  { needsOther, showsZero = false }: PluralEntries,
  findings: FindingCollector,
): void {
  if (locale === undefined) return;
  const groups = new Map<string, { readonly first: Slot; readonly categories: string[] }>();
  for (const slot of document.slots) {
    if (!slot.plural) continue;
    const id = keyId(slot.plural.group);
    const known = groups.get(id);
    if (known) known.categories.push(slot.plural.category);
    else groups.set(id, { first: slot, categories: [slot.plural.category] });
  }
  // In Russian only fractions choose `other`.
  const isNeeded = needsOther?.(format) === true || everydayCategories(locale).includes('other');
  // Some languages, such as Arabic, have their own `zero`.
  const isReviewed = (category: string): boolean =>
    category !== 'zero' || !showsZero || pluralCategories(locale).includes('zero');
  for (const { first, categories } of groups.values()) {
    const key = first.plural?.group ?? first.key;
    if (isNeeded && !categories.includes('other')) {
      findings.add('missing-other', first.span.start, key, 'the plural has no form `other`');
      continue;
    }
    const options = { name: 'the plural', locale, type: 'cardinal', exact: [] } as const;
    for (const { rule, detail } of reviewCategories(categories.filter(isReviewed), options))
      findings.add(rule, first.span.start, key, detail);
  }
}

/**
 * The sign of text that was decoded in the wrong encoding: UTF-8 read as Windows-1252 or ISO-8859-1 (`Ã©`, `â€™`), the
 * replacement character, or a control character of Windows-1252 read as ISO-8859-1.
 *
 * A lead byte of UTF-8 followed by exactly its continuation bytes does not occur by chance in any language: `Ã`
 * before a sign such as `©` or `¤` is not a word.
 */
const CONTINUATION =
  '[\\u0080-\\u00bf\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013-\\u203a\\u20ac\\u2122]';
const MOJIBAKE = new RegExp(
  `[\\u00c2-\\u00c3]${CONTINUATION}|\\u00e2\\u20ac${CONTINUATION}|[\\u00d0\\u00d1]${CONTINUATION}[\\u00d0\\u00d1]${CONTINUATION}|\\ufffd|[\\u0080-\\u0084\\u0086-\\u009f]`,
);

/**
 * A text all of whose characters beyond ASCII are bytes of UTF-8, read as those encodings: `ä½\u00a0å¥½`. One such text may be
 * by chance (`café’”`), nearly all of a file are not.
 */
const MISREAD = new RegExp(
  `^(?:[\\t\\n\\r -~]|[\\u00c2-\\u00df]${CONTINUATION}|[\\u00e0-\\u00ef]${CONTINUATION}{2}|[\\u00f0-\\u00f4]${CONTINUATION}{3})+$`,
);

/** Some of these is in all of them, and in few texts. */
const MARK = /[\u0080-\u0084\u0086-\u009f\u00c2\u00c3\u00d0\u00d1\u00e2\ufffd]/;

/** The piece of the text that gives it away, or undefined when it looks right. */
export function findMojibake(text: string): string | undefined {
  return MARK.test(text) ? MOJIBAKE.exec(text)?.[0] : undefined;
}

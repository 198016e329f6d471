import { keyId } from '../../documents/localization/pairing.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { describeFormat } from '../../formats/registry.ts';
import { everydayCategories, pluralCategories } from '../../text/plural.ts';
import { reviewPage } from '../../text/review/page.ts';
import { reviewCategories } from '../../text/review/plurals.ts';
import { reviewMessage, reviewTranslation } from '../../text/review/review.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Finding } from './finding.ts';
import { FindingCollector, type LintedFile } from './findings.ts';
import { originalsOf } from './originals.ts';

/** Those whose plurals are entries of the file. */
const PLURAL_DIALECTS: ReadonlySet<string> = new Set(['Android', 'String Catalog', 'stringsdict']);

/** What Rails itself has for the messages of its validators, whichever of it a language makes use of. */
const RAILS_ERRORS: ReadonlySet<string> = new Set(['attribute', 'count', 'message', 'model', 'value']);

/**
 * The findings in one file: encodings, escapes, duplicate keys, the syntax of its messages, and, compared with their
 * sources, placeholders, tags and links. Missing keys are reported by `check`.
 *
 * @param source the document that the file translates; a PO file contains its source texts. `none` for a file in the source
 *   language: what stands as sources in it are keys
 */
export function lintDocument(file: LintedFile, source?: Document | 'none'): Finding[] {
  const { document, locale } = file;
  const findings = new FindingCollector(file);
  addWarnings(file, findings);
  const originalOf = originalsOf(document, source, locale);
  const { hasNames, hasFlags, isManual } = traitsOf(document);
  const isPage = describeFormat(file.format).isProse === true;
  for (const [index, slot] of document.slots.entries()) {
    if (slot.value === '') continue;
    addTextFindings(document, slot, findings);
    // Fuzzy translations are not shown to users until a translator has reviewed them.
    if (slot.provisional) continue;
    const { texts, syntax, category, selectors } = originalOf(slot, index);
    const supplied = isRailsError(document, slot) ? RAILS_ERRORS : undefined;
    const hasOwnFormat = hasFlags && syntax === 'plain';
    const options = {
      syntax,
      locale,
      form: category,
      selectors,
      supplied,
      hasNames,
      hasOwnFormat,
      isManual,
    };
    const value = slot.resolved ?? slot.value;
    if (value === '') continue;
    const remarks = isPage
      ? reviewPage(texts ?? [], value)
      : texts
        ? reviewTranslation(texts, value, options)
        : reviewMessage(value, options);
    for (const { rule, detail } of remarks) findings.addTo(slot, rule, detail);
  }
  if (PLURAL_DIALECTS.has(document.dialect)) addPluralFindings(document, locale, findings);
  return findings.findings();
}

/** The flags of languages whose programs have no arguments with names in braces, and no flag. */
const WITHOUT_NAMES = /^(?:plain|c|objc|qt|kde|kde-kuit|g[cf]c-internal|boost|awk|scheme|e?lisp|sh|tcl)$/;

interface CatalogueTraits {
  /** Whether `{word}` may be an argument: the flags of a catalogue say which languages its program is written in. */
  readonly hasNames: boolean;
  /** Whether format strings have flags, so that a text without one is none, or one of the program's own. */
  readonly hasFlags: boolean;
  /** Whether it has the paragraphs of a manual: DocBook, AsciiDoc, pages for man. */
  readonly isManual: boolean;
}

function traitsOf({ slots }: Document): CatalogueTraits {
  const syntaxes = new Set<Syntax>();
  let conversions = 0;
  let names = 0;
  let paragraphs = 0;
  for (const { source, syntax } of slots) {
    if (source === undefined) continue;
    syntaxes.add(syntax);
    if (/%[ds]/.test(source)) conversions++;
    if (/\{[A-Za-z]\w*\}/.test(source)) names++;
    if (OF_MANUALS.test(source)) paragraphs++;
  }
  const hasFlags = syntaxes.size > 1;
  // Without flags, what most texts have says it: a program that prints by `%s` has hardly another notation.
  const hasNames = hasFlags
    ? ![...syntaxes].every((syntax) => WITHOUT_NAMES.test(syntax))
    : names * MANY > conversions || conversions < MANY;
  return { hasFlags, hasNames, isManual: !hasFlags && paragraphs >= FEW };
}

/** Elements that DocBook alone has, and the strong words of AsciiDoc and of pages for man. */
const OF_MANUALS =
  /<\/(?:citerefentry|citetitle|gui(?:label|menu|menuitem)|keycap|literal|refentrytitle|replaceable|systemitem|userinput|varname)>|\*\*[^*\n]{1,80}\*\*|(?<![A-Za-z])[BI]<[^<>\n]{1,80}>/;

/** So many of them are no chance. */
const FEW = 5;

/** So many conversions for one name in braces say that the name is none. */
const MANY = 20;

function addWarnings({ document, format }: LintedFile, findings: FindingCollector): void {
  const { dialect, slots, text, warnings } = document;
  const names = new Set(warnings.flatMap(({ key }) => (key ? [keyId(key)] : [])));
  const isRefused = describeFormat(format).uniqueKeys === true && dialect !== 'Rails';
  const texts = new Map<string, Set<string>>();
  for (const { key, value } of isRefused || names.size === 0 ? [] : slots) {
    const id = keyId(key);
    if (names.has(id)) texts.set(id, (texts.get(id) ?? new Set()).add(value));
  }
  for (const { rule, key, offset, message } of warnings) {
    if (rule === 'unreadable-settings') findings.add(rule, offset, key, message ?? '');
    if (rule === 'invalid-byte') findings.add(rule, offset, key, describeByte(text.charCodeAt(offset)));
    if (rule !== 'duplicate-key' || !key) continue;
    const name = key.at(-1) ?? '';
    // If a message occurs twice, so do its notes: only the message is reported.
    const isNote = dialect === 'ARB' && name.startsWith('@');
    if (isNote && names.has(keyId([...key.slice(0, -1), name.slice(1)]))) continue;
    if (isRefused) findings.add(rule, offset, key, 'the key stands here again');
    else if (texts.get(keyId(key))?.size !== 1)
      findings.add('repeated-key', offset, key, 'the key stands here again, with another text');
  }
}

function describeByte(unit: number): string {
  return `the byte 0x${(unit & 0xff).toString(16)} is not UTF-8, as the rest of the file is; save the file in UTF-8`;
}

function addTextFindings(document: Document, slot: Slot, findings: FindingCollector): void {
  const mojibake = findMojibake(slot.value);
  if (mojibake !== undefined) findings.addTo(slot, 'mojibake', `the text has ${JSON.stringify(mojibake)}`);
  if (document.dialect !== 'Android') return;
  const { start, end } = slot.span;
  const at = findBareApostrophe(document.text.slice(start, end));
  if (at !== undefined)
    findings.add('unescaped-apostrophe', start + at, slot.key, "an apostrophe has to be written \\'");
}

function isRailsError({ dialect }: Document, { key }: Slot): boolean {
  return dialect === 'Rails' && key.includes('errors');
}

/**
 * Plurals whose forms are entries of the file and belong to the format. A PO entry has as many forms as its header
 * says; sibling keys (i18next, Rails) are a convention of the program that reads them.
 */
function addPluralFindings(document: Document, locale: string | undefined, findings: FindingCollector): void {
  if (locale === undefined) return;
  const groups = new Map<string, { readonly first: Slot; readonly categories: string[] }>();
  for (const slot of document.slots) {
    if (!slot.plural) continue;
    const id = keyId(slot.plural.group);
    const known = groups.get(id);
    if (known) known.categories.push(slot.plural.category);
    else groups.set(id, { first: slot, categories: [slot.plural.category] });
  }
  // In Russian only fractions choose `other`, but Xcode refuses a plural without it in every language.
  const needsOther = document.dialect === 'String Catalog' || everydayCategories(locale).includes('other');
  // Apple shows `zero` for the number 0 in every language. Some, such as Arabic, have it of their own.
  const isReviewed = (category: string): boolean =>
    category !== 'zero' || document.dialect === 'Android' || pluralCategories(locale).includes('zero');
  for (const { first, categories } of groups.values()) {
    const key = first.plural?.group ?? first.key;
    if (needsOther && !categories.includes('other')) {
      findings.add('missing-other', first.span.start, key, 'the plural has no form `other`');
      continue;
    }
    const options = { name: 'the plural', locale, type: 'cardinal', exact: [] } as const;
    for (const { rule, detail } of reviewCategories(categories.filter(isReviewed), options))
      findings.add(rule, first.span.start, key, detail);
  }
}

/**
 * Offset of the first apostrophe in the source of an Android string value that aapt would drop: not escaped by a
 * backslash, not within double quotes, not in a tag. Undefined when there is none.
 */
export function findBareApostrophe(source: string): number | undefined {
  let quoted = false;
  for (let i = 0; i < source.length; i++) {
    switch (source[i]) {
      case '\\':
        i++;
        break;
      case '"':
        quoted = !quoted;
        break;
      case '<':
        i = endOfMarkup(source, i);
        break;
      case "'":
        if (!quoted) return i;
        break;
      case undefined:
      default:
    }
  }
  return undefined;
}

/** The last offset of a tag or comment; of a CDATA section only its opening, because its content counts as text. */
function endOfMarkup(source: string, start: number): number {
  const cdata = '<![CDATA[';
  if (source.startsWith(cdata, start)) return start + cdata.length - 1;
  if (source.startsWith('<!--', start)) {
    const end = source.indexOf('-->', start + 4);
    return end < 0 ? source.length : end + 2;
  }
  let quote = '';
  for (let i = start; i < source.length; i++) {
    const c = source[i];
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '>') return i;
  }
  return source.length;
}

/**
 * The sign of text that was decoded in the wrong encoding: UTF-8 read as Windows-1252 or ISO-8859-1 (`Ã©`, `â€™`), the
 * replacement character, or a control character of Windows-1252 read as ISO-8859-1.
 *
 * A lead byte of UTF-8 followed by exactly its continuation bytes is not found in any language by chance: `Ã` before a
 * sign such as `©` or `¤` is no word.
 */
const CONTINUATION =
  '[\\u0080-\\u00bf\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013-\\u203a\\u20ac\\u2122]';
const MOJIBAKE = new RegExp(
  `[\\u00c2-\\u00c3]${CONTINUATION}|\\u00e2\\u20ac${CONTINUATION}|[\\u00d0\\u00d1]${CONTINUATION}[\\u00d0\\u00d1]${CONTINUATION}|\\ufffd|[\\u0080-\\u0084\\u0086-\\u009f]`,
);

/** Some of these is in all of them, and in few texts. */
const MARK = /[\u0080-\u0084\u0086-\u009f\u00c2\u00c3\u00d0\u00d1\u00e2\ufffd]/;

/** The piece of the text that gives it away, or undefined when it looks right. */
export function findMojibake(text: string): string | undefined {
  return MARK.test(text) ? MOJIBAKE.exec(text)?.[0] : undefined;
}

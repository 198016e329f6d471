import type { Document, Slot } from '../../formats/format.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import { everydayCategories } from '../../text/plural.ts';
import { reviewCategories } from '../../text/review/categories.ts';
import { reviewMessage, reviewTranslation } from '../../text/review/review.ts';
import { findBareApostrophe } from './apostrophe.ts';
import type { Finding } from './finding.ts';
import { FindingCollector, type LintedFile } from './findings.ts';
import { findMojibake } from './mojibake.ts';
import { originalsOf } from './sources.ts';

/** What Rails itself has for the messages of its validators, whichever of it a language makes use of. */
const RAILS_ERRORS: ReadonlySet<string> = new Set(['attribute', 'count', 'message', 'model', 'value']);

/**
 * What a file shows: encodings, escapes, duplicate keys, the syntax of its messages, and beside their sources the
 * placeholders, tags and links. Whether all keys are there is another question, which `check` answers.
 *
 * @param source what the file is a translation of; a PO file carries it
 */
export function lintDocument(file: LintedFile, source?: Document): Finding[] {
  const { document, locale } = file;
  const findings = new FindingCollector(file);
  addWarnings(document, findings);
  const originalOf = originalsOf(document, source, locale);
  for (const [index, slot] of document.slots.entries()) {
    if (slot.value === '') continue;
    addTextFindings(document, slot, findings);
    // A guess is not shown to anybody before somebody has looked at it.
    if (slot.provisional) continue;
    const { texts, syntax, category } = originalOf(slot, index);
    const supplied = isRailsError(document, slot) ? RAILS_ERRORS : undefined;
    const options = { syntax, locale, form: category, supplied };
    const remarks = texts
      ? reviewTranslation(texts, slot.value, options)
      : reviewMessage(slot.value, options);
    for (const { rule, detail } of remarks) findings.addTo(slot, rule, detail);
  }
  if (document.dialect === 'Android') addPluralFindings(document, locale, findings);
  return findings.findings();
}

function addWarnings({ dialect, text, warnings }: Document, findings: FindingCollector): void {
  const names = new Set(warnings.flatMap(({ key }) => (key ? [keyId(key)] : [])));
  for (const { rule, key, offset } of warnings) {
    if (!key) {
      findings.add(rule, offset, key, describeByte(text.charCodeAt(offset)));
      continue;
    }
    const name = key.at(-1) ?? '';
    // The notes of a message that stands twice stand twice with it.
    const isNote = dialect === 'ARB' && name.startsWith('@');
    if (isNote && names.has(keyId([...key.slice(0, -1), name.slice(1)]))) continue;
    findings.add(rule, offset, key, 'the key stands here again');
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
  // In Russian only fractions choose `other`.
  const needsOther = everydayCategories(locale).includes('other');
  for (const { first, categories } of groups.values()) {
    const key = first.plural?.group ?? first.key;
    if (needsOther && !categories.includes('other')) {
      findings.add('missing-other', first.span.start, key, 'the plural has no form `other`');
      continue;
    }
    const options = { name: 'the plural', locale, type: 'cardinal', exact: [] } as const;
    for (const { rule, detail } of reviewCategories(categories, options))
      findings.add(rule, first.span.start, key, detail);
  }
}

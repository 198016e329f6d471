import { positionsIn } from '../../base/span.ts';
import type { Document, DocumentWarning, Key, Slot } from '../../formats/format.ts';
import { keyId } from '../../pipeline/pairing.ts';
import { pluralCategories } from '../../text/plural.ts';
import { verify } from '../../text/verify.ts';
import { findBareApostrophe } from './apostrophe.ts';
import type { Finding, Rule } from './finding.ts';
import { findMojibake } from './mojibake.ts';

/** A scanned file under the name that findings use. */
export interface LintedFile {
  readonly document: Document;
  readonly name: string;
  /** Canonical, where known: without it plural categories are not judged. */
  readonly locale: string | undefined;
}

export type Report = (rule: Rule, offset: number, key: Key | undefined, message: string) => void;

/** A list of findings for one file, and the function that adds to it. */
export function collectFindings({ document, name, locale }: LintedFile): [Finding[], Report] {
  const findings: Finding[] = [];
  const positionOf = positionsIn(document.text);
  return [
    findings,
    (rule, offset, key, message) => {
      findings.push({ rule, file: name, ...positionOf(offset), locale, key, message });
    },
  ];
}

/** What a file shows by itself: encodings, escapes, duplicate keys, the syntax of its messages. */
export function lintDocument(file: LintedFile): Finding[] {
  const { document, locale } = file;
  const [findings, report] = collectFindings(file);
  for (const { rule, key, offset } of document.warnings)
    report(rule, offset, key, describeWarning(rule, document.text.charCodeAt(offset)));
  const sourcesOf = carriedSources(document);
  for (const slot of document.slots) {
    if (slot.value === '') continue;
    lintText(document, slot, report);
    // A PO entry is compared with the source it carries; any other message with itself, which shows its own faults.
    const sources = sourcesOf(slot) ?? slot.value;
    for (const { rule, detail } of verify(sources, slot.value, {
      syntax: slot.syntax,
      locale: locale ?? 'en',
    })) {
      if (locale !== undefined || rule !== 'plural-categories')
        report(rule, slot.span.start, slot.key, detail);
    }
  }
  if (locale !== undefined && document.dialect === 'Android') lintPlurals(document, locale, report);
  return findings;
}

function describeWarning(rule: DocumentWarning['rule'], unit: number): string {
  if (rule === 'duplicate-key') return 'the key stands here again';
  return `the byte 0x${(unit & 0xff).toString(16)} is not UTF-8, as the rest of the file is; save the file in UTF-8`;
}

function lintText(document: Document, { key, span, value }: Slot, report: Report): void {
  const mojibake = findMojibake(value);
  if (mojibake !== undefined) report('mojibake', span.start, key, `the text has ${JSON.stringify(mojibake)}`);
  if (document.dialect !== 'Android') return;
  const at = findBareApostrophe(document.text.slice(span.start, span.end));
  if (at !== undefined)
    report('unescaped-apostrophe', span.start + at, key, "an apostrophe has to be written \\'");
}

/** The source texts that a PO entry carries: of all its forms, since each may have the placeholders of any. */
function carriedSources(document: Document): (slot: Slot) => readonly string[] | undefined {
  const groups = new Map<string, string[]>();
  for (const { plural, source } of document.slots) {
    if (!plural || source === undefined) continue;
    const group = keyId(plural.group);
    groups.set(group, [...(groups.get(group) ?? []), source]);
  }
  return ({ plural, source }) => {
    if (source === undefined) return undefined;
    return plural ? groups.get(keyId(plural.group)) : [source];
  };
}

/**
 * Plurals whose forms are entries of the file and belong to the format. A PO entry has as many forms as its header
 * says; sibling keys (i18next, Rails) are a convention of the program that reads them.
 */
function lintPlurals(document: Document, locale: string, report: Report): void {
  const groups = new Map<string, { readonly first: Slot; readonly categories: Set<string> }>();
  for (const slot of document.slots) {
    if (!slot.plural) continue;
    const group = keyId(slot.plural.group);
    const known = groups.get(group) ?? { first: slot, categories: new Set<string>() };
    groups.set(group, known);
    known.categories.add(slot.plural.category);
  }
  const wanted = pluralCategories(locale);
  for (const { first, categories } of groups.values()) {
    const group = first.plural?.group;
    const missing = wanted.filter((category) => !categories.has(category));
    const unknown = [...categories].filter((category) => !wanted.includes(category));
    if (!categories.has('other'))
      report('missing-other', first.span.start, group, 'the plural has no form `other`');
    const problems = [
      ...missing.filter((category) => category !== 'other').map((category) => `lacks ${category}`),
      ...unknown.map((category) => `has ${category}, which ${locale} never uses`),
    ];
    if (problems.length > 0)
      report('plural-categories', first.span.start, group, `the plural ${problems.join(', ')}`);
  }
}

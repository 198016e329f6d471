import { dirname, relative, resolve, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import type { Formats } from '../../formats/registry.ts';
import { FrameworkEvidence } from '../../frameworks/evidence.ts';
import { findFramework, PLAIN } from '../../frameworks/registry.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { openFile, type OpenFile } from '../../documents/localization/open-file.ts';
import { missingInValue, missingTermText, type Terms } from '../../pipeline/terms/terms.ts';
import { parseRareLocale } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import { hasTextsOfItsOwn } from '../discover/catalogue.ts';
import { lockedFile, type Resource } from '../discover/resource.ts';
import { type Records, termsOfTexts } from '../plan/plan.ts';
import { resourcesOf, type Project } from '../state/project.ts';
import { type ReviewedFile, textReviewer } from '../plan/text-review.ts';
import { Workspace } from '../plan/workspace.ts';
import { Lock } from '../state/lock.ts';
import { fingerprint, isOwnMark, lockKeys } from '../state/lock-line.ts';
import { doubtCommonNames, RULES, type Finding, gradeFindings } from './finding.ts';
import { FindingCollector } from './findings.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { keyId, pairWith, slotIds } from '../../documents/localization/pairing.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import type { PluralEntries } from '../../frameworks/lint-rules.ts';
import { everydayCategories, pluralCategories } from '../../text/plural.ts';
import { reviewCategories } from '../../text/review/plurals.ts';
import { lintSubtitles } from './lint-subtitles.ts';

/**
 * Checks a project's sources and existing translations as they are, without an engine or a lock. An unreadable file is
 * a finding; a path that is not a file is an error. The project's configuration sets the severities.
 *
 * @param glossary the terms that translations must use
 * @returns the findings, sorted by file and position
 */
export async function lintProject(
  project: Project,
  signal: AbortSignal,
  glossary?: Glossary,
): Promise<readonly Finding[]> {
  const workspace = new Workspace(project, new Lock());
  const findings = [...(await lintSources(workspace))];
  for (const locale of project.targets)
    for (const one of await lintLanguage(workspace, locale, { signal, glossary })) findings.push(one);
  return sortGraded(findings, project.configuration);
}

/** Checks a single file that does not belong to a layout. */
export async function lintFile(
  path: string,
  name: string,
  locale: string | undefined,
  formats: Formats,
): Promise<readonly Finding[]> {
  const file = await dataOf(openFile(path, { locale, formats }));
  if (file instanceof DragomanError) return [unreadable(file, name, locale)];
  const declared = file.document.locale === undefined ? undefined : parseRareLocale(file.document.locale);
  const parts = resolve(path)
    .split(sep)
    .filter((part) => part !== '');
  const { framework } = new FrameworkEvidence(dirname(path)).frameworkOf(parts.join('/'), file.format.id);
  const found = { framework: framework.id, messages: undefined };
  return sortFindings(lintDocument(linted(file, name, locale ?? declared, found)));
}

/**
 * The findings in sources, without configured severities. Catalogues that contain their sources are checked as
 * translations.
 */
export async function lintSources(workspace: Workspace): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { resources, covers } = workspace.project;
  for (const resource of resources) {
    const { source: name, sourceLocale: locale } = resource;
    if (resource.catalogues || covers?.(resource, locale) === false) continue;
    const file = await dataOf(workspace.source(resource));
    if (file instanceof DragomanError) findings.push(unreadable(file, name, locale));
    else for (const one of lintDocument(linted(file, name, locale, resource), 'none')) findings.push(one);
  }
  return findings;
}

export interface LintOptions {
  readonly signal: AbortSignal;
  readonly glossary?: Glossary | undefined;
}

/**
 * The findings in the translations into one language, without configured severities. @throws DragomanError
 * `interrupted`
 */
export async function lintLanguage(
  workspace: Workspace,
  locale: string,
  { signal, glossary }: LintOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const resource of resourcesOf(workspace.project, locale)) {
    throwIfAborted(signal, 'the check was interrupted');
    const name = resource.existing.get(locale);
    if (name === undefined) continue;
    const target = await workspace.openTarget(resource, locale);
    if (target instanceof DragomanError) findings.push(unreadable(target, name, locale));
    if (!target || target instanceof DragomanError) continue;
    const file = { ...linted(target, name, locale, resource), locale };
    const terms = termsOfTexts(glossary, target.document, resource.sourceLocale, locale);
    const carries = !terms && isComplete(resource, workspace.project);
    const source = carries ? undefined : await dataOf(workspace.source(resource));
    // An unreadable source has its own finding.
    const original = source instanceof DragomanError ? undefined : source?.document;
    const linked =
      source instanceof DragomanError || !source ? undefined : workspace.linked(source, resource, locale);
    for (const one of lintDocument(file, linked ?? original)) findings.push(one);
    if (original && terms) {
      const recorded = workspace.lock.section(lockedFile(resource, locale), locale);
      for (const one of lintTerms(file, original, terms, recorded)) findings.push(one);
    }
  }
  return findings;
}

/**
 * Whether catalogues are compared with the texts that they contain, in which case their source need not be read again.
 */
function isComplete({ source, format, catalogues }: Resource, { root }: Project): boolean {
  if (format.bilingual === undefined) return false;
  return catalogues !== undefined || !hasTextsOfItsOwn(root, source, format);
}

function linted(
  { document, format }: OpenFile,
  name: string,
  locale: string | undefined,
  { framework, messages }: Pick<Resource, 'framework' | 'messages'>,
): ReviewedFile {
  return { document, format, name, locale, framework: findFramework(framework), messages };
}

/** Returns the error instead of throwing it if a file is unreadable. */
async function dataOf(file: Promise<OpenFile>): Promise<OpenFile | DragomanError> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof DragomanError && error.code !== 'not_a_file') return error;
    throw error;
  }
}

export function unreadable(error: DragomanError, name: string, locale: string | undefined): Finding {
  const { line = 1, column = 1 } = error.at ?? {};
  const { severity } = RULES.unreadable;
  return { rule: 'unreadable', severity, file: name, line, column, locale, message: error.message };
}

/** The findings of all languages with their severities, sorted by file and position. */
export function sortGraded(
  findings: readonly Finding[],
  configuration: Pick<Configuration, 'lint'>,
): readonly Finding[] {
  return sortFindings(gradeFindings(doubtCommonNames(findings), configuration));
}

function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A file's path in findings: relative to a directory. */
export function findingName(directory: string, path: string): string {
  return relative(directory, path).split(sep).join('/');
}

/** Terms of a source that the translation does not use as the glossary requires. Ignores empty translations. */
function lintTerms(
  target: ReviewedFile & { readonly locale: string },
  source: Document,
  terms: Terms,
  recorded: Records,
): readonly Finding[] {
  const { document, locale } = target;
  const findings = new FindingCollector(target);
  const sourceOf = pairWith(source, { locale });
  const ids = slotIds(document);
  const keys = recorded.size > 0 ? lockKeys(document) : [];
  const own = new Set<string>();
  for (const [i, slot] of document.slots.entries()) {
    const from = sourceOf(slot, ids[i] ?? '');
    // PO entries contain their source.
    const text = slot.source ?? from?.text;
    if (text === undefined || slot.value.trim() === '') continue;
    const written = { value: text, syntax: from?.slot.syntax ?? slot.syntax };
    const missing = missingInValue(terms, written, slot, locale);
    for (const term of missing) findings.addTo(slot, 'glossary-term', missingTermText(term));
    const records = missing.length > 0 ? (recorded.get(keys[i] ?? '') ?? []) : [];
    if (records.some(({ mark, output }) => isOwnMark(mark) && output === fingerprint(slot.value)))
      own.add(keyId(slot.key));
  }
  return findings.findings().map((one) => ({ ...one, isOwn: own.has(keyId(one.key ?? [])) }));
}

/**
 * The findings in one file: encodings, escapes, duplicate keys, message syntax and, compared with their sources,
 * placeholders, tags and links. Missing keys are reported by `check`.
 *
 * @param source the document that the file translates; a PO file contains its source texts. `none` for a file in the
 * source language, whose source texts are keys
 */
function lintDocument(file: ReviewedFile, source?: Document | 'none'): Finding[] {
  const { document, framework } = file;
  const { lint: rules = {} } = framework;
  const findings = new FindingCollector(file);
  addWarnings(file, findings);
  addMojibake(file, findings);
  const review = textReviewer(file, source);
  const hidesMarked = file.format.reviewMark?.isHidden === true;
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
  const { uniqueKeys = false } = format;
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
    // If a message occurs twice, so do its notes, so only the message is reported.
    const noted = rules.messageOf?.(key.at(-1) ?? '');
    if (noted !== undefined && names.has(keyId([...key.slice(0, -1), noted]))) continue;
    if (isRefused) findings.add(rule, offset, key, 'duplicate key', isCertain);
    else if (texts.get(keyId(key))?.size !== 1)
      findings.add('repeated-key', offset, key, 'duplicate key with a different text');
  }
}

function describeByte(unit: number): string {
  return `the byte 0x${(unit & 0xff).toString(16)} is not UTF-8, although the rest of the file is; save the file in UTF-8`;
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

/** The minimum for judging the whole file; fewer texts are judged one by one. */
const MIN_MISREAD = 3;

/**
 * If this share of the texts with non-ASCII characters is affected, the whole file is. The fault is invisible in the
 * other texts.
 */
const MISREAD_SHARE = 0.9;

/** In characters. */
const MAX_EXAMPLE = 40;

/** Finds texts that were decoded with the wrong encoding. If nearly all are affected, the whole file was. */
function addMojibake(file: ReviewedFile, findings: FindingCollector): void {
  const { slots } = file.document;
  const foreign = slots.filter(({ value }) => /[^\t\n\r -~]/.test(value));
  const misread = foreign.filter(({ value }) => findMojibake(value) !== undefined || MISREAD.test(value));
  const [first] = misread;
  if (first && misread.length >= MIN_MISREAD && misread.length >= MISREAD_SHARE * foreign.length) {
    const example = JSON.stringify(Array.from(first.value).slice(0, MAX_EXAMPLE).join(''));
    const counts = `${misread.length} of ${foreign.length} texts with non-ASCII characters`;
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
    if (mojibake !== undefined)
      findings.addTo(slot, 'mojibake', `the text contains ${JSON.stringify(mojibake)}`);
  }
}

/**
 * Checks plurals whose forms are separate entries and part of the format. The number of forms of a PO entry is in its
 * header; sibling keys (i18next, Rails) are a convention of the program that reads them.
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
  // In Russian, only fractions use `other`.
  const isNeeded = needsOther?.(format.id) === true || everydayCategories(locale).includes('other');
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
 * Signs of text decoded in the wrong encoding: UTF-8 read as Windows-1252 or ISO-8859-1 (`Ã©`, `â€™`), the replacement
 * character, or a control character of Windows-1252 read as ISO-8859-1.
 *
 * A UTF-8 lead byte followed by exactly its continuation bytes does not occur by chance in any language: `Ã` before a
 * sign such as `©` or `¤` is not part of a word.
 */
const CONTINUATION =
  '[\\u0080-\\u00bf\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013-\\u203a\\u20ac\\u2122]';
const MOJIBAKE = new RegExp(
  `[\\u00c2-\\u00c3]${CONTINUATION}|\\u00e2\\u20ac${CONTINUATION}|[\\u00d0\\u00d1]${CONTINUATION}[\\u00d0\\u00d1]${CONTINUATION}|\\ufffd|[\\u0080-\\u0084\\u0086-\\u009f]`,
);

/**
 * A text whose non-ASCII characters are all bytes of UTF-8 read in those encodings: `ä½\u00a0å¥½`. One such text may
 * occur by chance (`café’”`), but not nearly all texts of a file.
 */
const MISREAD = new RegExp(
  `^(?:[\\t\\n\\r -~]|[\\u00c2-\\u00df]${CONTINUATION}|[\\u00e0-\\u00ef]${CONTINUATION}{2}|[\\u00f0-\\u00f4]${CONTINUATION}{3})+$`,
);

/** At least one of these characters is in every such text, and they are rare in others. */
const MARK = /[\u0080-\u0084\u0086-\u009f\u00c2\u00c3\u00d0\u00d1\u00e2\ufffd]/;

/** The piece of the text that shows the wrong encoding; undefined if the text looks right. */
export function findMojibake(text: string): string | undefined {
  return MARK.test(text) ? MOJIBAKE.exec(text)?.[0] : undefined;
}

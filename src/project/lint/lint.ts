import { dirname, relative, resolve, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { describeFormat } from '../../formats/registry.ts';
import { FrameworkEvidence } from '../../frameworks/evidence.ts';
import { findFramework } from '../../frameworks/registry.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { openFile, type OpenFile } from '../../documents/localization/open-file.ts';
import { missingInValue, missingTermText, type Terms } from '../../pipeline/terms/terms.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import { hasTextsOfItsOwn } from '../discover/catalogue.ts';
import { lockedFile, type Resource } from '../discover/resource.ts';
import { type Records, termsOfTexts } from '../plan/plan.ts';
import { resourcesOf, type Project } from '../state/project.ts';
import type { ReviewedFile } from '../plan/text-review.ts';
import { Workspace } from '../plan/workspace.ts';
import { Lock } from '../state/lock.ts';
import { fingerprint, isOwnMark, lockKeys } from '../state/lock-line.ts';
import { doubtCommonNames, RULES, type Finding, gradeFindings } from './finding.ts';
import { FindingCollector } from './findings.ts';
import { lintDocument } from './lint-document.ts';
import type { Document } from '../../formats/format.ts';
import { keyId, pairWith, slotIds } from '../../documents/localization/pairing.ts';

/**
 * Checks the files of a project as they are: each source and each translation that exists. Needs no engine and no
 * lock. A file that cannot be read is a finding; a path that is not a file is an error. Severities are those of the
 * project's configuration.
 *
 * @param glossary its terms are looked for in the translations
 * @returns sorted by file and place.
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
  return settleFindings(findings, project.configuration);
}

/** Checks a single file that belongs to no layout. */
export async function lintFile(
  path: string,
  name: string,
  locale: string | undefined,
): Promise<readonly Finding[]> {
  const file = await dataOf(openFile(path, { locale }));
  if (file instanceof DragomanError) return [unreadable(file, name, locale)];
  const declared = file.document.locale === undefined ? undefined : parseLocale(file.document.locale);
  const parts = resolve(path)
    .split(sep)
    .filter((part) => part !== '');
  const { framework } = new FrameworkEvidence(dirname(path)).frameworkOf(parts.join('/'), file.format.id);
  const found = { framework: framework.id, messages: undefined };
  return sortFindings(lintDocument(linted(file, name, locale ?? declared, found)));
}

/** The findings in sources, not graded yet. Catalogues that carry their sources are translations, and are checked as such. */
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

/** The findings in the translations into one language, not graded yet. @throws DragomanError `interrupted`. */
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
    // A source that cannot be read is reported as a separate finding.
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

/** Whether catalogues are compared with the texts that they carry, and their source need not be read again for it. */
function isComplete({ source, format, catalogues }: Resource, { root }: Project): boolean {
  if (describeFormat(format).bilingual === undefined) return false;
  return catalogues !== undefined || !hasTextsOfItsOwn(root, source, format);
}

function linted(
  { document, format }: OpenFile,
  name: string,
  locale: string | undefined,
  { framework, messages }: Pick<Resource, 'framework' | 'messages'>,
): ReviewedFile {
  return { document, format: format.id, name, locale, framework: findFramework(framework), messages };
}

/** Returns the error of a file that cannot be read. */
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

/** The findings of all languages with their severities, by file and place. */
export function settleFindings(
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

/** The path of a file relative to a directory, as findings name it. */
export function findingName(directory: string, path: string): string {
  return relative(directory, path).split(sep).join('/');
}

/** Terms that a source has and its translation does not have as the glossary wants. Empty translations have no words. */
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
    // A PO entry carries its source.
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

import { relative, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { openFile, type OpenFile } from '../../pipeline/open-file.ts';
import { termsFor } from '../../pipeline/terms/terms.ts';
import type { Project } from '../state/project.ts';
import { Workspace } from '../plan/workspace.ts';
import { Lock } from '../state/lock.ts';
import type { Finding } from './finding.ts';
import { lintDocument } from './lint-document.ts';
import { lintTerms } from './lint-terms.ts';
import { lintTranslation } from './lint-translation.ts';

/**
 * Checks the files of a project as they are: each source and each translation that exists. Needs no engine and no lock.
 * A file that cannot be read is a finding like any other; what is no file ends the check.
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
  const findings = await lintSources(workspace);
  for (const locale of project.targets)
    findings.push(...(await lintLanguage(workspace, locale, { signal, glossary })));
  return sortFindings(findings);
}

/** Checks a single file that belongs to no layout. */
export async function lintFile(
  path: string,
  name: string,
  locale: string | undefined,
): Promise<readonly Finding[]> {
  const file = await dataOf(openFile(path, { locale }));
  if (file instanceof DragomanError) return [unreadable(file, name, locale)];
  return sortFindings(lintDocument({ document: file.document, name, locale }));
}

/** The findings in sources. Catalogues that carry their sources are translations, and are checked as such. */
export async function lintSources(workspace: Workspace): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const resource of workspace.project.resources) {
    if (resource.carriesSource === true) continue;
    const { source: name, sourceLocale: locale } = resource;
    const file = await dataOf(workspace.source(resource, locale));
    if (file instanceof DragomanError) findings.push(unreadable(file, name, locale));
    else findings.push(...lintOne(file, name, locale));
  }
  return findings;
}

export interface LintOptions {
  readonly signal: AbortSignal;
  readonly glossary?: Glossary | undefined;
}

/** The findings in the translations into one language. @throws DragomanError `interrupted`. */
export async function lintLanguage(
  workspace: Workspace,
  locale: string,
  { signal, glossary }: LintOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const resource of workspace.project.resources) {
    if (signal.aborted) throw new DragomanError('interrupted', 'the check was interrupted');
    const name = resource.existing.get(locale);
    if (name === undefined) continue;
    const target = await workspace.openTarget(resource, locale);
    if (target instanceof DragomanError) findings.push(unreadable(target, name, locale));
    if (!target || target instanceof DragomanError) continue;
    findings.push(...lintOne(target, name, locale));
    const source = await dataOf(workspace.source(resource, locale));
    // It is a finding of its own.
    if (source instanceof DragomanError) continue;
    const linted = { document: target.document, name, locale };
    findings.push(...lintTranslation(linted, source.document));
    const terms = glossary && termsFor(glossary, resource.sourceLocale, locale);
    if (terms) findings.push(...lintTerms(linted, source.document, terms));
  }
  return dedupe(findings);
}

function lintOne(file: OpenFile, name: string, locale: string): Finding[] {
  return lintDocument({ document: file.document, name, locale });
}

/** What cannot be read is data here. */
async function dataOf(file: Promise<OpenFile>): Promise<OpenFile | DragomanError> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof DragomanError && error.code !== 'not_a_file') return error;
    throw error;
  }
}

function unreadable(error: DragomanError, name: string, locale: string | undefined): Finding {
  const { line = 1, column = 1 } = error.at ?? {};
  return { rule: 'unreadable', file: name, line, column, locale, message: error.message };
}

/** A fault that a message has by itself shows again beside its source. */
function dedupe(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, file, line, column, key }) => {
    const id = JSON.stringify([rule, file, line, column, key]);
    return !seen.has(id) && seen.add(id);
  });
}

/** By file and place. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The path of a file relative to a directory, as findings name it. */
export function findingName(directory: string, path: string): string {
  return relative(directory, path).split(sep).join('/');
}

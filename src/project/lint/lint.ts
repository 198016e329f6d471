import { relative, sep } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { readAsTemplate } from '../../pipeline/carried-source.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { openFile, type OpenFile, type OpenOptions } from '../../pipeline/open-file.ts';
import { termsFor } from '../../pipeline/terms/terms.ts';
import type { Project } from '../state/project.ts';
import type { Resource } from '../discover/resource.ts';
import type { Finding } from './finding.ts';
import { lintDocument } from './lint-document.ts';
import { lintTerms } from './lint-terms.ts';
import { lintTranslation } from './lint-translation.ts';

/**
 * Checks the files of a project as they are: each source and each translation that exists. Needs no engine and no lock.
 * A file that cannot be read is a finding like any other.
 *
 * @param glossary its terms are looked for in the translations
 * @returns sorted by file and place.
 */
export async function lintProject(
  project: Project,
  signal: AbortSignal,
  glossary?: Glossary,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const resource of project.resources) {
    if (signal.aborted) throw new DragomanError('interrupted', 'the check was interrupted');
    findings.push(...(await lintResource(project, resource, glossary)));
  }
  return sortFindings(findings);
}

/** Checks a single file that belongs to no layout. */
export async function lintFile(
  path: string,
  name: string,
  locale: string | undefined,
): Promise<readonly Finding[]> {
  const [file, unreadable] = await open(path, name, { locale });
  return file ? sortFindings(lintDocument({ document: file.document, name, locale })) : unreadable;
}

async function lintResource(
  project: Project,
  resource: Resource,
  glossary: Glossary | undefined,
): Promise<Finding[]> {
  const { root } = project;
  const { format, sourceLocale, carriesSource } = resource;
  // A file that carries its source is a translation: it is checked as one, with its language.
  const options = { format, locale: carriesSource ? undefined : sourceLocale };
  const [opened, unreadable] = await open(`${root}${sep}${resource.source}`, resource.source, options);
  const source = opened && carriesSource ? readAsTemplate(opened, sourceLocale) : opened;
  const findings = carriesSource ? [] : [...unreadable];
  if (source && !carriesSource) findings.push(...lintOne(source, resource.source, resource.sourceLocale));
  for (const locale of project.targets) {
    const name = resource.existing.get(locale);
    if (name === undefined) continue;
    const own = { format: resource.format, locale, source: source?.document };
    const [target, broken] = await open(`${root}${sep}${name}`, name, own);
    findings.push(...broken);
    if (!target) continue;
    findings.push(...lintOne(target, name, locale));
    if (!source) continue;
    const linted = { document: target.document, name, locale };
    findings.push(...lintTranslation(linted, source.document));
    const terms = glossary && termsFor(glossary, sourceLocale, locale);
    if (terms) findings.push(...lintTerms(linted, source.document, terms));
  }
  return dedupe(findings);
}

function lintOne(file: OpenFile, name: string, locale: string): Finding[] {
  return lintDocument({ document: file.document, name, locale });
}

async function open(
  path: string,
  name: string,
  options: OpenOptions,
): Promise<[OpenFile | undefined, Finding[]]> {
  try {
    return [await openFile(path, options), []];
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { line = 1, column = 1 } = error.at ?? {};
    return [
      undefined,
      [{ rule: 'unreadable', file: name, line, column, locale: options.locale, message: error.message }],
    ];
  }
}

/** A fault that a message has by itself shows again beside its source. */
function dedupe(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, file, line, column, key }) => {
    const id = JSON.stringify([rule, file, line, column, key]);
    return !seen.has(id) && seen.add(id);
  });
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

import { basename } from 'node:path';
import { findBaseFiles, namesOnlyTexts, namesTexts } from './base-files.ts';
import type { PassedOverCount } from './passed-over.ts';
import { readPath, templateId, type PathTemplate } from './path-template.ts';
import { hasStrings, hasTexts } from './resource-content.ts';

/** Files that differ in nothing but the locale in their path. */
export interface FileSet {
  readonly template: PathTemplate;
  /** By canonical locale. */
  readonly members: ReadonlyMap<string, LocaleFile>;
  /** The file in the source language that names no locale. */
  readonly base?: string | undefined;
}

export interface LocaleFile {
  readonly path: string;
  readonly spelling: string;
}

type OpenSet = FileSet & { readonly members: Map<string, LocaleFile>; base?: string | undefined };

/**
 * All file sets that the paths below `root` make up, by their names, and without resource files that have no texts.
 *
 * @param passedOver gets those
 */
export function findFileSets(
  root: string,
  paths: readonly string[],
  passedOver: PassedOverCount,
): readonly FileSet[] {
  const sets = new Map<string, OpenSet>();
  const setOf = (template: PathTemplate): OpenSet => {
    const id = templateId(template);
    const set: OpenSet = sets.get(id) ?? { template, members: new Map<string, LocaleFile>() };
    sets.set(id, set);
    return set;
  };
  const above = basename(root);
  for (const path of paths) {
    if (path.endsWith('.pot')) continue;
    for (const { template, spelling, locale } of readPath(path, above)) {
      const { members } = setOf(template);
      // Two spellings of one locale: the one that sorts first stays, always the same one.
      if (!members.has(locale)) members.set(locale, { path, spelling });
    }
  }
  const textless = new Set<string>();
  for (const { path, template } of findBaseFiles(paths, (id) => sets.has(id))) {
    const set = setOf(template);
    const reason = textlessReason(root, path, set);
    if (reason === undefined) set.base ??= path;
    else {
      for (const other of [path, ...pathsOf(set)]) textless.add(other);
      passedOver.add(reason, path);
    }
  }
  return [...sets.values()].flatMap((set): FileSet[] => {
    for (const [locale, { path }] of set.members) if (textless.has(path)) set.members.delete(locale);
    return set.members.size > 0 || set.base !== undefined ? [set] : [];
  });
}

function textlessReason(
  root: string,
  path: string,
  { template, members }: FileSet,
): 'without_strings' | 'settings' | undefined {
  if (template.convention === 'android') return hasStrings(root, path) ? undefined : 'without_strings';
  if (!path.endsWith('.properties') || namesOnlyTexts(path)) return undefined;
  const isNamed = namesTexts(path);
  // Several languages make a bundle of any file; one may be a word, as in `application_it.properties`.
  const isBundle = members.size > 1 || (isNamed && members.size > 0);
  return isBundle || hasTexts(root, path, isNamed) ? undefined : 'settings';
}

/** The files of a set that name a locale. */
export function pathsOf({ members }: FileSet): readonly string[] {
  return [...members.values()].map(({ path }) => path);
}

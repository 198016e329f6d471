import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FormatId } from '../../formats/format.ts';
import { formatOfPath } from '../../formats/registry.ts';
import { languageOf } from '../../languages/locale.ts';
import { findBaseFiles } from './base-files.ts';
import { fillTemplate, readPath, templateId, type PathTemplate } from './path-template.ts';

/** Files that differ in nothing but the locale in their path. */
export interface FileSet {
  readonly template: PathTemplate;
  /** By canonical locale. */
  readonly members: ReadonlyMap<string, Member>;
  /** The file in the source language that names no locale. */
  readonly base?: string | undefined;
}

interface Member {
  readonly path: string;
  readonly spelling: string;
}

/** A file set of which one file is the source. */
export interface SourcedSet extends FileSet {
  readonly source: string;
  readonly format: FormatId;
  /** See `Resource.carriesSource`. */
  readonly carriesSource?: boolean | undefined;
}

/** All file sets among the files below `root`, found by their names alone. */
export function findFileSets(root: string, paths: readonly string[]): readonly FileSet[] {
  const above = basename(root);
  const templates = new Map<
    string,
    { template: PathTemplate; members: Map<string, Member>; base?: string }
  >();
  for (const path of paths) {
    if (path.endsWith('.pot')) continue;
    for (const { template, spelling, locale } of readPath(path, above)) {
      const id = templateId(template);
      const set = templates.get(id) ?? { template, members: new Map<string, Member>() };
      templates.set(id, set);
      // Two spellings of one locale: the one that sorts first stays, always the same one.
      if (!set.members.has(locale)) set.members.set(locale, { path, spelling });
    }
  }
  for (const { path, template } of findBaseFiles(paths, (id) => templates.has(id))) {
    const id = templateId(template);
    const set = templates.get(id) ?? { template, members: new Map<string, Member>() };
    templates.set(id, set);
    set.base ??= path;
  }
  return [...templates.values()];
}

/** All files of a set. */
export function pathsOf({ members, base }: FileSet): readonly string[] {
  const paths = [...members.values()].map(({ path }) => path);
  return base === undefined ? paths : [...paths, base];
}

/** The locales by which the sets' files could be sources, the commonest first. */
export function sourceCandidates(sets: readonly FileSet[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { members } of sets) {
    for (const locale of members.keys()) counts.set(locale, (counts.get(locale) ?? 0) + 1);
  }
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
}

/**
 * The sets that have a file in the source language, each file in one set: where a path can be read in several ways,
 * in the one that most other files agree with.
 */
export function chooseSources(
  root: string,
  sets: readonly FileSet[],
  sourceLocale: string,
): readonly SourcedSet[] {
  const bySource = new Map<string, SourcedSet>();
  for (const set of sets) {
    const source = sourceOf(root, set, sourceLocale);
    const format = source === undefined ? undefined : formatOfPath(source);
    if (source === undefined || format === undefined) continue;
    const other = bySource.get(source);
    if (!other || rank(set) > rank(other)) bySource.set(source, { ...set, source, format });
  }
  const chosen = [...bySource.values()];
  // A translation is nobody's source: `en/app/es.json` beside `en/app/en.json` is no namespace called `es`.
  const translations = new Set(chosen.flatMap((set) => translationsOf(set)));
  const sourced = chosen.filter((set) => !translations.has(set.source));
  const known = new Set(sourced.flatMap((set) => [set.source, ...translationsOf(set)]));
  return [...sourced, ...chooseCarriers(sets, known)].sort((a, b) => (a.source < b.source ? -1 : 1));
}

/** Whether the files of a set say themselves what they are translated from. */
export function carriesSource({ template, base }: FileSet): boolean {
  return base === undefined && (template.parts.at(-1)?.endsWith('.po') ?? false);
}

/** PO files without a template, as Django keeps them: the first one tells which messages there are. */
function chooseCarriers(sets: readonly FileSet[], known: Set<string>): readonly SourcedSet[] {
  const carriers = sets.filter(carriesSource).sort((a, b) => rank(b) - rank(a));
  return carriers.flatMap((set): SourcedSet[] => {
    const paths = [...set.members.values()].map(({ path }) => path).sort();
    const [source] = paths;
    if (source === undefined || paths.some((path) => known.has(path))) return [];
    for (const path of paths) known.add(path);
    return [{ ...set, source, format: 'po', carriesSource: true }];
  });
}

function rank(set: FileSet): number {
  return set.members.size * 2 + (set.template.parts.length > 2 ? 1 : 0);
}

function translationsOf(set: SourcedSet): readonly string[] {
  return [...set.members.values()].map(({ path }) => path).filter((path) => path !== set.source);
}

function sourceOf(root: string, { members, base }: FileSet, locale: string): string | undefined {
  const member = members.get(locale) ?? onlyRelative(members, locale);
  if (!member || base === undefined) return member?.path ?? base;
  if (base.endsWith('.pot')) return base;
  // `messages_en.properties` beside a `messages.properties` is either the source or, to stop Java from falling back
  // further, nearly empty.
  const size = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0;
  return size(member.path) * 2 >= size(base) ? member.path : base;
}

/** `en-US` where `en` is asked for, and the other way round, as long as it is the only one. */
function onlyRelative(members: ReadonlyMap<string, Member>, locale: string): Member | undefined {
  const relatives = [...members].filter(([code]) => languageOf(code) === languageOf(locale));
  return relatives.length === 1 ? relatives[0]?.[1] : undefined;
}

/** The path of this set for a locale that has no file yet. */
export function newPath(set: FileSet, spelling: string): string {
  return fillTemplate(set.template, spelling);
}

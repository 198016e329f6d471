import { DragomanError } from '../../base/errors.ts';
import { languageOf } from '../../languages/locale.ts';
import type { Configuration, FileRule } from '../config/configuration.ts';
import { compileGlob } from '../config/glob.ts';
import { applyRule, configuredLocales, extensionsFor } from './configured-layout.ts';
import {
  carriesSource,
  chooseSources,
  findFileSets,
  newPath,
  pathsOf,
  sourceCandidates,
  type SourcedSet,
} from './layout.ts';
import type { Resource } from './resource.ts';
import { makeSpeller, type Speller } from './spelling.ts';
import { walk, type Tree } from './walk.ts';

/** What there is to translate, and from which language. */
export interface FoundResources {
  /** Canonical. */
  readonly source: string;
  readonly resources: readonly Resource[];
  /** The locales of files in the selection, by which they could be sources; empty where a configuration says. */
  readonly candidates: readonly string[];
}

/** Says whether a file, relative to the root, is one of those that the command is about. */
export type Selects = (path: string) => boolean;

export interface ResourceSearch {
  readonly root: string;
  readonly configuration: Configuration;
  readonly tree: Tree;
  /** The source language, canonical; undefined: it is found out. */
  readonly wished: string | undefined;
  /** Where a source language that has to be found out is looked for. */
  readonly selects: Selects;
}

/** The files below a directory that may be localization files by its configuration, and those called `name`. */
export function listTree(root: string, { files }: Configuration, name: string): Tree {
  return walk(root, extensionsFor(files ?? []), name);
}

/**
 * The localization files below a directory: those that its configuration describes, else those that its layout shows.
 *
 * @throws DragomanError `configuration` when files or source cannot be found out; the message names the candidates.
 */
export function findResources(search: ResourceSearch): FoundResources {
  const { root, configuration, tree } = search;
  const found = configuration.files
    ? configuredResources(search, configuration.files)
    : discoverResources(search);
  const included = firstOfEach(found.resources.filter(includedBy(configuration)));
  if (included.length === 0) throw nothingFound(root, { source: found.source, nested: tree.nested });
  return { ...found, resources: included };
}

function configuredResources(
  { configuration, tree, wished, selects }: ResourceSearch,
  rules: readonly FileRule[],
): FoundResources {
  const spelling = { locales: configuration.locales, style: configuration.localeStyle };
  const source = wished ?? chooseSource(configuredLocales(tree.files.filter(selects), rules), true);
  const resources = rules.flatMap((rule) => applyRule(rule, tree.files, source, spelling));
  return { source, resources, candidates: [] };
}

function discoverResources({ root, configuration, tree, wished, selects }: ResourceSearch): FoundResources {
  const sets = findFileSets(root, tree.files);
  const selected = sets.filter((set) => pathsOf(set).some(selects));
  const candidates = sourceCandidates(selected);
  const isUnnamed =
    selected.some((set) => set.base !== undefined) || (selected.length > 0 && selected.every(carriesSource));
  const source = wished ?? chooseSource(candidates, isUnnamed);
  const chosen = chooseSources(root, sets, source);
  if (chosen.length === 0) throw nothingFound(root, { source: wished, candidates, nested: tree.nested });
  const spellings = chosen.flatMap((set) => [...set.members.values()].map((member) => member.spelling));
  const rules = { locales: configuration.locales, style: configuration.localeStyle };
  const speller = makeSpeller(spellings, rules);
  return { source, resources: chosen.map((set) => toResource(set, source, speller)), candidates };
}

function toResource(set: SourcedSet, sourceLocale: string, speller: Speller): Resource {
  const members = [...set.members].filter(
    ([locale, { path }]) => (set.carriesSource || path !== set.source) && locale !== sourceLocale,
  );
  const own = [...set.members.values()].map((member) => member.spelling);
  const spell = speller(set.template.convention, own);
  const spelling = (locale: string): string => set.members.get(locale)?.spelling ?? spell(locale);
  return {
    source: set.source,
    sourceLocale,
    format: set.format,
    carriesSource: set.carriesSource,
    existing: new Map(members.map(([locale, { path }]) => [locale, path])),
    spelling,
    targetPath: (locale) => set.members.get(locale)?.path ?? newPath(set, spelling(locale)),
  };
}

/** English where there is English; a layout whose sources name no locale is taken for English as well. */
function chooseSource(candidates: readonly string[], unnamed: boolean): string {
  const english = candidates.filter((code) => languageOf(code) === 'en');
  if (english.includes('en')) return 'en';
  if (english[0] !== undefined) return english.includes('en-US') ? 'en-US' : english[0];
  if (unnamed) return 'en';
  if (candidates.length === 0) return 'en';
  throw new DragomanError('configuration', 'cannot tell which language is the source', {
    hint: `Name it with --source or in the configuration: ${candidates.slice(0, 20).join(', ')}.`,
  });
}

function includedBy({ include, exclude }: Configuration): (resource: Resource) => boolean {
  const wanted = include?.map(compileGlob);
  const unwanted = exclude?.map(compileGlob) ?? [];
  return ({ source }) =>
    (wanted?.some((glob) => glob.matches(source)) ?? true) && !unwanted.some((glob) => glob.matches(source));
}

/** Where several rules match a file, the first one decides. */
function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const seen = new Set<string>();
  return resources.filter(({ source }) => !seen.has(source) && seen.add(source));
}

interface Missed {
  readonly source?: string | undefined;
  readonly candidates?: readonly string[];
  readonly nested?: readonly string[];
}

/** The error for a directory, or a path, in which there is nothing to translate. */
export function nothingFound(
  path: string,
  { source, candidates = [], nested = [] }: Missed = {},
): DragomanError {
  const named = source === undefined ? '' : ` in the source language ${source}`;
  return new DragomanError('configuration', `no localization files${named} found in ${path}`, {
    hint: hintFor(candidates, nested),
  });
}

function hintFor(candidates: readonly string[], nested: readonly string[]): string {
  if (candidates.length > 0)
    return `There are files in: ${candidates.slice(0, 20).join(', ')}. Name the source with --source.`;
  if (nested.length > 0)
    return `Some directories are projects of their own: name one as the path, such as ${nested.slice(0, 20).join(', ')}.`;
  return 'Expected are layouts such as locales/en.json, locales/en/*.json, res/values/strings.xml, en.lproj/*.strings, po/*.pot, messages.properties; other ones are described under `files` in the configuration.';
}

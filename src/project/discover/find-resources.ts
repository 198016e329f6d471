import { DragomanError } from '../../base/errors.ts';
import { languageOf } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';
import { compileGlob } from '../config/glob.ts';
import { applyRule, candidatesFor, configuredLocales } from './configured-layout.ts';
import {
  carriesSource,
  chooseSources,
  findFileSets,
  newPath,
  sourceCandidates,
  type SourcedSet,
} from './layout.ts';
import type { Resource } from './resource.ts';
import { makeSpeller, type Speller } from './spelling.ts';

/** What there is to translate, and from which language. */
export interface FoundResources {
  /** Canonical. */
  readonly source: string;
  readonly resources: readonly Resource[];
}

/**
 * The localization files below a directory: those that its configuration describes, else those that its layout shows.
 *
 * @param wished the source language, canonical; undefined: it is found out
 * @throws DragomanError `configuration` when files or source cannot be found out; the message names the candidates.
 */
export function findResources(
  root: string,
  configuration: Configuration,
  wished: string | undefined,
): FoundResources {
  const { source, resources } = configuration.files
    ? configuredResources(root, configuration, wished)
    : discoverResources(root, configuration, wished);
  const included = firstOfEach(resources.filter(includedBy(configuration)));
  if (included.length === 0) throw nothingFound(root, source);
  return { source, resources: included };
}

function configuredResources(
  root: string,
  configuration: Configuration,
  wished: string | undefined,
): FoundResources {
  const rules = configuration.files ?? [];
  const paths = candidatesFor(root, rules);
  const spelling = { locales: configuration.locales, style: configuration.localeStyle };
  const source = wished ?? chooseSource(configuredLocales(paths, rules), true);
  return { source, resources: rules.flatMap((rule) => applyRule(rule, paths, source, spelling)) };
}

function discoverResources(
  root: string,
  configuration: Configuration,
  wished: string | undefined,
): FoundResources {
  const sets = findFileSets(root);
  const source =
    wished ??
    chooseSource(
      sourceCandidates(sets),
      sets.some((set) => set.base !== undefined) || (sets.length > 0 && sets.every(carriesSource)),
    );
  const chosen = chooseSources(root, sets, source);
  if (chosen.length === 0) throw nothingFound(root, wished, sourceCandidates(sets));
  const spellings = chosen.flatMap((set) => [...set.members.values()].map((member) => member.spelling));
  const rules = { locales: configuration.locales, style: configuration.localeStyle };
  const speller = makeSpeller(spellings, rules);
  return { source, resources: chosen.map((set) => toResource(set, source, speller)) };
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

/** The error for a directory, or a path, in which there is nothing to translate. */
export function nothingFound(
  root: string,
  source?: string,
  candidates: readonly string[] = [],
): DragomanError {
  const named = source === undefined ? '' : ` in the source language ${source}`;
  return new DragomanError('configuration', `no localization files${named} found in ${root}`, {
    hint:
      candidates.length > 0
        ? `There are files in: ${candidates.slice(0, 20).join(', ')}. Name the source with --source.`
        : 'Expected are layouts such as locales/en.json, locales/en/*.json, res/values/strings.xml, en.lproj/*.strings, po/*.pot, messages.properties; other ones are described under `files` in the configuration.',
  });
}

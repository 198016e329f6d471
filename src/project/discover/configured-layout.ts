import { parseLocale } from '../../languages/locale.ts';
import { DragomanError } from '../../base/errors.ts';
import { knownExtensions, requireFormatOfPath } from '../../formats/registry.ts';
import type { FileRule } from '../config/configuration.ts';
import { compileGlob } from '../config/glob.ts';
import { compilePathPattern, type Captures } from '../config/path-pattern.ts';
import type { Resource } from './resource.ts';
import { makeSpeller, type SpellingRules } from './spelling.ts';
import { walk } from './walk.ts';

/** Every file below the root that a rule may name: of a known extension, or of the rule's own. */
export function candidatesFor(root: string, rules: readonly FileRule[]): readonly string[] {
  const own = rules.map((rule) => /\.([^./*?{}]+)$/.exec(rule.source)?.[1]?.toLowerCase() ?? '');
  return walk(root, [...knownExtensions(), ...own.filter(Boolean)]);
}

/** The locales that files matching the rules' sources are in: candidates when no source language is given. */
export function configuredLocales(paths: readonly string[], rules: readonly FileRule[]): readonly string[] {
  const found = new Set<string>();
  for (const rule of rules) {
    const source = compilePathPattern(rule.source);
    for (const path of paths) {
      const locale = parseLocale(source.capture(path)?.locale ?? '');
      if (locale !== undefined) found.add(locale);
    }
  }
  return [...found].sort();
}

/**
 * The resources that one rule of the configuration describes.
 *
 * @throws DragomanError `configuration` when no file matches.
 */
export function applyRule(
  rule: FileRule,
  paths: readonly string[],
  sourceLocale: string,
  rules: SpellingRules,
): readonly Resource[] {
  const sourcePattern = compilePathPattern(rule.source);
  const targetPattern = compilePathPattern(rule.target);
  const excluded = (rule.exclude ?? []).map(compileGlob);
  const found = paths.flatMap((path) => {
    const captures = targetPattern.capture(path);
    const locale = captures?.locale === undefined ? undefined : parseLocale(captures.locale);
    return captures && locale !== undefined && locale !== sourceLocale
      ? [{ path, locale, spelling: captures.locale ?? '', id: captures.wildcards.join('\0') }]
      : [];
  });
  const style = rule.localeStyle ?? rules.style;
  const spell = makeSpeller([], { ...rules, style })('none', [
    ...new Set(found.map(({ spelling }) => spelling)),
  ]);
  const byId = new Map<string, (typeof found)[number][]>();
  for (const target of found) {
    const same = byId.get(target.id);
    if (same) same.push(target);
    else byId.set(target.id, [target]);
  }
  const resourceOf = (path: string, captures: Captures, carriesSource: boolean): Resource => {
    const id = captures.wildcards.join('\0');
    const own = (byId.get(id) ?? []).filter((target) => carriesSource || target.path !== path);
    const existing = new Map(own.map(({ locale, path: target }) => [locale, target]));
    const spelled = new Map(own.map(({ locale, spelling }) => [locale, spelling]));
    const spelling = (locale: string): string =>
      rules.locales?.get(locale) ?? spelled.get(locale) ?? spell(locale);
    const targetPath = (locale: string): string => targetPattern.fill(spelling(locale), captures.wildcards);
    const format = rule.format ?? requireFormatOfPath(path);
    return { source: path, sourceLocale, format, carriesSource, existing, targetPath, spelling };
  };
  const included = paths.filter((path) => !excluded.some((other) => other.matches(path)));
  const resources = included.flatMap((path): Resource[] => {
    const captures = sourcePattern.capture(path);
    if (!captures) return [];
    if (captures.locale !== undefined && !isSource(captures.locale, sourceLocale, rules)) return [];
    return [resourceOf(path, captures, false)];
  });
  if (resources.length > 0) return resources;
  const carriers = rule.source === rule.target && rule.source.endsWith('.po') ? [...byId.values()] : [];
  const templates = carriers.flatMap((group): Resource[] => {
    const path = group.map((target) => target.path).find((member) => included.includes(member));
    const captures = path === undefined ? undefined : sourcePattern.capture(path);
    return path !== undefined && captures ? [resourceOf(path, captures, true)] : [];
  });
  if (templates.length > 0) return templates;
  throw new DragomanError(
    'configuration',
    `no file matches ${rule.source} for the source language ${sourceLocale}`,
    {
      hint: 'Paths are relative to the configuration; hidden directories, dependencies and build output are not searched.',
    },
  );
}

function isSource(spelling: string, sourceLocale: string, rules: SpellingRules): boolean {
  return spelling === rules.locales?.get(sourceLocale) || parseLocale(spelling) === sourceLocale;
}

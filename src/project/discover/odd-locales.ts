import { isLanguageHolder } from '../../frameworks/registry.ts';
import { parseLocale } from '../../languages/locale.ts';
import { pathsOf, type FileSet } from './layout.ts';

/** `de_informal`, `de-if`, `pt_BR-formal`: a language with something behind it that no locale has. */
const ODD = /(?<=^|[/._-])[a-z]{2,3}[-_@][\w@-]+(?=[/.])/g;

/**
 * Files that stand where a translation of a set would, and are called after a language, but by no locale: what they hold is
 * not known, so that they are named and left alone.
 */
export function findOddLocales(paths: readonly string[], sets: readonly FileSet[]): readonly string[] {
  const own = sets.filter(({ document, template }) => !document && !template.layout.hasQualifiers);
  const templates = new Set(own.map(({ template }) => template.parts.join('\0')));
  const known = new Set(sets.flatMap(pathsOf));
  return paths.filter((path) => {
    if (known.has(path)) return false;
    const names = new Set((path.match(ODD) ?? []).filter(isOdd));
    return [...names].some((name) => templates.has(path.split(name).join('\0')));
  });
}

/** Whether a program's file is in a directory beside those of languages that is called after one. */
export function isOddlyNamed(path: string): boolean {
  const segments = path.split('/');
  return segments.some(
    (name, i) => i > 0 && i < segments.length - 1 && isLanguageHolder(segments[i - 1] ?? '') && isOdd(name),
  );
}

function isOdd(name: string): boolean {
  const [language = ''] = name.split(/[-_@]/);
  return language !== name && parseLocale(name) === undefined && parseLocale(language) !== undefined;
}

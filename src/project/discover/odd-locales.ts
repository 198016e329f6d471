import type { PathTemplate } from '../../frameworks/layout.ts';
import { isLanguageHolder } from '../../frameworks/registry.ts';
import { allPathsOf, isSure, type FileSet } from './layout.ts';
import { isOdd, ODD_READER, templateId } from './path-template.ts';

/**
 * Files in the place of a translation that are named like a language, although the name is not a locale or is
 * ambiguous. Their content is unclear, so they are reported and left unchanged.
 *
 * @param above the name of the directory that the paths are relative to
 */
export function findOddLocales(
  paths: readonly string[],
  sets: readonly FileSet[],
  above: string,
): readonly string[] {
  const templates = new Map(sets.map((set) => [templateId(set.template), set]));
  const ofWholeNames = sets.filter(({ template }) => template.layout.isWholeName === true);
  const known = new Set(sets.flatMap(allPathsOf));
  return paths.filter((path) => {
    if (known.has(path)) return false;
    if (ofWholeNames.some(({ template }) => isNamedAlike(path, template))) return true;
    return ODD_READER.read(path, above).some(({ template, spelling }) => {
      const set = templates.get(templateId(template));
      if (!set || template.layout.qualifiers?.test(spelling) === true) return false;
      // Pages may have any name, such as `no-op`.
      if (set.document) return WITH_REGION.test(spelling);
      // Any short lower-case name looks like a code, so it only counts next to languages.
      return /\W|_|[a-z][A-Z]/.test(spelling) || isSure(set);
    });
  });
}

/** A name that cannot be a word: `sr-SP`. */
const WITH_REGION = /^[a-z]{2,3}[-_][A-Z]{2}$/;

/** Whether a program's file, or a directory above it, is named like a language and is where languages are expected. */
export function isOddlyNamed(path: string): boolean {
  const segments = path.replace(/\.[^./]+$/, '').split('/');
  const holder = segments.findIndex(isLanguageHolder);
  return segments.some((name, i) => {
    if (holder < 0 || i <= holder || !isOdd(name)) return false;
    const isDirectory = i < segments.length - 1;
    return WITH_REGION.test(name) || (isDirectory && isLanguageHolder(segments[i - 1] ?? ''));
  });
}

/** Whether a path fits a template with any name in place of the language: `lang/enws.json`. */
function isNamedAlike(path: string, { parts }: PathTemplate): boolean {
  const [start = '', end = '', ...more] = parts;
  if (more.length > 0 || !path.startsWith(start) || !path.endsWith(end)) return false;
  return !path.slice(start.length, path.length - end.length).includes('/');
}

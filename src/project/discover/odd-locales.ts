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
  const own = sets.filter(({ document }) => !document);
  const templates = new Map(own.map((set) => [templateId(set.template), set]));
  const ofWholeNames = own.filter(({ template }) => template.layout.isWholeName === true);
  const known = new Set(sets.flatMap(allPathsOf));
  return paths.filter((path) => {
    if (known.has(path)) return false;
    if (ofWholeNames.some(({ template }) => isNamedAlike(path, template))) return true;
    return ODD_READER.read(path, above).some(({ template, spelling }) => {
      const set = templates.get(templateId(template));
      // Any short lower-case name looks like a code, so it only counts next to languages.
      return (
        set &&
        template.layout.qualifiers?.test(spelling) !== true &&
        (/\W|_|[a-z][A-Z]/.test(spelling) || isSure(set))
      );
    });
  });
}

/** Whether a program's file is in a directory named after a language, next to directories of other languages. */
export function isOddlyNamed(path: string): boolean {
  const segments = path.split('/');
  return segments.some(
    (name, i) => i > 0 && i < segments.length - 1 && isLanguageHolder(segments[i - 1] ?? '') && isOdd(name),
  );
}

/** Whether a path fits a template with any name in place of the language: `lang/enws.json`. */
function isNamedAlike(path: string, { parts }: PathTemplate): boolean {
  const [start = '', end = '', ...more] = parts;
  if (more.length > 0 || !path.startsWith(start) || !path.endsWith(end)) return false;
  return !path.slice(start.length, path.length - end.length).includes('/');
}

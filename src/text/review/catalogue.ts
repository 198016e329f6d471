import type { Syntax } from '../syntax.ts';

/** Flags of languages whose programs have no arguments named in braces. */
const WITHOUT_NAMES = /^(?:plain|c|objc|qt|kde|kde-kuit|g[cf]c-internal|boost|awk|scheme|e?lisp|sh|tcl)$/;

interface CatalogueText {
  readonly source?: string | undefined;
  readonly syntax: Syntax;
}

export interface CatalogueTraits {
  /** Whether `{word}` may be an argument: a catalogue's flags show the languages of its program. */
  readonly hasNames: boolean;
  /** Whether format strings have flags: a text without a flag is then not a format string, or has the program's own syntax. */
  readonly hasFlags: boolean;
  /** Whether the texts include paragraphs of a manual: DocBook, AsciiDoc, man pages. */
  readonly isManual: boolean;
}

/** The traits of a catalogue's program that its texts show, if they include their sources. */
export function traitsOf(slots: readonly CatalogueText[]): CatalogueTraits {
  const syntaxes = new Set<Syntax>();
  let conversions = 0;
  let names = 0;
  let paragraphs = 0;
  for (const { source, syntax } of slots) {
    if (source === undefined) continue;
    syntaxes.add(syntax);
    if (/%[ds]/.test(source)) conversions++;
    if (/\{[A-Za-z]\w*\}/.test(source)) names++;
    if (OF_MANUALS.test(source)) paragraphs++;
  }
  const hasFlags = syntaxes.size > 1;
  // Without flags, the more frequent notation is assumed: a program that uses `%s` rarely uses a second notation.
  const hasNames = hasFlags
    ? ![...syntaxes].every((syntax) => WITHOUT_NAMES.test(syntax))
    : names * MANY > conversions || conversions < MANY;
  return { hasFlags, hasNames, isManual: !hasFlags && paragraphs >= FEW };
}

/** DocBook elements, and emphasis in AsciiDoc and man pages. */
const OF_MANUALS =
  /<\/(?:citerefentry|citetitle|gui(?:label|menu|menuitem)|keycap|literal|refentrytitle|replaceable|systemitem|userinput|varname)>|\*\*[^*\n]{1,80}\*\*|(?<![A-Za-z])[BI]<[^<>\n]{1,80}>/;

/** At least this many occurrences are not a coincidence. */
const FEW = 5;

/** This many conversions per name in braces show that the name is not an argument. */
const MANY = 20;

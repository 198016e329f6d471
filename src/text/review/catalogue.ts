import type { Syntax } from '../syntax.ts';

/** The flags of languages whose programs have no arguments with names in braces, and no flag. */
const WITHOUT_NAMES = /^(?:plain|c|objc|qt|kde|kde-kuit|g[cf]c-internal|boost|awk|scheme|e?lisp|sh|tcl)$/;

interface CatalogueText {
  readonly source?: string | undefined;
  readonly syntax: Syntax;
}

export interface CatalogueTraits {
  /** Whether `{word}` may be an argument: the flags of a catalogue say which languages its program is written in. */
  readonly hasNames: boolean;
  /** Whether format strings have flags, so that a text without one is none, or one of the program's own. */
  readonly hasFlags: boolean;
  /** Whether it has the paragraphs of a manual: DocBook, AsciiDoc, pages for man. */
  readonly isManual: boolean;
}

/** What the texts of a catalogue say of their program, where they carry their sources. */
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
  // Without flags, what most texts have says it: a program that prints by `%s` has hardly another notation.
  const hasNames = hasFlags
    ? ![...syntaxes].every((syntax) => WITHOUT_NAMES.test(syntax))
    : names * MANY > conversions || conversions < MANY;
  return { hasFlags, hasNames, isManual: !hasFlags && paragraphs >= FEW };
}

/** Elements that DocBook alone has, and the strong words of AsciiDoc and of pages for man. */
const OF_MANUALS =
  /<\/(?:citerefentry|citetitle|gui(?:label|menu|menuitem)|keycap|literal|refentrytitle|replaceable|systemitem|userinput|varname)>|\*\*[^*\n]{1,80}\*\*|(?<![A-Za-z])[BI]<[^<>\n]{1,80}>/;

/** So many of them are no chance. */
const FEW = 5;

/** So many conversions for one name in braces say that the name is none. */
const MANY = 20;

import type { WordContext } from './node.ts';
import type { Quoting } from './parse.ts';
import { isXmlSource, type Syntax } from './syntax.ts';

/** How the words of one value are written, decided once from the value itself. */
export interface WordStyle {
  readonly syntax: Syntax;
  readonly quoting: Quoting;
  /** The sign of a format string that as a character is written twice, `%%` or `~~`; empty where none is. */
  readonly doubled: string;
  /** Vue: `@` as a word is written `{'@'}`, unless the value's own author writes it bare. */
  readonly literals: boolean;
  /** ICU: words in angle brackets are written as they are, as the value's author does. */
  readonly bareAngles: boolean;
  /** XML source: `>` is written `&gt;`, as the value's author does. */
  readonly greater: boolean;
}

/** The characters on both sides of words, as they stand in the value; empty at its ends. */
export interface Neighbours {
  readonly before: string;
  readonly after: string;
}

/**
 * Escapes words so that they are read as exactly these words at their place. Changes only the characters that need
 * it.
 */
export function escapeWords(words: string, style: WordStyle, context: WordContext, near: Neighbours): string {
  const text = escapeSyntax(words, style, context.nested);
  if (context.nested || style.quoting === 'icu') return quoteIcu(text, context, near, style.bareAngles);
  return style.quoting === 'java' ? quoteJava(text) : text;
}

function escapeSyntax(words: string, style: WordStyle, nested: boolean): string {
  const { syntax, doubled } = style;
  const text = doubled === '' ? words : words.replaceAll(doubled, doubled + doubled);
  if (isXmlSource(syntax)) {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
    return style.greater ? escaped.replaceAll('>', '&gt;') : escaped;
  }
  if (syntax === 'chrome') return text.replaceAll('$', '$$$$');
  // Inside an ICU argument braces are ICU's.
  if (nested) return text;
  if (syntax === 'python-brace' || syntax === 'csharp') return text.replace(/[{}]/g, '$&$&');
  if (syntax === 'vue') return text.replace(style.literals ? /[{}@|]/g : /[{}|]/g, "{'$&'}");
  return text;
}

/** Runs of characters that need care: apostrophes are only doubled, and syntax only quoted, where they must be. */
const ICU_RUN = /['{}<>]+/g;
const ICU_PLURAL_RUN = /['{}<>#]+/g;

function quoteIcu(text: string, context: WordContext, near: Neighbours, bareAngles: boolean): string {
  return text.replace(context.pound ? ICU_PLURAL_RUN : ICU_RUN, (run, at: number) => {
    const end = at + run.length;
    const after = end < text.length ? (text[end] ?? '') : near.after;
    const before = at > 0 ? '' : near.before;
    if (needsQuotes(run, after, bareAngles)) return `'${run.replaceAll("'", "''")}'`;
    const alone = run === "'" && !"'{}<>#|".includes(after || ' ') && before !== "'";
    return alone ? run : run.replaceAll("'", "''");
  });
}

function needsQuotes(run: string, after: string, bareAngles: boolean): boolean {
  if (/[{}#]/.test(run)) return true;
  return !bareAngles && run.endsWith('<') && /[A-Za-z0-9/!?]/.test(after);
}

function quoteJava(text: string): string {
  return text.replace(/['{}]+/g, (run) => {
    const doubled = run.replaceAll("'", "''");
    return /[{}]/.test(run) ? `'${doubled}'` : doubled;
  });
}

import { isPluralCategory } from '../text/plural.ts';

/**
 * The entries of go-i18n's files, in any notation: a text for each plural category, or `translation` with a text or
 * such a map in the lists of version 1, and notes for translators and programs. A plain text is a short form of an
 * entry.
 */
const NOTES: ReadonlySet<string> = new Set(['id', 'description', 'hash', 'leftDelim', 'rightDelim']);

/** Whether a member of an entry is a note or setting, not a text. */
export function isGoNote(name: string): boolean {
  return NOTES.has(name);
}

/** Whether a member of an entry holds a text. */
export function isGoText(name: string): boolean {
  return name === 'translation' || isPluralCategory(name);
}

/** Whether only go-i18n writes such a member: a placeholder of Go's templates, or the hash of a source text. */
export function isGoSign(name: string, value: string): boolean {
  return name === 'hash' ? value.startsWith('sha1-') : /\{\{-?\s*\./.test(value);
}

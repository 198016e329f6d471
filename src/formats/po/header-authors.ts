import type { Edit, Span } from '../../base/span.ts';
import { wholeLines } from '../lines.ts';
import { roleOf } from './flags.ts';
import { fieldOf, languageIn, type Header, type HeaderField } from './header.ts';

/** What `msginit --no-translator` writes, and a template has. */
const NEUTRAL: ReadonlyMap<string, string> = new Map([
  ['last-translator', 'Automatically generated'],
  ['language-team', 'none'],
  ['po-revision-date', 'YEAR-MO-DA HO:MI+ZONE'],
]);
const PLACEHOLDERS = /^(?:FULL NAME <EMAIL@ADDRESS>|LANGUAGE <LL@li\.org>)?$/;

/** Fields of tools that name the language, or the place in the tool where its translators work. */
const OF_ONE_LANGUAGE = new Set([
  'language-code',
  'language-name',
  'x-crowdin-file',
  'x-crowdin-language',
  'x-language',
  'x-poedit-bookmarks',
  'x-poedit-country',
  'x-poedit-language',
]);

/**
 * Edits after which a new catalogue credits nobody with a translation into another language: translators, their team,
 * the date of their last change and what their tools noted. None for a template, which has placeholders there.
 */
export function forgetAuthors(text: string, header: Header, spelling: string): readonly Edit[] {
  const language = languageIn(header);
  const translator = fieldOf(header, 'Last-Translator')?.value ?? '';
  const isSibling = language === undefined ? isReal('last-translator', translator) : language !== spelling;
  if (!isSibling) return [];
  return [
    ...header.fields.flatMap(forgetField),
    ...creditLines(text, header).map((span) => ({ span, text: '' })),
  ];
}

function isReal(name: string, value: string): boolean {
  return value !== NEUTRAL.get(name) && !PLACEHOLDERS.test(value);
}

function forgetField({ name, value, span }: HeaderField): readonly Edit[] {
  const known = name.toLowerCase();
  const neutral = NEUTRAL.get(known);
  if (neutral !== undefined) return isReal(known, value) ? [{ span, text: ` ${neutral}` }] : [];
  return OF_ONE_LANGUAGE.has(known) && value !== '' ? [{ span, text: '' }] : [];
}

/** `# Jane Doe <jane@example.org>, 2024.` A copyright has another form, and stays. */
function creditLines(text: string, { message }: Header): readonly Span[] {
  return message.comments.flatMap((comment) => {
    if (roleOf(text, comment) !== 'translator') return [];
    const line = text.slice(comment.start, comment.end);
    const isCredit =
      line.includes('<') && line.includes('@') && /\d{4}/.test(line) && !/copyright|\(c\)|©/i.test(line);
    return isCredit || /^#\s*translators:\s*$/i.test(line) ? [wholeLines(text, comment)] : [];
  });
}

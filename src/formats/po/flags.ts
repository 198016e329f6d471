import type { Edit, Span } from '../../base/span.ts';
import { isFormatString } from '../../text/directives.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { CatalogMessage } from './catalog.ts';
import { wholeLines } from '../lines.ts';

/** What a comment is for, by the character behind `#`. */
export type CommentRole = 'translator' | 'extracted' | 'reference' | 'flags' | 'previous' | 'obsolete';

export function roleOf(text: string, { start }: Span): CommentRole {
  switch (text.charAt(start + 1)) {
    case '.':
      return 'extracted';
    case ':':
      return 'reference';
    case ',':
    case '=':
      return 'flags';
    case '|':
      return 'previous';
    case '~':
      return 'obsolete';
    default:
      return 'translator';
  }
}

/** The flags of a message: `fuzzy`, `c-format`, `no-wrap`, … */
export function flagsOf(text: string, message: CatalogMessage): ReadonlySet<string> {
  const flags = new Set<string>();
  for (const comment of message.comments) {
    if (roleOf(text, comment) !== 'flags') continue;
    for (const flag of splitFlags(text, comment)) flags.add(flag.trim());
  }
  return flags;
}

function splitFlags(text: string, { start, end }: Span): readonly string[] {
  return text.slice(start + 2, end).split(',');
}

/** The developer's notes (`#.`), without their markers. */
export function extractedComment(text: string, message: CatalogMessage): string | undefined {
  const lines: string[] = [];
  for (const comment of message.comments) {
    if (roleOf(text, comment) !== 'extracted') continue;
    lines.push(text.slice(comment.start + 2, comment.end).trim());
  }
  const note = lines.join('\n').trim();
  return note === '' ? undefined : note;
}

/** Languages whose format strings are those of another, or a syntax of their own. */
const SYNTAXES: ReadonlyMap<string, Syntax> = new Map<string, Syntax>([
  ['java', 'java'],
  ['ruby', 'ruby-printf'],
  ['c++', 'python-brace'],
  ['rust', 'python-brace'],
  ['pascal', 'object-pascal'],
  ['qt-plural', 'qt'],
  ['d', 'c'],
  ['modula2', 'c'],
  ['sh-printf', 'c'],
]);

/** The language of a flag, such as `c` for `c-format`. What `no-` begins is no format string. */
const LANGUAGE = /^(?:possible-)?(.+)-format$/;

export function syntaxOf(flags: ReadonlySet<string>): Syntax {
  for (const flag of flags) {
    const language = LANGUAGE.exec(flag)?.[1] ?? '';
    const syntax = SYNTAXES.get(language) ?? (isFormatString(language) ? language : undefined);
    if (syntax !== undefined) return syntax;
  }
  return 'plain';
}

/** Edits after which the message is no longer fuzzy and holds no previous msgid. */
export function settlingEdits(text: string, message: CatalogMessage): readonly Edit[] {
  const edits: Edit[] = [];
  for (const comment of message.comments) {
    const role = roleOf(text, comment);
    if (role === 'previous') edits.push({ span: wholeLines(text, comment), text: '' });
    if (role !== 'flags') continue;
    const flags = splitFlags(text, comment);
    if (!flags.some((flag) => flag.trim() === 'fuzzy')) continue;
    const kept = flags.filter((flag) => flag.trim() !== 'fuzzy' && flag.trim() !== '');
    if (kept.length === 0) edits.push({ span: wholeLines(text, comment), text: '' });
    else {
      const first = kept[0] ?? '';
      const rest = [/^\s/.test(first) ? first : ` ${first}`, ...kept.slice(1)].join(',');
      edits.push({ span: { start: comment.start + 2, end: comment.end }, text: rest });
    }
  }
  return edits;
}

import { DragomanError } from '../../base/errors.ts';
import type { Edit, Span } from '../../base/span.ts';
import { isFormatString } from '../../text/directives.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Key } from '../format.ts';
import { blankEnd, countBreaks, indentationStart, lineEndAt, wholeLines } from '../lines.ts';
import { type CatalogMessage, messageKey, type MessagePlace, readMessages } from './catalog.ts';

/** The role of a comment, by the character after `#`. */
type CommentRole = 'translator' | 'extracted' | 'reference' | 'flags' | 'previous' | 'obsolete';

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

/** The syntax of flags whose name is not that of a format-string syntax. */
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

/** The language of a flag, such as `c` for `c-format`. Flags with `no-` exclude format strings. */
const LANGUAGE = /^(?:possible-)?(.+)-format$/;

/** The syntax of a message according to its flags. */
export function syntaxOf(flags: ReadonlySet<string>): Syntax | undefined {
  for (const flag of flags) {
    const language = LANGUAGE.exec(flag)?.[1] ?? '';
    const syntax = SYNTAXES.get(language) ?? (isFormatString(language) ? language : undefined);
    if (syntax !== undefined) return syntax;
  }
  return undefined;
}

/** The message from which msgmerge copied the translation, without its plural category. */
export interface PreviousMessage {
  /** Context and msgid; undefined if unreadable. */
  readonly key: Key;
  readonly isPlural: boolean;
}

/** The previous message in the `#|` lines. */
export function previousMessage(text: string, { comments }: CatalogMessage): PreviousMessage | undefined {
  const lines = comments.filter((comment) => roleOf(text, comment) === 'previous');
  if (lines.length === 0) return undefined;
  const previous = lines.map(({ start, end }) => text.slice(start + 2, end)).join('\n');
  const isPlural = /^\s*msgid_plural/m.test(previous);
  let key: Key = [];
  try {
    readMessages(
      `${previous}\nmsgstr${isPlural ? '[0]' : ''} ""`,
      (message) => void (key = messageKey(message)),
    );
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
  }
  return { key, isPlural };
}

/** Edits that remove the fuzzy flag and the previous msgid. */
export function removeFuzzyEdits(
  text: string,
  { comments }: Pick<CatalogMessage, 'comments'>,
): readonly Edit[] {
  const edits: Edit[] = [];
  for (const comment of comments) {
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

/**
 * Edits that mark the message as fuzzy and remove the previous msgid.
 *
 * @param start of its first keyword
 */
export function fuzzyEdits(text: string, start: number, newline: string): readonly Edit[] {
  const comments = commentsAbove(text, start);
  const edits = comments
    .filter((comment) => roleOf(text, comment) === 'previous')
    .map((comment) => ({ span: wholeLines(text, comment), text: '' }));
  const flags = comments.filter((comment) => text.startsWith('#,', comment.start));
  if (flags.some((comment) => splitFlags(text, comment).some((flag) => flag.trim() === 'fuzzy')))
    return edits;
  const [first] = flags;
  const line = indentationStart(text, start);
  const at = first ? first.start + 2 : (line ?? start);
  const flag = first
    ? ' fuzzy,'
    : `${line === undefined ? newline : text.slice(line, start)}#, fuzzy${newline}`;
  return [...edits, { span: { start: at, end: at }, text: flag }].sort((a, b) => a.span.start - b.span.start);
}

/** The comments of the message whose first keyword is at `start`, in file order. */
function commentsAbove(text: string, start: number): readonly Span[] {
  const comments: Span[] = [];
  let end = indentationStart(text, start);
  while (end !== undefined && end > 0) {
    const stop = text.startsWith('\r\n', end - 2) ? end - 2 : end - 1;
    const line = Math.max(text.lastIndexOf('\n', stop - 1), text.lastIndexOf('\r', stop - 1)) + 1;
    const comment = blankEnd(text, line);
    if (comment < stop && (text.charAt(comment) !== '#' || text.charAt(comment + 1) === '~')) break;
    if (comment < stop) comments.unshift({ start: comment, end: stop });
    end = line;
  }
  return comments;
}

/**
 * A message with its comments. Translator comments above a blank line, such as a licence at the top of the file, belong
 * to the file.
 */
export function messageSpan(text: string, message: MessagePlace): Span {
  // The keyword of an obsolete message follows `#~`.
  let start = message.obsolete ? text.lastIndexOf('#~', message.span.start) : message.span.start;
  let next = start;
  let detached = false;
  for (const comment of message.comments.toReversed()) {
    detached ||= countBreaks(text, comment.end, next) === 2;
    const role = roleOf(text, comment);
    if (!detached || role !== 'translator') {
      start = comment.start;
      detached = false;
    }
    next = comment.start;
  }
  // The rest of the last `#~` line is also obsolete.
  const end = message.obsolete ? lineEndAt(text, message.span.end) : message.span.end;
  return { start: indentationStart(text, start) ?? start, end };
}

/** The spans of obsolete messages, in file order; those on a shared line are merged. */
export function obsoleteSpans(text: string, messages: readonly MessagePlace[]): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const message of messages) {
    const { start, end } = messageSpan(text, message);
    const last = spans.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

import { splice, type Edit, type Span } from '../../base/span.ts';
import { newlineIn, type Form, type CatalogMessage } from './catalog.ts';
import { findHeader, pluralRuleIn } from './header.ts';
import { indentationStart, wholeLines } from '../lines.ts';

/** How many forms each plural message has to have, as far as the file says. */
export function pluralCount(text: string): number | undefined {
  return pluralRuleIn(findHeader(text))?.nplurals;
}

/** Edits after which a plural message has the forms 0 to `count - 1`; new ones are empty. */
export function addForms(text: string, message: CatalogMessage, count: number): readonly Edit[] {
  const last = message.forms.at(-1);
  if (!message.plural || !last) return [];
  const present = new Set(message.forms.map((form) => form.index));
  const newline = newlineIn(text);
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    if (!present.has(index)) lines.push(newline + emptyForm(text, last, index));
  }
  const at = last.literal.span.end;
  return lines.length === 0 ? [] : [{ span: { start: at, end: at }, text: lines.join('') }];
}

/** Another form in the spelling of this one: its indentation, its spaces. */
function emptyForm(text: string, model: Form, index: number): string {
  const { start } = model.keyword;
  const from = indentationStart(text, start) ?? start;
  const head = text.slice(from, model.literal.span.start).replace(/\d+/, String(index));
  // Whatever else stands between keyword and text, such as a line break, is not repeated.
  return /^[ \t]*msgstr[ \t]*\[[ \t]*\d+[ \t]*\][ \t]*$/.test(head) ? `${head}""` : `msgstr[${index}] ""`;
}

/** Edits that take away the forms from `count` on. */
export function dropForms(text: string, message: CatalogMessage, count: number): readonly Edit[] {
  return message.forms
    .filter((form) => message.plural && form.index >= count)
    .map((form) => {
      const own = { start: form.keyword.start, end: form.literal.span.end };
      return { span: ownLines(text, own), text: '' };
    });
}

/** From the end of the line before, so that a file without final line break stays one. */
function ownLines(text: string, span: Span): Span {
  const lines = wholeLines(text, span);
  if (lines === span || lines.start === 0) return span;
  const carriage = text.charCodeAt(lines.start - 2) === 13 ? 2 : 1;
  return { start: lines.start - carriage, end: span.end };
}

/** The text of an entry with `count` forms, if it is a plural one. */
export function fitForms(
  text: string,
  message: CatalogMessage,
  span: Span,
  count: number | undefined,
): string {
  const edits =
    count === undefined ? [] : [...addForms(text, message, count), ...dropForms(text, message, count)];
  const moved = edits.map((edit) => ({
    span: { start: edit.span.start - span.start, end: edit.span.end - span.start },
    text: edit.text,
  }));
  return splice(text.slice(span.start, span.end), moved);
}

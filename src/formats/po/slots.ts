import { DragomanError } from '../../base/errors.ts';
import type { Key, ScanOptions, Slot } from '../format.ts';
import { isHeader, type Catalog, type Form, type Message } from './catalog.ts';
import { extractedComment, flagsOf, settlingEdits, syntaxOf } from './flags.ts';
import { indentationStart } from '../lines.ts';
import type { FormNaming } from './plural-categories.ts';
import { doubleTrailBytes } from './trail-bytes.ts';
import { quotePo } from './wrapping.ts';

/** Context and msgid: what gettext looks a message up by. */
export function messageKey(message: Message): Key {
  return [message.context?.value ?? '', message.id.value];
}

/** The messages that are translated: neither the header nor obsolete ones. */
export function liveMessages(catalog: Catalog): readonly Message[] {
  return catalog.messages.filter((message) => !message.obsolete && !isHeader(message));
}

/** One slot for each `msgstr` of a message. */
export function slotsOf(
  catalog: Catalog,
  message: Message,
  naming: FormNaming,
  options: ScanOptions,
): readonly Slot[] {
  const { text } = catalog;
  const flags = flagsOf(text, message);
  const key = messageKey(message);
  const shared = {
    syntax: syntaxOf(flags),
    comment: extractedComment(text, message),
    provisional: flags.has('fuzzy') || undefined,
    companions: nonEmpty(settlingEdits(text, message)),
  };
  const sources = message.plural && ([message.id.value, message.plural.value] as const);
  return message.forms.map((form): Slot => {
    const { span, value } = form.literal;
    const encode = (value: string): string => encodeForm(catalog, message, form, value, options);
    if (!message.plural) return { key, value, span, ...shared, source: message.id.value, encode };
    const category = naming.categoryOf(form.index);
    const source = naming.sourceOf(form.index, message.id.value, message.plural.value);
    const plural = { group: key, category, sources };
    return { key: [...key, category], value, span, ...shared, plural, source, encode };
  });
}

function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

function encodeForm(
  catalog: Catalog,
  message: Message,
  { literal }: Form,
  value: string,
  options: ScanOptions,
): string {
  const { text, newline, wraps } = catalog;
  if (options.encodable?.(value) === false) {
    throw new DragomanError('unencodable_value', 'the charset of the file has no such characters', {
      hint: 'Convert the file to UTF-8 with msgconv.',
    });
  }
  const column = literal.span.start - (text.lastIndexOf('\n', literal.span.start - 1) + 1);
  const indentation =
    continuationIndent(text, literal.span.start, literal.span.end) ??
    continuationIndent(text, message.id.span.start, message.id.span.end) ??
    '';
  const quoted = quotePo(value, { newline, indentation, column, wraps });
  return catalog.doublesTrailBytes ? doubleTrailBytes(quoted) : quoted;
}

/** The blanks before the second string of a text, if it has one on a line of its own. */
function continuationIndent(text: string, start: number, end: number): string | undefined {
  const feed = text.indexOf('\n', start);
  if (feed < 0 || feed >= end) return undefined;
  const quote = text.indexOf('"', feed);
  const from = indentationStart(text, quote);
  return from === undefined ? undefined : text.slice(from, quote);
}

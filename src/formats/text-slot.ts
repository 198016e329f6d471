import { DragomanError } from '../base/errors.ts';
import type { Span } from '../base/span.ts';
import type { BranchRule } from '../text/choice.ts';
import type { Syntax } from '../text/syntax.ts';
import type { Key, PluralForm, ScanOptions, Slot } from './format.ts';
import type { MessageRules } from './message-rules.ts';
import { type PlaceholderDialect, placeholderDialectOf } from './placeholder-dialect.ts';

/** Writes values at the places of one document, which share the writer. */
export interface TextWriter<Own = undefined> {
  readonly text: string;
  /** Only for notations without escapes: whether the file's encoding can hold the result. */
  readonly encodable?: ScanOptions['encodable'];
  /**
   * @param raw the text at the place
   * @param own additional data of the format about the place
   */
  write(value: string, raw: string, own: Own, span: Span): string;
}

interface FoundText extends Pick<Slot, 'key' | 'value' | 'span' | 'comment' | 'plural'> {
  /** Default: plain, until all values are known. */
  readonly syntax?: Syntax | undefined;
}

/** A slot of a format whose values are written by one function. */
export class TextSlot<Own = undefined> implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  syntax: Syntax;
  rule: BranchRule | undefined;
  readonly comment: string | undefined;
  plural: PluralForm | undefined;
  readonly #writer: TextWriter<Own>;
  readonly #own: Own;

  constructor(writer: TextWriter<Own>, { key, value, span, syntax, comment, plural }: FoundText, own: Own) {
    this.key = key;
    this.value = value;
    this.span = { start: span.start, end: span.end };
    this.syntax = syntax ?? 'plain';
    this.rule = undefined;
    this.comment = comment;
    this.plural = plural;
    this.#writer = writer;
    this.#own = own;
  }

  encode(value: string): string {
    const { start, end } = this.span;
    const { text, encodable } = this.#writer;
    const written = this.#writer.write(value, text.slice(start, end), this.#own, this.span);
    if (encodable?.(written) !== false) return written;
    throw new DragomanError('unencodable_value', "the file's encoding cannot hold this value");
  }
}

/**
 * Gives slots the syntax of the file's notation.
 *
 * @param forced the syntax of all values, if the file's shape determines it
 */
export function applyDialect(
  slots: readonly (Pick<Slot, 'key' | 'value'> & { syntax: Syntax; rule: BranchRule | undefined })[],
  messages: MessageRules | undefined,
  forced?: Syntax,
): PlaceholderDialect {
  const notation = placeholderDialectOf(slots, messages);
  for (const slot of slots) {
    slot.syntax = forced ?? notation.syntaxOf(slot.value, slot.key);
    slot.rule = messages?.rule;
  }
  return notation;
}

import type { Edit, Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Key, PluralForm, ReviewMark, Slot, TranslationState } from '../format.ts';
import { encodeText, type Encodable } from '../xml/encode.ts';
import { encodeSource } from '../xml/reading.ts';
import { isEmptyTag, placeOfValue, type XmlElement, type XmlFrame } from '../xml/tree.ts';

/** Values that the slots of a file share. */
export interface QtSlotContext {
  readonly frame: XmlFrame;
  readonly encodable: Encodable | undefined;
  /**
   * How often source texts contain each special character unescaped, minus how often they contain it escaped (as
   * lupdate writes it). Final after the scan.
   */
  readonly bareSigns: Map<string, number>;
}

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** Counts the special characters of a source text, which has no tags. */
export function countSigns(text: string, { bareSigns }: QtSlotContext): void {
  for (const [sign, reference] of REFERENCES) {
    const bare = text.split(sign).length - text.split(reference).length;
    bareSigns.set(sign, (bareSigns.get(sign) ?? 0) + bare);
  }
}

/** Values that the slots of a message share. */
export interface MessageFields {
  readonly context: QtSlotContext;
  readonly source: string;
  readonly syntax: Syntax;
  readonly comment: string | undefined;
  /** The attribute that marks the translation as unfinished; writing a translation removes it. */
  readonly unfinished: Span | undefined;
  /** The offset at which that attribute is inserted. */
  readonly markAt: number;
  /** The key with the message's previous source (`oldsource`). */
  readonly takenFrom: Key | undefined;
}

export class QtSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly #start: number;
  readonly #end: number;
  readonly plural: PluralForm | undefined;
  readonly #message: MessageFields;
  /** The opening tag, if the element is empty: `<translation/>`. */
  readonly #opens: string | undefined;

  /** @param element holds the value */
  constructor(message: MessageFields, element: XmlElement, value: string, key: Key, plural?: PluralForm) {
    this.key = key;
    this.value = value;
    this.plural = plural;
    this.#message = message;
    this.#opens = isEmptyTag(element) ? element.name : undefined;
    const { start, end } = placeOfValue(element);
    this.#start = start;
    this.#end = end;
  }

  get span(): Span {
    return { start: this.#start, end: this.#end };
  }

  get source(): string {
    return this.#message.source;
  }

  get syntax(): Syntax {
    return this.#message.syntax;
  }

  get comment(): string | undefined {
    return this.#message.comment;
  }

  /** Set for an unfinished text: lupdate copied it from a similar message, or a person is unsure of it. */
  get review(): ReviewMark | undefined {
    const { unfinished, takenFrom } = this.#message;
    if (unfinished === undefined || this.value === '') return undefined;
    return takenFrom ? { takenFrom: this.plural ? takenFrom.concat(this.plural.category) : takenFrom } : {};
  }

  get state(): TranslationState {
    return this.value === '' || this.#message.unfinished ? 'initial' : 'translated';
  }

  get companions(): readonly Edit[] | undefined {
    const { unfinished } = this.#message;
    return unfinished && [{ span: unfinished, text: '' }];
  }

  marking(): readonly Edit[] {
    const { unfinished, markAt } = this.#message;
    return unfinished ? [] : [{ span: { start: markAt, end: markAt }, text: ' type="unfinished"' }];
  }

  encode(value: string): string {
    const { frame } = this.#message.context;
    if (this.#opens === undefined) return this.#encodeContent(value);
    if (value === '') return frame.text.slice(this.#start, this.#end);
    return `>${this.#encodeContent(value)}</${this.#opens}>`;
  }

  #encodeContent(value: string): string {
    const { context, syntax, source } = this.#message;
    const { frame, encodable, bareSigns } = context;
    if (syntax === 'markup') return encodeSource(value, source, { frame, encodable });
    const references = new Map([...REFERENCES].filter(([sign]) => (bareSigns.get(sign) ?? 0) <= 0));
    return encodeText(value, { escapeGreater: false, references, lineEnd: frame.lineEnd, encodable });
  }
}

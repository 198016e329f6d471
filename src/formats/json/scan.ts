import { makeDocument } from '../document.ts';
import { NOTE_MEMBER } from '../entry-shape.ts';
import type { DocumentWarning, Format, Key, ScanOptions } from '../format.ts';
import type { MessageRules } from '../message-rules.ts';
import { markForms } from '../sibling-forms.ts';
import { applyDialect, TextSlot, type TextWriter } from '../text-slot.ts';
import type { Outline } from './outline.ts';
import { type Node, pluralsOf, type Shape, syntaxOfShape, textIn, type TextOf, withShape } from './tree.ts';
import { warnOfDuplicates, type MessageVisitor, visitMessages } from './walk.ts';

/** The tokens that distinguish JSON from notations with the same structure. */
export interface JsonGrammar {
  /** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place. */
  readonly parse: (text: string) => Node;
  /** The value of a string. */
  readonly decode: (text: string, start: number, end: number) => string;
  /** Creates a function that writes a value in place of an encoded string. */
  makeEncoder(text: string, encodable: ScanOptions['encodable']): (value: string, raw: string) => string;
  readonly readOutline: (text: string) => Outline;
}

class MessageCollector implements MessageVisitor {
  readonly slots: TextSlot[] = [];
  readonly warnings: DocumentWarning[] = [];
  readonly #writer: TextWriter;
  readonly #decode: JsonGrammar['decode'];
  /** ARB's descriptions, by key. */
  readonly #notes: ReadonlyMap<string, string> | undefined;
  readonly #isText: MessageRules['isText'];

  constructor(
    writer: TextWriter,
    decode: JsonGrammar['decode'],
    { root, shape }: { readonly root: Node; readonly shape: Shape },
    isText: MessageRules['isText'],
  ) {
    this.#writer = writer;
    this.#decode = decode;
    this.#isText = isText;
    this.#notes = shape === 'ARB' ? this.#readNotes(root) : undefined;
  }

  message(path: Key, node: Node, entry: Node | undefined): void {
    if (this.#isText?.(path) === false) return;
    const comment = entry
      ? this.#noteIn(entry)
      : path.length === 1
        ? this.#notes?.get(path[0] ?? '')
        : undefined;
    const value = this.#decode(this.#writer.text, node.start, node.end);
    this.slots.push(new TextSlot(this.#writer, { key: path.slice(), value, span: node, comment }, undefined));
  }

  object(path: Key, node: Node): void {
    warnOfDuplicates(path, node, this.warnings);
  }

  #noteIn(entry: Node): string | undefined {
    return noteOf(entry, textIn(this.#writer.text, this.#decode));
  }

  #readNotes(root: Node): ReadonlyMap<string, string> {
    const notes = new Map<string, string>();
    for (const entry of root.children) {
      if (entry.kind !== 'object' || !entry.name.startsWith('@')) continue;
      const note = this.#noteIn(entry);
      if (note !== undefined) notes.set(entry.name.slice(1), note);
    }
    return notes;
  }
}

/** The developer's note of an entry; VS Code's `comment` may be a list. */
export function noteOf(entry: Node, textOf: TextOf): string | undefined {
  const member = entry.children.find(({ name }) => name === NOTE_MEMBER || name === 'comment');
  const texts = member?.kind === 'array' ? member.children : member ? [member] : [];
  const lines = texts.flatMap((node) => textOf(node) ?? []);
  return lines.join('\n') || undefined;
}

const LOCALE = '@@locale';

/** The `scan` function of a notation. */
export function scannerOf(grammar: JsonGrammar): Pick<Format<Outline>, 'scan'> {
  const { decode } = grammar;
  return {
    scan(text, { encodable, locale: language, messages } = {}) {
      const shaped = withShape(grammar.parse(text), textIn(text, decode));
      const { root, shape } = shaped;
      const writer = { text, write: grammar.makeEncoder(text, encodable) };
      const collector = new MessageCollector(writer, decode, shaped, messages?.isText);
      visitMessages(text, root, shape, collector);
      const { slots, warnings } = collector;
      const notation = applyDialect(slots, messages, syntaxOfShape(shape));
      markForms(slots, pluralsOf(shape, notation), language);
      const dialect = shape === 'values' ? notation.dialect : shape;
      const member = shape === 'ARB' ? localeMember(root) : undefined;
      const locale = member && decode(text, member.start, member.end);
      return makeDocument({ text, slots, dialect, locale, warnings }, grammar.readOutline);
    },
  };
}

export function localeMember(root: Node): Node | undefined {
  return root.children.find(({ name, kind }) => name === LOCALE && kind === 'string');
}

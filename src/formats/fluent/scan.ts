import type { Message } from '@fluent/syntax';
import type { Span } from '../../base/span.ts';
import { makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Entry, Key, PluralForm, ReadValue, Slot } from '../format.ts';
import { encodeRun } from './encode.ts';
import {
  type FluentEntry,
  isEntry,
  parseFluent,
  parseResource,
  type Run,
  spanOf,
  visitMessage,
} from './resource.ts';

export interface FluentTree {
  readonly messages: readonly FluentEntry[];
  readonly entries: readonly Entry[];
  /** The entries that junk follows: without them it could become a part of what stands before them. */
  readonly fixed: ReadonlySet<Entry>;
}

class FluentSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly syntax = 'plain';
  readonly comment: string | undefined;
  readonly plural: PluralForm | undefined;
  readonly #text: string;
  readonly #run: Run;

  constructor(text: string, key: Key, run: Run, plural: PluralForm | undefined, comment: string | undefined) {
    this.key = key;
    this.value = run.value;
    this.span = run.span;
    this.comment = comment;
    this.plural = plural;
    this.#text = text;
    this.#run = run;
  }

  encode(value: string): string {
    return encodeRun(this.#text, this.#run, value);
  }
}

export function scan(text: string): Document<FluentTree> {
  const slots: Slot[] = [];
  const warnings: DocumentWarning[] = [];
  const names = new Set<string>();
  for (const message of messagesIn(text)) {
    const { name } = message.id;
    if (names.has(name)) {
      warnings.push({ rule: 'duplicate-key', key: [name], offset: spanOf(message.id).start });
    }
    names.add(name);
    const comment = message.comment?.content.trim() || undefined;
    visitMessage(text, message, {
      run: (key, run, plural) => void slots.push(new FluentSlot(text, key, run, plural, comment)),
    });
  }
  return makeDocument({ text, slots, dialect: 'Fluent', warnings }, readTree);
}

export function read(text: string, visit: ReadValue): void {
  for (const message of messagesIn(text)) {
    visitMessage(text, message, { run: (key, { value }) => visit(key, value) });
  }
}

/** Terms are names, which stay: they have no slots. */
function messagesIn(text: string): readonly Message[] {
  return parseFluent(text).filter((entry) => entry.type === 'Message');
}

/** The entry that a term is: its name cannot be that of a message. */
export function entryName({ type, id }: FluentEntry): string {
  return type === 'Term' ? `-${id.name}` : id.name;
}

function readTree(text: string): FluentTree {
  const body = parseResource(text);
  const fixed = new Set<Entry>();
  const entries = body.flatMap((message, i): Entry[] => {
    if (!isEntry(message)) return [];
    const entry = entryOf(text, message);
    if (body[i + 1]?.type === 'Junk') fixed.add(entry);
    return [entry];
  });
  return { messages: body.filter(isEntry), entries, fixed };
}

function entryOf(text: string, message: FluentEntry): Entry {
  const name = entryName(message);
  const span = trimmed(text, spanOf(message));
  if (message.type === 'Term') return { key: [name], span };
  const children = message.attributes.map((attribute): Entry => ({
    key: [name, `.${attribute.id.name}`],
    span: trimmed(text, spanOf(attribute)),
  }));
  // The value is no entry that comes or goes alone, but attributes follow it.
  const value = message.value && { key: [name, '='], span: trimmed(text, spanOf(message.value)) };
  return { key: [name], span, children: value ? [value, ...children] : children };
}

/** Without the blanks behind it. */
function trimmed(text: string, { start, end }: Span): Span {
  while (end > start && /[ \r\n]/.test(text.charAt(end - 1))) end--;
  return { start, end };
}

/** The keys of the entries that hold these slots: messages, and attributes of messages. */
export function entryKeys(keys: readonly Key[]): readonly Key[] {
  return keys.map((key) => key.slice(0, key[1]?.startsWith('.') === true ? 2 : 1));
}

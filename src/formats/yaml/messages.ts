import { type EntryShape, ENTRY_SHAPES, isMember, messageMember, NOTE_MEMBER } from '../entry-shape.ts';
import type { Key } from '../format.ts';
import { isGoNote, isGoSign, isGoText } from '../go-i18n.ts';

export type YamlShape = EntryShape | 'go-i18n';

export const YAML_SHAPES: readonly YamlShape[] = [...ENTRY_SHAPES, 'go-i18n'];

/** A document that begins with this many texts without an entry cannot be go-i18n's. */
const MAX_LEADING_TEXTS = 1000;

/** A value at the top of a document, or of the map below its Rails root. */
export interface TopEntry {
  readonly isMap: boolean;
  readonly isText: boolean;
  /** Whether the entry is a list element. */
  readonly isItem: boolean;
}

/** Determines whether all entries of a document have the same shape, while they are visited. */
export class ShapeEvidence {
  #candidates: readonly YamlShape[] = YAML_SHAPES;
  #members = new Set<string>();
  #entries = 0;
  #maps = 0;
  #items = 0;

  /** The shape of all entries so far; undefined if they have none in common. */
  get shape(): YamlShape | undefined {
    return this.#maps > 0 ? this.#candidates[0] : undefined;
  }

  /** Whether a shape is still possible. */
  get open(): boolean {
    return this.#candidates.length > 0;
  }

  get maps(): number {
    return this.#maps;
  }

  /** Whether the document is a list. */
  get isList(): boolean {
    return this.#items > 0;
  }

  /**
   * @param depth of an entry, below the document or its Rails root
   * @param isScalar whether it has no parts: a number or a program's mark fits every shape
   */
  weigh(depth: number, name: string, entry: TopEntry, isScalar: boolean): void {
    if (depth === 1) this.#entry(entry);
    else if (depth === 2) this.#member(name, entry.isText, isScalar);
  }

  #member(name: string, isText: boolean, isScalar: boolean): void {
    if (!this.open) return;
    this.#candidates = this.#candidates.filter((shape) =>
      shape === 'go-i18n'
        ? (isText && (isGoNote(name) || isGoText(name))) || name === 'translation'
        : isMember(shape, name) || (isScalar && !isText),
    );
    if (isText || name === 'translation') this.#members.add(name);
  }

  /** Counts an entry as evidence; the current members belong to it. */
  #entry({ isMap, isText, isItem }: TopEntry): void {
    if (!this.open) return;
    this.#entries++;
    if (isMap) this.#maps++;
    if (isItem) this.#items++;
    const isPlain = isText && !isItem && (this.#maps > 0 || this.#entries <= MAX_LEADING_TEXTS);
    this.#candidates = this.#candidates.filter((shape) =>
      shape === 'go-i18n'
        ? isPlain || (isMap && [...this.#members].some(isGoText))
        : isMap && this.#members.has(messageMember(shape)),
    );
    this.#members.clear();
  }

  none(): void {
    this.#candidates = [];
  }
}

type Text = { key: Key; readonly value: string; comment?: string | undefined };

export interface FoundMessages<Found> {
  readonly shape: YamlShape | undefined;
  readonly messages: readonly Found[];
  /** The ids of a list's entries, by index: the order of entries may differ between languages. */
  readonly ids: MessageIds;
}

export type MessageIds = ReadonlyMap<string, string>;

const NO_IDS: MessageIds = new Map();

/** Selects the messages among a document's texts. Messages of entries get their notes as comments. */
export function findMessages<Found extends Text>(
  texts: readonly Found[],
  { evidence, root }: { readonly evidence: ShapeEvidence; readonly root: unknown },
): FoundMessages<Found> {
  const ids = evidence.isList ? idsIn(texts) : NO_IDS;
  const hasIds = ids.size === evidence.maps && new Set(ids.values()).size === ids.size;
  const { shape } = evidence;
  const isRefuted = shape === 'go-i18n' && (root !== undefined || !isGoI18n(texts, evidence, hasIds));
  if (!shape || isRefuted) return { shape: undefined, messages: texts, ids: NO_IDS };
  const notes = new Map<string | undefined, string>();
  for (const { key, value } of texts)
    if (key[1] === NOTE_MEMBER && key.length === 2) notes.set(key[0], value);
  const messages = texts.filter(({ key }) => isMessage(shape, key));
  for (const message of messages) {
    const { key, comment } = message;
    const note = key.length > 1 ? notes.get(key[0]) : undefined;
    if (note !== undefined && note !== '')
      message.comment = comment === undefined ? note : `${note}\n${comment}`;
    if (evidence.isList && hasIds) message.key = keyById(key, ids);
  }
  return { shape, messages, ids: hasIds ? ids : NO_IDS };
}

export function keyById(key: Key, ids: MessageIds): Key {
  const id = ids.get(key[0] ?? '');
  return id === undefined ? key : [id, ...key.slice(1)];
}

function idsIn(texts: readonly Text[]): MessageIds {
  const isId = ({ key }: Text): boolean => key.length === 2 && key[1] === 'id';
  return new Map(texts.filter(isId).map(({ key, value }) => [key[0] ?? '', value]));
}

function isMessage(shape: YamlShape, key: Key): boolean {
  if (shape !== 'go-i18n') return key.length === 2 && key[1] === messageMember(shape);
  return key.length !== 2 || !isGoNote(key[1] ?? '');
}

/**
 * Recognizes lists of entries with an id, and maps of texts and entries. A group of texts may have names such as
 * `other` and `description`, so a map needs several matching entries, or content that only go-i18n writes.
 */
function isGoI18n(texts: readonly Text[], { isList, maps }: ShapeEvidence, hasIds: boolean): boolean {
  const isForm = ({ key }: Text): boolean =>
    key.length < 3 || (key.length === 3 && key[1] === 'translation' && isGoText(key[2] ?? ''));
  if (!texts.every(isForm)) return false;
  if (isList) return hasIds;
  const hasNotes = texts.some(({ key }) => isGoNote(key[1] ?? ''));
  return hasNotes && (maps > 1 || texts.some(({ key, value }) => isGoSign(key.at(-1) ?? '', value)));
}

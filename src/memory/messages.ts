import type { MemoryFile } from './memory-file.ts';
import { NAME, type MessageKey } from './message-key.ts';

/** A message on its way in. */
export interface NewMessage {
  /** Its language. */
  readonly source: string;
  readonly key: MessageKey;
}

export interface MessageNumber {
  readonly id: number;
  /** Nothing is stored of it yet. */
  readonly isNew: boolean;
}

/** Puts the messages in that are not there, and gives the number of each. To be called in a transaction. */
export function requireMessages(messages: readonly NewMessage[], file: MemoryFile): readonly MessageNumber[] {
  const numbers = new MessageNumbers();
  const [last = 0] = file.row('select coalesce(max(id), 0) from messages', ['number']) ?? [];
  if (last > 0) {
    for (const [id, hash, source, name] of findMessages(messages, file)) {
      numbers.add(hash, { source, name, number: { id, isNew: false } });
    }
  }
  let id = last;
  const rows: (string | number)[][] = [];
  const all = messages.map(({ source, key }) => {
    const known = numbers.get(key.hash, source, key.name);
    if (known) return known;
    const number = { id: ++id, isNew: true };
    numbers.add(key.hash, { source, name: key.name, number });
    rows.push([id, key.hash, source, key.segments, key.placeholders, key.category]);
    return number;
  });
  file.insert('insert into messages (id, hash, source, segments, placeholders, category)', rows);
  return all;
}

interface Numbered {
  readonly source: string;
  readonly name: string;
  readonly number: MessageNumber;
}

/** By their hashes, which few messages share. */
class MessageNumbers {
  readonly #byHash = new Map<number, readonly Numbered[]>();

  get(hash: number, source: string, name: string): MessageNumber | undefined {
    return this.#byHash.get(hash)?.find((one) => one.name === name && one.source === source)?.number;
  }

  add(hash: number, one: Numbered): void {
    const others = this.#byHash.get(hash);
    this.#byHash.set(hash, others ? [...others, one] : [one]);
  }
}

const AT_ONCE = 1_000;

function* findMessages(
  wanted: readonly NewMessage[],
  file: MemoryFile,
): Generator<readonly [id: number, hash: number, source: string, name: string]> {
  const hashes = [...new Set(wanted.map(({ key }) => key.hash))];
  for (let i = 0; i < hashes.length; i += AT_ONCE) {
    yield* file.rows(
      `select m.id, m.hash, m.source, ${NAME}
       from json_each(?) as wanted cross join messages as m on m.hash = wanted.value`,
      ['number', 'number', 'text', 'text'],
      [JSON.stringify(hashes.slice(i, i + AT_ONCE))],
    );
  }
}

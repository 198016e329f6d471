import { takeApart } from './comparable.ts';
import type { MemoryFile } from './memory-file.ts';
import { NAME, type MessageKey } from './message-key.ts';
import type { IndexedMessage, SimilarIndex } from './similar-index.ts';

/** A message on its way in. */
export interface NewMessage {
  /** Its language. */
  readonly source: string;
  readonly key: MessageKey;
  readonly segments: number;
}

export interface MessageNumber {
  readonly id: number;
  /** Nothing is stored of it yet. */
  readonly isNew: boolean;
}

/** Puts the messages in that are not there. To be called in a transaction. */
export function requireMessages(
  messages: readonly NewMessage[],
  file: MemoryFile,
  index: SimilarIndex,
): ReadonlyMap<string, MessageNumber> {
  const wanted = new Map(messages.map((message) => [nameOf(message), message]));
  const numbers = new Map<string, MessageNumber>();
  for (const [name, id] of findMessages(wanted, file)) numbers.set(name, { id, isNew: false });
  let [id = 0] = file.row('select coalesce(max(id), 0) from messages', ['number']) ?? [];
  const rows: (string | number)[][] = [];
  const bySource = new Map<string, IndexedMessage[]>();
  for (const [name, { source, key, segments }] of wanted) {
    if (numbers.has(name)) continue;
    id++;
    numbers.set(name, { id, isNew: true });
    rows.push([id, key.hash, source, key.segments, key.placeholders, key.category]);
    if (segments > 1) continue;
    const added = bySource.get(source) ?? [];
    bySource.set(source, added);
    added.push({ id, text: takeApart(key.segments) });
  }
  file.insert('insert into messages (id, hash, source, segments, placeholders, category)', rows);
  for (const [source, added] of bySource) index.add(added, source);
  return numbers;
}

/** What a message has alone; the hash it may share. */
export function nameOf({ source, key }: NewMessage): string {
  return `${source}\0${key.name}`;
}

const AT_ONCE = 1_000;

function* findMessages(
  wanted: ReadonlyMap<string, NewMessage>,
  file: MemoryFile,
): Generator<readonly [string, number]> {
  const hashes = [...new Set([...wanted.values()].map(({ key }) => key.hash))];
  for (let i = 0; i < hashes.length; i += AT_ONCE) {
    const found = file.rows(
      `select m.id, m.source, ${NAME}
       from json_each(?) as wanted cross join messages as m on m.hash = wanted.value`,
      ['number', 'text', 'text'],
      [JSON.stringify(hashes.slice(i, i + AT_ONCE))],
    );
    for (const [id, source, name] of found) yield [`${source}\0${name}`, id];
  }
}

import { takeApart } from './comparable.ts';
import type { MemoryFile } from './memory-file.ts';
import { isSameKey, type MessageKey } from './message-key.ts';
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
  return [source, key.segments, key.placeholders, key.category].join('\0');
}

const AT_ONCE = 1_000;

function* findMessages(
  wanted: ReadonlyMap<string, NewMessage>,
  file: MemoryFile,
): Generator<readonly [string, number]> {
  const byHash = new Map<number, (readonly [string, NewMessage])[]>();
  for (const [name, message] of wanted) {
    const known = byHash.get(message.key.hash);
    if (known) known.push([name, message]);
    else byHash.set(message.key.hash, [[name, message]]);
  }
  const hashes = [...byHash.keys()];
  for (let i = 0; i < hashes.length; i += AT_ONCE) {
    const found = file.rows(
      `select m.hash, m.id, m.source, m.segments, m.placeholders, m.category
       from json_each(?) as wanted cross join messages as m on m.hash = wanted.value`,
      ['number', 'number', 'text', 'text', 'text', 'text'],
      [JSON.stringify(hashes.slice(i, i + AT_ONCE))],
    );
    for (const [hash, id, source, segments, placeholders, category] of found) {
      const same = byHash
        .get(hash)
        ?.find(
          ([, message]) =>
            message.source === source && isSameKey(message.key, { segments, placeholders, category }),
        );
      if (same) yield [same[0], id];
    }
  }
}

import { DragomanError } from '../base/errors.ts';
import { takeApart } from './comparable.ts';
import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { areStorable, isSameKey, isStorable, joinSegments, keyOf, type MessageKey } from './message-key.ts';
import type { SimilarIndex } from './similar-index.ts';
import type { NewEntry, StoreCounts } from './stored-memory.ts';
import type { Uses } from './uses.ts';

/** What a memory's file is written with. */
export interface Writing {
  readonly file: MemoryFile;
  readonly ids: Ids;
  readonly index: SimilarIndex;
  readonly uses: Uses;
  readonly now: () => number;
}

type Fate = keyof StoreCounts;

export const NOTHING_STORED: StoreCounts = {
  ...{ added: 0, replaced: 0, unchanged: 0, outranked: 0, unstorable: 0 },
};

/** Stores entries in one transaction. */
export function storeEntries(entries: readonly NewEntry[], writing: Writing): StoreCounts {
  const counts: Record<Fate, number> = { ...NOTHING_STORED };
  const rows: Row[] = [];
  for (const entry of entries) {
    if (isWhole(entry)) rows.push({ entry, key: keyOf(entry, entry.pair.source) });
    else counts.unstorable++;
  }
  if (rows.length === 0) return counts;
  writing.file.transaction(() => {
    const messages = requireMessages(rows, writing);
    for (const row of rows) counts[storeTranslation(row, messages, writing)]++;
  });
  return counts;
}

interface Row {
  readonly entry: NewEntry;
  readonly key: MessageKey;
}

/** Whether the file can hold an entry as it is. */
function isWhole({ segments, translations, placeholders, category, context, engine }: NewEntry): boolean {
  if (segments.length === 0 || segments.length !== translations.length) {
    throw new DragomanError('internal', 'an entry of a translation memory needs a translation per segment');
  }
  const texts = [...placeholders, category, context, engine ?? ''];
  return areStorable(segments) && areStorable(translations) && texts.every(isStorable);
}

/** Numbers of messages by what makes them one. */
type Messages = ReadonlyMap<string, { readonly id: number; readonly isNew: boolean }>;

function nameOf({ entry, key }: Row): string {
  return [entry.pair.source, key.segments, key.placeholders, key.category].join('\0');
}

const AT_ONCE = 1_000;

/** Puts the messages in that are not there. */
function requireMessages(rows: readonly Row[], { file, index }: Writing): Messages {
  const wanted = new Map(rows.map((row) => [nameOf(row), row]));
  const messages = new Map<string, { id: number; isNew: boolean }>();
  for (const [name, id] of findMessages([...wanted.values()], file)) messages.set(name, { id, isNew: false });
  const bySource = new Map<string, { id: number; text: ReturnType<typeof takeApart> }[]>();
  for (const [name, { entry, key }] of wanted) {
    if (messages.has(name)) continue;
    const { source } = entry.pair;
    const { id } = file.run(
      'insert into messages (hash, source, segments, placeholders, category) values (?, ?, ?, ?, ?)',
      [key.hash, source, key.segments, key.placeholders, key.category],
    );
    messages.set(name, { id, isNew: true });
    if (entry.segments.length > 1) continue;
    const added = bySource.get(source) ?? [];
    bySource.set(source, added);
    added.push({ id, text: takeApart(key.segments) });
  }
  for (const [source, added] of bySource) index.add(added, source);
  return messages;
}

function* findMessages(rows: readonly Row[], file: MemoryFile): Generator<readonly [string, number]> {
  const byHash = new Map<number, Row[]>();
  for (const row of rows) byHash.set(row.key.hash, [...(byHash.get(row.key.hash) ?? []), row]);
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
          ({ entry, key }) =>
            entry.pair.source === source && isSameKey(key, { segments, placeholders, category }),
        );
      if (same) yield [nameOf(same), id];
    }
  }
}

function storeTranslation(row: Row, messages: Messages, { file, ids, uses, now }: Writing): Fate {
  const { entry } = row;
  const message = messages.get(nameOf(row));
  if (!message) throw new DragomanError('internal', 'a message of a translation memory has no number');
  const pair = ids.requirePair(entry.pair);
  const segments = joinSegments(entry.translations);
  const isHuman = entry.origin === 'human' ? 1 : 0;
  const engine = ids.requireEngine(entry.engine);
  const place = [message.id, pair, entry.context] as const;
  const known = file.row(
    'select segments, is_human, engine, used from translations where message = ? and pair = ? and context = ?',
    ['text', 'number', 'number or null', 'number'],
    place,
  );
  const changed = entry.changed?.getTime() ?? now();
  if (!known) {
    file.run(
      `insert into translations (message, pair, context, segments, is_human, engine, changed, used)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      [...place, segments, isHuman, engine, changed, now()],
    );
    return 'added';
  }
  const [knownSegments, knownHuman, knownEngine, knownUsed] = known;
  if (knownHuman > isHuman) return 'outranked';
  if (knownSegments === segments && knownHuman === isHuman && knownEngine === engine) {
    uses.note({ message: message.id, pair, context: entry.context, used: knownUsed });
    return 'unchanged';
  }
  file.run(
    `update translations set segments = ?, is_human = ?, engine = ?, changed = ?, used = ?
     where message = ? and pair = ? and context = ?`,
    [segments, isHuman, engine, changed, now(), ...place],
  );
  return 'replaced';
}

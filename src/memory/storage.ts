import { DragomanError } from '../base/errors.ts';
import type { Ids } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { areStorable, isStorable, joinSegments, keyOf } from './message-key.ts';
import { nameOf, requireMessages, type MessageNumber, type NewMessage } from './messages.ts';
import { SHARED } from './rank.ts';
import type { SimilarIndex } from './similar-index.ts';
import type { NewEntry, StoreCounts } from './stored-memory.ts';
import type { Uses } from './uses.ts';

/** What a memory's file is written with. */
export interface Writing {
  readonly file: MemoryFile;
  readonly ids: Ids;
  readonly index: SimilarIndex;
  readonly uses: Uses;
  /** Milliseconds since the epoch, later than of all that was stored before. */
  readonly now: number;
}

type Fate = keyof StoreCounts;

export const NOTHING_STORED: StoreCounts = {
  ...{ added: 0, replaced: 0, unchanged: 0, outranked: 0, unstorable: 0 },
};

interface Row extends NewMessage {
  readonly entry: NewEntry;
}

/** Stores entries in one transaction, all at the same time. */
export function storeEntries(entries: readonly NewEntry[], writing: Writing): StoreCounts {
  const counts: Record<Fate, number> = { ...NOTHING_STORED };
  const rows: Row[] = [];
  for (const entry of entries) {
    const { source } = entry.pair;
    if (isWhole(entry))
      rows.push({ entry, source, key: keyOf(entry, source), segments: entry.segments.length });
    else counts.unstorable++;
  }
  if (rows.length === 0) return counts;
  const { file, index } = writing;
  file.transaction(() => {
    const numbers = requireMessages(rows, file, index);
    const storage = new Storage(writing);
    for (const row of rows) {
      const number = numbers.get(nameOf(row));
      if (!number) throw new DragomanError('internal', 'a message of a translation memory has no number');
      counts[storage.store(row.entry, number)]++;
    }
    storage.flush();
  });
  return counts;
}

/** Whether the file can hold an entry as it is. */
function isWhole(entry: NewEntry): boolean {
  const { segments, translations, placeholders, category, context, engine, project } = entry;
  if (segments.length === 0 || segments.length !== translations.length) {
    throw new DragomanError('internal', 'an entry of a translation memory needs a translation per segment');
  }
  const texts = [...placeholders, category, context, engine ?? '', project ?? ''];
  return areStorable(segments) && areStorable(translations) && texts.every(isStorable);
}

type Place = readonly [message: number, pair: number, project: number, context: string];

const INSERT = `insert into translations
  (message, pair, project, context, segments, is_human, engine, changed, used)`;

/** The translations of one transaction. New ones wait, to be put in together. */
class Storage {
  readonly #writing: Writing;
  #waiting: (string | number | null)[][] = [];
  #places = new Set<string>();

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  store(entry: NewEntry, { id, isNew }: MessageNumber): Fate {
    const { ids } = this.#writing;
    const place: Place = [
      id,
      ids.requirePair(entry.pair),
      entry.project === undefined ? SHARED : ids.requireProject(entry.project),
      entry.context,
    ];
    const name = place.join(' ');
    if (!isNew) return this.#storeBeside(entry, place);
    // Of a new message there is only what this transaction has put in.
    if (this.#places.has(name)) {
      this.flush();
      return this.#storeBeside(entry, place);
    }
    this.#places.add(name);
    this.#waiting.push([...place, ...this.#columnsOf(entry)]);
    return 'added';
  }

  flush(): void {
    this.#writing.file.insert(INSERT, this.#waiting);
    this.#waiting = [];
  }

  /** Where something may stand already. */
  #storeBeside(entry: NewEntry, place: Place): Fate {
    const { file, uses } = this.#writing;
    const known = file.row(
      `select segments, is_human, engine, used from translations
       where message = ? and pair = ? and project = ? and context = ?`,
      ['text', 'number', 'number or null', 'number'],
      place,
    );
    const columns = this.#columnsOf(entry);
    if (!known) {
      file.insert(INSERT, [[...place, ...columns]]);
      return 'added';
    }
    const [segments, isHuman, engine] = columns;
    if (known[1] > isHuman) return 'outranked';
    if (known[0] === segments && known[1] === isHuman && known[2] === engine) {
      const [message, pair, project, context] = place;
      uses.note({ message, project, context, used: known[3] }, pair);
      return 'unchanged';
    }
    file.run(
      `update translations set segments = ?, is_human = ?, engine = ?, changed = ?, used = ?
       where message = ? and pair = ? and project = ? and context = ?`,
      [...columns, ...place],
    );
    return 'replaced';
  }

  #columnsOf({ translations, origin, engine, changed }: NewEntry) {
    const { ids, now } = this.#writing;
    return [
      joinSegments(translations),
      origin === 'human' ? 1 : 0,
      ids.requireEngine(engine),
      changed?.getTime() ?? now,
      now,
    ] as const;
  }
}

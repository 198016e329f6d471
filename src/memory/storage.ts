import { DragomanError } from '../base/errors.ts';
import type { LanguagePair } from '../engines/engine.ts';
import type { GivenId, MemoryIds } from './ids.ts';
import type { MemoryFile } from './memory-file.ts';
import { areStorable, isStorable, joinSegments, MessageKey } from './message-key.ts';
import type { MessageNumber, MessageNumbers } from './messages.ts';
import { SHARED } from './found.ts';
import type { NewEntry, StoreCounts } from './stored-memory.ts';
import type { Uses } from './uses.ts';

/** The parts of a memory needed for storing. */
export interface StorageContext {
  readonly file: MemoryFile;
  readonly ids: MemoryIds;
  readonly messages: MessageNumbers;
  readonly uses: Uses;
  /** Milliseconds since the epoch, later than all earlier entries. */
  readonly now: number;
}

type Fate = keyof StoreCounts;

export const NOTHING_STORED: StoreCounts = {
  added: 0,
  replaced: 0,
  unchanged: 0,
  outranked: 0,
  unstorable: 0,
};

/** Stores entries in one transaction, all with the same time. */
export function storeEntries(entries: readonly NewEntry[], context: StorageContext): StoreCounts {
  const counts: Record<Fate, number> = { ...NOTHING_STORED };
  const whole = entries.filter(isWhole);
  counts.unstorable = entries.length - whole.length;
  if (whole.length === 0) return counts;
  const messages = whole.map((entry) => {
    const { source } = entry.pair;
    return { source, key: new MessageKey(entry, source) };
  });
  context.file.transaction(() => {
    const numbers = context.messages.require(messages);
    const storage = new Storage(context);
    const rows = whole.map((entry, i) => {
      const number = numbers[i];
      if (!number) throw new DragomanError('internal', 'a message of a translation memory has no number');
      return storage.rowOf(entry, number);
    });
    storage.read(rows);
    for (const row of rows) counts[storage.store(row)]++;
    storage.flush();
  });
  return counts;
}

/** Whether the file can hold an entry unchanged. */
function isWhole(entry: NewEntry): boolean {
  const { segments, translations, placeholders, category, context, engine, project } = entry;
  if (segments.length === 0 || segments.length !== translations.length) {
    throw new DragomanError('internal', 'an entry of a translation memory needs a translation per segment');
  }
  return (
    areStorable(segments) &&
    areStorable(translations) &&
    placeholders.every(isStorable) &&
    isStorable(category) &&
    isStorable(context) &&
    isStorable(engine ?? '') &&
    isStorable(project ?? '')
  );
}

type TranslationRow = readonly [
  ...[message: number, pair: number, project: number, context: string],
  ...[segments: string, isHuman: number, engine: number | null, changed: number, used: number],
];

/** An entry in the form of a row. */
interface NewRow {
  readonly row: TranslationRow;
  /** No row with this key can have existed before this transaction. */
  readonly isNew: boolean;
}

/** A stored row, or a row to insert. */
interface StoredRow {
  row: TranslationRow;
  /** The index among the rows to insert; undefined for a row in the file. */
  readonly insertedAt: number | undefined;
}

const INSERT = `insert into translations
  (message, pair, project, context, segments, is_human, engine, changed, used)`;

const STORED = `
  select t.message, t.pair, t.project, t.context, t.segments, t.is_human, t.engine, t.changed, t.used
  from json_each(?) as wanted cross join translations as t
    on t.message = wanted.value ->> 0 and t.pair = wanted.value ->> 1
    and t.project = wanted.value ->> 2 and t.context = wanted.value ->> 3`;

const STORED_SHAPE = [
  ...(['number', 'number', 'number', 'text'] as const),
  ...(['text', 'number', 'number or null', 'number', 'number'] as const),
] as const;

const AT_ONCE = 1_000;

/** The translations of one transaction. Existing rows are read together, and new rows are inserted together. */
class Storage {
  readonly #context: StorageContext;
  readonly #stored = new Map<string, StoredRow>();
  readonly #inserts: TranslationRow[] = [];
  readonly #pairs = new Map<string, GivenId>();
  readonly #projects = new Map<string, GivenId>();
  /** Most entries of a transaction have the same pair and engine as the previous one. */
  #last: { readonly pair: LanguagePair; readonly id: GivenId } | undefined;
  #engine: { readonly name: string | undefined; readonly id: number | null } | undefined;

  constructor(context: StorageContext) {
    this.#context = context;
  }

  rowOf(entry: NewEntry, message: MessageNumber): NewRow {
    const pair = this.#pairOf(entry);
    const project = this.#projectOf(entry);
    const { translations, context, origin, engine, changed } = entry;
    const { ids, now } = this.#context;
    const segments = joinSegments(translations);
    const isHuman = origin === 'human' ? 1 : 0;
    const since = changed?.getTime() ?? now;
    if (!this.#engine || this.#engine.name !== engine)
      this.#engine = { name: engine, id: ids.requireEngine(engine) };
    return {
      // Lists the elements, because spreading takes several times as long.
      row: [message.id, pair.id, project.id, context, segments, isHuman, this.#engine.id, since, now],
      isNew:
        message.isNew ||
        pair.isNew ||
        project.isNew ||
        !this.#context.messages.mayBeTranslated(message.id, pair.id),
    };
  }

  /** Reads the existing rows with the same keys. */
  read(rows: readonly NewRow[]): void {
    const keys = rows.filter(({ isNew }) => !isNew).map(({ row }) => row.slice(0, 4));
    for (let i = 0; i < keys.length; i += AT_ONCE) {
      const wanted = JSON.stringify(keys.slice(i, i + AT_ONCE));
      for (const row of this.#context.file.rows(STORED, STORED_SHAPE, [wanted])) {
        this.#stored.set(nameOfRow(row), { row, insertedAt: undefined });
      }
    }
  }

  store({ row }: NewRow): Fate {
    const name = nameOfRow(row);
    const known = this.#stored.get(name);
    if (!known) {
      this.#stored.set(name, { row, insertedAt: this.#inserts.length });
      this.#inserts.push(row);
      return 'added';
    }
    const [message, pair, project, context, segments, isHuman, engine, changed, now] = row;
    const [, , , , knownSegments, knownIsHuman, knownEngine, , used] = known.row;
    if (knownIsHuman > isHuman) return 'outranked';
    if (knownSegments === segments && knownIsHuman === isHuman && knownEngine === engine) {
      this.#context.uses.note({ message, project, context, used }, pair);
      return 'unchanged';
    }
    known.row = row;
    if (known.insertedAt !== undefined) this.#inserts[known.insertedAt] = row;
    else {
      this.#context.file.run(
        `update translations set segments = ?, is_human = ?, engine = ?, changed = ?, used = ?
         where message = ? and pair = ? and project = ? and context = ?`,
        [segments, isHuman, engine, changed, now, message, pair, project, context],
      );
    }
    return 'replaced';
  }

  flush(): void {
    const { file, messages } = this.#context;
    file.insert(INSERT, this.#inserts);
    for (const [message, pair] of this.#inserts) messages.noteTranslated(message, pair);
  }

  /** The first entry of a new pair creates it. The pair counts as new for the whole transaction. */
  #pairOf({ pair }: NewEntry): GivenId {
    if (this.#last?.pair === pair) return this.#last.id;
    const name = `${pair.source} ${pair.target}`;
    const id = this.#pairs.get(name) ?? this.#context.ids.requirePair(pair);
    this.#pairs.set(name, id);
    this.#last = { pair, id };
    return id;
  }

  #projectOf({ project }: NewEntry): GivenId {
    if (project === undefined) return { id: SHARED, isNew: false };
    const known = this.#projects.get(project) ?? this.#context.ids.requireProject(project);
    this.#projects.set(project, known);
    return known;
  }
}

function nameOfRow([message, pair, project, context]: TranslationRow): string {
  return `${message} ${pair} ${project} ${context}`;
}

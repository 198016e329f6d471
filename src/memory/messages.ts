import type { MemoryFile } from './memory-file.ts';
import { NAME, type MessageKey } from './message-key.ts';

/** A message to be stored. */
export interface NewMessage {
  /** Its language. */
  readonly source: string;
  readonly key: MessageKey;
}

export interface MessageNumber {
  readonly id: number;
  /** Whether nothing of the message is stored yet. */
  readonly isNew: boolean;
}

/** Characters of cached names: enough for a project of about 50,000 texts. */
const MOST_KEPT = 4_000_000;
const AT_ONCE = 1_000;
/** A number that no message has. */
const NONE = -1;

/**
 * The numbers of messages. A transaction's numbers are cached for the next one, because a run stores the same messages
 * for each language.
 */
export class MessageNumbers {
  readonly #file: MemoryFile;
  readonly #bySource = new Map<string, Map<string, number>>();
  #kept = 0;
  #version = 0;
  /**
   * By pair: the messages with stored translations, so that other messages need no query. Only kept while this process
   * has stored everything in the file, otherwise undefined.
   */
  #translated: Map<number, Set<number>> | undefined;

  constructor(file: MemoryFile) {
    this.#file = file;
    file.onUndo(() => this.forget());
  }

  /** Call this in the transaction that removes messages, because their numbers may be reused. */
  forget(): void {
    this.#bySource.clear();
    this.#kept = 0;
    this.#translated = undefined;
  }

  /**
   * Selects messages that may have a translation in the file. On a first run, which looks up every text, this excludes
   * nearly all.
   */
  chooseTranslated(keys: readonly MessageKey[], source: string, pair: number): readonly boolean[] {
    this.#forgetWhatIsOld();
    const translated = this.#translated;
    if (!translated) return keys.map(() => true);
    const [known, ofPair] = [this.#of(source), translated.get(pair)];
    return keys.map(({ name }) => ofPair?.has(known.get(name) ?? NONE) ?? false);
  }

  /**
   * Like {@link chooseTranslated}, for a message with a number. Call this in the transaction that assigned the number.
   */
  mayBeTranslated(message: number, pair: number): boolean {
    return !this.#translated || this.#translated.get(pair)?.has(message) === true;
  }

  /** Call this in the transaction that stores a translation. */
  noteTranslated(message: number, pair: number): void {
    const ofPair = this.#translated?.get(pair);
    if (ofPair) ofPair.add(message);
    else this.#translated?.set(pair, new Set([message]));
  }

  /** Inserts missing messages, and returns all numbers. Call this in a transaction. */
  require(messages: readonly NewMessage[]): readonly MessageNumber[] {
    this.#forgetWhatIsOld();
    const [last = 0] = this.#file.row('select coalesce(max(id), 0) from messages', ['number']) ?? [];
    if (last === 0) this.#translated = new Map();
    if (!this.#translated) this.#find(messages);
    let id = last;
    const rows: (string | number)[][] = [];
    const numbers = messages.map(({ source, key }) => {
      const known = this.#of(source).get(key.name);
      if (known !== undefined) return { id: known, isNew: known > last };
      id++;
      this.#keep(source, key.name, id);
      rows.push([id, key.hash, source, key.segments, key.placeholders, key.category]);
      return { id, isNew: true };
    });
    this.#file.insert('insert into messages (id, hash, source, segments, placeholders, category)', rows);
    return numbers;
  }

  /** Another process may have removed messages and reused their numbers. */
  #forgetWhatIsOld(): void {
    const [version = 0] = this.#file.row('pragma data_version', ['number']) ?? [];
    if (version !== this.#version || this.#kept > MOST_KEPT) this.forget();
    this.#version = version;
  }

  #find(messages: readonly NewMessage[]): void {
    const unknown = messages.filter(({ source, key }) => !this.#of(source).has(key.name));
    const hashes = [...new Set(unknown.map(({ key }) => key.hash))];
    for (let i = 0; i < hashes.length; i += AT_ONCE) {
      const rows = this.#file.rows(
        `select m.id, m.source, ${NAME}
         from json_each(?) as wanted cross join messages as m on m.hash = wanted.value`,
        ['number', 'text', 'text'],
        [JSON.stringify(hashes.slice(i, i + AT_ONCE))],
      );
      for (const [id, source, name] of rows) this.#keep(source, name, id);
    }
  }

  #keep(source: string, name: string, id: number): void {
    this.#of(source).set(name, id);
    this.#kept += name.length;
  }

  #of(source: string): Map<string, number> {
    let known = this.#bySource.get(source);
    if (!known) {
      known = new Map();
      this.#bySource.set(source, known);
    }
    return known;
  }
}

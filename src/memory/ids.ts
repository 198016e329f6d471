import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryFile } from './memory-file.ts';

/** The numbers of language pairs and engines. */
export class Ids {
  readonly #file: MemoryFile;
  readonly #pairs = new Map<string, number>();
  readonly #engines = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(file: MemoryFile) {
    this.#file = file;
    file.onUndo(() => {
      this.#pairs.clear();
      this.#engines.clear();
      this.#names.clear();
    });
  }

  /** Undefined for a pair of which nothing was ever stored. */
  findPair({ source, target }: LanguagePair): number | undefined {
    const name = `${source} ${target}`;
    const known = this.#pairs.get(name);
    if (known !== undefined) return known;
    const row = this.#file.row(
      'select id from pairs where source = ? and target = ?',
      ['number'],
      [source, target],
    );
    if (row) this.#pairs.set(name, row[0]);
    return row?.[0];
  }

  /** To be called in a transaction. */
  requirePair(pair: LanguagePair): number {
    const known = this.findPair(pair);
    if (known !== undefined) return known;
    const { source, target } = pair;
    return this.#file.run('insert into pairs (source, target) values (?, ?)', [source, target]).id;
  }

  findEngine(name: string): number | undefined {
    const known = this.#engines.get(name);
    if (known !== undefined) return known;
    const row = this.#file.row('select id from engines where name = ?', ['number'], [name]);
    if (row) this.#engines.set(name, row[0]);
    return row?.[0];
  }

  /** Of an engine that there is. */
  engineName(id: number): string | undefined {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const [name] = this.#file.row('select name from engines where id = ?', ['text'], [id]) ?? [];
    if (name !== undefined) this.#names.set(id, name);
    return name;
  }

  /** To be called in a transaction. */
  requireEngine(name: string | undefined): number | null {
    if (name === undefined) return null;
    return this.findEngine(name) ?? this.#file.run('insert into engines (name) values (?)', [name]).id;
  }
}

import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryFile } from './memory-file.ts';
import { nameProject, rootOfProject } from './project-name.ts';

/** The numbers of language pairs, engines and projects. */
export class Ids {
  readonly #file: MemoryFile;
  readonly #pairs = new Map<string, number>();
  readonly #engines = new Map<string, number>();
  readonly #names = new Map<number, string>();
  readonly #projects = new Map<string, number>();

  constructor(file: MemoryFile) {
    this.#file = file;
    file.onUndo(() => {
      this.#pairs.clear();
      this.#engines.clear();
      this.#names.clear();
      this.#projects.clear();
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

  /** The project with this root; undefined for one from which nothing was ever stored. */
  findProject(root: string): number | undefined {
    const known = this.#projects.get(root);
    if (known !== undefined) return known;
    const name = nameProject(root, this.#file.realPath);
    const row = this.#file.row('select id from projects where name = ?', ['number'], [name]);
    if (row) this.#projects.set(root, row[0]);
    return row?.[0];
  }

  /** To be called in a transaction. */
  requireProject(root: string): number {
    const known = this.findProject(root);
    if (known !== undefined) return known;
    const name = nameProject(root, this.#file.realPath);
    return this.#file.run('insert into projects (name) values (?)', [name]).id;
  }

  /** The roots of all projects from which something was stored, by their numbers. */
  projectRoots(): ReadonlyMap<number, string> {
    const rows = this.#file.rows('select id, name from projects', ['number', 'text']);
    return new Map(rows.map(([id, name]) => [id, rootOfProject(name, this.#file.realPath)]));
  }
}

import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { LanguagePair } from '../engines/engine.ts';
import type { MemoryFile } from './memory-file.ts';
import { isInside } from '../base/inside.ts';

/** A number, and whether this call assigned it, in which case the file has no references to it yet. */
export interface GivenId {
  readonly id: number;
  readonly isNew: boolean;
}

/** The numbers of language pairs, engines and projects. */
export class MemoryIds {
  readonly #file: MemoryFile;
  readonly #pairs: Numbers;
  readonly #engines: Numbers;
  readonly #projects: Numbers;
  readonly #names = new Map<number, string>();
  readonly #projectNames = new Map<string, string>();

  constructor(file: MemoryFile) {
    this.#file = file;
    this.#pairs = new Numbers(file, 'pairs', ['source', 'target']);
    this.#engines = new Numbers(file, 'engines', ['name']);
    this.#projects = new Numbers(file, 'projects', ['name']);
    file.onUndo(() => {
      for (const numbers of [this.#pairs, this.#engines, this.#projects]) numbers.forget();
      this.#names.clear();
    });
  }

  /** Queries missing names again, because another process may have stored them. */
  lookAgain(): void {
    this.#pairs.lookAgain();
    this.#projects.lookAgain();
  }

  /** Undefined for a pair without entries at the last {@link lookAgain}. */
  findPair({ source, target }: LanguagePair): number | undefined {
    return this.#pairs.find([source, target]);
  }

  /** Call this in a transaction. */
  requirePair({ source, target }: LanguagePair): GivenId {
    return this.#pairs.require([source, target]);
  }

  /** The name of an existing engine. */
  engineName(id: number): string | undefined {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const [name] = this.#file.row('select name from engines where id = ?', ['text'], [id]) ?? [];
    if (name !== undefined) this.#names.set(id, name);
    return name;
  }

  /** Call this in a transaction. */
  requireEngine(name: string | undefined): number | null {
    return name === undefined ? null : this.#engines.require([name]).id;
  }

  /** The number of the project with this root; undefined without entries at the last {@link lookAgain}. */
  findProject(root: string): number | undefined {
    return this.#projects.find([this.#nameOf(root)]);
  }

  /** Call this in a transaction. */
  requireProject(root: string): GivenId {
    return this.#projects.require([this.#nameOf(root)]);
  }

  #nameOf(root: string): string {
    const name = this.#projectNames.get(root) ?? nameProject(root, this.#file.realPath);
    this.#projectNames.set(root, name);
    return name;
  }

  /** The roots of all projects with entries, by number. */
  projectRoots(): ReadonlyMap<number, string> {
    const rows = this.#file.rows('select id, name from projects', ['number', 'text']);
    return new Map(rows.map(([id, name]) => [id, rootOfProject(name, this.#file.realPath)]));
  }
}

/** The row numbers of one table by name. */
class Numbers {
  readonly #file: MemoryFile;
  readonly #select: string;
  readonly #insert: string;
  readonly #known = new Map<string, number>();
  /** Names missing from the table, so that they are not queried for every text. */
  readonly #absent = new Set<string>();

  constructor(file: MemoryFile, table: string, columns: readonly string[]) {
    this.#file = file;
    this.#select = `select id from ${table} where ${columns.map((column) => `${column} = ?`).join(' and ')}`;
    this.#insert = `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`;
  }

  find(names: readonly string[]): number | undefined {
    const key = names.join('\0');
    return this.#known.get(key) ?? (this.#absent.has(key) ? undefined : this.#read(names, key));
  }

  require(names: readonly string[]): GivenId {
    const key = names.join('\0');
    const id = this.#known.get(key) ?? this.#read(names, key);
    if (id !== undefined) return { id, isNew: false };
    const given = this.#file.run(this.#insert, names).id;
    this.#known.set(key, given);
    this.#absent.delete(key);
    return { id: given, isNew: true };
  }

  lookAgain(): void {
    this.#absent.clear();
  }

  forget(): void {
    this.#known.clear();
    this.#absent.clear();
  }

  #read(names: readonly string[], key: string): number | undefined {
    const [id] = this.#file.row(this.#select, ['number'], names) ?? [];
    if (id === undefined) this.#absent.add(key);
    else this.#known.set(key, id);
    return id;
  }
}

/**
 * The project's name in the memory. If the memory's file is inside the project, the name is the relative path from the
 * file to the root, so that both can be moved and cloned together. Otherwise it is the root's path, which nothing in
 * the project can change.
 *
 * @param file the memory's file; absolute, with links resolved, like the root
 */
function nameProject(root: string, file: string): string {
  if (!isInside(root, file)) return root;
  const way = relative(dirname(file), root);
  return way === '' ? '.' : way.replaceAll(sep, '/');
}

/** The inverse of {@link nameProject}. */
function rootOfProject(name: string, file: string): string {
  return isAbsolute(name) ? name : resolve(dirname(file), name);
}

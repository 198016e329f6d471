import { hash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { cacheDirectory } from '../../base/user-directories.ts';
import { partsOf, placesOf, type Mode } from './modes.ts';

/** Programs that every mode uses. */
const SHARED = ['bash', 'apertium-wblank-mode'];

/**
 * Modes that answered in earlier runs, in the user's cache directory: probing all 40 directions starts 400 programs. A
 * mode is probed again if one of its files or programs changed. Modes that do not answer are not cached.
 */
export class ProbeCache {
  readonly #path: string | undefined;
  readonly #env: NodeJS.ProcessEnv;
  readonly #known: Map<string, string>;
  /** Many modes share programs and files. */
  readonly #facts = new Map<string, Promise<string>>();
  #isChanged = false;

  private constructor(path: string | undefined, env: NodeJS.ProcessEnv, known: Map<string, string>) {
    this.#path = path;
    this.#env = env;
    this.#known = known;
  }

  /** Never throws: an unreadable cache is empty. */
  static async open(env: NodeJS.ProcessEnv): Promise<ProbeCache> {
    const directory = cacheDirectory(env);
    const path = directory === undefined ? undefined : join(directory, 'apertium-modes.json');
    const text = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '');
    return new ProbeCache(path, env, readStamps(text));
  }

  async knows(mode: Mode): Promise<boolean> {
    return this.#known.get(mode.path) === (await this.#stampOf(mode));
  }

  /** Records that a mode answers. */
  async add(mode: Mode): Promise<void> {
    this.#known.set(mode.path, await this.#stampOf(mode));
    this.#isChanged = true;
  }

  /** Never throws: without a cache, the next run probes all modes again. */
  async save(): Promise<void> {
    if (this.#path === undefined || !this.#isChanged) return;
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await writeAtomically(this.#path, JSON.stringify(Object.fromEntries(this.#known)));
    } catch {
      // The disk is full, or the home directory is read-only.
    }
  }

  /** Changes whenever the mode, or a program or file that it uses, changes. */
  async #stampOf({ path }: Mode): Promise<string> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const { programs, files } = partsOf(text);
    const named = [...programs, ...SHARED].map((name) => placesOf(name, this.#env));
    const facts = [...files.map((file) => [file]), ...named].map(async (paths) =>
      (await Promise.all(paths.map((path) => this.#factsOf(path)))).join(),
    );
    return hash('sha256', JSON.stringify([text, await Promise.all(facts)]));
  }

  #factsOf(path: string): Promise<string> {
    const known = this.#facts.get(path);
    if (known) return known;
    const facts = stat(path).then(
      ({ size, mtimeMs, ino }) => `${path} ${size} ${mtimeMs} ${ino}`,
      () => '',
    );
    this.#facts.set(path, facts);
    return facts;
  }
}

function readStamps(text: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

import { join } from 'node:path';
import { closing } from '../../base/closing.ts';
import { DragomanError } from '../../base/errors.ts';
import { linkSignals, throwIfAborted } from '../../base/interruption.ts';
import { readAsTemplate } from '../../documents/localization/carried-source.ts';
import { openBytes } from '../../documents/localization/open-file.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { versionsOf } from '../../git/history.ts';
import { type GitCaller, GitFailure } from '../../git/program.ts';
import { openRepository, type Repository } from '../../git/repository.ts';
import { readingOf, type Resource, sourceFiles } from '../discover/resource.ts';
import { type Fingerprint, sourceFingerprint } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import type { EarlierSource } from './row-context.ts';

/** Limits for the history of one file. */
const BOUNDS = { commits: 200, bytes: 64 * 1024 * 1024 };
const TIME_LIMIT_MS = 10_000;
/** The limits for all files of one search. */
const MOST_MS = 60_000;

/** The result of searching one file's history. */
export interface SearchedHistory {
  readonly found: ReadonlyMap<Fingerprint, EarlierSource>;
  /** Whether the time limit was reached before the end of the history. */
  readonly isOutOfTime: boolean;
}

/**
 * Finds the sources with the given fingerprints in the committed versions of source files, newest first. Searches at
 * most 200 commits, 64 MiB and 10 seconds per file, and 60 seconds in total. Sources that are not found within these
 * limits are omitted, and all of them without git.
 *
 * @param wanted by source file
 * @returns by source file
 * @throws DragomanError `interrupted` if the caller's signal aborts
 */
export async function findEarlierSources(
  project: Project,
  wanted: ReadonlyMap<string, Iterable<Fingerprint>>,
  { env, signal }: GitCaller,
): Promise<ReadonlyMap<string, SearchedHistory>> {
  const searched = new Map<string, SearchedHistory>();
  const limit = AbortSignal.timeout(Math.min(wanted.size * TIME_LIMIT_MS, MOST_MS));
  const either = linkSignals(signal, limit);
  try {
    await closing(await openRepository(project.root, { env, signal: either.signal }), async (repository) => {
      for (const [file, ids] of wanted) {
        const resource = project.resources.find(({ source }) => source === file);
        if (!resource) continue;
        const end = performance.now() + TIME_LIMIT_MS;
        const isOutOfTime = (): boolean => either.signal.aborted || performance.now() > end;
        const search = new Search(resource, ids);
        await searchIn(repository, project.root, search, isOutOfTime);
        searched.set(file, { found: search.found, isOutOfTime: isOutOfTime() });
      }
    });
  } catch (error) {
    // Without git or a usable repository, the sources are unknown.
    if (!isExpected(error)) throw error;
  } finally {
    either.clear();
  }
  throwIfAborted(signal);
  for (const file of limit.aborted ? wanted.keys() : [])
    if (!searched.has(file)) searched.set(file, { found: new Map(), isOutOfTime: true });
  return searched;
}

async function searchIn(
  repository: Repository,
  root: string,
  search: Search,
  isOutOfTime: () => boolean,
): Promise<void> {
  try {
    for (const path of sourceFiles(search.resource)) {
      const absolute = join(root, path);
      for await (const bytes of versionsOf(repository, absolute, BOUNDS))
        if (isOutOfTime() || (await search.lookIn(bytes, absolute))) return;
    }
  } catch (error) {
    // Continue with the other files.
    if (!isExpected(error)) throw error;
  }
}

function isExpected(error: unknown): boolean {
  return error instanceof DragomanError || error instanceof GitFailure;
}

class Search {
  readonly found = new Map<Fingerprint, EarlierSource>();
  readonly #wanted: Set<Fingerprint>;
  readonly resource: Resource;

  constructor(resource: Resource, wanted: Iterable<Fingerprint>) {
    this.resource = resource;
    this.#wanted = new Set(wanted);
  }

  /** @returns whether everything has been found */
  async lookIn(bytes: Uint8Array, path: string): Promise<boolean> {
    const document = await this.#open(bytes, path);
    for (const slot of document?.slots ?? []) this.#take(slot);
    return this.#wanted.size === 0;
  }

  /** Undefined if the version cannot be read. */
  async #open(bytes: Uint8Array, path: string): Promise<Document | undefined> {
    const { catalogues, sourceLocale, isTemplate, keysAreTexts } = this.resource;
    const locale = catalogues ? undefined : sourceLocale;
    try {
      const file = await openBytes(bytes, path, { ...readingOf(this.resource), locale });
      const isCarrier = catalogues !== undefined || isTemplate === true;
      return (isCarrier ? readAsTemplate(file, sourceLocale, keysAreTexts) : file).document;
    } catch (error) {
      if (error instanceof DragomanError) return undefined;
      throw error;
    }
  }

  /** Takes all texts that a plan may use as the source of a slot: its value, or the text in a bilingual file. */
  #take({ value, source, comment, plural }: Slot): void {
    const category = plural?.entry ? undefined : plural?.category;
    for (const text of new Set([value, source ?? value, ...(plural?.sources ?? [])])) {
      const id = sourceFingerprint({ text, comment, category });
      if (this.#wanted.delete(id)) this.found.set(id, { text, ...(comment !== undefined && { comment }) });
    }
  }
}

import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { isInterrupted, linkSignals } from '../../base/interruption.ts';
import { readAsTemplate } from '../../documents/localization/carried-source.ts';
import { openBytes } from '../../documents/localization/open-file.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { versionsOf } from '../../git/history.ts';
import { type GitCaller, GitFailure } from '../../git/program.ts';
import { openRepository } from '../../git/repository.ts';
import { readingOf, type Resource, sourceFiles } from '../discover/resource.ts';
import { type Fingerprint, sourceFingerprint } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import type { EarlierSource } from './row-context.ts';

/** Of the history of one file. */
const BOUNDS = { commits: 200, bytes: 64 * 1024 * 1024 };
const TIME_LIMIT_MS = 10_000;

/**
 * Finds the sources with the given fingerprints among the committed versions of a source file, the newest first. Searches
 * at most 200 commits, 64 MiB and 10 seconds; what it did not find by then is left out, as it is without git.
 *
 * @throws DragomanError `interrupted` when the caller's signal aborts
 */
export async function findEarlierSources(
  project: Project,
  resource: Resource,
  wanted: Iterable<Fingerprint>,
  { env, signal }: GitCaller,
): Promise<ReadonlyMap<Fingerprint, EarlierSource>> {
  const search = new Search(resource, wanted);
  const either = linkSignals(signal, AbortSignal.timeout(TIME_LIMIT_MS));
  try {
    const repository = await openRepository(project.root, { env, signal: either.signal });
    try {
      for (const path of sourceFiles(resource)) {
        const absolute = join(project.root, path);
        for await (const bytes of versionsOf(repository, absolute, BOUNDS)) {
          if (either.signal.aborted || (await search.lookIn(bytes, absolute))) return search.found;
        }
      }
    } finally {
      await repository.close();
    }
  } catch (error) {
    // No git, no repository, one that git refuses, or a time limit: the sources are unknown.
    if (!(error instanceof DragomanError || error instanceof GitFailure)) throw error;
    if (isInterrupted(error) && signal.aborted) throw error;
  } finally {
    either.clear();
  }
  return search.found;
}

class Search {
  readonly found = new Map<Fingerprint, EarlierSource>();
  readonly #wanted: Set<Fingerprint>;
  readonly #resource: Resource;

  constructor(resource: Resource, wanted: Iterable<Fingerprint>) {
    this.#resource = resource;
    this.#wanted = new Set(wanted);
  }

  /** @returns whether nothing is left to be found */
  async lookIn(bytes: Uint8Array, path: string): Promise<boolean> {
    const document = await this.#open(bytes, path);
    for (const slot of document?.slots ?? []) this.#take(slot);
    return this.#wanted.size === 0;
  }

  /** Undefined for a version that cannot be read. */
  async #open(bytes: Uint8Array, path: string): Promise<Document | undefined> {
    const { catalogues, sourceLocale, isTemplate, keysAreTexts } = this.#resource;
    const locale = catalogues ? undefined : sourceLocale;
    try {
      const file = await openBytes(bytes, path, { ...readingOf(this.#resource), locale });
      const isCarrier = catalogues !== undefined || isTemplate === true;
      return (isCarrier ? readAsTemplate(file, sourceLocale, keysAreTexts) : file).document;
    } catch (error) {
      if (error instanceof DragomanError) return undefined;
      throw error;
    }
  }

  /** All texts that a plan may take for the source of a slot: its value, or what a bilingual file carries. */
  #take({ value, source, comment, plural }: Slot): void {
    const category = plural?.entry ? undefined : plural?.category;
    for (const text of new Set([value, source ?? value, ...(plural?.sources ?? [])])) {
      const id = sourceFingerprint({ text, comment, category });
      if (this.#wanted.delete(id)) this.found.set(id, { text, ...(comment !== undefined && { comment }) });
    }
  }
}

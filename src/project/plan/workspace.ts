import { lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { requireUnreserved } from '../../base/inside.ts';
import type { Document } from '../../formats/format.ts';
import { readAsTemplate } from '../../pipeline/carried-source.ts';
import { openBytes, openFile, readInput, type OpenFile } from '../../pipeline/open-file.ts';
import { makeSkeleton } from '../../pipeline/target.ts';
import type { Lock } from '../state/lock.ts';
import { planFile, type FilePlan } from './plan.ts';
import type { Project } from '../state/project.ts';
import { requireLocalizationPath } from '../discover/localization-path.ts';
import type { Resource } from '../discover/resource.ts';

/** One file in one language, opened and compared. */
export interface Survey {
  readonly resource: Resource;
  readonly locale: string;
  /** Relative to the root. */
  readonly targetPath: string;
  readonly source: OpenFile;
  readonly skeleton: Document;
  /** Undefined: the target does not exist. */
  readonly existing: OpenFile | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly plan: FilePlan;
}

/** The files of a project as they are read and compared. Sources are read once, targets whenever they are asked for. */
export class Workspace {
  readonly project: Project;
  readonly #sources = new Map<string, Promise<OpenFile>>();
  readonly #orphans = new WeakMap<Lock, Map<string, ReturnType<Lock['orphans']>>>();
  readonly #directories = new Map<string, Promise<string>>();

  constructor(project: Project) {
    this.project = project;
  }

  absolute(path: string): string {
    return join(this.project.root, path);
  }

  /** @throws DragomanError as openFile, with the path relative to the root. */
  source(resource: Resource): Promise<OpenFile> {
    const known = this.#sources.get(resource.source);
    if (known) return known;
    const opened = this.#openSource(resource);
    this.#sources.set(resource.source, opened);
    return opened;
  }

  async #openSource(resource: Resource): Promise<OpenFile> {
    await this.#requireOwn(resource.source, resource.source);
    const { format, sourceLocale, carriesSource } = resource;
    const file = await openFile(this.absolute(resource.source), {
      format,
      locale: carriesSource ? undefined : sourceLocale,
    });
    return carriesSource ? readAsTemplate(file, sourceLocale) : file;
  }

  /**
   * Reads the target as it is now and compares it.
   *
   * @throws DragomanError when source or target cannot be read.
   */
  async survey(resource: Resource, locale: string, lock: Lock): Promise<Survey> {
    const source = await this.source(resource);
    const targetPath = resource.targetPath(locale);
    await this.#requireOwn(targetPath, resource.source);
    const bytes = await this.#targetBytes(targetPath);
    const existing =
      bytes && (await openBytes(bytes, this.absolute(targetPath), { format: resource.format, locale }));
    const skeleton = makeSkeleton(source, { locale, spelling: resource.spelling(locale) });
    const plan = planFile({
      source: source.document,
      skeleton,
      target: existing?.document,
      locale,
      records: lock.section(resource.source, locale),
      orphans: this.#orphansOf(lock, locale),
    });
    return { resource, locale, targetPath, source, skeleton, existing, bytes, plan };
  }

  #orphansOf(lock: Lock, locale: string): ReturnType<Lock['orphans']> {
    const known = this.#orphans.get(lock)?.get(locale);
    if (known) return known;
    const orphans = lock.orphans(locale, this.project.sources);
    const ofLock = this.#orphans.get(lock) ?? new Map<string, ReturnType<Lock['orphans']>>();
    this.#orphans.set(lock, ofLock.set(locale, orphans));
    return orphans;
  }

  async #targetBytes(path: string): Promise<Uint8Array | undefined> {
    try {
      return await readInput(this.absolute(path));
    } catch (error) {
      const cause = error instanceof DragomanError ? error.cause : undefined;
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Neither a repository's links nor its configuration make us read or write somebody else's files. */
  async #requireOwn(path: string, source: string): Promise<void> {
    const absolute = this.absolute(path);
    const directory = dirname(absolute);
    // Thousands of files share a few directories. What is decided here is looked at again before a file is written.
    const known = this.#directories.get(directory);
    const checked = known ?? requireUnreserved(this.project.root, directory, 'configuration');
    this.#directories.set(directory, checked);
    await checked;
    const isLink = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    if (!isLink) return;
    await requireLocalizationPath(this.project.root, path, source, 'configuration');
    await requireDestination(absolute);
  }
}

async function requireDestination(link: string): Promise<void> {
  if (await isBroken(link)) {
    throw new DragomanError('unreadable_input', `${link} is a symbolic link to a file that is not there`, {
      hint: 'Remove the link, or restore the file that it leads to.',
    });
  }
}

function isBroken(link: string): Promise<boolean> {
  return stat(link).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
}

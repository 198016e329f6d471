import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { creationDateOf } from '../discover/catalogue.ts';
import { joinCatalogues, readAsTemplate } from '../../documents/localization/carried-source.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { makeSkeleton } from '../../documents/localization/target.ts';
import { linkDocument, LinkTags } from '../../documents/markdown/links.ts';
import { marksVisibly } from '../../formats/registry.ts';
import {
  lockedFile,
  readingId,
  readingOf,
  sourceFiles,
  targetId,
  type Resource,
} from '../discover/resource.ts';
import {
  addCounts,
  digestWhole,
  listCounts,
  type CleanFindings,
  type CleanState,
  type WholeState,
} from '../state/clean-state.ts';
import { digestOf, type Digest } from '../../base/digest.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { LOCK_NAME, type Lock } from '../state/lock.ts';
import { isObsolete, resourcesOf, type Project } from '../state/project.ts';
import { followSource, ForeignStructure, linksBetween, type Pages, pagesOf } from './follow-source.ts';
import { splitRecords } from './structure.ts';
import { findOrphans, type Orphans } from './moved-files.ts';
import { planFile, termsOfTexts } from './plan.ts';
import { ProjectDocuments } from './project-documents.ts';
import { ProjectFiles } from './project-files.ts';
import { listSourceKeys, type SourceKeys } from './source-keys.ts';
import type { Survey, TargetComparison } from './survey.ts';

/** A target without work, remembered until this run's lock is written. */
interface CleanTarget {
  readonly resource: Resource;
  readonly locale: string;
  readonly counts: CleanFindings;
  digest: Digest;
}

/**
 * The files of a project in one run. Each is read once and, unless it is unchanged since an earlier run, scanned once.
 * Repeated requests get the same answer, unless {@link refresh} finds different bytes.
 */
export class Workspace {
  readonly project: Project;
  readonly lock: Lock;
  /** Undefined to compare everything again. */
  readonly #clean: CleanState | undefined;
  readonly #sources = new Map<string, Promise<OpenFile>>();
  /** Digests of the sources that were read. */
  readonly #digests = new Map<string, Digest>();
  /** By target id. */
  readonly #compared = new Map<string, TargetComparison | Promise<TargetComparison>>();
  readonly #documents: ProjectDocuments;
  /** By language. */
  readonly #pages = new Map<string, Pages | undefined>();
  /** By the slots of a skeleton, for the first language that uses it. */
  readonly #expected = new WeakMap<readonly Slot[], SourceKeys>();
  readonly #orphans = new Map<string, Orphans>();
  readonly #cleanTargets = new Map<string, CleanTarget | undefined>();
  #hasNews = false;
  /** Digests of source and lock lines that targets are compared with, by file. */
  readonly #bases = new Map<string, Digest>();
  readonly #files: ProjectFiles;
  readonly #glossary: Glossary | undefined;

  /**
   * @param clean undefined to compare everything again and remember nothing
   * @param glossary our translations that lack one of its terms are translated again
   */
  constructor(project: Project, lock: Lock, clean?: CleanState, files?: ProjectFiles, glossary?: Glossary) {
    this.project = project;
    this.lock = lock;
    this.#clean = clean;
    this.#documents = new ProjectDocuments(project.root);
    this.#files = files ?? new ProjectFiles(project.root);
    this.#glossary = glossary;
  }

  absolute(path: string): string {
    return join(this.project.root, path);
  }

  /**
   * The source of a resource. Catalogues that contain their sources count as one.
   *
   * @throws DragomanError if it is unreadable, with the path
   */
  source(resource: Resource): Promise<OpenFile> {
    const path = resource.source;
    const known = this.#sources.get(path);
    if (known) return known;
    const opened = this.#openSource(resource);
    this.#sources.set(path, opened);
    return opened;
  }

  /**
   * Compares a target with its source and the lock.
   *
   * @throws DragomanError `not_a_file` for a source or target that is not a file; returns errors of unreadable ones
   */
  compare(resource: Resource, locale: string): TargetComparison | Promise<TargetComparison> {
    const id = targetId(resource, locale);
    const known = this.#compared.get(id);
    if (known) return known;
    const compared = this.#findClean(resource, locale, id) ?? this.#compare(resource, locale);
    this.#compared.set(id, compared);
    return compared;
  }

  /**
   * The target alone; undefined if it does not exist, an error if it is unusable.
   *
   * @throws DragomanError for a path that is not a readable file
   */
  async openTarget(resource: Resource, locale: string): Promise<OpenFile | DragomanError | undefined> {
    const compared = await this.#compared.get(targetId(resource, locale));
    if (compared?.kind === 'unreadable') return compared.error;
    if (compared?.kind === 'compared') return compared.survey.existing;
    const path = resource.targetPath(locale);
    const bytes = this.#files.readOwn(path);
    if (!bytes || bytes instanceof DragomanError) return bytes;
    try {
      // Bilingual files contain their source. For other files, an unreadable source is reported separately.
      const isAlone = resource.format.bilingual !== undefined;
      const source = isAlone ? undefined : await this.source(resource).catch(() => undefined);
      return await this.#documents.open(path, bytes, resource, { locale, source: source?.document });
    } catch (error) {
      if (error instanceof DragomanError) return error;
      throw error;
    }
  }

  /** A translation without a source, read like the targets of a resource. @throws DragomanError */
  openLike(resource: Resource, path: string, locale: string): Promise<OpenFile> {
    return this.#documents.open(path, this.#files.readSource(path), resource, { locale });
  }

  /** The survey of the current file: the same object if the bytes are equal and no records are new. */
  async refresh(survey: Survey, hasNewRecords = false): Promise<Survey> {
    const { resource, locale, targetPath } = survey;
    const now = this.#files.readOwn(targetPath);
    if (now instanceof DragomanError) throw now;
    const isSame = now ? survey.bytes && Buffer.compare(now, survey.bytes) === 0 : !survey.bytes;
    return isSame && !hasNewRecords ? survey : this.#survey(resource, locale, now);
  }

  /** Checks all targets before any of them is written. @throws DragomanError `not_a_file` */
  requireFiles(): void {
    const { resources, targets } = this.project;
    for (const resource of resources)
      for (const locale of targets) this.#files.requireFile(resource.targetPath(locale));
  }

  /** Drops the comparisons of a finished language. */
  release(locale: string): void {
    for (const resource of this.project.resources) this.#compared.delete(targetId(resource, locale));
    this.#documents.release(locale);
  }

  /** Notes whether a target is clean, for {@link saveClean}. */
  note({ resource, locale, bytes }: Survey, counts: CleanFindings | undefined): void {
    const isClean = counts !== undefined && bytes !== undefined;
    this.#hasNews = true;
    this.#cleanTargets.set(
      targetId(resource, locale),
      isClean ? { resource, locale, counts, digest: digestOf(bytes) } : undefined,
    );
  }

  /**
   * Records a write. In a file with several languages, a write changes the values of one; the others keep their clean
   * state.
   */
  noteWritten({ resource, sourcePath, targetPath, bytes: before }: Survey, after: Uint8Array): void {
    if (resource.catalogues?.includes(targetPath) === true) this.#digests.set(targetPath, digestOf(after));
    if (sourcePath !== targetPath || !before) return;
    const [old, now] = [digestOf(before), digestOf(after)];
    if (this.#digests.get(targetPath) === old) this.#digests.set(targetPath, now);
    for (const locale of this.project.targets) {
      const clean = this.#cleanTargets.get(targetId(resource, locale));
      if (clean?.digest === old) clean.digest = now;
    }
  }

  /**
   * Saves the clean state for later runs.
   *
   * @param lockText the lock on disk; undefined if it lacks records of the lock in memory
   */
  async saveClean(lockText: string | undefined): Promise<void> {
    if (!this.#clean || (!this.#hasNews && lockText === undefined)) return;
    this.#bases.clear();
    for (const [id, target] of this.#cleanTargets) {
      if (!target) this.#clean.note(id, undefined);
      else {
        const { resource, locale, digest, counts } = target;
        const basis = this.#basisOf(resource, locale);
        this.#clean.note(id, { ...counts, digest, basis });
      }
    }
    const lines = [...this.lock.files()].map((file) => this.lock.digestOf(file));
    await this.#clean.save(lines, lockText === undefined ? undefined : this.#wholeState(lockText));
  }

  #wholeState(lockText: string): WholeState | undefined {
    const { project } = this;
    const digests = new Map<string, Digest>();
    const languages = new Map<string, CleanFindings>();
    for (const locale of project.targets) {
      for (const resource of resourcesOf(project, locale)) {
        const target = this.#cleanTargets.get(targetId(resource, locale));
        // Projects with notes are not recorded as a whole, because a later run must repeat the notes of each file.
        if (!target || target.counts.notes) return undefined;
        languages.set(locale, addCounts(languages.get(locale), target.counts));
        const path = resource.targetPath(locale);
        // All languages of a file must have been compared with the same version of it.
        if ((digests.get(path) ?? target.digest) !== target.digest) return undefined;
        digests.set(path, target.digest);
      }
    }
    const digest = digestWhole(project, (path) => {
      if (path === LOCK_NAME) return digestOf(lockText);
      return digests.get(path) ?? this.#digestOf(path);
    });
    return {
      digest,
      languages: [...languages].map(([locale, counts]) => [locale, ...listCounts(counts)]),
    };
  }

  /** Synchronous, because it is called for thousands of files, most of which are clean. */
  #findClean(resource: Resource, locale: string, id: string): TargetComparison | undefined {
    const known = this.#clean?.find(id);
    if (!known || known.basis !== this.#basisOf(resource, locale)) return undefined;
    if (known.digest !== this.#files.digestOf(resource.targetPath(locale))) return undefined;
    // Saved again, because lines of the file's other languages change the `basis` of the record.
    this.#cleanTargets.set(id, { resource, locale, counts: known, digest: known.digest });
    return { kind: 'clean', counts: known };
  }

  async #compare(resource: Resource, locale: string): Promise<TargetComparison> {
    const targetPath = resource.targetPath(locale);
    const bytes = this.#files.readOwn(targetPath);
    if (bytes instanceof DragomanError) return { kind: 'unreadable', error: bytes };
    try {
      await this.source(resource);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'not_a_file') throw error;
      return { kind: 'unreadable', error, ofSource: true };
    }
    try {
      return { kind: 'compared', survey: await this.#survey(resource, locale, bytes) };
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      return {
        kind: 'unreadable',
        error,
        foreign: error instanceof ForeignStructure ? error.texts : undefined,
      };
    }
  }

  async #survey(resource: Resource, locale: string, bytes: Uint8Array | undefined): Promise<Survey> {
    const targetPath = resource.targetPath(locale);
    // A file that is its own source may have changed since it was read, for example because other languages were
    // written to it.
    if (bytes && resource.source === targetPath && this.#digests.get(targetPath) !== digestOf(bytes)) {
      this.#sources.delete(targetPath);
    }
    const source = await this.source(resource);
    const linked = this.linked(source, resource, locale);
    const reading = { locale, source: linked ?? source.document };
    const standing = bytes && (await this.#documents.open(targetPath, bytes, resource, reading));
    const target = { locale, spelling: resource.spelling(locale) };
    const skeleton = linked ?? makeSkeleton(source, target, standing?.document);
    const tags = linked && new LinkTags(source.document, linked);
    const recordedAs = lockedFile(resource, locale);
    const recorded = this.lock.section(recordedAs, locale);
    const followed = standing?.format.isProse
      ? followSource({ source: source.document, skeleton, tags }, standing, recorded)
      : undefined;
    const { records } = source.format.isProse ? splitRecords(recorded) : { records: recorded };
    const existing = followed?.existing ?? standing;
    const expected = this.#expect(source, skeleton, locale);
    const plan = planFile({
      expected,
      marksReview: marksVisibly(resource.format),
      skeleton,
      target: existing?.document,
      locale,
      records: followed?.records ?? records,
      orphans: this.#orphansOf(locale),
      keepEmpty: this.project.configuration.keepEmpty,
      unmatched: followed?.unmatched,
      terms: termsOfTexts(this.#glossary, source.document, resource.sourceLocale, locale),
    });
    return {
      resource,
      locale,
      sourcePath: resource.source,
      targetPath,
      recordedAs,
      records,
      source,
      skeleton,
      existing,
      bytes,
      expected,
      isFollowed: followed?.isFollowed ?? false,
      kept: followed?.kept,
      notes: followed?.notes,
      unmatched: followed?.unmatched,
      tags,
      // All records in the lock are under keys that may now refer to other texts.
      plan:
        followed?.isFollowed || followed?.unmatched
          ? {
              ...plan,
              open: plan.keys,
              gone: [...records.keys()].filter((key) => !expected.lockKeys.has(key)),
            }
          : plan,
    };
  }

  /** A source of running text with the links of its translation; undefined if links are not translated. */
  linked(source: OpenFile, resource: Resource, locale: string): Document | undefined {
    if (!source.format.isProse) return undefined;
    if (!this.#pages.has(locale)) this.#pages.set(locale, pagesOf(this.project, locale));
    const pages = this.#pages.get(locale);
    const linkTo = pages && linksBetween(pages, resource.source, resource.targetPath(locale));
    return linkTo && linkDocument(source, { locale, spelling: resource.spelling(locale), linkTo });
  }

  /** Languages whose skeletons have the same slots need the same keys, except for the texts of plural forms. */
  #expect(source: OpenFile, skeleton: Document, locale: string): SourceKeys {
    const { slots } = skeleton;
    const known = this.#expected.get(slots);
    if (known?.keys.every(({ category }) => category === undefined)) return known;
    const expected = listSourceKeys(source.document, skeleton, locale, known);
    if (!known) this.#expected.set(slots, expected);
    return expected;
  }

  async #openSource(resource: Resource): Promise<OpenFile> {
    const { source: path, sourceLocale, catalogues, isTemplate, keysAreTexts } = resource;
    const bytes = this.#files.readSource(path);
    this.#digests.set(path, digestOf(bytes));
    const locale = catalogues ? undefined : sourceLocale;
    const file = await this.#documents.open(path, bytes, resource, { locale });
    if (!catalogues) return isTemplate ? readAsTemplate(file, sourceLocale) : file;
    const dateOf = (catalogue: string): number => creationDateOf(this.project.root, catalogue);
    const others = catalogues.slice(1).map((other) => ({
      path: this.absolute(other),
      date: dateOf(other),
      read: () => this.#files.readSource(other),
    }));
    const options = { ...readingOf(resource), keysAreTexts, locale: sourceLocale, date: dateOf(path) };
    return joinCatalogues(readAsTemplate(file, sourceLocale, keysAreTexts), others, options);
  }

  /** A digest of everything that a target is compared with. If it changes, the target is compared again. */
  #basisOf(resource: Resource, locale: string): Digest {
    const locked = lockedFile(resource, locale);
    const id = `${resource.source}\n${locked}`;
    let basis = this.#bases.get(id);
    if (basis === undefined) {
      const sources = sourceFiles(resource).map((path) => this.#digestOf(path) ?? '');
      basis = digestOf([id, readingId(resource), ...sources, this.lock.digestOf(locked)].join('\n'));
      this.#bases.set(id, basis);
    }
    return basis;
  }

  #digestOf(path: string): Digest | undefined {
    return this.#digests.get(path) ?? this.#files.digestOf(path);
  }

  #orphansOf(locale: string): Orphans {
    const orphans =
      this.#orphans.get(locale) ?? findOrphans(this.lock, locale, (file) => isObsolete(this.project, file));
    this.#orphans.set(locale, orphans);
    return orphans;
  }
}

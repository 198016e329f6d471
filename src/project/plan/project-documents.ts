import { join } from 'node:path';
import { digestOf } from '../../base/digest.ts';
import { openBytes, type OpenFile, type OpenOptions } from '../../documents/localization/open-file.ts';
import { readingId, readingOf, type Resource } from '../discover/resource.ts';

/** Includes the source for a translation, because some notations are ambiguous without it. */
type Reading = Pick<OpenOptions, 'locale' | 'source'>;

/**
 * Opens files of a project. Copies of running text in one language share their document: a site has a copy of most pages
 * for each of its versions, and reading a page takes longer than everything else.
 */
export class ProjectDocuments {
  readonly #root: string;
  /** By language, source and content. */
  readonly #files = new Map<string | undefined, WeakMap<object, Map<string, OpenFile>>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** @param name relative to the root */
  async open(name: string, bytes: Uint8Array, resource: Resource, reading: Reading): Promise<OpenFile> {
    const path = join(this.#root, name);
    const open = (): Promise<OpenFile> => openBytes(bytes, path, { ...readingOf(resource), ...reading });
    // Limits depend on the path.
    if (!resource.format.isProse || resource.limitOf) return open();
    const { locale, source = this } = reading;
    const sources = this.#files.get(locale) ?? new WeakMap<object, Map<string, OpenFile>>();
    this.#files.set(locale, sources);
    const files = sources.get(source) ?? new Map<string, OpenFile>();
    sources.set(source, files);
    const id = `${readingId(resource)} ${digestOf(bytes)}`;
    const file = files.get(id) ?? (await open());
    files.set(id, file);
    return { ...file, path };
  }

  /** Drops the files of a language. */
  release(locale: string): void {
    this.#files.delete(locale);
  }
}

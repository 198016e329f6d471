import { posix } from 'node:path';
import type { Document, LinkTo } from '../../formats/format.ts';
import { sameKey } from '../../formats/render.ts';
import type { OpenFile } from '../localization/open-file.ts';
import { makeSkeleton, type TargetLocale } from '../localization/target.ts';

/**
 * A document, its translation, and the translations of other documents. Paths use slashes and are all relative to one
 * directory, or absolute.
 */
export interface PageLinks {
  readonly source: string;
  readonly target: string;
  /** Undefined for a path that is not a document or has no translation. */
  readonly translationOf: (path: string) => string | undefined;
}

/** The endings of a document's name that an address may omit. */
const OMITTED = ['.md', '.mdx', '/index.md', '/index.mdx', '/_index.md', '/README.md'];

/**
 * Maps the links of a document's translation to the translations of their destinations. Keeps links that already lead
 * there, and links to the document itself, which let readers choose the language.
 */
export function followLinks(links: PageLinks): LinkTo {
  return (destination) => {
    const [, path = '', rest = ''] = /^([^?#]*)([^]*)$/.exec(destination) ?? [];
    const isWeb = /^[A-Za-z][\w+.-]*:|^\/\/|^$/.test(path);
    if (isWeb || /[\\&\r\n\t]/.test(path)) return undefined;
    const translationOf = (page: string): string | undefined =>
      page === links.source && rest === '' ? undefined : links.translationOf(page);
    const isEncoded = path.includes('%');
    const plain = isEncoded ? decode(path) : path;
    if (plain === undefined) return undefined;
    const find = plain.startsWith('/') ? findFromSite : findFromPage;
    const found = find(plain, { ...links, translationOf });
    if (found === undefined || found === plain) return undefined;
    const written = isEncoded ? encodeURI(found).replace(/[?#]/g, encodeURIComponent) : found;
    // The result must not contain characters that end an address in some notation, unless the original path has them.
    const isSafe = (written.match(/[\s()<>\\&?#]/g) ?? []).every((c) => path.includes(c));
    return isSafe ? written + rest : undefined;
  };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function resolveFrom(page: string, path: string): string {
  return posix.join(posix.dirname(page), path);
}

function findFromPage(path: string, { source, target, translationOf }: PageLinks): string | undefined {
  const leadsTo = resolveFrom(source, path);
  const translation = translationOf(leadsTo);
  if (translation === undefined) return findWithout(path, leadsTo, translationOf);
  if (resolveFrom(target, path) === translation) return undefined;
  const replaced = replaceSegments(path, leadsTo, translation);
  if (resolveFrom(target, replaced) === translation) return replaced;
  const other = posix.relative(posix.dirname(target), translation);
  return path.startsWith('./') && !other.startsWith('.') ? `./${other}` : other;
}

/** `/en/guide` on a site: only the generator knows which parent directory is the top of the site. */
function findFromSite(path: string, { source, target, translationOf }: PageLinks): string | undefined {
  const [from, to] = [source.split('/'), target.split('/')];
  const language = from.findIndex((segment, i) => segment !== to[i]);
  for (let top = language; top >= 0; top--) {
    const leadsTo = posix.join(from.slice(0, top).join('/'), `.${path}`);
    const translation = translationOf(leadsTo);
    const found =
      translation === undefined
        ? findWithout(path, leadsTo, translationOf)
        : replaceSegments(path, leadsTo, translation);
    if (found !== undefined && found !== path) return found;
  }
  return undefined;
}

/** An address without a file extension refers to the translation if the address names the language. */
function findWithout(
  path: string,
  leadsTo: string,
  translationOf: PageLinks['translationOf'],
): string | undefined {
  const place = leadsTo.replace(/\/$/, '');
  for (const ending of OMITTED) {
    const translation = translationOf(place + ending);
    if (translation === undefined) continue;
    if (!translation.endsWith(ending)) return undefined;
    const other = translation.slice(0, -ending.length);
    if (posix.basename(other) !== posix.basename(place)) return undefined;
    const slash = path.endsWith('/') ? '/' : '';
    return replaceSegments(path.slice(0, path.length - slash.length), place, other) + slash;
  }
  return undefined;
}

/** The path with its trailing segments replaced by those of another place, up to the first difference. */
function replaceSegments(path: string, place: string, other: string): string {
  const segments = path.split('/');
  const [from, to] = [place.split('/'), other.split('/')];
  if (from.length !== to.length) return path;
  for (let back = 1; back <= segments.length; back++) {
    const [segment, replacement] = [segments.at(-back), to.at(-back)];
    if (segment === undefined || replacement === undefined || segment !== from.at(-back)) break;
    segments[segments.length - back] = replacement;
  }
  return segments.join('/');
}

/** The document with its links leading to another language's pages; its texts are not translated. */
export function linkDocument(file: OpenFile, target: TargetLocale): Document {
  const { document } = file;
  const linked = makeSkeleton(file, target);
  const isSame = ({ key, value }: Document['slots'][number], i: number): boolean =>
    sameKey(key, document.slots[i]?.key ?? []) &&
    value.replace(LINK, '') === document.slots[i]?.value.replace(LINK, '');
  return linked.slots.length === document.slots.length && linked.slots.every(isSame) ? linked : document;
}

/** The beginning of a link in a value: see `InlineValue`. */
const LINK = /<a r="[^"<>]*">/g;

/** Converts links in values, because engines, memories and locks use the source's links. */
export class LinkTags {
  readonly #linked = new Map<string, string>();
  readonly #own = new Map<string, string>();

  /** @param linked the source with the links of the target */
  constructor(source: Document, linked: Document) {
    if (source === linked) return;
    for (const [i, { value }] of source.slots.entries()) {
      const others = linked.slots[i]?.value.match(LINK) ?? [];
      for (const [at, tag] of (value.match(LINK) ?? []).entries()) {
        const other = others[at];
        if (other === undefined || other === tag) continue;
        this.#linked.set(tag, other);
        this.#own.set(other, tag);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#linked.size === 0;
  }

  /** A translation with the links of its language. */
  link(value: string): string {
    return this.isEmpty ? value : value.replace(LINK, (tag) => this.#linked.get(tag) ?? tag);
  }

  /** A translation with the links of its source. */
  unlink(value: string): string {
    return this.isEmpty ? value : value.replace(LINK, (tag) => this.#own.get(tag) ?? tag);
  }
}

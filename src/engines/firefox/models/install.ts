import { createHash } from 'node:crypto';
import type * as fxtranslate from 'fxtranslate';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { throwIfAborted } from '../../../base/interruption.ts';
import { reasonOf } from '../../../base/system-error.ts';
import {
  FILES_DIRECTORY,
  type ModelManifest,
  modelName,
  parseManifest,
  readInstalled,
} from '../installed.ts';
import type { ModelFiles } from '../worker/messages.ts';
import {
  download,
  type DownloadOptions,
  type ExpectedContent,
  isAbandoned,
  uniqueSuffix,
} from './download.ts';
import { nameOf, type Net } from './net.ts';
import type { Offer } from './origin.ts';
import { MAX_FILE_BYTES, type RemoteFile, type RemoteModel } from './records.ts';

export interface InstallOptions {
  /** The directory of installed models. */
  readonly directory: string;
  readonly net: Net;
  /** Reports this model's downloaded bytes and its total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly pauseMs?: number | undefined;
}

/** Unfinished downloads. */
const PARTIAL_DIRECTORY = 'partial';
/** Another process may remove a file that this one has found and not yet listed in its manifest. */
const MAX_ROUNDS = 3;

/**
 * Installs a model, or its missing and damaged files. The manifest is written last: concurrent readers see the old
 * model or the new one. Several processes may do so concurrently.
 *
 * @returns the number of downloaded bytes; 0 if it was already installed
 * @throws DragomanError of the download, `integrity` for content that does not match its record, `unwritable_output`
 */
export async function installModel(
  model: RemoteModel,
  offer: Offer,
  options: InstallOptions,
): Promise<number> {
  try {
    let downloaded = 0;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      downloaded += await installFiles(model, offer, options);
      const installed = (await readInstalled(options.directory)).find(({ name }) => name === model.name);
      if (installed && (await isComplete(installed.files))) return downloaded;
    }
    throw new DragomanError(
      'unwritable_output',
      `${options.directory} changed while ${model.name} was being installed`,
    );
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throwIfAborted(options.net.signal);
    throw new DragomanError(
      'unwritable_output',
      `cannot install ${model.name} in ${options.directory}: ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function isComplete({ model, shortlist, vocabularies }: ModelFiles): Promise<boolean> {
  const files = [model, ...(shortlist ? [shortlist] : []), ...vocabularies];
  const there = await Promise.all(
    files.map(({ path, sha256, bytes }) => isThere(path, { sha256, size: bytes })),
  );
  return there.every(Boolean);
}

async function installFiles(model: RemoteModel, offer: Offer, options: InstallOptions): Promise<number> {
  const { directory } = options;
  const before = await readManifest(directory, model.name);
  await mkdir(join(directory, FILES_DIRECTORY), { recursive: true });
  const total = model.files.reduce((sum, file) => sum + file.compressed.size, 0);
  const files: Record<string, ExpectedContent> = {};
  let done = 0;
  let downloaded = 0;
  for (const file of model.files) {
    throwIfAborted(options.net.signal);
    const known = knownContent(file, model, before);
    if (known && (await isThere(join(directory, FILES_DIRECTORY, known.sha256), known)))
      files[file.role] = known;
    else {
      const onProgress = (bytes: number): void => options.onProgress?.(done + bytes, total);
      files[file.role] = await installFile(file, offer, { ...options, onProgress });
      downloaded += file.compressed.size;
    }
    done += file.compressed.size;
    options.onProgress?.(done, total);
  }
  const { source, target, version, architecture } = model;
  const manifest: ModelManifest = { source, target, version, architecture, files };
  await publish(join(directory, `${model.name}.json`), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await tidy(directory, before);
  return downloaded;
}

/** The content's hash, if the record has it or the same version is installed. */
function knownContent(
  file: RemoteFile,
  model: RemoteModel,
  before: ModelManifest | undefined,
): ExpectedContent | undefined {
  const same = before?.version === model.version && before.architecture === model.architecture;
  const installed = same ? before.files[file.role] : undefined;
  if (file.sha256 === undefined) return installed;
  if (file.size !== undefined) return { sha256: file.sha256, size: file.size };
  return installed?.sha256 === file.sha256 ? installed : undefined;
}

async function installFile(
  file: RemoteFile,
  offer: Offer,
  options: DownloadOptions,
): Promise<ExpectedContent> {
  const { directory } = options;
  const url = offer.urlOf(file.location);
  const partial = join(directory, PARTIAL_DIRECTORY);
  const packed = await download(url, file.compressed, { ...options, directory: partial });
  const content = await unpack(packed, file, nameOf(url));
  const sha256 = createHash('sha256').update(content).digest('hex');
  await publish(join(directory, FILES_DIRECTORY, sha256), content);
  return { sha256, size: content.length };
}

async function unpack(packed: Uint8Array, file: RemoteFile, name: string): Promise<Uint8Array> {
  const most = maxContentSize(packed);
  if (most === undefined) throw new DragomanError('integrity', `${name} is not a Zstandard file`);
  // Counts every compressed block as full, although few are.
  if (most > MAX_FILE_BYTES) {
    throw new DragomanError(
      'limit_exceeded',
      `the content of ${name} is larger than ${MAX_FILE_BYTES} bytes`,
    );
  }
  let content: Uint8Array;
  try {
    content = await decompress(packed, file.sha256);
  } catch (cause) {
    throw new DragomanError('integrity', `the content of ${name} differs from its record`, { cause });
  }
  if (file.size === undefined || content.length === file.size) return content;
  throw new DragomanError(
    'integrity',
    `the content of ${name} has ${content.length} bytes instead of the ${file.size} in its record`,
  );
}

/** @throws if the file is damaged, or its SHA-256 is not `sha256` */
export async function decompress(bytes: Uint8Array, sha256: string | undefined): Promise<Uint8Array> {
  const loaded: object = await import('fxtranslate');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node imports a CommonJS package this way
  const { verifyAndDecompress } = (loaded as { readonly default: typeof fxtranslate }).default;
  return verifyAndDecompress(bytes, sha256);
}

async function isThere(path: string, { sha256, size }: ExpectedContent): Promise<boolean> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes?.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;
}

/** Writes the whole file to disk, then renames it: another process may write the same file. */
async function publish(path: string, content: Uint8Array): Promise<void> {
  const temporary = `${path}${uniqueSuffix()}`;
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function readManifest(directory: string, name: string): Promise<ModelManifest | undefined> {
  const manifest = parseManifest(await readFile(join(directory, `${name}.json`), 'utf8').catch(() => ''));
  return manifest && modelName(manifest) === name ? manifest : undefined;
}

/**
 * Removes an installed model and the files that no other model uses.
 *
 * @returns whether it existed
 */
export async function removeModel(directory: string, name: string): Promise<boolean> {
  const manifest = await readManifest(directory, name);
  if (!manifest) return false;
  try {
    await rm(join(directory, `${name}.json`), { force: true });
    await tidy(directory, manifest);
  } catch (error) {
    throw new DragomanError(
      'unwritable_output',
      `cannot remove ${name} from ${directory}: ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
  return true;
}

/** A download that has not been resumed for this long belongs to an old version. */
const PARTIAL_MS = 7 * 24 * 60 * 60 * 1000;

async function removeOld(partial: string): Promise<void> {
  const names = await readdir(partial).catch((): string[] => []);
  for (const name of names) {
    const path = join(partial, name);
    const touched = await stat(path).catch(() => undefined);
    if (touched && Date.now() - touched.mtimeMs > PARTIAL_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Removes files of `before` that no model uses now, and leftovers of killed processes. */
async function tidy(directory: string, before: ModelManifest | undefined): Promise<void> {
  const models = await readInstalled(directory);
  const used = new Set(
    models.flatMap(({ files }) =>
      [files.model, files.shortlist, ...files.vocabularies].map((file) => file?.sha256),
    ),
  );
  for (const { sha256 } of Object.values(before?.files ?? {})) {
    if (!used.has(sha256)) await rm(join(directory, FILES_DIRECTORY, sha256), { force: true });
  }
  await removeOld(join(directory, PARTIAL_DIRECTORY));
  for (const place of [directory, join(directory, FILES_DIRECTORY)]) {
    const names = await readdir(place).catch((): string[] => []);
    for (const name of names.filter(isAbandoned))
      await rm(join(place, name), { recursive: true, force: true });
  }
}

/** The maximum size of a block in the format. */
const MAX_BLOCK = 128 * 1024;
const MAGIC = 0xfd2fb528;

/**
 * The maximum content of a file's Zstandard frames, computed from block headers: the size that a frame declares may be
 * false, and a few bytes can expand to gigabytes. Undefined if the bytes are not such frames.
 */
export function maxContentSize(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let most = 0;
  while (at < bytes.length) {
    if (at + 6 > bytes.length || view.getUint32(at, true) !== MAGIC) return undefined;
    const descriptor = view.getUint8(at + 4);
    at += 5 + headerRest(descriptor);
    for (let isLast = false; !isLast;) {
      if (at + 3 > bytes.length) return undefined;
      const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      isLast = (head & 1) === 1;
      const kind = (head >> 1) & 3;
      const size = head >> 3;
      // The only kinds are raw bytes, one repeated byte, and compressed.
      if (kind === 3) return undefined;
      most += kind === 2 ? MAX_BLOCK : size;
      at += 3 + (kind === 1 ? 1 : size);
    }
    // Skips the checksum of the content.
    if ((descriptor & 4) !== 0) at += 4;
    if (at > bytes.length) return undefined;
  }
  return most;
}

/** The length of window, dictionary id and content size after a frame's descriptor. */
function headerRest(descriptor: number): number {
  const singleSegment = (descriptor & 0x20) !== 0;
  const window = singleSegment ? 0 : 1;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const content = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return window + dictionary + content;
}

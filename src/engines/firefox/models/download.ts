import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DragomanError } from '../../../base/errors.ts';
import { isAlive } from '../../../base/process-life.ts';
import { reasonOf } from '../../../base/system-error.ts';
import { failureOf, nameOf, type Net, openStream } from './net.ts';

export interface DownloadOptions {
  /** The directory of the files, or for unfinished downloads. */
  readonly directory: string;
  readonly net: Net;
  /** Reports the number of downloaded bytes. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Pause before resuming an interrupted download. */
  readonly pauseMs?: number | undefined;
}

/** The expected content of a download. */
export interface ExpectedContent {
  readonly sha256: string;
  readonly size: number;
}

const DATA = 'data';
const VALIDATOR = 'validator';
/** Consecutive attempts without new bytes. */
const MAX_TRIES = 4;
const PAUSE_MS = 1_000;

/**
 * Downloads a file and verifies its size and SHA-256. An interrupted download is resumed, by this process or a later
 * one. Two processes never write one download: each claims it by renaming it.
 *
 * @throws DragomanError `integrity` if the content is wrong, even after a second complete download
 */
export async function download(
  url: URL,
  expected: ExpectedContent,
  options: DownloadOptions,
): Promise<Buffer> {
  await mkdir(options.directory, { recursive: true });
  const own = await claim(options.directory, expected.sha256);
  try {
    const bytes = await complete(url, expected, own, options);
    await rm(own, { recursive: true, force: true });
    return bytes;
  } catch (error) {
    // Leaves the partial file for the next process, unless another process has started a new one.
    await rename(own, join(options.directory, expected.sha256)).catch(() =>
      rm(own, { recursive: true, force: true }),
    );
    throw error;
  }
}

/** A directory for the download that no other process uses: a leftover of an earlier one, or a new one. */
async function claim(directory: string, name: string): Promise<string> {
  const own = join(directory, `${name}${uniqueSuffix()}`);
  const names = await readdir(directory);
  const left = names.filter(
    (other) => other === name || (other.startsWith(`${name}.`) && isAbandoned(other)),
  );
  for (const other of left) {
    const taken = await rename(join(directory, other), own).then(
      () => true,
      () => false,
    );
    if (taken) return own;
  }
  await mkdir(own);
  return own;
}

async function complete(
  url: URL,
  expected: ExpectedContent,
  own: string,
  options: DownloadOptions,
): Promise<Buffer> {
  const data = join(own, DATA);
  const resumed = (await sizeOf(data)) > 0;
  for (let again = resumed; ; again = false) {
    await fetchAll(url, expected, own, options);
    const bytes = await readFile(data);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (bytes.length === expected.size && sha256 === expected.sha256) return bytes;
    await rm(data, { force: true });
    // The beginning may belong to another file.
    if (again) continue;
    throw new DragomanError('integrity', `${nameOf(url)} does not match its record`, {
      hint: 'It was discarded. Try again later, or use another mirror.',
    });
  }
}

/** Retries until all bytes are downloaded, as long as each attempt yields some. */
async function fetchAll(
  url: URL,
  { size }: ExpectedContent,
  own: string,
  options: DownloadOptions,
): Promise<void> {
  const data = join(own, DATA);
  let failures = 0;
  for (let before = await sizeOf(data); before !== size;) {
    try {
      await fetchRest(url, before > size ? 0 : before, size, own, options);
    } catch (error) {
      const failure = failureOf(error, url, options.net);
      const passing = failure.code === 'unreachable' || (failure.status ?? 0) >= 500;
      if (!passing || ++failures >= MAX_TRIES) throw failure;
      await sleep(options.pauseMs ?? PAUSE_MS, undefined, { signal: options.net.signal }).catch(
        () => undefined,
      );
    }
    const now = await sizeOf(data);
    if (now > before) failures = 0;
    before = now;
  }
}

async function fetchRest(
  url: URL,
  from: number,
  size: number,
  own: string,
  { net, onProgress }: DownloadOptions,
): Promise<void> {
  const known = await readFile(join(own, VALIDATOR), 'utf8').catch(() => undefined);
  const stream = await openStream(url, from, known, net);
  if (stream.validator === undefined) await rm(join(own, VALIDATOR), { force: true });
  else await writeFile(join(own, VALIDATOR), stream.validator);
  const flags = stream.offset === 0 ? 'w' : 'a';
  const file = await open(join(own, DATA), flags).catch((cause: unknown) => unwritable(own, cause));
  try {
    let at = stream.offset;
    onProgress?.(at);
    for await (const chunk of stream.chunks) {
      at += chunk.length;
      if (at > size) throw tooLong(url, size);
      await file.writeFile(chunk).catch((cause: unknown) => unwritable(own, cause));
      onProgress?.(at);
    }
    if (at < size) throw new Error(`it ended after ${at} of ${size} bytes`);
  } finally {
    await file.close();
  }
}

function tooLong(url: URL, size: number): DragomanError {
  return new DragomanError('integrity', `${nameOf(url)} is longer than the ${size} bytes in its record`);
}

/** A full disk is not a connection problem, and is not retried. */
function unwritable(path: string, cause: unknown): never {
  throw new DragomanError('unwritable_output', `cannot write ${path}: ${reasonOf(cause)}`, { cause });
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (info) => info.size,
    () => 0,
  );
}

/** A suffix for a file that only this process uses, which identifies the process. */
export function uniqueSuffix(): string {
  return `.${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** Whether the process that left a file with this suffix has ended. */
export function isAbandoned(name: string): boolean {
  const pid = /\.(\d{1,10})-[0-9a-f]{12}$/.exec(name)?.[1];
  return pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid));
}

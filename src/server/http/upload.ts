import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { attempt } from '../../jobs/job-files.ts';
import { openBody } from './body.ts';
import type { AppContext } from './dependencies.ts';
import { Refusal } from '../guards/refusal.ts';
import { FORM_LIMITS, UploadForm, type UploadedForm } from './upload-form.ts';

interface UploadOptions {
  readonly directory: string;
  /** Whether a body that starts like a form is accepted as one, regardless of its header. */
  readonly isLenient?: boolean | undefined;
}

/**
 * Receives a form with one file, and passes it to `work`. The file is written as it arrives, under a unique name in
 * `directory`, and always removed at the end: `work` must copy or link it to keep it.
 *
 * @throws Refusal 413, 415, and errors of {@link UploadForm} and `work`.
 */
export async function withUpload<T>(
  context: AppContext,
  { directory, isLenient = false }: UploadOptions,
  work: (form: UploadedForm) => Promise<T>,
): Promise<T> {
  const header = context.req.header('content-type') ?? '';
  const isForm = /^multipart\/form-data\s*(?:;|$)/i.test(header);
  const mayBeForm = isLenient && context.req.header('content-length') !== '0';
  if (!isForm && !mayBeForm) throw noForm();
  const body = openBody(context, FORM_LIMITS);
  const contentType = isForm ? header : await formTypeOf(body);
  const path = join(directory, randomUUID());
  try {
    await attempt('store the upload', () => mkdir(directory, { recursive: true, mode: 0o700 }));
    return await work(await new UploadForm(path).receive(body, contentType));
  } finally {
    // Files that cannot be removed now are removed by a sweep.
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function noForm(): Refusal {
  return new Refusal(415, 'the request needs Content-Type: multipart/form-data; JSON is not accepted');
}

const FIRST_BYTES_MS = 10_000;

/**
 * Takes the boundary from a form's first line, without reading further.
 *
 * @throws Refusal 415 for anything else
 */
async function formTypeOf(body: Readable): Promise<string> {
  if (body.readableLength === 0) {
    await once(body, 'readable', { signal: AbortSignal.timeout(FIRST_BYTES_MS) }).catch(() => undefined);
  }
  const start: unknown = body.read();
  if (!Buffer.isBuffer(start)) throw noForm();
  body.unshift(start);
  const [, boundary] = /^--([\w'()+,\-./:=? ]{1,70})\r\n/.exec(start.toString('latin1', 0, 100)) ?? [];
  if (boundary === undefined) throw noForm();
  return `multipart/form-data; boundary="${boundary}"`;
}

const PROBE = Buffer.alloc(64 * 1024);

/** Resolves when there is room for small uploads. */
export async function waitForRoom(directory: string): Promise<void> {
  const path = join(directory, randomUUID());
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(path, PROBE, { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(path, { force: true });
  }
}

/** Longer than any upload takes: older files belong to processes that died. */
const ABANDONED_MS = 60 * 60 * 1000;

/** Removes uploads left by killed processes. Uploads that another process is receiving now are kept. */
export async function sweepUploads(directory: string, now: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = join(directory, name);
    const info = await stat(path).catch(() => undefined);
    if (info && now - info.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

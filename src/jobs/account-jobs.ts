import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { within } from '../base/within.ts';
import { fileNotFound, JOB_NOT_FOUND, insufficientCredits } from '../contract/details.ts';
import { MAX_LISTED_JOBS, MAX_FILE_BYTES } from '../contract/limits.ts';
import { translatedName, JOB_FORMATS, type BuiltInFormatId } from '../formats/registry.ts';
import { parseLocale, sameLanguage } from '../languages/locale.ts';
import type { JobCallOptions, JobFile, JobService, JobUpload } from '../service/service.ts';
import { type JobRow, creditsOfJob, type JobStore, type NewJob } from '../store/store.ts';
import { showJob, showJobWithFiles } from './job-view.ts';
import type { Runner } from './runner.ts';
import { randomUUID } from 'node:crypto';
import { basename, extname, win32 } from 'node:path';
import { FILE_TYPES, splitCodes, type CreateJobRequest, type CreateJobResponse } from '../contract/jobs.ts';
import type { Engine } from '../engines/engine.ts';
import { languageName, requireLanguage } from '../languages/catalog.ts';
import { detectWindows } from '../languages/detection.ts';
import { requirePublicWebhook } from '../webhooks/address.ts';
import type { Inspector } from './inspector.ts';
import type { JobFiles } from './job-files.ts';
import type { Inspection } from './worker/tasks.ts';

export interface ServiceTools extends CreationTools {
  readonly runner: Runner;
  readonly publicUrl: () => string;
}

/** How long a deletion waits for the job's running work to stop. */
const DROP_MS = 500;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The operations on the jobs of one account. The server has already validated requests against their schemas. */
export function accountJobs(accountId: string, tools: ServiceTools): JobService {
  const { store, files, runner, publicUrl, now } = tools;
  const requireJob = async (id: string, { signal }: JobCallOptions): Promise<JobRow> => {
    throwIfAborted(signal);
    // A malformed id belongs to no job. Ids are stored in lower case.
    const job = UUID.test(id) ? await store.findOf(accountId, id.toLowerCase()) : undefined;
    if (!job) throw new DragomanError('not_found', JOB_NOT_FOUND);
    return job;
  };
  return {
    async createJob(request, upload, { signal }) {
      throwIfAborted(signal);
      const created = await createJob(accountId, request, upload, signal, tools);
      runner.wake();
      return created;
    },

    async listJobs({ signal, limit = MAX_LISTED_JOBS, cursor, onMore }) {
      throwIfAborted(signal);
      const { jobs, next } = await store.list(accountId, { limit, cursor });
      if (next !== undefined) onMore?.(next);
      return jobs.map(showJob);
    },

    async jobStatus(id, options) {
      const job = await requireJob(id, options);
      const [units, delivery] = await Promise.all([store.units(job.id), store.delivery(job.id)]);
      return showJobWithFiles(job, { units, delivery, now: now() }, publicUrl());
    },

    async downloadJob(id, { language_code: asked }, options) {
      const job = await requireJob(id, options);
      const code = parseLocale(asked);
      const unit = (await store.units(job.id)).find(({ language_code }) => language_code === code);
      if (!unit || unit.file_id === null || unit.file_size === null) {
        throw new DragomanError('not_found', fileNotFound(shown(asked)));
      }
      const content = await files.openTranslation(job.id, unit.file_id).catch(async (error: unknown) => {
        // The job may just have been deleted. Otherwise the directory is damaged or the store does not respond.
        await requireJob(id, options);
        if (error instanceof DragomanError && error.code !== 'not_found') throw error;
        throw new DragomanError('internal', 'a translated file is missing', { cause: error });
      });
      return {
        filename: translatedName(job.filename, unit.language_code),
        size: unit.file_size,
        content,
      } satisfies JobFile;
    },

    async deleteJob(id, options) {
      const job = await requireJob(id, options);
      const isDeleted = await store.delete(accountId, job.id, now());
      if (!isDeleted) throw new DragomanError('not_found', JOB_NOT_FOUND);
      // A unit that waits for its engine removes its files when it ends.
      await within(runner.drop(job.id), DROP_MS, () => undefined);
      await files.remove(job.id);
      return { message: 'job deleted' };
    },
  };
}

/** An unchecked code, made safe to repeat in an answer. */
function shown(code: string): string {
  return parseLocale(code) ?? JSON.stringify(code.length > 40 ? `${code.slice(0, 40)}…` : code);
}

interface CreationTools {
  readonly store: JobStore;
  readonly files: JobFiles;
  readonly engine: Engine;
  readonly inspector: Inspector;
  readonly allowPrivateWebhooks: boolean;
  readonly now: () => number;
}

/**
 * Creates a job. Everything is checked first, and the call resolves only once the file and the row are on disk. If it
 * rejects, nothing of the job is left.
 *
 * @param request valid by the schema of the operation
 * @throws DragomanError like `JobService.createJob`
 */
async function createJob(
  accountId: string,
  request: CreateJobRequest,
  upload: JobUpload,
  signal: AbortSignal,
  tools: CreationTools,
): Promise<CreateJobResponse> {
  const { store, files, inspector, now } = tools;
  const plan = planJob(request, upload.filename);
  const webhookUrl = request.webhook_url;
  if (webhookUrl !== undefined)
    await requirePublicWebhook(webhookUrl, { allowPrivate: tools.allowPrivateWebhooks, signal });
  const id = randomUUID();
  const staged = await files.stage(id, upload.path, MAX_FILE_BYTES);
  try {
    const inspection = await inspector.inspect(
      accountId,
      inspectionOf(plan, staged.source),
      staged.bytes,
      signal,
    );
    if (inspection.totalKeys === 0)
      throw new DragomanError('invalid_request', 'the file has no keys to translate');
    const sourceLanguage = await sourceOf(plan, inspection);
    if (inspection.hasWords) await requirePairs(tools.engine, sourceLanguage, plan.targets);
    const job: NewJob = {
      id,
      accountId,
      filename: plan.filename,
      fileType: plan.fileType,
      sourceLanguage,
      targetLanguages: plan.targets,
      totalKeys: inspection.totalKeys,
      bytes: staged.bytes,
      webhookUrl,
      now: now(),
    };
    await staged.publish();
    throwIfAborted(signal);
    const shortage = await store.insert(job);
    if (shortage) {
      const message = insufficientCredits(shortage.remaining, creditsOfJob(job));
      throw new DragomanError('insufficient_credits', message);
    }
    return { job_id: id, status: 'pending', message: describeJob(job) };
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

function inspectionOf({ filename, fileType, source }: JobPlan, path: string) {
  return {
    kind: 'inspect' as const,
    source: { path, format: fileType, filename, language: source },
    sample: source === undefined,
  };
}

/** The requested language, otherwise the one that the file declares, otherwise the detected language of all texts. */
async function sourceOf({ source }: JobPlan, { declared, sample, hasWords }: Inspection): Promise<string> {
  const known = source ?? declared;
  if (known !== undefined) return known;
  // A file without letters needs no engine, in any language.
  if (!hasWords) return 'und';
  const { language } = await detectWindows(sample);
  if (language !== undefined) return language;
  throw new DragomanError(
    'invalid_request',
    'cannot detect the language of the file: name it in source_language',
  );
}

/** @throws DragomanError `unsupported_language` with the targets that the engine supports for this language */
async function requirePairs(engine: Engine, source: string, targets: readonly string[]): Promise<void> {
  const supported = await Promise.all(
    targets.map(async (target) => sameLanguage(source, target) || (await engine.supports(source, target))),
  );
  const missing = targets.filter((_, i) => !supported[i]);
  if (missing.length === 0) return;
  const { pairs } = await engine.status();
  const possible = pairs === 'any' ? [] : pairs.filter((pair) => pair.source === source);
  const known = [...new Set(possible.map(({ target }) => target))].sort();
  const name = `${source} (${languageName(source)})`;
  throw new DragomanError('unsupported_language', `cannot translate ${name} into ${missing.join(', ')}`, {
    hint: `supported languages: ${known.length === 0 ? `none from ${source}` : known.join(', ')}`,
  });
}

function describeJob({ totalKeys, targetLanguages }: NewJob): string {
  const keys = `${totalKeys} ${totalKeys === 1 ? 'key' : 'keys'}`;
  const languages = `${targetLanguages.length} ${targetLanguages.length === 1 ? 'language' : 'languages'}`;
  return `job created: ${keys} into ${languages}`;
}

/** The part of a request that can be validated without the file. */
interface JobPlan {
  readonly filename: string;
  readonly fileType: BuiltInFormatId;
  /** Canonical; undefined for `auto`. */
  readonly source: string | undefined;
  /** Canonical, without duplicates, in the order of the request. */
  readonly targets: readonly string[];
}

/**
 * Validates a request: accepts any spelling of a code and removes duplicate languages.
 *
 * @throws DragomanError `invalid_request` for a name without a known extension, `unsupported_language`.
 */
function planJob(request: CreateJobRequest, filename: string): JobPlan {
  const name = requireFilename(filename);
  const { source_language: source, target_languages: targets } = request;
  return {
    filename: name,
    fileType: requireFileType(name),
    source: source === 'auto' ? undefined : requireLanguage(source),
    targets: [...new Set(splitCodes(targets).map((code) => requireLanguage(code)))],
  };
}

/** File systems do not support longer names. */
const MAX_FILENAME = 255;

/** A file name must not be a path: it appears in answers, headers and file names. */
function requireFilename(filename: string): string {
  const name = win32.basename(basename(filename)).replace(/[\u0000-\u001f\u007f]/g, '');
  if (name !== '' && name.isWellFormed() && Buffer.byteLength(name) <= MAX_FILENAME) return name;
  throw new DragomanError('invalid_request', `file must have a name of 1 to ${MAX_FILENAME} bytes`);
}

function requireFileType(filename: string): BuiltInFormatId {
  const extension = extname(filename).toLowerCase();
  const type = JOB_FORMATS.get(extension);
  if (type) return type;
  const supported = Object.keys(FILE_TYPES).join(', ');
  throw new DragomanError('invalid_request', `file must have one of the extensions ${supported}`);
}

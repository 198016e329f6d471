import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { DragomanError } from '../../src/base/errors.ts';
import type { CreateJobRequest, Job } from '../../src/contract/jobs.ts';
import { JOB_FORMATS } from '../../src/formats/registry.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { messageKeys } from '../../src/documents/localization/pairing.ts';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import type { JobFile, JobService, JobUpload } from '../../src/service/service.ts';
import { decodeWords, encodeWords } from '../../src/text/tagged.ts';

interface Stored {
  job: Job;
  readonly bytes: Uint8Array;
  /** The number of further status requests for which the job is still processing. */
  polls: number;
}

/** Jobs for tests: `Save` becomes `fr:Save`; 1 credit for each key and language, charged when a job is created. */
export class CountingJobs implements JobService {
  readonly stored = new Map<string, Stored>();
  readonly created: string[] = [];
  readonly deleted: string[] = [];
  charged = 0;
  statusCalls = 0;
  /** Texts with one of these words fail. */
  readonly broken = new Set<string>();
  /** The number of status requests until a new job is done. */
  polls = 1;
  outcome: 'usual' | 'failed' = 'usual';
  beforeCreate: () => void = () => undefined;
  afterCreate: (id: string) => void = () => undefined;
  beforeDownload: () => void = () => undefined;

  async createJob(request: CreateJobRequest, { filename, path }: JobUpload) {
    this.beforeCreate();
    const bytes = readFileSync(path);
    const targets = request.target_languages.split(',');
    const { document } = await openBytes(bytes, filename, { locale: request.source_language });
    const total = messageKeys(document).size;
    const id = randomUUID();
    const now = '2026-01-01T00:00:00Z';
    const job: Job = {
      id,
      job_id: id,
      status: 'pending',
      original_filename: filename,
      file_type: JOB_FORMATS.get(extname(filename)) ?? 'json',
      source_language: request.source_language,
      target_languages: targets,
      total_keys: total,
      translated_keys: 0,
      failed_keys: 0,
      error_message: null,
      created_at: now,
      updated_at: now,
      completed_at: null,
    };
    this.stored.set(id, { job, bytes, polls: this.polls });
    this.created.push(`${filename.split('.')[0] ?? ''} ${targets.join(',')}`);
    this.charged += total * targets.length;
    this.afterCreate(id);
    return { job_id: id, status: 'pending' as const, message: 'created' };
  }

  listJobs(): Promise<readonly Job[]> {
    return Promise.resolve([...this.stored.values()].map(({ job }) => job));
  }

  jobStatus(id: string) {
    this.statusCalls++;
    const stored = this.#find(id);
    const failed = [...this.broken].some((word) => Buffer.from(stored.bytes).includes(word));
    const done = failed ? 'partial' : 'completed';
    const status = stored.polls-- > 0 ? 'processing' : this.outcome === 'failed' ? 'failed' : done;
    stored.job = { ...stored.job, status, error_message: status === 'failed' ? 'out of order' : null };
    return Promise.resolve({ ...stored.job, translated_files: [] });
  }

  async downloadJob(id: string, { language_code: target }: { language_code: string }): Promise<JobFile> {
    this.beforeDownload();
    const { job, bytes } = this.#find(id);
    const source = await openBytes(bytes, job.original_filename, { locale: job.source_language });
    const { bytes: translated } = await translateFile(
      source,
      { locale: target, spelling: target },
      { engine: this.#engine(), source: job.source_language, signal: new AbortController().signal },
    );
    const content = (async function* () {
      await Promise.resolve();
      yield translated.subarray(0, 10);
      yield translated.subarray(10);
    })();
    return { filename: job.original_filename, size: translated.length, content };
  }

  deleteJob(id: string) {
    this.#find(id);
    this.stored.delete(id);
    this.deleted.push(id);
    return Promise.resolve({ message: 'deleted' });
  }

  #find(id: string): Stored {
    const stored = this.stored.get(id);
    if (!stored) throw new DragomanError('not_found', 'job not found');
    return stored;
  }

  #engine(): Engine {
    return {
      id: 'test',
      status: () => Promise.resolve({ id: 'test', ready: true, detail: 'for tests', pairs: 'any' }),
      supports: () => Promise.resolve(true),
      translate: ({ texts, target }) =>
        Promise.resolve(
          texts.map((text) =>
            [...this.broken].some((word) => decodeWords(text).includes(word))
              ? { failure: 'too hard' }
              : { translation: `${encodeWords(`${target}:`)}${text}` },
          ),
        ),
      close: () => Promise.resolve(),
    };
  }
}

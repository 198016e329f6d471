import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import type { JobWithFiles } from '../../src/contract/jobs.ts';
import { operations } from '../../src/contract/operations.ts';
import { validate } from '../../src/contract/validation.ts';
import type { JobFile, JobService } from '../../src/service/service.ts';

export interface JobsSubject {
  readonly jobs: JobService;
  /** The jobs of another account. */
  readonly others: JobService;
  /** Jobs of an account with one credit. */
  readonly poor: JobService;
  close(): Promise<void>;
}

export interface JobsContractOptions {
  /** Jobs whose engine is the pseudo engine. */
  readonly open: () => Promise<JobsSubject>;
  /** The local code of an error: a server reveals less of it. */
  readonly codeOf?: (code: ErrorCode) => ErrorCode;
}

const signal = new AbortController().signal;
const call = { signal };
const MESSAGES = '{\n  "greeting": "Hello {name}",\n  "farewell": "Goodbye"\n}\n';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** The contract of every JobService, local or remote. */
export function jobsContract(name: string, { open, codeOf = (code) => code }: JobsContractOptions): void {
  describe(`${name} keeps the contract of jobs`, () => {
    let subject: JobsSubject;
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'dragoman-contract-'));
      subject = await open();
    });
    afterAll(async () => {
      await subject.close();
      await rm(directory, { recursive: true, force: true });
    });

    const create = async (
      content: string | Uint8Array = MESSAGES,
      {
        filename = 'messages.json',
        targets = 'fr',
        jobs = subject.jobs,
        ...more
      }: Record<string, unknown> & CreateOptions = {},
    ): Promise<string> => {
      const path = join(directory, 'upload');
      await writeFile(path, content);
      const request = { source_language: 'en', target_languages: targets, ...more };
      const answer = await jobs.createJob(request, { filename, path }, call);
      expect(validate(operations.createJob.response, answer)).toEqual(answer);
      return answer.job_id;
    };

    it('runs a job from its creation to its deletion', async () => {
      const { jobs } = subject;
      const id = await create(MESSAGES, { targets: 'fr, pt-br' });
      const job = await untilEnd(jobs, id);
      expect(validate(operations.jobStatus.response, job)).toEqual(job);
      expect(job).toMatchObject({
        id,
        job_id: id,
        status: 'completed',
        original_filename: 'messages.json',
        file_type: 'json',
        source_language: 'en',
        target_languages: ['fr', 'pt-BR'],
        total_keys: 2,
        translated_keys: 2,
        failed_keys: 0,
        error_message: null,
      });
      for (const { language_code, file_size } of job.translated_files) {
        const file = await jobs.downloadJob(id, { language_code }, call);
        expect(file.filename).toBe(`messages_${language_code}.json`);
        expect(file.size).toBe(file_size);
        const bytes = await contentOf(file);
        expect(bytes).toHaveLength(file_size);
        const values = JSON.parse(bytes.toString()) as Record<string, string>;
        expect(Object.keys(values)).toEqual(['greeting', 'farewell']);
        expect(values['greeting']).toContain('{name}');
        expect(values['greeting']).not.toContain('Hello');
      }
      expect((await jobs.deleteJob(id, call)).message).not.toBe('');
      await expectFailure(jobs.jobStatus(id, call), 'not_found');
      await expectFailure(jobs.deleteJob(id, call), 'not_found');
    });

    it('lists its jobs, newest first, without their files', async () => {
      const ids = [await create(), await create(), await create()];
      for (const id of ids) await untilEnd(subject.jobs, id);
      const list = await subject.jobs.listJobs(call);
      expect(list.slice(0, 3).map(({ id }) => id)).toEqual(ids.toReversed());
      expect(list[0]).not.toHaveProperty('translated_files');
      expect(await subject.others.listJobs(call)).toEqual([]);
    });

    it('keeps names and encodings', async () => {
      const filename = 'Übung – 名前 😀.properties';
      const content = Buffer.from('\ufeffgreeting = Hello\r\n', 'utf16le');
      const id = await create(content, { filename, targets: 'de' });
      const job = await untilEnd(subject.jobs, id);
      expect(job).toMatchObject({
        original_filename: filename,
        file_type: 'properties',
        status: 'completed',
      });
      const file = await subject.jobs.downloadJob(id, { language_code: 'de' }, call);
      expect(file.filename).toBe('Übung – 名前 😀_de.properties');
      const text = (await contentOf(file)).toString('utf16le');
      expect(text).toMatch(/^\ufeffgreeting = .+\r\n$/);
    });

    it('transfers larger files completely', async () => {
      const entries = Array.from({ length: 4000 }, (_, i) => [
        `key.${i}`,
        `This is the text with the number ${i}.`,
      ]);
      const content = JSON.stringify(Object.fromEntries(entries), null, 2);
      const id = await create(content);
      const job = await untilEnd(subject.jobs, id);
      expect(job).toMatchObject({ status: 'completed', total_keys: 4000, translated_keys: 4000 });
      const file = await subject.jobs.downloadJob(id, { language_code: 'fr' }, call);
      const bytes = await contentOf(file);
      expect(bytes).toHaveLength(file.size ?? -1);
      expect(Object.keys(JSON.parse(bytes.toString()) as object)).toHaveLength(4000);
    });

    it('refuses files and requests that cannot become a job', async () => {
      await expectFailure(create('Hello', { filename: 'letter.txt' }), codeOf('invalid_request'));
      await expectFailure(create('{"open": '), codeOf('unreadable_input'));
      await expectFailure(create(MESSAGES, { targets: 'fr,xx' }), codeOf('unsupported_language'));
      await expectFailure(create(MESSAGES, { webhook_url: 'http://example.com/' }), 'invalid_request');
      await expectFailure(create(MESSAGES, { jobs: subject.poor }), 'insufficient_credits');
    });

    it('gives access only to jobs of the caller', async () => {
      const id = await create();
      await untilEnd(subject.jobs, id);
      const { others, jobs } = subject;
      for (const [service, job] of [
        [others, id],
        [jobs, NOWHERE],
        [jobs, 'nonsense'],
        [jobs, '../x'],
      ] as const) {
        await expectFailure(service.jobStatus(job, call), 'not_found');
        await expectFailure(service.downloadJob(job, { language_code: 'fr' }, call), 'not_found');
        await expectFailure(service.deleteJob(job, call), 'not_found');
      }
      await expectFailure(jobs.downloadJob(id, { language_code: 'es' }, call), 'not_found');
      expect((await jobs.jobStatus(id, call)).status).toBe('completed');
    });

    it('starts nothing that is already interrupted', async () => {
      const stopped = { signal: AbortSignal.abort() };
      await expectFailure(subject.jobs.listJobs(stopped), 'interrupted');
    });
  });
}

interface CreateOptions {
  readonly filename?: string;
  readonly targets?: string;
  readonly jobs?: JobService;
}

async function expectFailure(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error: unknown = await work.then(
    () => new Error('the call did not fail'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DragomanError);
  const { code: actual, message } = error as DragomanError;
  expect({ code: actual, message }).toMatchObject({ code });
}

/** Polls until the job has ended, and fails if it never does. */
export async function untilEnd(jobs: JobService, id: string, limitMs = 90_000): Promise<JobWithFiles> {
  const limit = Date.now() + limitMs;
  for (;;) {
    const job = await jobs.jobStatus(id, call);
    if (job.completed_at !== null) return job;
    if (Date.now() > limit) throw new Error(`waited too long for job ${id}: ${job.status}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function contentOf({ content }: JobFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

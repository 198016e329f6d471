import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobList, jobWithFiles, webhookPayload } from '../../src/contract/jobs.ts';
import { validate } from '../../src/contract/validation.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  download,
  ended,
  fakeEngine,
  noSignal,
  openRoom,
  status,
  until,
  type Room,
} from './room.ts';

/** Translates like the pseudo engine, except for texts and languages that should fail, and waits on command. */
const pseudo = createPseudoEngine();
let gate: Promise<void> | undefined;
const asked: string[] = [];
/** Like a service, it answers its requests even if nobody waits any more. */
const engine: Engine = fakeEngine(async (request) => {
  asked.push(...request.texts);
  if (gate) await gate;
  const outcomes = await pseudo.translate(request, noSignal.signal);
  return outcomes.map((outcome, i) => {
    const text = request.texts[i] ?? '';
    const fails = text.includes('never') || (text.includes('not in German') && request.target === 'de');
    return fails ? { failure: 'the words are beyond me' } : outcome;
  });
});

let room: Room;
beforeAll(async () => {
  room = await openRoom({ engine, workers: 2 });
});
afterAll(() => room.close());

function hold(): () => void {
  let open = (): void => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  return () => {
    gate = undefined;
    open();
  };
}

describe('a job', () => {
  it('is completed when every key has every language, for 1 credit each', async () => {
    const account = await addAccount(room, 100);
    const release = hold();
    const id = await createJob(room, account, { targets: 'fr, de' });
    await until(async () => (await status(room, account, id)).status === 'processing', 'it begins');
    const running = await status(room, account, id);
    expect(running).toMatchObject({ completed_at: null, translated_files: [], error_message: null });
    expect(await accountOf(room, account)).toMatchObject({ balance: 100, reserved: 4 });
    release();
    const job = await ended(room, account, id);
    expect(validate(jobWithFiles, job)).toEqual(job);
    expect(job).toMatchObject({
      id,
      job_id: id,
      status: 'completed',
      original_filename: 'messages.json',
      file_type: 'json',
      source_language: 'en',
      target_languages: ['fr', 'de'],
      total_keys: 2,
      translated_keys: 2,
      failed_keys: 0,
      error_message: null,
    });
    expect(job.translated_files.map(({ language_code }) => language_code)).toEqual(['fr', 'de']);
    expect(await accountOf(room, account)).toMatchObject({ balance: 96, reserved: 0 });
    await checkBooks(room);
  });

  it('is partial when a key failed in some language; that key is free and keeps its source text', async () => {
    const account = await addAccount(room, 100);
    const content = '{\n  "a": "Hello",\n  "b": "not in German",\n  "c": "Goodbye"\n}\n';
    const id = await createJob(room, account, { targets: 'fr,de', content });
    const job = await ended(room, account, id);
    expect(job).toMatchObject({
      status: 'partial',
      total_keys: 3,
      translated_keys: 2,
      failed_keys: 1,
      error_message: null,
    });
    const service = room.jobs.of(account);
    expect(String(await download(service, id, 'de'))).toBe(
      '{\n  "a": "Ĥéļļö",\n  "b": "not in German",\n  "c": "Ĝööðƀýé"\n}\n',
    );
    expect(String(await download(service, id, 'fr'))).toContain('ñöţ îñ Ĝéŕɱåñ');
    expect((await accountOf(room, account)).balance).toBe(95);
    await checkBooks(room);
  });

  it('has no file for a language in which every key failed', async () => {
    const account = await addAccount(room, 100);
    const id = await createJob(room, account, { targets: 'fr,de', content: '{"a":"not in German"}' });
    const job = await ended(room, account, id);
    expect(job).toMatchObject({ status: 'partial', translated_keys: 0, failed_keys: 1 });
    expect(job.translated_files.map(({ language_code }) => language_code)).toEqual(['fr']);
    await expect(download(room.jobs.of(account), id, 'de')).rejects.toMatchObject({
      code: 'not_found',
      message: 'no translated file for the language de was found',
    });
    expect((await accountOf(room, account)).balance).toBe(99);
  });

  it('fails when nothing could be translated, reports the reason, and is free', async () => {
    const account = await addAccount(room, 100);
    const id = await createJob(room, account, {
      targets: 'fr,de',
      content: '{"a":"never","b":"never ever"}',
    });
    const job = await ended(room, account, id);
    expect(job).toMatchObject({
      status: 'failed',
      translated_keys: 0,
      failed_keys: 2,
      error_message: 'nothing could be translated: the words are beyond me',
      translated_files: [],
    });
    expect(await accountOf(room, account)).toMatchObject({ balance: 100, reserved: 0 });
    await checkBooks(room);
  });

  it('into its own language has the source text, if the engine does not support the pair', async () => {
    const account = await addAccount(room, 10);
    const before = asked.length;
    const strict = await openRoom({
      engine: fakeEngine(
        (request, own) => engine.translate(request, own),
        (source, target) => Promise.resolve(source !== target),
      ),
    });
    try {
      const own = await addAccount(strict, 10);
      const id = await createJob(strict, own, { targets: 'en' });
      expect(await ended(strict, own, id)).toMatchObject({ status: 'completed', translated_keys: 2 });
      expect(String(await download(strict.jobs.of(own), id, 'en'))).toContain('"Hello"');
      expect(asked.length).toBe(before);
    } finally {
      await strict.close();
    }
    expect(account).toBeDefined();
  });

  it('reports how many keys are done while it runs, and how long it takes', async () => {
    const account = await addAccount(room, 100_000);
    const entries = Array.from({ length: 1_000 }, (_, i) => [`key${i}`, `Message number ${i} of many`]);
    const slow = await openRoom({
      engine: fakeEngine(async (request, signal) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return pseudo.translate(request, signal);
      }),
    });
    try {
      const own = await addAccount(slow, 100_000);
      const id = await createJob(slow, own, { content: JSON.stringify(Object.fromEntries(entries)) });
      const seen = new Set<number>();
      const times = new Set<string>();
      const left: unknown[] = [];
      await until(async () => {
        const job = await status(slow, own, id);
        seen.add(job.translated_keys);
        times.add(job.updated_at);
        left.push(job.seconds_left);
        return job.completed_at !== null;
      }, 'the job ends');
      const counts = [...seen];
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(counts.length).toBeGreaterThan(2);
      expect(counts.at(-1)).toBe(1_000);
      expect(times.size).toBeGreaterThan(2);
      expect(left[0]).toBeNull();
      expect(left.at(-1)).toBeUndefined();
      const estimates = left.filter((seconds) => typeof seconds === 'number');
      expect(estimates.length).toBeGreaterThan(2);
      // `time-left.test.ts` tests the number of seconds, which depends here on the load of the machine.
      expect(estimates.every((seconds) => Number.isInteger(seconds) && seconds >= 0)).toBe(true);
    } finally {
      await slow.close();
    }
    expect(account).toBeDefined();
  });
});

describe('the list of jobs', () => {
  it('has the newest jobs first, and only the caller’s jobs', async () => {
    const [mine, other] = [await addAccount(room), await addAccount(room)];
    const first = await createJob(room, mine);
    const second = await createJob(room, mine, { targets: 'de' });
    await createJob(room, other);
    await ended(room, mine, second);
    const jobs = await room.jobs.of(mine).listJobs(noSignal);
    expect(validate(jobList, jobs)).toEqual(jobs);
    expect(jobs.map(({ id }) => id)).toEqual([second, first]);
    expect(jobs.every((job) => !('translated_files' in job))).toBe(true);
  });
});

describe('a download', () => {
  it('has the same name, size and bytes every time', async () => {
    const account = await addAccount(room);
    const id = await createJob(room, account, { filename: 'my.app.pot', content: POT, targets: 'pt_BR' });
    const job = await ended(room, account, id);
    const service = room.jobs.of(account);
    const file = await service.downloadJob(id, { language_code: 'pt-br' }, noSignal);
    expect(file.filename).toBe('my.app_pt-BR.po');
    const bytes = await download(service, id, 'pt-BR');
    expect(file.size).toBe(bytes.length);
    expect(job.translated_files[0]?.file_size).toBe(bytes.length);
    for await (const part of file.content) expect(part.length).toBe(bytes.length);
    expect(await download(service, id, 'pt_BR')).toEqual(bytes);
    expect(String(bytes)).toContain('msgstr "Ĥéļļö"');
    expect(job.translated_files[0]?.file_url).toBe(
      `https://translate.example/base/v2/translate/i18n/jobs/${id}/download?language_code=pt-BR`,
    );
  });

  it.each([
    ['it', { code: 'not_found', message: 'no translated file for the language it was found' }],
    ['no such', { code: 'not_found', message: 'no translated file for the language "no such" was found' }],
  ])('in the language %j is refused', async (code, error) => {
    const account = await addAccount(room);
    const id = await createJob(room, account);
    await expect(download(room.jobs.of(account), id, code)).rejects.toMatchObject(error);
  });

  it('has no file before its language is done, and does not wait for one', async () => {
    const account = await addAccount(room);
    const release = hold();
    const id = await createJob(room, account, { content: '{"a":"Hold it"}' });
    await expect(download(room.jobs.of(account), id, 'fr')).rejects.toMatchObject({ code: 'not_found' });
    release();
    await ended(room, account, id);
    expect(String(await download(room.jobs.of(account), id, 'fr'))).toBe('{"a":"Ĥöļð îţ"}');
  });
});

const POT = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "Hello"
msgstr ""
`;

describe('a job of another account', () => {
  it.each(['jobStatus', 'deleteJob'] as const)('is not found by %s', async (operation) => {
    const [mine, other] = [await addAccount(room), await addAccount(room)];
    const id = await createJob(room, mine);
    const notFound = { code: 'not_found', message: 'job not found' };
    await expect(room.jobs.of(other)[operation](id, noSignal)).rejects.toMatchObject(notFound);
    await expect(room.jobs.of(mine)[operation]('not-a-uuid', noSignal)).rejects.toMatchObject(notFound);
    await expect(room.jobs.of(mine)[operation](crypto.randomUUID(), noSignal)).rejects.toMatchObject(
      notFound,
    );
    expect((await ended(room, mine, id)).status).toBe('completed');
    expect((await status(room, mine, id.toUpperCase())).id).toBe(id);
  });

  it('is not downloaded', async () => {
    const [mine, other] = [await addAccount(room), await addAccount(room)];
    const id = await createJob(room, mine);
    await ended(room, mine, id);
    await expect(download(room.jobs.of(other), id, 'fr')).rejects.toMatchObject({ message: 'job not found' });
  });
});

describe('deleting a job', () => {
  it('removes the record, the original and the translations', async () => {
    const account = await addAccount(room, 10);
    const id = await createJob(room, account);
    await ended(room, account, id);
    const directory = join(room.directory, 'jobs', id);
    expect((await stat(directory)).isDirectory()).toBe(true);
    const service = room.jobs.of(account);
    expect(await service.deleteJob(id, noSignal)).toEqual({ message: 'job deleted' });
    await expect(stat(directory)).rejects.toThrow('ENOENT');
    await expect(service.deleteJob(id, noSignal)).rejects.toMatchObject({ message: 'job not found' });
    expect(await service.listJobs(noSignal)).toEqual([]);
    expect(await room.jobs.webhookBody(id)).toBeUndefined();
    expect((await accountOf(room, account)).balance).toBe(8);
    await checkBooks(room);
  });

  it('stops it while it runs, charges pending work of its engine, and leaves nothing', async () => {
    const account = await addAccount(room, 100);
    const release = hold();
    const before = asked.length;
    const id = await createJob(room, account, { targets: 'fr,de,it,es' });
    await until(() => Promise.resolve(asked.length > before), 'the engine is asked');
    expect((await accountOf(room, account)).reserved).toBe(8);
    const began = Date.now();
    await room.jobs.of(account).deleteJob(id, noSignal);
    expect(Date.now() - began).toBeLessThan(20_000);
    // Only languages that were started are charged.
    const { balance, reserved } = await accountOf(room, account);
    expect(balance).toBe(100);
    expect(reserved).toBeGreaterThanOrEqual(asked.length - before);
    expect(reserved).toBeLessThan(8);
    await expect(stat(join(room.directory, 'jobs', id))).rejects.toThrow('ENOENT');
    release();
    await until(async () => (await accountOf(room, account)).reserved === 0, 'it is charged');
    expect((await accountOf(room, account)).balance).toBe(100 - (asked.length - before));
    const next = await createJob(room, account);
    expect((await ended(room, account, next)).status).toBe('completed');
    expect(await room.jobs.counts()).toEqual({ waiting: 0, running: 0 });
    await checkBooks(room);
  });
});

describe('a job with a webhook', () => {
  it('creates its call in the transaction that ends it, and returns the body on request', async () => {
    const account = await addAccount(room);
    const webhook = 'https://203.0.113.5.example/hook?x=1';
    const id = await createJob(room, account, { webhook });
    const { completed_at } = await ended(room, account, id);
    const calls = await room.database.sql
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('job_id', '=', id)
      .execute();
    expect(calls).toMatchObject([{ url: webhook, account_id: account, status: 'pending', body: null }]);
    const payload: unknown = JSON.parse((await room.jobs.webhookBody(id)) ?? '');
    const { translated_files, webhook: delivery, ...job } = await status(room, account, id);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 0, last_error: null });
    expect(validate(webhookPayload, payload)).toEqual(payload);
    expect(payload).toEqual({
      event: 'i18n_translation.completed',
      job_id: id,
      status: 'completed',
      job,
      translated_files,
      completed_at,
    });
    await room.jobs.of(account).deleteJob(id, noSignal);
    const left = await room.database.sql.selectFrom('webhook_deliveries').select('id').execute();
    expect(left).toEqual([]);
  });

  it('has no webhook body before it has ended', async () => {
    const account = await addAccount(room);
    const release = hold();
    const id = await createJob(room, account, { content: '{"a":"Not yet"}' });
    expect(await room.jobs.webhookBody(id)).toBeUndefined();
    release();
    await ended(room, account, id);
  });
});

describe('jobs that have ended', () => {
  it('are removed with their files after the retention time', async () => {
    let later = 0;
    const keeping = await openRoom({
      keepMs: 60_000,
      limits: { lookMs: 20 },
      now: () => Date.now() + later,
    });
    try {
      const account = await addAccount(keeping);
      const id = await createJob(keeping, account);
      await ended(keeping, account, id);
      expect(await readdir(join(keeping.directory, 'jobs'))).toEqual([id]);
      later = 61_000;
      await until(
        async () => (await readdir(join(keeping.directory, 'jobs'))).length === 0,
        'the files are removed',
      );
      expect(await keeping.jobs.of(account).listJobs(noSignal)).toEqual([]);
      await checkBooks(keeping);
    } finally {
      await keeping.close();
    }
  });
});

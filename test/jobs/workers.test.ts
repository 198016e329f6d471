import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { EngineHost } from '../../src/engines/host.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { silentLog } from '../../src/jobs/log.ts';
import { DirectoryFiles } from '../../src/jobs/job-files.ts';
import { workOffUnit } from '../../src/jobs/unit-work.ts';
import { FileWorker } from '../../src/jobs/worker/file-worker.ts';
import type { TranslateTask } from '../../src/jobs/worker/tasks.ts';
import { WorkerLost } from '../../src/workers/peer.ts';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  ended,
  fakeEngine,
  noSignal,
  openRoom,
  type Room,
  type RoomOptions,
} from './room.ts';

let room: Room | undefined;
afterEach(async () => {
  await room?.close();
  room = undefined;
});

async function open(options: RoomOptions): Promise<{ room: Room; account: string }> {
  room = await openRoom(options);
  return { room, account: await addAccount(room) };
}

const pseudo = createPseudoEngine();
const heap = { usual: 384, most: 2_048 };
const many = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, `Message ${i}`])));

describe('a worker', () => {
  it('fails only its unit, after a second attempt, when it runs out of memory', async () => {
    let calls = 0;
    const { room, account } = await open({
      limits: { heap: { usual: 64, most: 64 } },
      engine: fakeEngine(async (request, signal) => {
        if (request.target !== 'de') return pseudo.translate(request, signal);
        calls++;
        return request.texts.map((text) => ({ translation: text + 'é'.repeat(300_000) }));
      }),
    });
    const id = await createJob(room, account, { targets: 'de,fr', content: many(500) });
    const job = await ended(room, account, id);
    expect(job).toMatchObject({ status: 'partial', translated_keys: 0, failed_keys: 500 });
    expect(job.translated_files.map(({ language_code }) => language_code)).toEqual(['fr']);
    const [unit] = await room.database.sql.selectFrom('job_units').selectAll().orderBy('position').execute();
    expect(unit?.error_message).toBe('translating the file needs too much memory');
    expect(calls).toBeGreaterThan(4);
    expect((await accountOf(room, account)).balance).toBe(1_000_000 - 500);
    await checkBooks(room);
  });

  it('refuses an upload that exhausts its memory, and reads the next one', async () => {
    const { room, account } = await open({ limits: { heap: { usual: 24, most: 24 } } });
    await expect(createJob(room, account, { content: many(200_000) })).rejects.toMatchObject({
      code: 'limit_exceeded',
      message: 'reading the file needs too much memory',
    });
    const id = await createJob(room, account);
    expect((await ended(room, account, id)).status).toBe('completed');
  });

  it('gets more memory for a file that needs it', async () => {
    const { room, account } = await open({ limits: { heap: { usual: 24, most: 512 } } });
    const id = await createJob(room, account, { content: many(100_000) });
    expect((await ended(room, account, id)).status).toBe('completed');
    const units = await room.database.sql.selectFrom('job_units').select('attempts').execute();
    expect(units).toEqual([{ attempts: 1 }]);
  });

  it('refuses an upload when it makes no progress', async () => {
    const { room, account } = await open({ limits: { inspectionMs: 1 } });
    await expect(createJob(room, account)).rejects.toMatchObject({
      code: 'limit_exceeded',
      message: 'reading the file made no progress for 1 s',
    });
  });

  it('fails a unit when it makes no progress', async () => {
    const { room, account } = await open({ limits: { unitStallMs: 1 } });
    const id = await createJob(room, account);
    expect(await ended(room, account, id)).toMatchObject({
      status: 'failed',
      error_message: 'nothing could be translated: translating the file made no progress for 1 s',
    });
    await checkBooks(room);
  });

  it('is lost when it exits during its task, and starts again for the next one', async () => {
    const { room } = await open({});
    const path = join(room.directory, 'big.json');
    await writeFile(path, many(20_000));
    const worker = new FileWorker({ host: new EngineHost(pseudo, silentLog), stallMs: 20_000, heap });
    const task = taskFor(room, path);
    const run = worker.run(task, { ...noSignal, onProgress: () => void worker.close() });
    await expect(run).rejects.toThrow(WorkerLost);
    expect(await worker.run(task, noSignal)).toMatchObject({ totalKeys: 20_000, translatedKeys: 20_000 });
    await worker.close();
  });

  it('abandons an aborted task within a second, even while it computes', async () => {
    const { room } = await open({});
    const path = join(room.directory, 'big.json');
    await writeFile(path, many(100_000));
    const host = new EngineHost(pseudo, silentLog);
    const worker = new FileWorker({ host, stallMs: 20_000, heap });
    const stop = new AbortController();
    const run = worker.run(taskFor(room, path), { signal: stop.signal });
    const began = Date.now();
    setTimeout(() => stop.abort(), 100);
    // A worker that receives the abort in time, for example because it has just started, stops by itself.
    const ended = run.then(({ isStopped }) => (isStopped ? 'interrupted' : 'done')).catch(codeOf);
    expect(await ended).toBe('interrupted');
    expect(Date.now() - began).toBeLessThan(3_000);
    await worker.close();
  });
});

function codeOf(error: unknown): unknown {
  return error instanceof DragomanError ? error.code : error;
}

function taskFor(room: Room, path: string): TranslateTask {
  return {
    kind: 'translate',
    source: { path, format: 'json', filename: 'big.json', language: 'en' },
    own: undefined,
    target: 'fr',
    directory: room.directory,
    fileId: crypto.randomUUID(),
  };
}

describe('a unit', () => {
  const unit = {
    jobId: crypto.randomUUID(),
    language: 'fr',
    instanceId: 'x',
    accountId: 'a',
    filename: 'a.json',
    fileType: 'json',
    sourceLanguage: 'en',
    totalKeys: 9,
    size: 9,
    attempts: 1,
  } as const;
  const ours = { ...noSignal, isOurs: () => Promise.resolve(true) };
  const tools = {
    files: new DirectoryFiles('/nonexistent', 'x'),
    failsLanguage: () => false,
    log: silentLog,
  };
  const result = { totalKeys: 9, translatedKeys: 9, failedKeys: null, reason: null, size: 5 };
  const threadThat = (...answers: (Error | typeof result)[]): FileWorker => {
    const run = (): Promise<unknown> => {
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    return { run } as unknown as FileWorker;
  };

  it('whose worker is lost once is done at the second attempt', async () => {
    const end = await workOffUnit(unit, threadThat(new WorkerLost('crashed'), result), ours, tools);
    expect(end).toMatchObject({ translatedKeys: 9, file: { size: 5 } });
  });

  it('whose worker is lost twice fails', async () => {
    const lost = new WorkerLost('crashed: x');
    const end = await workOffUnit(unit, threadThat(lost, lost, result), ours, tools);
    expect(end).toMatchObject({
      translatedKeys: 0,
      errorMessage: 'translating the file crashed: x',
      file: undefined,
    });
  });

  it('is not retried after twenty crashes', async () => {
    const end = await workOffUnit({ ...unit, attempts: 20 }, threadThat(result), ours, tools);
    expect(end.translatedKeys).toBe(9);
    const over = await workOffUnit({ ...unit, attempts: 21 }, threadThat(result), ours, tools);
    expect(over).toMatchObject({ errorMessage: 'its worker process ended in each attempt' });
  });

  it('does not fail a unit whose file cannot be stored', async () => {
    const full = new DragomanError('unwritable_output', 'no space left');
    await expect(workOffUnit(unit, threadThat(full), ours, tools)).rejects.toBe(full);
  });

  it('keeps the message of an internal error from clients', async () => {
    const defect = new DragomanError('internal', 'secret detail');
    const end = await workOffUnit(unit, threadThat(defect), ours, tools);
    expect(end.errorMessage).toBe('internal error');
  });

  it('does not fail if its job was deleted', async () => {
    const gone = { ...noSignal, isOurs: () => Promise.resolve(false) };
    for (const error of [new DragomanError('internal', 'ENOENT'), new DragomanError('not_found', 'no file')])
      await expect(workOffUnit(unit, threadThat(error), gone, tools)).rejects.toMatchObject({
        code: 'interrupted',
      });
    const lost = new WorkerLost('crashed: x');
    const worker = threadThat(lost, lost);
    await expect(workOffUnit(unit, worker, gone, tools)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('an engine', () => {
  it('that never answers fails the job within its time limit', async () => {
    const { room, account } = await open({
      limits: { callMs: 50 },
      engine: fakeEngine(() => new Promise(() => undefined)),
    });
    const id = await createJob(room, account, { content: many(1_000) });
    expect(await ended(room, account, id)).toMatchObject({
      status: 'failed',
      error_message: 'nothing could be translated: the engine gave no answer within 1 s',
    });
  });

  it('fails the job with the reason when it no longer supports the pair', async () => {
    const { room, account } = await open({
      engine: fakeEngine(() =>
        Promise.reject(new DragomanError('engine_unavailable', 'no engine for en-fr')),
      ),
    });
    const id = await createJob(room, account);
    expect((await ended(room, account, id)).error_message).toBe(
      'nothing could be translated: no engine for en-fr',
    );
  });

  it('fails the job on an internal error, whose details are only for the operator', async () => {
    const logged: unknown[] = [];
    const { room, account } = await open({
      log: { ...silentLog, error: ({ err }) => logged.push(err) },
      engine: fakeEngine(() => Promise.reject(new TypeError('x of undefined'))),
    });
    const id = await createJob(room, account);
    expect((await ended(room, account, id)).error_message).toBe(
      'nothing could be translated: the engine failed unexpectedly',
    );
    expect(String(logged[0])).toContain('x of undefined');
  });

  it('stops when the job is deleted', async () => {
    const aborted: string[] = [];
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const { room, account } = await open({
      engine: fakeEngine(({ target }, signal) => {
        ask();
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(target);
            reject(new DragomanError('interrupted', 'stopped'));
          });
        });
      }),
    });
    const id = await createJob(room, account);
    await asked;
    await room.jobs.of(account).deleteJob(id, noSignal);
    expect(aborted).toEqual(['fr']);
  });
});

describe('a simulated failure', () => {
  it('fails one language', async () => {
    const { room, account } = await open({ failsLanguage: (code) => code === 'fr' });
    const id = await createJob(room, account, { targets: 'fr,de' });
    const job = await ended(room, account, id);
    expect(job).toMatchObject({ status: 'partial', translated_keys: 0, failed_keys: 2 });
    expect(job.translated_files.map(({ language_code }) => language_code)).toEqual(['de']);
    await checkBooks(room);
  });
});

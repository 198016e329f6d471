import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { WorkerClient, type WorkerOptions } from '../../src/workers/client.ts';
import type { WorkerKind } from '../../src/workers/peer.ts';
import { locateScript } from '../../src/workers/script.ts';
import { isRunning } from '../running-process.ts';
import type { TestProtocol } from './test-protocol.ts';

const script = { name: 'dragoman test', source: '../test/workers/worker-process.ts', bundled: 'no.js' };
const opened: WorkerClient<TestProtocol>[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

/** Longer than a worker takes to start on a busy machine. */
const stallMs = 20_000;

describe.each<WorkerKind>(['thread', 'process'])('a worker %s', (kind) => {
  function open(options: Partial<WorkerOptions<TestProtocol>> = {}): WorkerClient<TestProtocol> {
    const client = new WorkerClient<TestProtocol>({
      kind,
      script,
      settings: { greeting: 'Hello' },
      heapMegabytes: () => 256,
      ...options,
    });
    opened.push(client);
    return client;
  }
  const greets = (client: WorkerClient<TestProtocol>): Promise<string> =>
    client.call({ do: 'greet', name: 'Ada' }, { stallMs });

  it('answers concurrent calls, with its start settings', async () => {
    const client = open();
    const names = Array.from({ length: 50 }, (_, i) => `${i}`);
    const answers = await Promise.all(names.map((name) => client.call({ do: 'greet', name }, { stallMs })));
    expect(answers).toEqual(names.map((name) => `Hello, ${name}`));
  });

  it('reports progress while it works, and calls its host', async () => {
    const notes: number[] = [];
    const client = open({ answer: (question) => Promise.resolve(question.toUpperCase()) });
    const onNote = (note: number): void => void notes.push(note);
    expect(await client.call({ do: 'report', steps: 3, stepMs: 1 }, { stallMs, onNote })).toBe('reported');
    expect(notes).toEqual([1, 2, 3]);
    expect(await client.call({ do: 'ask', question: 'why' }, { stallMs })).toBe('heard WHY');
  });

  it('passes on its own errors and those of its host', async () => {
    const client = open({ answer: () => Promise.reject(new DragomanError('engine_failed', 'no engine')) });
    const refused = await client.call({ do: 'refuse' }, { stallMs }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DragomanError);
    expect(refused).toMatchObject({
      code: 'unreadable_input',
      message: 'no',
      hint: 'Ask nicely.',
      at: { line: 3, column: 4 },
    });
    await expect(client.call({ do: 'ask', question: 'why' }, { stallMs })).rejects.toMatchObject({
      code: 'engine_failed',
      message: 'no engine',
    });
    expect(await greets(client)).toBe('Hello, Ada');
  });

  it.each(['crash', 'exit'] as const)('is replaced after a call made it %s', async (what) => {
    const client = open();
    expect(await greets(client)).toBe('Hello, Ada');
    await expect(client.call({ do: what }, { stallMs })).rejects.toMatchObject({ reason: 'crash', calls: 1 });
    expect(await greets(client)).toBe('Hello, Ada');
  });

  it('fails all its calls when it crashes, and reports how many', async () => {
    const client = open();
    const others = [1, 2].map(() => client.call({ do: 'idle' }, { stallMs }).catch((lost: unknown) => lost));
    await expect(client.call({ do: 'crash' }, { stallMs })).rejects.toMatchObject({ calls: 3 });
    for (const lost of await Promise.all(others)) expect(lost).toMatchObject({ reason: 'crash', calls: 3 });
  });

  it.each(['hang', 'idle'] as const)('is killed when it is silent for too long: %s', async (what) => {
    const client = open();
    expect(await greets(client)).toBe('Hello, Ada');
    const began = performance.now();
    await expect(client.call({ do: what }, { stallMs: 200 })).rejects.toMatchObject({
      reason: 'time',
      message: 'made no progress for 1 s',
    });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await greets(client)).toBe('Hello, Ada');
  });

  it('is not killed while it shows signs of life or its host answers', async () => {
    const client = open({
      answer: (question) => new Promise((resolve) => setTimeout(resolve, 1_500, question)),
    });
    expect(await greets(client)).toBe('Hello, Ada');
    const limit = { stallMs: 1_000 };
    expect(await client.call({ do: 'report', steps: 15, stepMs: 100 }, limit)).toBe('reported');
    expect(await client.call({ do: 'ask', question: 'why' }, limit)).toBe('heard why');
  });

  it('that hangs is not saved by new calls', async () => {
    const client = open();
    expect(await greets(client)).toBe('Hello, Ada');
    const hung = client.call({ do: 'hang' }, { stallMs: 500 }).catch((lost: unknown) => lost);
    const late: Promise<unknown>[] = [];
    const timer = setInterval(
      () => late.push(client.call({ do: 'greet', name: 'x' }, { stallMs: 500 }).catch(() => 'lost')),
      100,
    );
    expect(await hung).toMatchObject({ reason: 'time' });
    clearInterval(timer);
    await Promise.all(late);
  });

  it('that runs out of memory is replaced', async () => {
    const client = open({ heapMegabytes: () => 48 });
    await expect(client.call({ do: 'fill' }, { stallMs })).rejects.toMatchObject({
      reason: 'memory',
      message: 'needs too much memory',
    });
    expect(await greets(client)).toBe('Hello, Ada');
  });

  it('limits the memory for new objects only on request', async () => {
    const churn = async (youngMegabytes?: number): Promise<number> =>
      Number(await open({ youngMegabytes }).call({ do: 'churn' }, { stallMs }));
    expect(await churn(3)).toBeLessThanOrEqual(3 * 1024 * 1024);
    expect(await churn()).toBeGreaterThan(12 * 1024 * 1024);
  });

  it('interrupts running calls when closed, and ends', async () => {
    const client = open();
    const busy = ['hang', 'idle'].map((what) =>
      client.call({ do: what as 'hang' }, { stallMs }).catch((lost: unknown) => lost),
    );
    await client.close();
    for (const lost of await Promise.all(busy)) expect(lost).toMatchObject({ reason: 'closed' });
    expect(await greets(client)).toBe('Hello, Ada');
  });

  it('is notified that a call is aborted; without a time limit for that, the call ends immediately', async () => {
    const client = open();
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [
      client.call({ do: 'listen' }, { stallMs, signal }),
      client.call({ do: 'idle' }, { stallMs, signal }),
    ];
    const kept = client.call({ do: 'report', steps: 5, stepMs: 20 }, { stallMs });
    controller.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect(await kept).toBe('reported');
    await expect(client.call({ do: 'idle' }, { stallMs, signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
  });

  it('ends an aborted call itself within the time limit, or is killed', async () => {
    const client = open({ abortMs: 500 });
    expect(await greets(client)).toBe('Hello, Ada');
    const abort = async (what: 'listen' | 'hang'): Promise<unknown> => {
      const controller = new AbortController();
      const call = client.call({ do: what }, { stallMs, signal: controller.signal });
      controller.abort();
      return call.catch((error: unknown) => error);
    };
    expect(await abort('listen')).toMatchObject({ code: 'interrupted', message: 'heard of it' });
    const began = performance.now();
    expect(await abort('hang')).toMatchObject({
      code: 'interrupted',
      message: 'the translation was interrupted',
    });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await greets(client)).toBe('Hello, Ada');
  });

  it('aborts pending answers of its host when the call ends', async () => {
    let over: AbortSignal | undefined;
    const client = open({
      answer: (_question, signal) => {
        over = signal;
        return new Promise(() => undefined);
      },
    });
    const controller = new AbortController();
    const call = client.call({ do: 'ask', question: 'why' }, { stallMs, signal: controller.signal });
    await expect.poll(() => over !== undefined, { timeout: 10_000 }).toBe(true);
    expect(over?.aborted).toBe(false);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect(over?.aborted).toBe(true);
  });

  it.runIf(kind === 'process')('gets only the variables that it needs, and no secrets', async () => {
    const secrets = [
      'PGPASSWORD',
      'AWS_SECRET_ACCESS_KEY',
      'DRAGOMAN_WEBHOOK_SECRET',
      'DRAGOMAN_STORE',
      'DRAGOMAN_API_KEY',
      'DEEPL_API_KEY',
      'GITHUB_TOKEN',
      'npm_config__auth',
      'HTTPS_PROXY',
      'ANYTHING_ELSE',
    ];
    for (const name of secrets) vi.stubEnv(name, 'secret');
    vi.stubEnv('LC_TIME', 'C.UTF-8');
    const environment = JSON.parse(await open().call({ do: 'environment' }, { stallMs })) as object;
    vi.unstubAllEnvs();
    expect(JSON.stringify(environment)).not.toContain('secret');
    expect(environment).toMatchObject({ PATH: process.env['PATH'], LC_TIME: 'C.UTF-8' });
    const needed =
      /^(?:PATH|APERTIUM_DATADIR|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|\w+_LIBRARY_PATH|NODE_(?:OPTIONS|V8_COVERAGE|CHANNEL_\w+|UNIQUE_ID))$/;
    expect(Object.keys(environment).filter((name) => !needed.test(name))).toEqual([]);
  });

  it('does not keep the program alive when idle, but while it is being closed', async () => {
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [
        '--import',
        'tsx',
        `${import.meta.dirname}/program-process.ts`,
        kind,
        ...args,
      ]);
    expect((await run()).stdout).toBe('Hello, Ada\n');
    expect((await run('close')).stdout).toBe('Hello, Ada\nclosed\n');
  });

  it.skipIf(kind === 'thread' || process.platform !== 'linux')(
    'ends after its program was killed, even while it computes',
    async () => {
      const script = `${import.meta.dirname}/program-process.ts`;
      const program = spawn(process.execPath, ['--import', 'tsx', script, kind, 'hang']);
      const ended = once(program, 'close');
      let said = '';
      for await (const part of program.stdout) if (/hanging/.test((said += String(part)))) break;
      expect(said).toMatch(/hanging/);
      const children = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8');
      const pids = children.trim().split(' ');
      expect(pids.length).toBeGreaterThan(0);
      // The request has arrived by then.
      await new Promise((resolve) => setTimeout(resolve, 300));
      program.kill('SIGKILL');
      await ended;
      await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 5_000 });
    },
  );

  it('is ended when unused, and started again', async () => {
    const starts: number[] = [];
    const client = open({ idleMs: 50, heapMegabytes: () => (starts.push(1), 256) });
    expect(await greets(client)).toBe('Hello, Ada');
    expect(await greets(client)).toBe('Hello, Ada');
    expect(starts).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await greets(client)).toBe('Hello, Ada');
    expect(starts).toHaveLength(2);
  });

  it('is ready for the first call if warm, and ends if there is none', async () => {
    const starts: number[] = [];
    const client = open({ idleMs: 500, heapMegabytes: () => (starts.push(1), 256) });
    client.warm();
    client.warm();
    expect(await greets(client)).toBe('Hello, Ada');
    expect(starts).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    client.warm();
    expect(starts).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await greets(client)).toBe('Hello, Ada');
    expect(starts).toHaveLength(3);
  });
});

describe('the script of a worker', () => {
  const job = { name: 'dragoman job', source: 'jobs/worker/worker.ts', bundled: 'job-worker.js' };
  it.each([
    ['file:///p/dist/chunks/open-jobs-ABC.js', 'file:///p/dist/job-worker.js'],
    ['file:///p/chunks/dist/main.js', 'file:///p/chunks/dist/job-worker.js'],
    ['file:///p/src/workers/script.ts', 'file:///p/src/jobs/worker/worker.ts'],
  ])('of %s is %s', (here, url) => {
    expect(locateScript(job, here).url.href).toBe(url);
  });
});

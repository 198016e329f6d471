import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { createLog, type LogFormat, type LogLevel } from '../../src/server/log/log.ts';
import { requestIdFrom } from '../../src/server/operations/exchange.ts';
import { temporaryDirectory } from '../cli/harness.ts';

const SECRET = 'S3CR3T';

class Sink extends Writable {
  readonly isTTY: boolean;
  text = '';

  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function start(level: LogLevel = 'info', format?: LogFormat, isTTY = false) {
  const stream = new Sink(isTTY);
  return { log: createLog({ level, stream, format }), stream };
}

const request = {
  id: 'abc',
  route: 'POST /v2/translate',
  status: 200,
  ms: 3.1,
  account: '7d1c2f9e',
};

describe('the log', () => {
  it('is one JSON document per line', () => {
    const { log, stream } = start();
    log.info(request, 'request');
    log.warn({ job: 'j', attempt: 2, instances: ['a', 'b'] }, 'webhook failed');
    const lines = stream.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        ...request,
        msg: 'request',
      },
      {
        level: 'warn',
        time: expect.any(String),
        job: 'j',
        attempt: 2,
        instances: 'a b',
        msg: 'webhook failed',
      },
    ]);
  });

  it('is a short line on a terminal', () => {
    const { log, stream } = start('info', undefined, true);
    log.info(request, 'request');
    expect(stream.text).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}request POST \/v2\/translate 200 3\.1 ms {2}id=abc {2}account=7d1c2f9e\n$/,
    );
  });

  it.each([
    ['json', true, /^\{.+\}\n$/],
    ['text', false, /^\d\d:\d\d/],
  ] as const)('is %s on request', (format, isTTY, expected) => {
    const { log, stream } = start('info', format, isTTY);
    log.info(request, 'request');
    expect(stream.text).toMatch(expected);
  });

  it('has a level', () => {
    const levels = (level: LogLevel): readonly string[] => {
      const { log, stream } = start(level);
      for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]({}, name);
      return [...stream.text.matchAll(/"level":"(\w+)"/g)].map(([, name = '']) => name);
    };
    expect(levels('debug')).toEqual(['debug', 'info', 'warn', 'error']);
    expect(levels('warn')).toEqual(['warn', 'error']);
    expect(levels('silent')).toEqual([]);
  });

  it('drops unknown fields, and truncates the others', () => {
    const { log, stream } = start();
    log.info({ text: SECRET, apiKey: SECRET, headers: { 'x-api-key': SECRET }, query: SECRET }, 'request');
    log.info({ id: { toJSON: () => SECRET }, text: [SECRET], reason: 'x'.repeat(10_000) }, 'request');
    expect(stream.text).not.toContain(SECRET);
    expect(stream.text).not.toContain('null');
    expect(stream.text.length).toBeLessThan(700);
  });

  it('keeps the frames of an error, without quoted values', () => {
    const { log, stream } = start();
    const parsing = ((): unknown => {
      try {
        return JSON.parse(`{"text": "${SECRET}`);
      } catch (error) {
        return error;
      }
    })();
    const engine = new DragomanError('engine_failed', `the text could not be translated: ${SECRET}`, {
      cause: parsing,
      hint: SECRET,
    });
    const looksLikeAFrame = new TypeError(`bad\n    at ${SECRET} (file.ts:1:1)`);
    for (const err of [parsing, engine, looksLikeAFrame, SECRET, new Error(`cannot read '${SECRET}'`)]) {
      log.error({ err }, 'request');
    }
    expect(stream.text).not.toContain(SECRET);
    const records = stream.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { err: unknown }).err);
    expect(records[0]).toMatchObject({
      type: 'SyntaxError',
      stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
    });
    expect(records[1]).toMatchObject({
      type: 'DragomanError',
      code: 'engine_failed',
      message: 'the text could not be translated',
      cause: { type: 'SyntaxError' },
    });
    expect(records[1]).not.toHaveProperty('stack');
    expect(records[2]).toMatchObject({ type: 'TypeError' });
    expect(records[3]).toEqual({ type: 'string' });
  });

  it('does not move the cursor', () => {
    const { log, stream } = start('info', 'text', true);
    log.info({ reason: '\u001b[2J\r\u202egnp', id: 'a\nb' }, 'request');
    log.error({ err: new Error('\u001b[31m') }, 'request');
    expect(stream.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stream.text).toContain('\\u001b[2J');
    expect(stream.text.split('\n').filter((line) => /^\d\d:/.test(line))).toHaveLength(2);
  });
});

/** The log on a real standard error. */
function child(program: string, options = ''): readonly [string, readonly string[]] {
  const log = new URL('../../src/server/log/log.ts', import.meta.url).href;
  const code = `import { createLog } from ${JSON.stringify(log)};
    const log = createLog({ level: 'info', stream: process.stderr, ${options} });
    ${program}`;
  return [process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code]];
}

/** A real pipe: those that Node makes for its child processes are sockets. */
function openPipe(): { readonly reading: number; readonly writing: number } {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  // Opening only one end would wait for the other.
  const both = openSync(path, 'r+');
  const ends = { reading: openSync(path, 'r'), writing: openSync(path, 'w') };
  closeSync(both);
  return ends;
}

function startOn(stderr: number, args: readonly string[]) {
  const started = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', stderr] });
  const { stdin, stdout } = started;
  if (!stdin || !stdout) throw new Error('the process has no pipes');
  onTestFinished(() => void started.kill('SIGKILL'));
  return { stdin, started: once(stdout, 'data'), ended: once(started, 'exit'), stdout };
}

describe('the log of a process', () => {
  it.each([
    ['after closing the log', 'await log.close();'],
    ['abruptly', 'process.exit(0);'],
  ])('is complete when the process ends %s', async (_, end) => {
    const [node, args] = child(`for (let i = 0; i < 2000; i++) log.info({ count: i }, 'line'); ${end}`);
    const { stderr } = await promisify(execFile)(node, [...args], { maxBuffer: 1 << 24 });
    const counts = stderr
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { count: number }).count);
    expect(counts).toEqual(Array.from({ length: 2000 }, (_, i) => i));
  });

  it('is complete and in order if its reader is slow', async () => {
    // More than a pipe holds, so that the last line is written while earlier ones wait.
    const [node, args] = child(`
      for (let i = 0; i < 3000; i++) log.info({ count: i, reason: 'x'.repeat(250) }, 'line');
      setTimeout(() => { log.info({ count: 3000 }, 'line'); process.exit(0); }, 100);
      process.stdout.write('.');`);
    const writer = spawn(node, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    await once(writer.stdout, 'data');
    await delay(400);
    const lines = (await text(writer.stderr)).trimEnd().split('\n');
    const counts = lines.map((line) => (JSON.parse(line) as { count: number }).count);
    expect(counts).toEqual(Array.from({ length: 3001 }, (_, i) => i));
  });

  it.each([
    ['abruptly', 'process.exit(0);'],
    ['after closing the log', 'await log.close();'],
  ])('does not keep a process without a reader alive if it ends %s', async (_, end) => {
    const [node, args] = child(`
      for (let i = 0; i < 3000; i++) log.info({ reason: 'x'.repeat(250) }, 'line');
      setTimeout(async () => { ${end} }, 100);
      process.stdout.write('.');`);
    const writer = spawn(node, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      await once(writer.stdout, 'data');
      expect(await once(writer, 'exit', { signal: AbortSignal.timeout(10_000) })).toEqual([0, null]);
    } finally {
      writer.kill('SIGKILL');
    }
  });

  it('does not wait for a pipe that another program has made blocking', async () => {
    const { reading, writing } = openPipe();
    // A Node program restores the flags of its standard error when it exits, for all programs that share it.
    const launcher = startOn(writing, ['-e', 'process.stdout.write("."); process.stdin.resume();']);
    await launcher.started;
    const [, args] = child(`
      process.stdin.once('data', () => {
        for (let i = 0; i < 3000; i++) log.info({ reason: 'x'.repeat(250) }, 'line');
        setTimeout(() => process.stdout.write('.'), 100);
      });
      process.stdout.write('.');`);
    const writer = startOn(writing, args);
    await writer.started;
    launcher.stdin.end();
    await launcher.ended;
    writer.stdin.write('write');
    try {
      const answer = await once(writer.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
      expect(String(answer)).toBe('.');
    } finally {
      closeSync(reading);
      closeSync(writing);
    }
  });

  it.each(['a file', 'a pipe'])(
    'contains only whole lines if several processes write to %s',
    async (kind) => {
      const directory = temporaryDirectory();
      const path = join(directory, 'log');
      const file = openSync(path, 'a');
      onTestFinished(() => closeSync(file));
      const { reading, writing } = openPipe();
      const [, args] = child(
        `const fail = (depth) => new Error('m', { cause: depth > 0 ? fail(depth - 1) : undefined });
      for (let i = 0; i < 300; i++) {
        log.info({ count: i, path: 'é'.repeat(300), route: 'é'.repeat(300) }, 'line');
        log.error({ count: i, err: fail(5), path: '\\u0001'.repeat(300), reason: '\\u0002'.repeat(300) }, 'line');
      }
      process.stdout.write('.');
      process.stdin.once('data', async () => { await log.close(); process.exit(0); });`,
        'isShared: true',
      );
      const stderr = kind === 'a file' ? file : writing;
      const writers = Array.from({ length: 3 }, () => startOn(stderr, args));
      await Promise.all(writers.map(({ started }) => started));
      // The pipe is full now, and each process has queued less than it may keep.
      const reader = spawn('cat', { stdio: [reading, file, 'ignore'] });
      const lines = (): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);
      while (lines().length < 3 * 600) await delay(20);
      for (const { stdin } of writers) stdin.write('end');
      await Promise.all(writers.map(({ ended }) => ended));
      reader.kill();
      closeSync(reading);
      closeSync(writing);
      const counts = lines().map((line) => (JSON.parse(line) as { count: number }).count);
      expect(counts).toHaveLength(3 * 600);
    },
  );

  it('reports the lines that a full disk has not taken, and continues on a new line', async () => {
    const path = join(temporaryDirectory(), 'log');
    const file = openSync(path, 'a');
    onTestFinished(() => closeSync(file));
    // The file size limit acts like a full disk until the file is truncated.
    const [node, args] = child(`
      import { truncateSync } from 'node:fs';
      for (let i = 0; i < 200; i++) log.info({ count: i, reason: 'x'.repeat(250) }, 'line');
      setTimeout(() => {
        truncateSync(process.env.LOG, 20_001);
        log.info({}, 'later');
        setTimeout(async () => { await log.close(); }, 100);
      }, 100);`);
    const limited = spawn('sh', ['-c', 'ulimit -f 40; exec "$@"', 'sh', node, ...args], {
      stdio: ['ignore', 'ignore', file],
      env: { ...process.env, LOG: path, TSX_DISABLE_CACHE: '1' },
    });
    await once(limited, 'exit');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const whole = lines.filter((line) => line.endsWith('"msg":"line"}'));
    const others = lines.slice(whole.length);
    expect(others).toHaveLength(3);
    expect(others[0]).not.toContain('"msg"');
    expect(JSON.parse(others[1] ?? '')).toMatchObject({ msg: 'later' });
    expect(JSON.parse(others[2] ?? '')).toMatchObject({ msg: 'log lines were dropped' });
  });

  it('does not block the process without a reader, and reports missing lines', async () => {
    // More than a pipe and the queued lines can hold.
    const [node, args] = child(`
      for (let i = 0; i < 30_000; i++) log.info({ reason: 'x'.repeat(250) }, 'line');
      process.stdout.write('written');
      process.stdin.once('data', async () => { await log.close(); process.exit(0); });`);
    const reader = spawn(node, [...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    try {
      await once(reader.stdout, 'data');
      let text = '';
      reader.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
      while (!text.includes('log lines were dropped')) await once(reader.stderr, 'data');
      expect(text.match(/"msg":"line"/g)?.length).toBeLessThan(30_000);
      reader.stdin.write('end');
      expect(await once(reader, 'exit')).toEqual([0, null]);
    } finally {
      reader.kill('SIGKILL');
    }
  });
});

describe('a process whose log is no longer read', () => {
  it('continues', async () => {
    const [node, args] = child(`
      log.info({}, 'before');
      process.stdin.on('data', () => { log.info({ reason: 'x'.repeat(250) }, 'after'); process.stdout.write('.'); });
      process.stdin.on('end', async () => { await log.close(); process.exit(0); });`);
    const writer = spawn(node, [...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    try {
      await once(writer.stderr, 'data');
      writer.stderr.destroy();
      for (let i = 0; i < 3; i++) {
        writer.stdin.write('more');
        await once(writer.stdout, 'data');
      }
      writer.stdin.end();
      expect(await once(writer, 'exit')).toEqual([0, null]);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});

describe('a request id', () => {
  it.each(['a', 'req_1.2-3', 'x'.repeat(64)])('is taken from the client if it is safe: %j', (id) => {
    expect(requestIdFrom(id)).toBe(id);
  });

  it.each([undefined, '', 'a b', 'a\nb', 'x'.repeat(65), 'é', '<b>', '"'])(
    'is not taken from the client: %j',
    (id) => {
      expect(requestIdFrom(id)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

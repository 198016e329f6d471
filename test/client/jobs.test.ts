import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { responses } from '../contract/examples.ts';
import { MAX_FILE_BYTES } from '../../src/contract/limits.ts';
import { contentOf } from '../service/jobs-contract.ts';
import { connect, failureOf, JOB_ID, signal } from './clients.ts';
import { httpAnswer, startRawServer } from './raw-server.ts';

const call = { signal };
const request = { source_language: 'en', target_languages: 'fr, de' };
const created = httpAnswer(responses.createJob, { status: 201 });

function upload(content: string | Uint8Array = '{}', filename = 'messages.json') {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-upload-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'file');
  writeFileSync(path, content);
  return { filename, path };
}

async function startHttp(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('an invalid id', () => {
  it.each(['', '.', '..', '../x', 'nonsense', `${JOB_ID}/status`])(
    'is refused without a request: %j',
    async (id) => {
      const server = await startRawServer(() => undefined);
      const { jobs } = await connect({ baseUrl: server.baseUrl });
      const works = [jobs.jobStatus(id, call), jobs.downloadJob(id, french, call), jobs.deleteJob(id, call)];
      for (const work of works) expect(await failureOf(work)).toMatchObject({ code: 'not_found' });
      expect(server.connections).toBe(0);
    },
  );
});

describe('an upload', () => {
  it('is a form with the fields and the file, with a known length', async () => {
    const server = await startRawServer((socket) => socket.write(created));
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const body = { ...request, webhook_url: 'https://example.com/hook' };
    const file = upload('{"a": "Ü"}\r\n', 'a "quoted"\r\nname.json');
    expect(await jobs.createJob(body, file, call)).toEqual(responses.createJob);
    const sent = Buffer.from(server.requests[0] ?? '', 'latin1');
    const head = sent.subarray(0, sent.indexOf('\r\n\r\n')).toString();
    expect(head).toMatch(/^POST \/v2\/translate\/i18n HTTP\/1\.1\r\n/);
    const type = /^content-type: (multipart\/form-data; boundary=.+)$/m.exec(head)?.[1] ?? '';
    const form = await new Response(sent.subarray(head.length + 4), {
      headers: { 'content-type': type },
    }).formData();
    expect(Object.fromEntries([...form].filter(([name]) => name !== 'file'))).toEqual(body);
    const part = form.get('file') as File;
    expect(part.name).toBe('a "quoted"\r\nname.json');
    expect(await part.text()).toBe('{"a": "Ü"}\r\n');
  });

  it('of 10 MiB is read while it is sent', async () => {
    let length = 0;
    const baseUrl = await startHttp((incoming, response) => {
      incoming.on('data', (chunk: Buffer) => (length += chunk.length));
      incoming.on('end', () => {
        expect(Number(incoming.headers['content-length'])).toBe(length);
        response
          .writeHead(201, { 'content-type': 'application/json' })
          .end(JSON.stringify(responses.createJob));
      });
    });
    const { jobs } = await connect({ baseUrl });
    await jobs.createJob(request, upload(Buffer.alloc(MAX_FILE_BYTES, 32)), call);
    expect(length).toBeGreaterThan(MAX_FILE_BYTES);
  });

  it('that is too large, missing or not a file is not started', async () => {
    const server = await startRawServer(() => undefined);
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const large = upload(Buffer.alloc(MAX_FILE_BYTES + 1));
    const error = await failureOf(jobs.createJob(request, large, call));
    expect(error).toMatchObject({ code: 'limit_exceeded', at: { file: large.path } });
    for (const path of ['/nowhere/file.json', tmpdir()]) {
      const work = jobs.createJob(request, { filename: 'x.json', path }, call);
      expect(await failureOf(work)).toMatchObject({ code: 'unreadable_input', at: { file: path } });
    }
    expect(server.connections).toBe(0);
  });

  it('is repeated as a whole when the service refuses it temporarily', async () => {
    const server = await startRawServer((socket, number) =>
      socket.write(number === 1 ? httpAnswer({ detail: 'later' }, { status: 503 }) : created),
    );
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    await jobs.createJob(request, upload('{"a":"b"}'), call);
    expect(server.requests).toHaveLength(2);
    expect(bodyOf(server.requests[0])).toBe(bodyOf(server.requests[1]));
  });

  it('is not repeated when its answer was lost', async () => {
    const server = await startRawServer((socket) => socket.destroy());
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const error = await failureOf(jobs.createJob(request, upload(), call));
    expect(error.code).toBe('answer_lost');
    expect(server.requests).toHaveLength(1);
  });

  it('reports the reason if it is refused before it was read', async () => {
    const baseUrl = await startHttp((_, response) => {
      response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
      response.end('{"detail":"the file is too large"}');
    });
    const { jobs } = await connect({ baseUrl });
    const error = await failureOf(jobs.createJob(request, upload(Buffer.alloc(5_000_000)), call));
    expect(error).toMatchObject({ code: 'limit_exceeded', status: 413, message: 'the file is too large' });
  });

  it('that is cut off does not count as a request', async () => {
    const baseUrl = await startHttp((incoming) =>
      incoming.once('data', () => incoming.socket.resetAndDestroy()),
    );
    const { jobs } = await connect({ baseUrl });
    const error = await failureOf(jobs.createJob(request, upload(Buffer.alloc(9_000_000)), call));
    expect(error).toMatchObject({ code: 'unreachable', hint: 'No job was created. Try again.' });
  });

  it('of a file that shrinks during the upload fails, and no complete request arrives', async () => {
    let isComplete = false;
    const file = upload(Buffer.alloc(9_000_000));
    const baseUrl = await startHttp((incoming) => {
      truncateSync(file.path, 1000);
      incoming
        .on('error', () => undefined)
        .on('end', () => (isComplete = true))
        .resume();
    });
    const { jobs } = await connect({ baseUrl });
    const error = await failureOf(jobs.createJob(request, file, call));
    expect(error).toMatchObject({ code: 'unreadable_input', message: 'changed while it was sent' });
    expect(isComplete).toBe(false);
  });

  it('ends when it is interrupted', async () => {
    const stop = new AbortController();
    const baseUrl = await startHttp((incoming) => incoming.once('data', () => stop.abort()));
    const { jobs } = await connect({ baseUrl });
    const work = jobs.createJob(request, upload(Buffer.alloc(9_000_000)), { signal: stop.signal });
    expect(await failureOf(work)).toMatchObject({ code: 'interrupted' });
  });
});

function bodyOf(sent = ''): string {
  const boundary = /boundary=(\S+)/.exec(sent)?.[1] ?? '';
  return sent.slice(sent.indexOf('\r\n\r\n')).replaceAll(boundary, '');
}

const file = (body: string, headers: Record<string, string | number> = {}): string =>
  httpAnswer(body, { headers: { 'content-disposition': 'attachment; filename="a.json"', ...headers } });
const french = { language_code: 'fr' };

describe('a download', () => {
  it.each([
    ['attachment; filename="messages_fr.json"', 'messages_fr.json'],
    ['attachment; filename=messages_fr.json', 'messages_fr.json'],
    [`attachment; filename="m.json"; filename*=UTF-8''%C3%9Cbung%20%F0%9F%98%80.json`, 'Übung 😀.json'],
    [`attachment; filename*=utf-8''a%2Fb.json; filename="x"`, 'a/b.json'],
    ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
    ['inline; filename="a\\"b.json"', 'a"b.json'],
  ])('has the name of %s, unchecked', async (disposition, name) => {
    const server = await startRawServer((socket) =>
      socket.write(file('{}', { 'content-disposition': disposition })),
    );
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const download = await jobs.downloadJob(JOB_ID, { language_code: 'zh-CN' }, call);
    expect(download).toMatchObject({ filename: name, size: 2 });
    expect(String(await contentOf(download))).toBe('{}');
    const path = `/v2/translate/i18n/jobs/${JOB_ID}/download?language_code=zh-CN`;
    expect(server.requests[0]).toMatch(`GET ${path} HTTP/1.1\r\n`);
  });

  it.each(['', 'attachment', 'attachment; filename=""', '%%%'])(
    'is named after the job if it has no name: %j',
    async (disposition) => {
      const server = await startRawServer((socket, _, sent) =>
        socket.write(
          sent.includes('/download')
            ? file('{}', { 'content-disposition': disposition })
            : httpAnswer({ ...responses.jobStatus, original_filename: 'my.messages.json' }),
        ),
      );
      const { jobs } = await connect({ baseUrl: server.baseUrl, concurrency: 1 });
      const download = await jobs.downloadJob(JOB_ID, french, call);
      expect(download.filename).toBe('my.messages_fr.json');
      expect(String(await contentOf(download))).toBe('{}');
    },
  );

  it.each<[string, string, string]>([
    ['cut', file('{"a"', { 'content-length': 100 }), 'answer_lost'],
    [
      'cut in chunks',
      `HTTP/1.1 200 X\r\ncontent-disposition: attachment; filename=a\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a"`,
      'answer_lost',
    ],
    [
      'garbled',
      `HTTP/1.1 200 X\r\ncontent-disposition: attachment; filename=a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      'contract_violation',
    ],
  ])('that is %s fails', async (_, answer, code) => {
    const server = await startRawServer((socket) => socket.end(answer));
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const download = await jobs.downloadJob(JOB_ID, french, call);
    expect(await failureOf(contentOf(download))).toMatchObject({ code });
  });

  it('that stalls is abandoned', async () => {
    const server = await startRawServer((socket) => socket.write(file('{"a"', { 'content-length': 100 })));
    const { jobs } = await connect({ baseUrl: server.baseUrl, timeoutMs: 800 });
    const download = await jobs.downloadJob(JOB_ID, french, call);
    expect(await failureOf(contentOf(download))).toMatchObject({ code: 'answer_lost' });
  });

  it('reports an interruption', async () => {
    const server = await startRawServer((socket) => socket.write(file('{"a"', { 'content-length': 100 })));
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const stop = new AbortController();
    const download = await jobs.downloadJob(JOB_ID, french, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(await failureOf(contentOf(download))).toMatchObject({ code: 'interrupted' });
  });

  it.each([
    ['too large', { 'content-length': 1e12 }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('that is %s is not started', async (_, headers) => {
    const server = await startRawServer((socket) => socket.write(file('{}', headers)));
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const error = await failureOf(jobs.downloadJob(JOB_ID, french, call));
    expect(error.code).toBe('contract_violation');
  });

  it('that is not read to its end does not block other requests', async () => {
    const server = await startRawServer((socket) =>
      socket.write(file('x'.repeat(900_000), { 'content-length': 1e6 })),
    );
    const { jobs } = await connect({ baseUrl: server.baseUrl, concurrency: 1 });
    for (let i = 0; i < 3; i++) {
      const { content } = await jobs.downloadJob(JOB_ID, french, call);
      if (i === 0) await content[Symbol.asyncIterator]().return?.();
      else for await (const chunk of content) if (chunk.length > 0) break;
    }
    expect(server.requests).toHaveLength(3);
  });

  it('that is read slowly makes the service wait', async () => {
    const size = 30_000_000;
    let sent = 0;
    const baseUrl = await startHttp((_, response) => {
      response.writeHead(200, { 'content-length': size, 'content-disposition': 'attachment; filename=a' });
      const push = (): void => {
        while (sent < size) {
          sent += 100_000;
          if (!response.write(Buffer.alloc(100_000))) {
            response.once('drain', push);
            return;
          }
        }
        response.end();
      };
      push();
    });
    const { jobs } = await connect({ baseUrl });
    const { content } = await jobs.downloadJob(JOB_ID, french, call);
    const iterator = content[Symbol.asyncIterator]();
    let read = (await iterator.next()).value?.length ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBeLessThan(size / 2);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      read += next.value.length;
    expect(read).toBe(size);
  });

  it('that is refused has its reason in `error`', async () => {
    const server = await startRawServer((socket) =>
      socket.write(httpAnswer({ error: 'no file for fr' }, { status: 404 })),
    );
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    const error = await failureOf(jobs.downloadJob(JOB_ID, french, call));
    expect(error).toMatchObject({ code: 'not_found', status: 404, message: 'no file for fr' });
  });
});

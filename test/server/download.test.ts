import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parse } from 'content-disposition';
import { DragomanError } from '../../src/base/errors.ts';
import type { JobFile } from '../../src/service/service.ts';
import { exchangeBytes, jobsOf, listenTo, openApp, parseAnswer, type TestApp } from './harness.ts';

const PATH = '/v2/translate/i18n/jobs/9b2f8f2e-6d0e-4c34-9d3e-0f6a2b8f3c11/download';

async function openFile(file: Partial<JobFile> & { readonly content: JobFile['content'] }): Promise<TestApp> {
  const whole = { filename: 'messages_fr.json', size: undefined, ...file };
  return openApp({ jobs: jobsOf({ downloadJob: () => Promise.resolve(whole) }) });
}

async function* bytes(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

describe('a download', () => {
  it('has the bytes, their number, and a name that can be saved', async () => {
    const { ask } = await openFile({ size: 13, content: bytes('{"a":', '"Salut"}') });
    const answer = await ask(`${PATH}?language_code=fr`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="messages_fr.json"',
      'content-length': '13',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': expect.any(String) as string,
    });
    expect(await answer.text()).toBe('{"a":"Salut"}');
  });

  it('keeps any name', async () => {
    for (const filename of [
      'Übersetzung 翻訳_fr.po',
      'a"b\\c;d_fr.xml',
      "it's 100%_fr.yaml",
      '🎬_fr.strings',
    ]) {
      const { ask } = await openFile({ filename, content: bytes('x') });
      const header = (await ask(`${PATH}?language_code=fr`)).headers.get('content-disposition') ?? '';
      expect(header).toMatch(/^[\x20-\x7e]+$/);
      expect(parse(header).parameters['filename']).toBe(filename);
    }
  });

  it('has its errors in the field error, if they belong to the operation', async () => {
    const notFound = new DragomanError('not_found', 'no translated file for the language de was found');
    const { ask, app } = await openApp({ jobs: jobsOf({ downloadJob: () => Promise.reject(notFound) }) });
    const missing = await ask(PATH);
    expect([missing.status, await missing.json()]).toEqual([400, { error: 'language_code is required' }]);
    const empty = await ask(`${PATH}?language_code=`);
    expect([empty.status, await empty.json()]).toEqual([400, { error: 'language_code is required' }]);
    const other = await ask(`${PATH}?language_code=de`);
    expect([other.status, await other.json()]).toEqual([404, { error: notFound.message }]);
    expect(await (await app.request(PATH)).json()).toEqual({ detail: 'the X-API-KEY header is required' });
  });

  it('ends the connection when it breaks off', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"a":');
      await Promise.resolve();
      throw new Error('the disk is gone');
    };
    const test = await openFile({ size: 13, content: broken() });
    const { port } = await listenTo(test);
    const request = `GET ${PATH}?language_code=fr HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\n\r\n`;
    const raw = await exchangeBytes(port, request);
    expect(raw).toMatch(/content-length: 13\r\n/i);
    expect(raw.split('\r\n\r\n')[1]).not.toHaveLength(13);
    expect(
      parseAnswer(await exchangeBytes(port, 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))
        .status,
    ).toBe(200);
    expect(test.logged.some(({ level }) => level === 'error')).toBe(true);
  });

  it('requested with HEAD has headers only, and is not left open', async () => {
    const reading = { isEnded: false };
    const content: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('a HEAD request reads no content')),
        return: () => {
          reading.isEnded = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const test = await openFile({ size: 13, content });
    const { port } = await listenTo(test);
    const request = `HEAD ${PATH}?language_code=fr HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\nConnection: close\r\n\r\n`;
    const raw = await exchangeBytes(port, request);
    expect(raw).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-length: 13\r\n/i);
    expect(raw.endsWith('\r\n\r\n')).toBe(true);
    expect(reading.isEnded).toBe(true);
  });

  it('stops reading when the client disconnects', async () => {
    const reading = { given: 0, isEnded: false };
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          reading.given++;
          yield await Promise.resolve(new Uint8Array(65_536));
        }
      } finally {
        reading.isEnded = true;
      }
    };
    const test = await openFile({ content: endless() });
    const { port } = await listenTo(test);
    const request = `GET ${PATH}?language_code=fr HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    await once(socket, 'data');
    socket.destroy();
    while (!reading.isEnded) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(reading.given).toBeGreaterThan(0);
  });
});

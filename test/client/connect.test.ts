import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/base/errors.ts';
import { connectService, type RemoteService } from '../../src/client/connect.ts';
import { operations, type Operation, type OperationId } from '../../src/contract/operations.ts';
import { requests, responses } from '../contract/examples.ts';
import { connect, EN_FR, failureOf, JOB_ID, KEY, signal, translated } from './clients.ts';
import { httpAnswer, startRawServer } from './raw-server.ts';

const call = { signal };

describe('the base URL', () => {
  it.each([
    'nonsense',
    'ftp://service.example',
    'service.example',
    'https://user:password@service.example',
    'https://service.example?x=1',
    'https://service.example/#x',
    'https://service.example/?',
    'file:///etc/passwd',
  ])('cannot be %s', async (baseUrl) => {
    const error = await failureOf(connectService({ baseUrl, key: KEY }));
    expect(error.code).toBe('configuration');
    expect(error.message).not.toContain('password');
  });

  it.each([
    ['', '/v2/language_detect'],
    ['/', '/v2/language_detect'],
    ['///', '/v2/language_detect'],
    ['/translation/api', '/translation/api/v2/language_detect'],
    ['/translation/api//', '/translation/api/v2/language_detect'],
    ['/with%20space', '/with%20space/v2/language_detect'],
  ])('may end in %j', async (suffix, path) => {
    const server = await startRawServer((socket) =>
      socket.write(httpAnswer({ language_detection: { text: 'x', language: 'en' } })),
    );
    const { service } = await connect({ baseUrl: server.baseUrl + suffix });
    await service.detectLanguage({ text: 'x' }, call);
    expect(server.requests[0]).toMatch(`POST ${path} HTTP/1.1\r\n`);
  });
});

describe('the key', () => {
  it.each([
    'http://service.example',
    'http://10.0.0.1',
    'http://[::ffff:127.0.0.1]',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://0.0.0.0:8787',
    'http://128.0.0.1',
  ])('is not sent to %s', async (baseUrl) => {
    const error = await failureOf(connectService({ baseUrl, key: KEY }));
    expect(error.code).toBe('configuration');
    expect(inspect(error)).not.toContain(KEY);
  });

  it.each([
    'http://localhost:8787',
    'http://LOCALHOST',
    'http://127.0.0.1',
    'http://127.1.2.3',
    'http://127.1',
    'http://[::1]:1',
    'https://service.example',
  ])('may be sent to %s', async (baseUrl) => {
    const service = await connectService({ baseUrl, key: KEY, env: {} });
    await expect(service.close()).resolves.toBeUndefined();
  });

  it.each(['', ' sk-1', 'sk-1\n', 'sk 1', 'sk-\u00e9', 'sk\r\nx: y'])('cannot be %j', async (key) => {
    const error = await failureOf(connectService({ baseUrl: 'https://service.example', key }));
    expect(error.code).toBe('configuration');
    if (key !== '') expect(error.message).not.toContain(key);
  });

  it('is only in its header, not in stored data or messages', async () => {
    const server = await startRawServer((socket, number, request) => {
      // Repeats its input as an error, as garbage, and as an answer.
      if (number === 1) socket.write(httpAnswer({ detail: `what is ${request}?` }, { status: 403 }));
      else if (number === 2) socket.end(request);
      else socket.end(httpAnswer({ [KEY]: request }, { headers: { 'content-type': `text/${KEY}` } }));
    });
    const remote = await connect({ baseUrl: server.baseUrl });
    const shown = [inspect(remote, { depth: 10, showHidden: true }), JSON.stringify(remote)];
    for (let i = 0; i < 3; i++) {
      const error = await failureOf(remote.service.detectLanguage({ text: 'x' }, call));
      shown.push(inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), error.message);
    }
    expect(server.requests[0]).toMatch(`\r\nX-API-KEY: ${KEY}\r\n`);
    expect(shown.join('\n')).toContain('***');
    expect(shown.join('\n')).not.toContain(KEY);
  });

  it('is not sent with requests that need none', async () => {
    const server = await startRawServer((socket) =>
      socket.write(httpAnswer({ status: 'healthy', timestamp: '2026-01-01T00:00:00Z' })),
    );
    const { service } = await connect({ baseUrl: server.baseUrl });
    await service.health(call);
    expect(server.requests[0]).not.toMatch(/x-api-key/i);
  });
});

describe('every operation', () => {
  const calls = {
    translate: ({ service }) => service.translate(requests.translate, call),
    translateBatch: ({ service }) => service.translateBatch(requests.translateBatch, call),
    translateHtml: ({ service }) => service.translateHtml(requests.translateHtml, call),
    translateEmail: ({ service }) => service.translateEmail(requests.translateEmail, call),
    translateSubtitles: ({ service }) =>
      service.translateSubtitles({ ...requests.translateSubtitles, format: 'srt' }, call),
    detectLanguage: ({ service }) => service.detectLanguage(requests.detectLanguage, call),
    supportedLanguages: ({ service }) => service.supportedLanguages(call),
    listJobs: ({ jobs }) => jobs.listJobs(call),
    jobStatus: ({ jobs }) => jobs.jobStatus(JOB_ID, call),
    deleteJob: ({ jobs }) => jobs.deleteJob(JOB_ID, call),
    accountSummary: ({ service }) => service.accountSummary(call),
    health: ({ service }) => service.health(call),
  } satisfies Partial<Record<OperationId, (remote: RemoteService) => Promise<unknown>>>;
  const cases = (Object.keys(calls) as (keyof typeof calls)[]).map((id) => [id] as const);

  const [hello, goodbye] = responses.translateBatch.translations;
  const translations = [hello, { ...goodbye, text: 'Goodbye' }];
  const answers = { ...responses, translateBatch: { ...responses.translateBatch, translations } };

  it.each(cases)('%s is sent as the contract requires, and returned completely', async (id) => {
    const operation: Operation = operations[id];
    const answer = answers[id];
    // Unknown fields do not violate the contract.
    const more = Array.isArray(answer)
      ? answer.map((item: object) => ({ ...item, more: 1 }))
      : { ...answer, more: 1 };
    const server = await startRawServer((socket) =>
      socket.write(httpAnswer(more, { status: operation.status })),
    );
    expect(await calls[id](await connect({ baseUrl: server.baseUrl }))).toEqual(answer);
    const [head = '', body] = server.requests[0]?.split('\r\n\r\n') ?? [];
    const path = operation.path.replace('{job_id}', JOB_ID);
    expect(head).toMatch(`${operation.method} ${path} HTTP/1.1\r\n`);
    if (operation.carries !== 'json') return;
    expect(head).toMatch('content-type: application/json\r\n');
    expect(JSON.parse(body ?? '')).toEqual(requests[id as keyof typeof requests]);
  });

  it.each(cases)('%s checks its answer', async (id) => {
    const server = await startRawServer((socket) => socket.write(httpAnswer({ detail: 'fine' })));
    const error = await failureOf(calls[id](await connect({ baseUrl: server.baseUrl })));
    expect(error.code).toBe('contract_violation');
    expect(error.message).toMatch(operations[id].path);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[number, ErrorCode]>([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [402, 'insufficient_credits'],
    [403, 'unauthenticated'],
    [404, 'not_found'],
    [405, 'invalid_request'],
    [413, 'limit_exceeded'],
    [415, 'invalid_request'],
    [422, 'invalid_request'],
    [500, 'service_failed'],
    [502, 'service_failed'],
    [504, 'service_failed'],
  ])('reports status %d as %s, with the message of the service, and does not retry', async (status, code) => {
    const detail = 'unsupported language: xx; supported are en, fr';
    const server = await startRawServer((socket) => socket.write(httpAnswer({ detail }, { status })));
    const { service } = await connect({ baseUrl: server.baseUrl });
    const error = await failureOf(service.translate(requests.translate, call));
    expect(error).toMatchObject({ code, status, message: detail });
    expect(server.requests).toHaveLength(1);
  });

  it('truncates messages of the service', async () => {
    const detail = '\u{1f642}'.repeat(9000);
    const server = await startRawServer((socket) => socket.write(httpAnswer({ detail }, { status: 400 })));
    const { service } = await connect({ baseUrl: server.baseUrl });
    const { message } = await failureOf(service.translate(requests.translate, call));
    expect(message).toHaveLength(2000);
    expect(message.isWellFormed()).toBe(true);
  });

  it.each([
    ['{"detail":[{"loc":["body"],"msg":"no"}]}', 'application/json'],
    ['{"detail":""}', 'application/json'],
    ['[]', 'application/json'],
    ['null', 'application/json'],
    ['not JSON', 'application/json'],
    ['<h1>detail</h1>', 'text/html'],
    ['{"detail":"from a page"}', 'text/html'],
  ])('that fails with %s: %s describes the status', async (body, type) => {
    const headers = { 'content-type': type };
    const server = await startRawServer((socket) => socket.write(httpAnswer(body, { status: 400, headers })));
    const { service } = await connect({ baseUrl: server.baseUrl });
    const { message } = await failureOf(service.translate(requests.translate, call));
    expect(message).toBe(`127.0.0.1:${server.port} answered with status 400`);
  });

  it('refuses requests that violate the contract before sending them', async () => {
    const server = await startRawServer(() => undefined);
    const { service, jobs } = await connect({ baseUrl: server.baseUrl });
    const invalid = [
      service.translate({ text: '', ...EN_FR }, call),
      service.translate({ text: 'x'.repeat(5001), ...EN_FR }, call),
      service.translateBatch({ texts: [], ...EN_FR }, call),
      service.translateSubtitles({ format: 'sub' as 'srt', content: '1', ...EN_FR }, call),
      jobs.downloadJob(JOB_ID, { language_code: '' }, call),
    ];
    for (const work of invalid) expect(await failureOf(work)).toMatchObject({ code: 'invalid_request' });
    expect(server.requests).toHaveLength(0);
  });

  it('keeps its connections open, up to the allowed number', async () => {
    const server = await startRawServer((socket) =>
      setTimeout(() => socket.write(httpAnswer(translated('Hello'))), 5),
    );
    const { service } = await connect({ baseUrl: server.baseUrl, concurrency: 3 });
    await Promise.all(Array.from({ length: 30 }, () => service.translate({ text: 'Hello', ...EN_FR }, call)));
    expect(server.requests).toHaveLength(30);
    expect(server.connections).toBe(3);
  });
});

describe('a batch', () => {
  const item = (text: string) => ({ text, translation: text, ...EN_FR, success: true });
  it.each([
    ['fewer translations', [item('one')], '1 translations for 2 texts'],
    ['another order', [item('two'), item('one')], 'translations.0.text is not the text that was sent'],
  ])('with %s breaks the contract', async (_, translations, problem) => {
    const body = { translations, total: 2, successful: 2, failed: 0 };
    const server = await startRawServer((socket) => socket.write(httpAnswer(body)));
    const { service } = await connect({ baseUrl: server.baseUrl });
    const error = await failureOf(service.translateBatch({ texts: ['one', 'two'], ...EN_FR }, call));
    expect(error.code).toBe('contract_violation');
    expect(error.message).toContain(problem);
  });
});

import { describe, expect, it } from 'vitest';
import { responses } from '../contract/examples.ts';
import type { BatchResponse } from '../../src/contract/texts.ts';
import { openApp, scriptedEngine } from '../server/harness.ts';
import { connect, EN_FR, failureOf, JOB_ID, signal } from './clients.ts';
import { inProcessTransport } from './in-process.ts';
import { httpAnswer, startRawServer } from './raw-server.ts';

const call = { signal };

describe('version 1', () => {
  it('translates, detects and names languages on its own paths', async () => {
    const server = await startRawServer((socket, _, request) => {
      const { translateV1, detectLanguageV1, supportedLanguagesV1 } = responses;
      if (request.startsWith('POST /v1/translate ')) socket.write(httpAnswer(translateV1));
      else if (request.startsWith('POST /v1/language_detect ')) socket.write(httpAnswer(detectLanguageV1));
      else if (request.startsWith('GET /v1/supported-languages '))
        socket.write(httpAnswer(supportedLanguagesV1));
      else socket.write(httpAnswer({ detail: 'no such path' }, { status: 404 }));
    });
    const { service } = await connect({ baseUrl: server.baseUrl, api: 'v1' });
    expect(await service.translate({ text: 'Hello', ...EN_FR }, call)).toEqual({
      translations: { text: 'Hello', translation: 'Bonjour', ...EN_FR },
      details: {},
    });
    expect(await service.detectLanguage({ text: 'Bonjour' }, call)).toEqual({
      language_detection: { text: 'Bonjour', language: 'fr' },
    });
    expect(await service.supportedLanguages(call)).toEqual(responses.supportedLanguagesV1);
  });

  it('reports missing operations without a request', async () => {
    const server = await startRawServer(() => undefined);
    const { service, jobs } = await connect({ baseUrl: server.baseUrl, api: 'v1' });
    const missing = [
      service.translateHtml({ html: 'x', ...EN_FR }, call),
      service.translateEmail({ subject: 'x', email_body: 'x', ...EN_FR }, call),
      service.translateSubtitles({ format: 'srt', content: 'x', ...EN_FR }, call),
      service.accountSummary(call),
      jobs.createJob({ source_language: 'en', target_languages: 'fr' }, { filename: 'a', path: 'a' }, call),
      jobs.listJobs(call),
      jobs.jobStatus(JOB_ID, call),
      jobs.downloadJob(JOB_ID, { language_code: 'fr' }, call),
      jobs.deleteJob(JOB_ID, call),
    ];
    for (const work of missing)
      expect(await failureOf(work)).toMatchObject({ code: 'usage', hint: 'Use --api v2.' });
    expect(server.connections).toBe(0);
  });
});

describe('a batch over version 1', () => {
  it('sends texts one by one, with the results of a version 2 batch', async () => {
    const { app, key } = await openApp({ engine: scriptedEngine() });
    const transport = inProcessTransport(app);
    const baseUrl = 'http://127.0.0.1';
    const old = await connect({ baseUrl, key, transport, api: 'v1' });
    const current = await connect({ baseUrl, key, transport });
    const texts = ['First', '', 'FAIL', 'Last {name}', 'x'.repeat(5001)];
    const answer = await old.service.translateBatch({ texts, ...EN_FR }, call);
    const expected = await current.service.translateBatch({ texts, ...EN_FR }, call);
    const outcomes = ({ translations }: BatchResponse) =>
      translations.map(
        ({ text, translation, success }) => `${success}: ${(text + translation).slice(0, 50)}`,
      );
    expect(outcomes(answer)).toEqual(outcomes(expected));
    expect(answer).toMatchObject({ total: 5, successful: 3, failed: 2 });
  });

  it('stops when more requests are pointless, and keeps the results', async () => {
    const server = await startRawServer((socket, number) =>
      socket.write(
        number <= 2
          ? httpAnswer(responses.translateV1)
          : httpAnswer({ detail: 'insufficient credits: 0 remaining, 1 required' }, { status: 402 }),
      ),
    );
    const { service } = await connect({ baseUrl: server.baseUrl, api: 'v1', concurrency: 1 });
    const texts = ['1', '2', '3', '4', '5'];
    const answer = await service.translateBatch({ texts, ...EN_FR }, call);
    expect(answer.translations.map(({ success }) => success)).toEqual([true, true, false, false, false]);
    expect(answer.translations[4]?.error).toContain('insufficient credits');
    expect(server.requests).toHaveLength(3);
    const again = service.translateBatch({ texts, ...EN_FR }, call);
    expect(await failureOf(again)).toMatchObject({ code: 'insufficient_credits', status: 402 });
    expect(server.requests).toHaveLength(4);
  });
});

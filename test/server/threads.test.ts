import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EngineRequest } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { silentLog } from '../../src/jobs/log.ts';
import { FairQueue } from '../../src/server/threads/fair-queue.ts';
import {
  openTextService,
  type TextService,
  type TextServiceOptions,
} from '../../src/server/threads/text-service.ts';
import { parseJson } from '../../src/server/threads/json-object.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { errorOf } from './errors.ts';
import { openApp, scriptedEngine } from './harness.ts';

const signal = new AbortController().signal;

/** Threads take a while to start: most tests share theirs, and control what the engine waits for. */
let engineWaits: (over: AbortSignal) => Promise<void> = () => Promise.resolve();
const engine = scriptedEngine((_request, over) => engineWaits(over));
const shared = openTextService({ engine, log: silentLog });
afterAll(() => shared.close());
const fr = { source: 'en', target: 'fr' };
const sentence = 'The quick brown fox jumps over the lazy dog. ';

function openTexts(limits: Pick<TextServiceOptions, 'stallMs' | 'heapMegabytes'>): TextService {
  const texts = openTextService({ engine: createPseudoEngine(), log: silentLog, ...limits });
  onTestFinished(() => texts.close());
  return texts;
}

const html = `<p>${sentence}</p>\n`.repeat(200);
const content = Array.from({ length: 200 }, (_, i) => {
  const time = `00:${String(Math.trunc(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
  return `${i + 1}\n${time},000 --> ${time},900\n${sentence}\n`;
}).join('\n');

/** How many times the event loop turned during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

describe('a body of 8 MiB', () => {
  const body = (text: string): Buffer => Buffer.from(`{"text":"${text}","texts":["a",{"b":null}]}`);

  it('is parsed in a thread like a short one, while others have their turn', async () => {
    for (const text of ['x'.repeat(8_000_000), '\\ud83d\\ude00'.repeat(600_000)]) {
      let parsed: object = {};
      const turns = await turnsDuring(async () => {
        parsed = await shared.parseBody(body(text), 'anna', signal);
      });
      expect(parsed).toEqual(parseJson(body(text)));
      expect(turns).toBeGreaterThan(5);
    }
  });

  it('is refused like a short one', async () => {
    for (const text of ['"', '\\ud83d'.repeat(600_000), '","": "'.repeat(10_000)]) {
      const refused = await errorOf(shared.parseBody(body(text), 'anna', signal));
      expect([refused.code, refused.message]).toEqual(['invalid_request', messageOf(body(text))]);
    }
  });

  it('is passed to a thread by a request', async () => {
    const asked: number[] = [];
    const parseBody: TextService['parseBody'] = (bytes, ...rest) => {
      asked.push(bytes.length);
      return shared.parseBody(bytes, ...rest);
    };
    const { post } = await openApp({ text: { ...shared, parseBody } });
    const padding = 'x'.repeat(300_000);
    expect((await post('/v2/translate', { text: 'Hello', ...fr })).status).toBe(200);
    expect((await post('/v2/translate', { text: 'Hello', ...fr, padding })).status).toBe(200);
    expect(asked).toHaveLength(1);
  });
});

function messageOf(bytes: Buffer): string {
  try {
    parseJson(bytes);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('large texts', () => {
  it('are translated in a thread as in the main thread', async () => {
    const { service, count, detect } = shared;
    const here = createLocalService({ engine });
    const email = { subject: 'Hello', email_body: html, ...fr };
    const subtitles = { format: 'srt' as const, content, ...fr };
    const texts = [...Array.from({ length: 99 }, (_, i) => `${i} ${sentence}`), 'FAIL'];
    expect(await service.translateHtml({ html, ...fr }, { signal })).toEqual(
      await here.translateHtml({ html, ...fr }, { signal }),
    );
    expect(await service.translateEmail(email, { signal })).toEqual(
      await here.translateEmail(email, { signal }),
    );
    expect(await service.translateSubtitles(subtitles, { signal })).toEqual(
      await here.translateSubtitles(subtitles, { signal }),
    );
    expect(await service.translateBatch({ texts, ...fr }, { signal })).toEqual(
      await here.translateBatch({ texts, ...fr }, { signal }),
    );
    expect(await count.translateEmail(email, { signal })).toBe(201);
    expect(await count.translateSubtitles(subtitles, { signal })).toBe(200);
    const text = 'Wo ist der nächste Bahnhof, bitte?';
    expect(await service.translate({ text, source: 'auto', target: 'en' }, { signal })).toMatchObject({
      translations: { source: 'de', target: 'en' },
    });
    expect(await service.detectLanguage({ text }, { signal })).toEqual({
      language_detection: { text, language: 'de' },
    });
    expect(await detect({ text }, { signal })).toMatchObject({ language: 'de' });
  });

  it('send texts that fail verification to the next engine', async () => {
    const second = scriptedEngine(() => Promise.resolve());
    const first = {
      ...second,
      id: 'first',
      next: second,
      translate: ({ texts }: EngineRequest) =>
        Promise.resolve(texts.map((text) => ({ translation: `${text} {evil}` }))),
    };
    const texts = openTextService({ engine: first, log: silentLog });
    onTestFinished(() => texts.close());
    const text = `${sentence.repeat(100)}{name}`;
    const request = { text, ...fr };
    expect(await texts.service.translate(request, { signal })).toEqual(
      await createLocalService({ engine: second }).translate(request, { signal }),
    );
  });

  it('do not wait for language tables once these are loaded', { retry: 2 }, async () => {
    const texts = openTexts({});
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const loading = await timed(() => texts.load());
    // None of its words is in the lists of frequent words, so the tables decide.
    const text = 'Kylmänä talviyönä susilauma vaelsi';
    expect(await timed(() => texts.detect({ text }, { signal }))).toBeLessThan(loading / 4);
  });

  it('fail as in the main thread', async () => {
    const { service, count } = shared;
    const failures: string[] = [];
    const onFailure = (reason: string): void => void failures.push(reason);
    await service.translateHtml({ html: `<p>FAIL</p>${html}`, ...fr }, { signal, onFailure });
    expect(failures).toEqual(['line 1, column 4: the engine does not want to']);
    const nothing = await errorOf(
      service.translateHtml({ html: '<p>FAIL</p>\n'.repeat(500), ...fr }, { signal }),
    );
    expect(nothing.code).toBe('engine_failed');
    const none = { format: 'vtt' as const, content: 'no cues\n'.repeat(1_000), ...fr };
    expect((await errorOf(count.translateSubtitles(none, { signal }))).code).toBe('unreadable_input');
    const unknown = await errorOf(
      service.translate({ text: '12345', source: 'auto', target: 'xx-no' }, { signal }),
    );
    expect(unknown.code).toBe('unsupported_language');
    expect(unknown.hint).toContain('supported languages: ');
  });

  it('do not block the server for others', async () => {
    const { service } = shared;
    const long = `${content}\n`.repeat(3).replaceAll(/^\d+$/gm, '1');
    const request = { format: 'srt' as const, content: long, ...fr };
    const here = createLocalService({ engine: createPseudoEngine() });
    expect(await turnsDuring(() => here.translateSubtitles(request, { signal }))).toBeLessThan(10);
    expect(await turnsDuring(() => service.translateSubtitles(request, { signal }))).toBeGreaterThan(30);
  });

  it('are abandoned when their client disconnects', async () => {
    let asked = (): void => undefined;
    const started = new Promise<void>((resolve) => (asked = resolve));
    let aborted = false;
    engineWaits = (over) => {
      asked();
      return new Promise((resolve) =>
        over.addEventListener('abort', () => {
          aborted = true;
          resolve();
        }),
      );
    };
    onTestFinished(() => void (engineWaits = () => Promise.resolve()));
    const controller = new AbortController();
    const call = errorOf(shared.service.translateHtml({ html, ...fr }, { signal: controller.signal }));
    await started;
    controller.abort();
    expect((await call).code).toBe('interrupted');
    expect(aborted).toBe(true);
  });

  it('that take too long end with their thread', async () => {
    const { service } = openTexts({ stallMs: 20 });
    const error = await errorOf(service.translateHtml({ html, ...fr }, { signal }));
    expect([error.code, error.message]).toEqual(['limit_exceeded', 'the work on the text takes too long']);
  });

  it('that need too much memory end with their thread, and the next one continues', async () => {
    const { service } = openTexts({ heapMegabytes: 32 });
    const long = `${content}\n`.repeat(600);
    const error = await errorOf(
      service.translateSubtitles({ format: 'srt', content: long, ...fr }, { signal }),
    );
    expect([error.code, error.message]).toEqual([
      'limit_exceeded',
      'the work on the text needs too much memory',
    ]);
    expect(await service.translateHtml({ html, ...fr }, { signal })).toMatchObject({
      html: expect.any(String) as string,
    });
  });

  it('that are running when the thread is closed are interrupted', async () => {
    const { service, close } = openTexts({});
    const call = errorOf(service.translateHtml({ html, ...fr }, { signal }));
    await new Promise((resolve) => setImmediate(resolve));
    await close();
    expect((await call).code).toBe('interrupted');
  });

  it('are counted and charged as usual', async () => {
    const { post, account } = await openApp({ engine, service: shared.service, text: shared });
    const answer = await post('/v2/translate/subtitles', {
      format: 'srt',
      content: content.replace('The quick', 'FAIL'),
      ...fr,
    });
    expect(answer.status).toBe(200);
    expect((await account()).balance).toBe(1000 - 199);
    const detected = await post('/v1/language_detect', { text: 'Wo ist der nächste Bahnhof, bitte?' });
    expect(await detected.json()).toMatchObject({ language: 'de' });
  });
});

describe('the queue', () => {
  /** Work that ends on command. */
  function work(order: string[], name: string): { run: () => Promise<void>; end: () => Promise<void> } {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    return {
      run: () => {
        order.push(name);
        return ended;
      },
      end: async () => {
        end();
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  it('admits work that fits, then work of the account with the least running work', async () => {
    const queue = new FairQueue(100);
    const order: string[] = [];
    const [a1, a2, a3, b1] = ['a1', 'a2', 'a3', 'b1'].map((name) => work(order, name));
    const all = [
      queue.run('a', 60, signal, a1!.run),
      queue.run('a', 30, signal, a2!.run),
      queue.run('a', 500, signal, a3!.run),
      queue.run('b', 90, signal, b1!.run),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['a1', 'a2']);
    await a1!.end();
    expect(order).toEqual(['a1', 'a2']);
    await a2!.end();
    expect(order).toEqual(['a1', 'a2', 'a3']);
    await a3!.end();
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1']);
    await b1!.end();
    await Promise.all(all);
  });

  it('forgets work that stopped waiting', async () => {
    const queue = new FairQueue(100);
    const order: string[] = [];
    const first = work(order, 'first');
    const last = work(order, 'last');
    const controller = new AbortController();
    const running = queue.run('a', 100, signal, first.run);
    const given = errorOf(queue.run('a', 100, controller.signal, work(order, 'given up').run));
    const next = queue.run('a', 100, signal, last.run);
    controller.abort();
    expect((await given).code).toBe('interrupted');
    await first.end();
    expect(order).toEqual(['first', 'last']);
    await last.end();
    await Promise.all([running, next]);
  });
});

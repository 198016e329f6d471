import { describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import type { BatchRequest, BatchResponse } from '../../src/contract/texts.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import type { TranslationService } from '../../src/service/service.ts';
import { translateAll } from '../../src/service/translate-all.ts';

const signal = new AbortController().signal;
const EN_FR = { source: 'en', target: 'fr' };
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `text ${i}`);

interface Fake extends TranslationService {
  readonly sent: BatchRequest[];
  readonly most: number;
}

/** A service that answers in upper case; `failAt` returns the error of a batch by its number, from 1. */
function fakeService(
  failAt: (number: number) => ErrorCode | undefined = () => undefined,
  parallelCalls = 1,
): Fake {
  const sent: BatchRequest[] = [];
  let running = 0;
  let most = 0;
  const translateBatch = async (request: BatchRequest): Promise<BatchResponse> => {
    sent.push(request);
    const code = failAt(sent.length);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (code) throw new DragomanError(code, `failed with ${code}`);
    const translations = request.texts.map((text) => ({
      text,
      translation: text.toUpperCase(),
      source: request.source === 'auto' ? 'en' : request.source,
      target: request.target,
      success: true,
    }));
    const { length } = request.texts;
    return { translations, total: length, successful: length, failed: 0 };
  };
  const local = createLocalService({ engine: createPseudoEngine() });
  return {
    ...local,
    parallelCalls,
    sent,
    get most() {
      return most;
    },
    translateBatch,
  };
}

describe('translateAll', () => {
  it('sends equal texts once, in full batches, and answers in order', async () => {
    const service = fakeService();
    const texts = [...numbered(250), ...numbered(250), 'text 3'];
    const { items, stopped } = await translateAll(service, texts, EN_FR, { signal });
    expect(service.sent.map((request) => request.texts.length)).toEqual([100, 100, 50]);
    expect(items.map(({ text }) => text)).toEqual(texts);
    expect(items.map(({ translation }) => translation)).toEqual(texts.map((text) => text.toUpperCase()));
    expect(stopped).toBeUndefined();
  });

  it('sends as many batches at once as the service allows', async () => {
    const service = fakeService(undefined, 4);
    const progress: number[][] = [];
    const onProgress = (...both: number[]): void => void progress.push(both);
    await translateAll(service, numbered(1000), EN_FR, { signal, onProgress });
    expect(service.most).toBe(4);
    expect(service.sent).toHaveLength(10);
    expect(progress.at(-1)).toEqual([1000, 1000]);
  });

  it('keeps batches small enough to finish in time', async () => {
    const service = fakeService();
    const texts = Array.from({ length: 40 }, (_, i) => `${i} ${'word '.repeat(900)}`);
    const { items } = await translateAll(service, texts, EN_FR, { signal });
    expect(items.every(({ success }) => success)).toBe(true);
    for (const { texts: batch } of service.sent) expect(batch.join('').length).toBeLessThanOrEqual(64_000);
  });

  it.each(['answer_lost', 'service_failed'] as const)('continues after %s', async (code) => {
    const service = fakeService((number) => (number === 2 ? code : undefined));
    const { items, stopped } = await translateAll(service, numbered(300), EN_FR, { signal });
    expect(stopped).toBeUndefined();
    expect(service.sent).toHaveLength(3);
    const failed = items.filter(({ success }) => !success);
    expect(failed.map(({ text }) => text)).toEqual(numbered(200).slice(100));
    expect(failed[0]).toMatchObject({ translation: 'text 100', error: `failed with ${code}` });
  });

  it('stops with a service that only fails', async () => {
    const service = fakeService((number) => (number > 1 ? 'service_failed' : undefined));
    const { items, stopped } = await translateAll(service, numbered(2000), EN_FR, { signal });
    expect(service.sent).toHaveLength(6);
    expect(stopped?.code).toBe('service_failed');
    expect(items.filter(({ success }) => success)).toHaveLength(100);
  });

  it.each(['insufficient_credits', 'unauthenticated', 'rate_limited', 'unreachable', 'interrupted'] as const)(
    'stops at %s with finished and running work',
    async (code) => {
      const service = fakeService((number) => (number === 3 ? code : undefined), 4);
      const { items, stopped } = await translateAll(service, numbered(1000), EN_FR, { signal });
      expect(stopped?.code).toBe(code);
      // The batches 1, 2 and 4 were running; 5 started before 3 had failed, if at all.
      expect(service.sent.length).toBeLessThanOrEqual(6);
      expect(items.filter(({ success }) => success)).toHaveLength(100 * (service.sent.length - 1));
      expect(items[250]).toMatchObject({
        success: false,
        error: `failed with ${code}`,
        translation: 'text 250',
      });
      expect(items[999]).toMatchObject({ success: false, error: `failed with ${code}` });
    },
  );

  it.each(['insufficient_credits', 'answer_lost'] as const)(
    'throws %s if nothing was translated',
    async (code) => {
      const service = fakeService(() => code);
      await expect(translateAll(service, numbered(3), EN_FR, { signal })).rejects.toMatchObject({ code });
    },
  );

  it.each([4, undefined])('waits for paid requests when interrupted: %s', async (parallelCalls) => {
    const stop = new AbortController();
    const fake = fakeService(undefined, parallelCalls);
    const isElsewhere = parallelCalls !== undefined;
    const service: TranslationService = {
      ...fake,
      parallelCalls,
      translateBatch: async (request, options) => {
        const answer = await fake.translateBatch(request, options);
        if (fake.sent.length >= 4) stop.abort();
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (options.signal.aborted) throw new DragomanError('interrupted', 'too late');
        return answer;
      },
    };
    const { items, stopped } = await translateAll(service, numbered(1000), EN_FR, { signal: stop.signal });
    expect(stopped?.code).toBe('interrupted');
    expect(items.filter(({ success }) => success)).toHaveLength(isElsewhere ? 400 : 300);
    expect(fake.sent).toHaveLength(4);
  });

  it('also interrupts the later parts of long texts', async () => {
    const stop = new AbortController();
    const fake = fakeService();
    const service: TranslationService = {
      ...fake,
      parallelCalls: undefined,
      translateBatch: async (request, options) => {
        if (fake.sent.length === 0) return fake.translateBatch(request, options);
        setImmediate(() => stop.abort());
        await new Promise((resolve) => options.signal.addEventListener('abort', resolve));
        throw new DragomanError('interrupted', 'interrupted');
      },
    };
    const texts = ['short', 'This is a long text. '.repeat(500)];
    const { items, stopped } = await translateAll(service, texts, EN_FR, { signal: stop.signal });
    expect(stopped?.code).toBe('interrupted');
    expect(items.map(({ success }) => success)).toEqual([true, false]);
  });

  it('does nothing without texts', async () => {
    const service = fakeService();
    expect(await translateAll(service, [], EN_FR, { signal })).toEqual({ items: [], stopped: undefined });
    expect(service.sent).toHaveLength(0);
  });

  it('sends the parts of long texts together, in the language of the first', async () => {
    const service = fakeService();
    const long = (i: number): string => `This is the long text ${i}. `.repeat(500);
    const texts = [long(1), 'short', long(2), long(1)];
    const { items } = await translateAll(service, texts, { source: 'auto', target: 'fr' }, { signal });
    expect(items.map(({ translation }) => translation)).toEqual(texts.map((text) => text.toUpperCase()));
    expect(service.sent.map(({ source }) => source)).toEqual(['auto', 'en']);
    expect(service.sent[0]?.texts).toHaveLength(3);
  });

  it('reports a long text as failed if one of its parts was not sent', async () => {
    const service = fakeService((number) => (number === 2 ? 'insufficient_credits' : undefined));
    const long = 'This is a long text. '.repeat(500);
    const { items, stopped } = await translateAll(service, ['short', long], EN_FR, { signal });
    expect(items[0]?.success).toBe(true);
    expect(items[1]).toMatchObject({ text: long, translation: long, success: false });
    expect(stopped?.code).toBe('insufficient_credits');
  });

  it('returns the source that was named or detected from a later part, even for texts over the limit', async () => {
    const service = createLocalService({ engine: createPseudoEngine() });
    const address = `https://example.com/${'abc'.repeat(2000)}`;
    const numbers = `${'12345 '.repeat(900)}${'Good morning to you all. '.repeat(50)}`;
    const named = await translateAll(service, [address, numbers, 'Hello'], EN_FR, { signal });
    expect(named.items.map(({ source, success }) => [source, success])).toEqual([
      ['en', false],
      ['en', true],
      ['en', true],
    ]);
    const detected = await translateAll(service, [numbers], { source: 'auto', target: 'fr' }, { signal });
    expect(detected.items.map(({ source }) => source)).toEqual(['en']);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { silentLog } from '../../src/jobs/log.ts';
import { openTextService } from '../../src/server/threads/text-service.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { openApp, type AppSettings, type TestApp } from './harness.ts';

/** Texts in one call of the engine, and the number of concurrent calls. */
const BATCH = 10;
const CALLS = 4;
const fr = { source: 'en', target: 'fr' };
const sentence = 'The quick brown fox jumps over the lazy dog';

/** Answers only once it is released. Then, like a paid engine, it also answers requests that were aborted. */
class HeldEngine implements Engine {
  readonly id = 'held';
  readonly batch = { texts: BATCH, characters: 1_000_000 };
  readonly #pseudo = createPseudoEngine();
  readonly #released: Promise<void>;
  release: () => void = () => undefined;
  calls = 0;
  answered = 0;

  constructor() {
    this.#released = new Promise((resolve) => (this.release = resolve));
  }

  status(): ReturnType<Engine['status']> {
    return this.#pseudo.status();
  }

  supports(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async translate(...[request, signal]: Parameters<Engine['translate']>): ReturnType<Engine['translate']> {
    this.calls++;
    if (signal.aborted) throw new Error('called for a client that is gone');
    await this.#released;
    this.answered += request.texts.length;
    const outcomes = await this.#pseudo.translate(request, new AbortController().signal);
    return outcomes.map((outcome, i) =>
      request.texts[i]?.includes('FAIL') ? { failure: 'the engine does not want to' } : outcome,
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const texts = Array.from({ length: 100 }, (_, i) => `${sentence} ${i}`);
const cues = Array.from({ length: 100 }, (_, i) => {
  const minute = String(i).padStart(3, '0').slice(-2);
  return `${i + 1}\n00:${minute}:00,000 --> 00:${minute}:01,000\n${sentence} ${i}.\n`;
});
const nodes = texts.map((text) => `<p>${text}</p>`).join('\n');

/** Requests, with the number of engine calls and the credits charged if all of them are answered. */
const requests = [
  { path: '/v2/translate', body: { text: sentence }, calls: 1, charge: 1 },
  { path: '/v1/translate', body: { text: sentence }, calls: 1, charge: 1 },
  { path: '/v2/translate/batch', body: { texts }, calls: CALLS, charge: CALLS * BATCH },
  { path: '/v2/translate/html', body: { html: nodes }, calls: CALLS, charge: 1 },
  // The subject is a separate call.
  {
    path: '/v2/translate/email',
    body: { subject: sentence, email_body: nodes },
    calls: CALLS + 1,
    charge: CALLS * BATCH + 1,
  },
  {
    path: '/v2/translate/subtitles',
    body: { format: 'srt', content: cues.join('\n') },
    calls: CALLS,
    charge: CALLS * BATCH,
  },
];

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 20_000 }).toBe(true);
}

async function openHeld(
  engine: Engine,
  { isThread, ...settings }: AppSettings & { isThread: boolean },
): Promise<TestApp> {
  if (!isThread) return openApp({ ...settings, service: createLocalService({ engine }) });
  const text = openTextService({ engine, log: silentLog });
  onTestFinished(() => text.close());
  return openApp({ ...settings, service: text.service, text });
}

describe.each([
  { account: 'with a reservation', creditsGranted: 1_000 },
  { account: 'that pays after the work', creditsGranted: 10_000_000 },
])('a client that disconnects, of an account $account', ({ creditsGranted }) => {
  const cases = requests.flatMap((request) => [
    { ...request, isThread: false, where: 'in the main thread' },
    { ...request, isThread: true, where: 'in a thread' },
  ]);
  it.each(cases)('pays for answered texts: $path $where', async ({ path, body, calls, charge, isThread }) => {
    const engine = new HeldEngine();
    const { post, account } = await openHeld(engine, { creditsGranted, isThread });
    const client = new AbortController();
    const answer = post(path, { ...body, ...fr }, { signal: client.signal });
    await until(() => engine.calls === calls);
    client.abort();
    // No further work is started for it.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(engine.calls).toBe(calls);
    engine.release();
    expect((await answer).status).toBe(503);
    expect(engine.calls).toBe(calls);
    expect(await account()).toMatchObject({
      balance: creditsGranted - charge,
      reserved: 0,
      requestsSuccessful: 0,
      requestsFailed: 1,
    });
  });

  it('pays nothing for failures', async () => {
    const engine = new HeldEngine();
    const { post, account } = await openHeld(engine, { creditsGranted, isThread: false });
    const client = new AbortController();
    const some = texts.slice(0, BATCH).map((text, i) => (i < 3 ? `FAIL ${text}` : text));
    const answer = post('/v2/translate/batch', { texts: some, ...fr }, { signal: client.signal });
    await until(() => engine.calls === 1);
    client.abort();
    engine.release();
    await answer;
    expect((await account()).balance).toBe(creditsGranted - (BATCH - 3));
  });

  it('pays nothing before the engine is called', async () => {
    const engine = new HeldEngine();
    const { post, account } = await openHeld(engine, { creditsGranted, isThread: true });
    const held = post('/v2/translate/batch', { texts: texts.map((text) => text.repeat(100)), ...fr });
    await until(() => engine.calls === CALLS);
    const before = engine.calls;
    const client = new AbortController();
    // This request waits for the one above.
    const answer = post(
      '/v2/translate/batch',
      { texts: texts.map((text) => text.repeat(90)), ...fr },
      { signal: client.signal },
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.abort();
    expect((await answer).status).toBe(503);
    expect(engine.calls).toBe(before);
    engine.release();
    expect((await held).status).toBe(200);
    expect((await account()).balance).toBe(creditsGranted - 100);
  });
});

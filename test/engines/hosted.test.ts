import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { FakeClock } from '../client/fake-clock.ts';
import { engineContract } from './contract.ts';
import { connect, HOSTED, type HostedOptions } from './servers/hosted.ts';
import type { Fault, VendorServer } from './servers/vendor-server.ts';

const never = new AbortController().signal;

function errorsOf(outcomes: readonly EngineOutcome[]): (string | undefined)[] {
  return outcomes.map((outcome) => ('failure' in outcome ? (outcome.error?.code ?? 'text') : undefined));
}

for (const hosted of HOSTED) {
  let shared: VendorServer;
  beforeAll(async () => {
    shared = await hosted.start();
  });
  afterAll(() => shared.close());

  engineContract(hosted.name, () => connect(hosted, shared));

  describe(`${hosted.name} with a service that fails`, () => {
    let server: VendorServer;
    let clock: FakeClock;
    const opened: Engine[] = [];
    beforeEach(async () => {
      server = await hosted.start();
      clock = new FakeClock();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((engine) => engine.close()));
      await server.close();
    });
    const open = (options: HostedOptions = { clock }): Engine => {
      const engine = connect(hosted, server, options);
      opened.push(engine);
      return engine;
    };
    const ask = (
      texts: readonly string[],
      engine = open(),
      signal = never,
    ): Promise<readonly EngineOutcome[]> => engine.translate({ source: 'en', target: 'es', texts }, signal);
    // More than any service accepts at once.
    const many = Array.from({ length: 700 }, (_, i) => `House number ${i}`);

    it('waits as long as the service requests, and sends refused requests again', async () => {
      server.faults.push({ status: 429, headers: { 'retry-after': '7' }, body: {} });
      expect(await ask(['a house'])).toEqual([{ translation: 'A HOUSE' }]);
      expect(server.translations).toHaveLength(2);
      expect(clock.waits[0]).toBeGreaterThanOrEqual(7000);
    });

    it('waits for milliseconds if the service sends them', async () => {
      const headers = { 'retry-after': '60', 'retry-after-ms': '1500' };
      server.faults.push({ status: 429, headers, body: {} });
      expect(await ask(['a house'])).toEqual([{ translation: 'A HOUSE' }]);
      expect(clock.waits[0]).toBeGreaterThanOrEqual(1500);
      expect(clock.waits[0]).toBeLessThan(7000);
    });

    it('retries free requests after every failure', async () => {
      server.otherFaults.push({ status: 500, body: {} }, 'cut', { status: 502, body: 'Bad Gateway' });
      expect(await ask(['a house'])).toEqual([{ translation: 'A HOUSE' }]);
      expect((await open().status()).ready).toBe(true);
    });

    it('holds all requests while the service accepts none', async () => {
      const until = clock.now() + 9000;
      server.always = (answer) =>
        clock.now() < until ? { status: 429, headers: { 'retry-after': '9' }, body: {} } : answer;
      const engine = open();
      // The second request is sent after the first one was refused.
      let second: Promise<unknown> | undefined;
      let isFirst = true;
      const wait = clock.wait.bind(clock);
      clock.wait = (ms, signal) => {
        if (isFirst) {
          isFirst = false;
          second = ask(['two'], engine);
        }
        return wait(ms, signal);
      };
      await ask(['one'], engine);
      await second;
      expect(server.translations).toHaveLength(3);
    });

    it('abandons a service that refuses repeatedly, and sends nothing more', async () => {
      server.always = { status: 429, body: {} };
      expect(new Set(errorsOf(await ask(many)))).toEqual(new Set(['rate_limited']));
      expect(server.translations).toHaveLength(6);
      // The engine waits at least a second each time, and longer at the end.
      expect(clock.waits.map((ms) => ms >= 1000)).toEqual(clock.waits.map(() => true));
      expect(clock.waits.at(-1)).toBeGreaterThanOrEqual(16_000);
    });

    it('does not wait longer than its time limit', async () => {
      server.always = { status: 429, headers: { 'retry-after': '3600' }, body: {} };
      const [outcome] = await ask(['a house']);
      expect(outcome).toMatchObject({
        error: { code: 'rate_limited', hint: expect.stringMatching(/360\d seconds/) },
      });
      expect(server.translations).toHaveLength(1);
    });

    it('sends nothing more when the account is empty, and keeps the answers', async () => {
      server.faults.push((answer) => answer);
      server.always = hosted.spent;
      const outcomes = await ask(many);
      expect(outcomes[0]).toEqual({ translation: 'HOUSE NUMBER 0' });
      expect(errorsOf(outcomes).at(-1)).toBe('insufficient_credits');
      expect(server.translations).toHaveLength(2);
    });

    it.each([401, 403])('treats %i as a wrong key, and never shows the key', async (status) => {
      const { key } = hosted;
      const body = { message: key, error: { message: `no key ${key}` }, detail: key };
      server.always = { status, body: hosted.name === 'libretranslate' ? { error: key } : body };
      const [outcome] = await ask(['a house']);
      expect(outcome).toMatchObject({ error: { code: 'unauthenticated', status } });
      const shown = outcome && 'failure' in outcome ? [outcome.failure, outcome.error?.hint].join() : '';
      expect(shown).toContain('***');
      expect(shown).not.toContain(key);
      expect(shown).toContain(hosted.variables.key);
    });

    it.each<[string, Fault, string]>([
      ['500', { status: 500, body: { message: 'broken' } }, 'service_failed'],
      ['a connection that is cut', 'cut', 'answer_lost'],
      ['an answer that is not HTTP', 'garbage', 'contract_violation'],
      [
        'an answer that is not JSON',
        { status: 200, body: '<!doctype html><title>Sign in</title>' },
        'contract_violation',
      ],
      [
        'a redirect',
        { status: 302, headers: { location: 'https://example.com/' }, body: '' },
        'contract_violation',
      ],
      ['an answer that is too large', 'huge', 'contract_violation'],
    ])('fails the texts of a request with %s, and does not repeat it', async (_, fault, code) => {
      server.faults.push(fault);
      const engine = open();
      expect(errorsOf(await ask(['a house'], engine))).toEqual([code]);
      expect(server.translations).toHaveLength(1);
      expect(await ask(['a house'], engine)).toEqual([{ translation: 'A HOUSE' }]);
    });

    it('fails only the texts of one request', async () => {
      server.faults.push({ status: 500, body: '' });
      const outcomes = errorsOf(await ask(many));
      expect(outcomes[0]).toBe('service_failed');
      expect(outcomes.at(-1)).toBeUndefined();
    });

    it('has a time limit', async () => {
      server.faults.push('stall');
      const engine = open({ timeoutMs: 400 });
      expect(errorsOf(await ask(['a house'], engine))).toEqual(['answer_lost']);
      expect(await ask(['a house'], engine)).toEqual([{ translation: 'A HOUSE' }]);
    });

    it('does not wait for a missing service', async () => {
      await server.close();
      const said = await ask(['a house']).catch((error: unknown) => [{ failure: '', error }]);
      expect(said).toMatchObject([{ error: { code: 'unreachable' } }]);
      expect(clock.waits.length).toBeGreaterThanOrEqual(3);
      server = await hosted.start();
    });

    it('keeps the answers when interrupted', async () => {
      const controller = new AbortController();
      server.faults.push((answer) => {
        controller.abort();
        return answer;
      });
      const outcomes = await ask(many, open(), controller.signal);
      expect(outcomes[0]).toEqual({ translation: 'HOUSE NUMBER 0' });
      expect(errorsOf(outcomes).at(-1)).toBe('interrupted');
      expect(server.translations).toHaveLength(1);
    });

    it('ends pending requests when it is closed', async () => {
      let arrived = (): void => undefined;
      const asked = new Promise<void>((resolve) => (arrived = resolve));
      server.faults.push(async (answer) => {
        arrived();
        await new Promise(() => undefined);
        return answer;
      });
      const engine = open();
      const call = ask(['a house'], engine).catch((error: unknown) => error);
      await asked;
      await engine.close();
      expect(await call).toMatchObject({ code: 'interrupted' });
      await expect(ask(['a house'], engine)).rejects.toMatchObject({ code: 'interrupted' });
    });

    it('reports that it is not ready, and why', async () => {
      server.otherFaults.push({ status: 403, body: {} });
      const engine = open();
      expect(await engine.status()).toMatchObject({
        ready: false,
        detail: expect.stringContaining('403'),
        hint: expect.stringContaining(hosted.variables.key),
      });
      expect((await engine.status()).ready).toBe(true);
    });

    it('sends neither key nor texts unencrypted, nor to an address that contains a key', () => {
      for (const url of [
        'http://example.com',
        'http://a:b@localhost',
        'ftp://localhost',
        'https://a.b/?key=1',
      ]) {
        const env = { [hosted.variables.key]: hosted.key, [hosted.variables.url]: url };
        expect(() => hosted.create(env)).toThrow(expect.objectContaining({ code: 'configuration' }));
        expect(() => hosted.create({ [hosted.variables.url]: url })).toThrow(
          expect.objectContaining({ code: 'configuration' }),
        );
      }
      const env = { [hosted.variables.key]: 'two\nlines', [hosted.variables.url]: 'https://example.com' };
      expect(() => hosted.create(env)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('lines\n') }),
      );
    });
  });
}

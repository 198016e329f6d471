import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { parseFaults } from '../../src/server/guards/faults.ts';
import { errorOf } from './errors.ts';

const live = new AbortController().signal;

describe('simulated failures', () => {
  it('occur in the requested order and number', () => {
    const faults = parseFaults(['429:2', 'drop:1', '503:1', '500:1']);
    expect(Array.from({ length: 7 }, () => faults.next())).toEqual([
      { status: 429 },
      { status: 429 },
      { drop: true },
      { status: 503 },
      { status: 500 },
      undefined,
      undefined,
    ]);
    expect(faults.descriptions).toEqual(['429:2', 'drop:1', '503:1', '500:1']);
  });

  it('do not occur by default', async () => {
    const faults = parseFaults([]);
    expect(faults.next()).toBeUndefined();
    expect(faults.failsLanguage('fr')).toBe(false);
    await expect(faults.delay(AbortSignal.abort())).resolves.toBeUndefined();
  });

  it('delay requests, but not longer than the client waits', async () => {
    const started = performance.now();
    await parseFaults(['slow:30']).delay(live);
    expect(performance.now() - started).toBeGreaterThanOrEqual(28);
    const stop = new AbortController();
    const waiting = errorOf(parseFaults(['slow:3600000']).delay(stop.signal));
    stop.abort();
    expect((await waiting).code).toBe('interrupted');
  });

  it('accept a language in every spelling', () => {
    const faults = parseFaults(['job-fail:pt_br', 'job-fail:fr']);
    expect(['pt-BR', 'fr', 'pt', 'de'].map((code) => faults.failsLanguage(code))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    '429',
    '429:',
    '429:0',
    '429:-1',
    '429:x',
    '429:1.5',
    '429:99999999',
    '404:1',
    'slow:0',
    'slow:3600001',
    'job-fail:',
    'job-fail:nonsense-language',
    'job-fail:auto',
    'drop',
    '',
    ':3',
  ])('are refused as %j, with a list of the supported forms', (value) => {
    expect(() => parseFaults([value])).toThrow(DragomanError);
    try {
      parseFaults([value]);
    } catch (error) {
      expect((error as DragomanError).code).toBe('usage');
      expect((error as DragomanError).message).toContain(JSON.stringify(value));
      for (const form of ['429:N', '500:N', '503:N', 'drop:N', 'slow:MS', 'job-fail:CODE']) {
        expect((error as DragomanError).hint).toContain(form);
      }
    }
  });
});

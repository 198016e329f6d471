import { afterAll, describe, expect, it, vi } from 'vitest';
import { sentences } from './sentences.ts';

vi.mock('eld/small', () => {
  throw new Error('not installed');
});

// Other files, with which this one shares its modules, may have loaded the real package.
vi.resetModules();
const { DragomanError } = await import('../../src/base/errors.ts');
const { detectLanguage } = await import('../../src/languages/detection.ts');
afterAll(() => {
  vi.doUnmock('eld/small');
  vi.resetModules();
});

describe('without the detectors', () => {
  it.each(['el', 'ko', 'th', 'he', 'ja', 'zh-CN', 'zh-TW', 'ka', 'ta'])(
    'still recognizes %s by its script',
    async (code) => {
      expect((await detectLanguage(sentences[code] ?? '')).language).toBe(code);
    },
  );

  it('reports that they are needed', async () => {
    const failure = await detectLanguage(sentences['fr'] ?? '').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DragomanError);
    expect(failure).toMatchObject({
      code: 'internal',
      hint: expect.stringContaining('source language') as unknown,
    });
  });
});

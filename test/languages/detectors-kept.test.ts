import { afterAll, describe, expect, it, vi } from 'vitest';
import { sentences } from './sentences.ts';

const cld = vi.hoisted(() => ({ loaded: 0, created: 0, fails: false }));

vi.mock('cld3-asm', () => ({
  loadModule: () => {
    cld.loaded++;
    return Promise.resolve({
      create: () => {
        cld.created++;
        return {
          findLanguage: () => {
            if (cld.fails) throw new Error('out of memory');
            return { language: 'sr', probability: 0.99 };
          },
        };
      },
    });
  },
}));

// Other files, with which this one shares its modules, may have loaded the real package.
vi.resetModules();
const { detectLanguage } = await import('../../src/languages/detection.ts');
afterAll(() => {
  vi.doUnmock('cld3-asm');
  vi.resetModules();
});

describe('the native identifier', () => {
  it('is not created for a text whose script decides', async () => {
    await detectLanguage(sentences['el'] ?? '');
    expect(cld).toMatchObject({ loaded: 0, created: 0 });
  });

  it('is created once, even for concurrent texts and after a failure', async () => {
    const texts = Array.from({ length: 20 }, () => sentences['fr'] ?? '');
    for (const { language } of await Promise.all(texts.map((text) => detectLanguage(text))))
      expect(language).toBe('fr');
    cld.fails = true;
    await expect(detectLanguage(sentences['fr'] ?? '')).rejects.toThrow('out of memory');
    cld.fails = false;
    expect((await detectLanguage(sentences['fr'] ?? '')).language).toBe('fr');
    expect(cld).toMatchObject({ loaded: 1, created: 1 });
  });
});

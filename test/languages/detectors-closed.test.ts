import { afterAll, describe, expect, it, vi } from 'vitest';
import { sentences } from './sentences.ts';

const cld = vi.hoisted(() => ({ created: 0, disposed: 0, fails: false }));

vi.mock('cld3-asm', () => ({
  loadModule: () =>
    Promise.resolve({
      create: () => {
        cld.created++;
        return {
          findLanguage: () => {
            if (cld.fails) throw new Error('out of memory');
            return { language: 'sr', probability: 0.99 };
          },
          dispose: () => {
            cld.disposed++;
          },
        };
      },
    }),
}));

// Other files, with which this one shares its modules, may have loaded the true package.
vi.resetModules();
const { detectLanguage } = await import('../../src/languages/detection.ts');
afterAll(() => {
  vi.doUnmock('cld3-asm');
  vi.resetModules();
});

describe('the native identifier', () => {
  it('is given back after every detection, also after one that failed', async () => {
    expect((await detectLanguage(sentences['fr'] ?? '')).language).toBe('fr');
    expect(cld).toMatchObject({ created: 1, disposed: 1 });
    cld.fails = true;
    await expect(detectLanguage(sentences['fr'] ?? '')).rejects.toThrow('out of memory');
    expect(cld).toMatchObject({ created: 2, disposed: 2 });
  });

  it('is not created for a text that the script decides', async () => {
    const { created } = cld;
    await detectLanguage(sentences['el'] ?? '');
    expect(cld.created).toBe(created);
  });
});

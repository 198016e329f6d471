import { describe, expect, it } from 'vitest';
import { runTrial } from '../../../scripts/adversarial/trial.ts';
import { createFirefoxEngine } from '../../../src/engines/firefox/firefox.ts';
import { installTiny, sharedDirectory } from './models.ts';

const modelsDirectory = installTiny(sharedDirectory(), {
  'en-es': 'hostile',
  'en-fr': 'echo',
  'de-en': 'echo',
});

// scripts/adversarial.ts sends 10,000 such strings, which takes minutes; none of its translations was broken.
describe('strings with placeholders through models whose answers would break files', () => {
  it.each([
    ['en', 'es', 160],
    ['en', 'fr', 120],
    ['de', 'es', 60],
  ])('are translated or reported, and none is broken: %s to %s', async (source, target, count) => {
    const open = (): Promise<ReturnType<typeof createFirefoxEngine>> =>
      Promise.resolve(createFirefoxEngine({ modelsDirectory }));
    const { translated, reported, broken } = await runTrial({ source, target, what: 'firefox', open }, count);
    expect(broken).toEqual([]);
    // The number depends on where batches end, which depends on the speed of the models.
    expect(translated).toBeGreaterThan(0);
    expect(translated + reported).toBe(count);
  });
});

import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../../src/base/errors.ts';
import { createFirefoxEngine } from '../../../src/engines/firefox/firefox.ts';
import { chooseModels } from '../../../src/engines/firefox/models/choice.ts';
import { installModel } from '../../../src/engines/firefox/models/install.ts';
import { openNet } from '../../../src/engines/firefox/models/net.ts';
import { fetchOffer } from '../../../src/engines/firefox/models/origin.ts';
import { sharedDirectory } from './models.ts';

const isWanted = process.env['DRAGOMAN_TEST_NETWORK'] === '1';
if (!isWanted) process.stdout.write('SKIPPED network: DRAGOMAN_TEST_NETWORK=1 tries the real models\n');

const STRINGS = [
  'You have <x id="1"/> new messages.',
  'Hello <x id="1"/>, welcome back!',
  'Delete <x id="1"/> from <x id="2"/>?',
  'Read <x id="1">the documentation</x> before you start.',
  '<x id="1"/> of <x id="2"/> files were copied.',
];

describe.skipIf(!isWanted)('network: the real models', () => {
  const modelsDirectory = sharedDirectory();

  it('are found, verified and loaded, and then translate', { timeout: 600_000 }, async (context) => {
    const signal = AbortSignal.timeout(600_000);
    const net = openNet({ env: process.env, signal });
    try {
      const offer = await fetchOffer({}, net);
      expect(offer.models.length).toBeGreaterThan(60);
      for (const model of chooseModels(['en-es', 'es-fr'], offer)) {
        await installModel(model, offer, { directory: modelsDirectory, net });
      }
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== 'unreachable') throw error;
      process.stdout.write(`SKIPPED network: ${error.message}\n`);
      context.skip(error.message);
    } finally {
      await net.close();
    }
    const engine = createFirefoxEngine({ modelsDirectory });
    try {
      const texts = ['The house is red.', ...STRINGS];
      const outcomes = await engine.translate({ source: 'en', target: 'es', texts }, signal);
      for (const outcome of outcomes) process.stdout.write(`${JSON.stringify(outcome)}\n`);
      expect(outcomes[0]).toMatchObject({ translation: expect.stringMatching(/casa/i) });
      expect(outcomes.every((outcome) => 'translation' in outcome)).toBe(true);
      const pivot = await engine.translate(
        { source: 'es', target: 'fr', texts: ['La casa es roja.'] },
        signal,
      );
      expect(pivot[0]).toMatchObject({ translation: expect.stringMatching(/maison/i) });
    } finally {
      await engine.close();
    }
  });
});

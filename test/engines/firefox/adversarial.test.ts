import { describe, expect, it } from 'vitest';
import { breakageOf, hostileUnits } from '../../../scripts/adversarial/strings.ts';
import { createFirefoxEngine } from '../../../src/engines/firefox/firefox.ts';
import { translateUnits } from '../../../src/pipeline/units.ts';
import { installTiny, sharedDirectory } from './models.ts';

const modelsDirectory = installTiny(sharedDirectory(), {
  'en-es': 'hostile',
  'en-fr': 'echo',
  'de-en': 'echo',
});

// Of 10,000 of them none is broken either: scripts/adversarial.ts takes minutes for that.
describe('strings with placeholders through models that answer what breaks files', () => {
  it.each([
    ['en', 'es', 160],
    ['en', 'fr', 120],
    ['de', 'es', 60],
  ])('are translated or reported, and none is broken: %s to %s', async (source, target, count) => {
    const engine = createFirefoxEngine({ modelsDirectory });
    const signal = new AbortController().signal;
    const units = hostileUnits(count);
    const outcomes = await translateUnits(units, { engine, source, target, signal });
    await engine.close();
    const broken = units.flatMap((unit, i) => {
      const outcome = outcomes[i];
      const breakage = outcome && 'value' in outcome ? breakageOf(unit, outcome.value) : [];
      return breakage.length > 0 ? [{ unit, outcome, breakage }] : [];
    });
    expect(broken).toEqual([]);
    expect(outcomes.filter((outcome) => 'value' in outcome).length).toBeGreaterThan(count / 20);
    expect(outcomes.every((outcome) => 'value' in outcome || outcome.failure !== '')).toBe(true);
  });
});

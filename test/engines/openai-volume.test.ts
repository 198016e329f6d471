import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { createOpenAIEngine } from '../../src/engines/openai/openai.ts';
import type { Unit } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { OPENAI_KEY, startOpenAI } from './servers/openai.ts';
import type { VendorServer } from './servers/vendor-server.ts';

/** The cost of a large project with a chat model: requests, bytes, and concurrent requests. */

const never = new AbortController().signal;
const opened: (Engine | VendorServer)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const WORDS =
  'open save the selected file window of your account before next start message list and image'.split(' ');

/** A typical localization file: labels, sentences, some with placeholders and comments. */
function unitsOf(count: number): readonly Unit[] {
  const values = Array.from({ length: count }, (_, i) => {
    const length = i % 3 === 0 ? 1 : 3 + (i % 9);
    const words = Array.from({ length }, (__, k) => WORDS[(i * 7 + k * 5) % WORDS.length]);
    return `${words.join(' ')} ${i}${i % 8 === 0 ? ' {count}' : ''}`;
  });
  return values.map((value, i) => ({
    value,
    syntax: 'icu',
    context: {
      key: ['settings', `section${i % 20}`, `key${i}`],
      ...(i % 25 === 0 && { comment: 'On a button' }),
      neighbours: [values[i - 1], values[i + 1]].flatMap((other) => other ?? []),
    },
  }));
}

async function translate(
  units: readonly Unit[],
  targets: readonly string[],
  expected: number,
  concurrency?: number,
): Promise<{ readonly server: VendorServer; readonly bytes: number; readonly atOnce: number }> {
  const server = await startOpenAI();
  const env = { OPENAI_API_KEY: OPENAI_KEY, OPENAI_BASE_URL: `${server.url}/v1/` };
  // This model returns the source in capitals, which the checks of models would refuse.
  const engine = { ...createOpenAIEngine({ model: 'model', env }), isModel: false };
  opened.push(server, engine);
  let now = 0;
  let atOnce = 0;
  let allArrived = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (allArrived = resolve));
  server.always = async (answer) => {
    atOnce = Math.max(atOnce, ++now);
    // The first requests wait for each other.
    if (atOnce >= expected) allArrived();
    await Promise.race([arrived, wait(3_000)]);
    now--;
    return answer;
  };
  for (const target of targets) {
    const outcomes = await translateUnits(units, {
      engine,
      source: 'en',
      target,
      signal: never,
      concurrency,
    });
    expect(outcomes.filter((outcome) => 'failure' in outcome)).toEqual([]);
  }
  const bytes = server.translations.reduce(
    (sum, { body }) => sum + Buffer.byteLength(JSON.stringify(body)),
    0,
  );
  return { server, bytes, atOnce };
}

describe('openai on a large project', () => {
  it('sends 30,000 values in at most 122 requests and 3.5 MB, four requests at once', async () => {
    const { server, bytes, atOnce } = await translate(unitsOf(10_000), ['es', 'fr', 'de'], 4);

    expect(server.translations.length).toBeLessThanOrEqual(122);
    expect(bytes).toBeLessThanOrEqual(3_525_000);
    expect(atOnce).toBe(4);
  });

  it.each([
    [500, 4, 4],
    [500, 8, 8],
    [40, 4, 2],
    [20, 4, 1],
  ])('divides %i values among %i concurrent requests', async (count, concurrency, requests) => {
    const { server, atOnce } = await translate(unitsOf(count), ['es'], requests, concurrency);
    expect([server.translations.length, atOnce]).toEqual([requests, requests]);
  });
});

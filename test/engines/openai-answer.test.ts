import { afterEach, describe, expect, it } from 'vitest';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createOpenAIEngine } from '../../src/engines/openai/openai.ts';
import { OPENAI_KEY, startOpenAI, type ModelBehaviour } from './servers/openai.ts';
import type { VendorRequest, VendorServer } from './servers/vendor-server.ts';

const never = new AbortController().signal;
const opened: (Engine | VendorServer)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function start(behaviour: ModelBehaviour = {}): Promise<{ server: VendorServer; engine: Engine }> {
  const server = await startOpenAI(behaviour);
  const env = { OPENAI_API_KEY: OPENAI_KEY, OPENAI_BASE_URL: `${server.url}/v1/` };
  const engine = createOpenAIEngine({ model: 'model', env });
  opened.push(server, engine);
  return { server, engine };
}

function ask(engine: Engine, texts: readonly string[]): Promise<readonly EngineOutcome[]> {
  return engine.translate({ source: 'en', target: 'pt-BR', texts }, never);
}

const five = ['one', 'two', 'three', 'four', 'five'];
const FIVE = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'].map((translation) => ({ translation }));

describe('openai with a broken answer', () => {
  const entry = (id: number, text: string): string => JSON.stringify({ id, text });
  const says = (content: string, reason = 'stop'): VendorRequest['body'] => ({
    choices: [{ finish_reason: reason, message: { content } }],
  });
  const askedFor = (server: VendorServer): string[][] =>
    server.translations.map(({ body }) => {
      const [, user] = body['messages'] as { content: string }[];
      return (JSON.parse(user?.content ?? '') as { texts: { text: string }[] }).texts.map(({ text }) => text);
    });

  it.each<[string, string, string]>([
    ['is cut off', `{"translations":[${entry(1, 'UNO')},${entry(2, 'DOS}')},{"id":3,"te`, 'length'],
    ['is cut off after an entry', `{"translations":[${entry(1, 'UNO')},${entry(2, 'DOS}')}`, 'length'],
    ['has no end', `{"translations": [ {\n "id" : 1, "text": "UNO"},\n${entry(2, 'DOS}')} `, 'stop'],
    [
      'has a broken entry',
      `{"translations":[${entry(1, 'UNO')},${entry(2, 'DOS}')},{"id":3,"text":"a "b""}]}`,
      'stop',
    ],
    [
      'is a fence without an end',
      `\`\`\`json\n{"translations":[${entry(1, 'UNO')},${entry(2, 'DOS}')},`,
      'length',
    ],
  ])('keeps complete entries if the answer %s', async (_, content, reason) => {
    const { server, engine } = await start();
    server.faults.push({ status: 200, body: says(content, reason) });
    const rest = ['THREE', 'FOUR', 'FIVE'].map((translation) => ({ translation }));
    expect(await ask(engine, five)).toEqual([{ translation: 'UNO' }, { translation: 'DOS}' }, ...rest]);
    const asked = askedFor(server);
    expect(asked.slice(1).flat()).toEqual(['three', 'four', 'five']);
  });

  it('ignores the reasoning of a model', async () => {
    const { server, engine } = await start();
    server.faults.push({ status: 200, body: says(`<think>{"translations":[${entry(1, 'HM')}`, 'length') });
    expect(await ask(engine, ['one', 'two'])).toEqual([{ translation: 'ONE' }, { translation: 'TWO' }]);
  });

  it('requests the texts again in halves, with few requests', async () => {
    const { server, engine } = await start();
    server.faults.push({ status: 200, body: says('I would love to help!') });
    expect(await ask(engine, five)).toEqual(FIVE);
    expect(askedFor(server).map((texts) => texts.length)).toEqual([5, 3, 2]);
    server.translations.length = 0;
    server.always = { status: 200, body: says('I would love to help!') };
    const many = Array.from({ length: 250 }, (_, i) => `text ${i}`);
    expect(new Set(await ask(engine, many))).toEqual(
      new Set(many.map(() => ({ failure: 'the model did not return a JSON list of translations' }))),
    );
    expect(server.translations).toHaveLength(7);
  });

  it('keeps the answers when a retry fails', async () => {
    const { server, engine } = await start();
    server.faults.push({ status: 200, body: says(`{"translations":[${entry(1, 'UNO')}`, 'length') });
    server.always = { status: 402, body: { error: { code: 'insufficient_quota' } } };
    expect(await ask(engine, ['one', 'two'])).toMatchObject([
      { translation: 'UNO' },
      { error: { code: 'insufficient_credits' } },
    ]);
  });

  it('requests less after an answer that was cut off, and more again after complete ones', async () => {
    const { server, engine } = await start();
    const many = Array.from({ length: 300 }, (_, i) => `a text that is long enough to fill a batch, ${i}`);
    server.faults.push({ status: 200, body: says('{"translations":[', 'length') });
    await ask(engine, many);
    server.translations.length = 0;
    await ask(engine, many);
    expect(server.translations.length).toBeGreaterThan(1);
    for (let i = 0; i < 4; i++) await ask(engine, many);
    server.translations.length = 0;
    await ask(engine, many);
    expect(server.translations).toHaveLength(1);
  });

  it.each([1, 2, 3, 7, 40])(
    'gets everything from a model with room for %i texts, with few requests',
    async (room) => {
      const { server, engine } = await start({ room });
      const many = Array.from({ length: 300 }, (_, i) => `text ${i}`);
      expect(await ask(engine, many)).toEqual(many.map((text) => ({ translation: text.toUpperCase() })));
      expect(server.translations.length).toBeLessThanOrEqual((4 * 300) / room);
    },
  );
});

import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { installModelSet } from '../../../scripts/firefox/installation.ts';
import { makeModelSet } from '../../../scripts/firefox/model-set.ts';
import { readInstalled, type InstalledModel } from '../../../src/engines/firefox/installed.ts';
import { ModelPool, type ModelAnswer, type PoolOptions } from '../../../src/engines/firefox/model-pool.ts';
import { installTiny, sharedDirectory } from './models.ts';

const directory = installTiny(sharedDirectory(), {
  'en-es': 'syllables',
  'en-fr': 'syllables',
  'en-de': 'syllables',
});
const never = new AbortController().signal;
const opened: ModelPool[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

function open(options: Partial<PoolOptions> = {}): ModelPool {
  const pool = new ModelPool({
    workers: 2,
    memoryMegabytes: 1024,
    timeoutMs: 20_000,
    idleMs: 60_000,
    ...options,
  });
  opened.push(pool);
  return pool;
}

async function model(name: string): Promise<InstalledModel> {
  return (await readInstalled(directory)).find((one) => one.name === name)!;
}

/** Crossing tags crash the module, whatever else is requested with them. */
const CRASH = { text: '<b id="1">the <i id="2">house</b> is red</i>', html: true };
const plain = (text: string) => ({ text, html: false });
const kindOf = (answer: ModelAnswer): string => ('answer' in answer ? 'answer' : answer.failure);

describe('workers', () => {
  it('are replaced when they crash: the batch is retried once, and only repeated crashes fail', async () => {
    const pool = open();
    const es = await model('en-es');
    const texts = [
      ...Array.from({ length: 7 }, (_, i) => plain(`the house number ${i} of the garden`)),
      CRASH,
    ];
    const answers = await Promise.all(texts.map((text) => pool.ask(es, text, never)));
    expect(answers.slice(0, 7).map(kindOf)).toEqual(Array(7).fill('answer'));
    expect(answers[7]).toEqual({
      failure: expect.stringMatching(/^the translation model en-es Encountered unexpected closing tag/),
    });
    expect(kindOf(await pool.ask(es, plain('the house'), never))).toBe('answer');
  });

  it('are abandoned after repeated losses, with an error for all waiting calls', async () => {
    const pool = open({ workers: 1 });
    const es = await model('en-es');
    const answers = await Promise.all(Array.from({ length: 12 }, () => pool.ask(es, CRASH, never)));
    expect(answers.every((answer) => 'failure' in answer)).toBe(true);
    expect(answers.filter((answer) => 'failure' in answer && answer.error)).not.toEqual([]);
    expect(kindOf(await pool.ask(es, plain('the house'), never))).toBe('answer');
  });

  it('are replaced when they hang, and repeated hangs fail', async () => {
    const es = await model('en-es');
    const pool = open();
    expect(kindOf(await pool.ask(es, plain('house'), never))).toBe('answer');
    const hung = open({ timeoutMs: 1 });
    expect(kindOf(await hung.ask(es, plain('house'), never))).toBe(
      'the translation model en-es gave no answer within 0.001 s',
    );
  });

  it('respect their memory limit', async () => {
    const pool = open({ memoryMegabytes: 64 });
    const answer = await pool.ask(await model('en-es'), plain('the house is red'), never);
    expect(kindOf(answer)).toBe('the translation model en-es is out of memory');
  });

  it('do not load a file that changed since its installation, and explain how to restore it', async () => {
    const set = makeModelSet('syllables', 50);
    installModelSet(directory, 'en', 'it', set);
    const it = await model('en-it');
    writeFileSync(it.files.model.path, set.model.subarray(0, 1_000));
    const answer = await open().ask(it, plain('the house'), never);
    expect(answer).toMatchObject({
      failure: expect.stringContaining('has changed since it was installed'),
      error: { code: 'engine_failed', hint: 'To reinstall it: dragoman engines install en-it' },
    });
  });

  it('end when idle, and start again', async () => {
    const pool = open({ idleMs: 10 });
    const es = await model('en-es');
    expect(kindOf(await pool.ask(es, plain('house'), never))).toBe('answer');
    await expect.poll(() => pool.loaded).toBe(0);
    expect(kindOf(await pool.ask(es, plain('house'), never))).toBe('answer');
  });

  it('never exceed their limit, and every model gets its turn', async () => {
    const pool = open({ workers: 1 });
    const models = await Promise.all(['en-es', 'en-fr', 'en-de'].map(model));
    let most = 0;
    const asked = models.flatMap((one) =>
      Array.from({ length: 20 }, async (_, i) => {
        const answer = await pool.ask(one, plain(`the house ${i}`), never);
        most = Math.max(most, pool.loaded);
        return kindOf(answer);
      }),
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['answer']));
    expect(most).toBe(1);
  });

  it('run in parallel for one model with much work, with the same answers', async () => {
    const pool = open({ workers: 2 });
    const es = await model('en-es');
    const ask = (): Promise<ModelAnswer[]> =>
      Promise.all(Array.from({ length: 80 }, (_, i) => pool.ask(es, plain(`house ${i}`), never)));
    const asked = ask();
    await expect.poll(() => pool.loaded).toBe(2);
    expect(new Set((await asked).map(kindOf))).toEqual(new Set(['answer']));
  });

  it('drop abandoned texts, and those of a closed pool', async () => {
    const pool = open();
    const es = await model('en-es');
    const controller = new AbortController();
    const abandoned = pool.ask(es, plain('house'), controller.signal);
    const kept = pool.ask(es, plain('garden'), never);
    pool.abandon(controller.signal);
    await expect(abandoned).rejects.toMatchObject({ code: 'interrupted' });
    expect(kindOf(await kept)).toBe('answer');
    const late = Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => pool.ask(es, plain(`late ${i}`), never)),
    );
    await pool.close();
    expect((await late).every(({ status }) => status === 'rejected')).toBe(true);
    await expect(pool.ask(es, plain('house'), never)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

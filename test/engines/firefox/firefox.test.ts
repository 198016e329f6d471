import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/engines/engine.ts';
import { createFirefoxEngine, type FirefoxOptions } from '../../../src/engines/firefox/firefox.ts';
import { installHintFor, readInstalled } from '../../../src/engines/firefox/installed.ts';
import { ModelThread } from '../../../src/engines/firefox/model-pool.ts';
import { installTiny, sharedDirectory } from './models.ts';

const modelsDirectory = installTiny(sharedDirectory(), {
  'en-es': 'syllables',
  'fr-en': 'syllables',
  'en-nb': 'syllables',
});
const never = new AbortController().signal;
const opened: Engine[] = [];

function open(options: FirefoxOptions = {}): Engine {
  const engine = createFirefoxEngine({ modelsDirectory, ...options });
  opened.push(engine);
  return engine;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

describe('the firefox engine', () => {
  it('translates through English, with the placeholders of the source', async () => {
    const texts = ['La maison de <x id="1"/>', '<x id="1"/>', 'Une <x id="1">maison</x> rouge'];
    const outcomes = await open().translate({ source: 'fr', target: 'es', texts }, never);
    expect(outcomes).toEqual([
      { translation: expect.stringContaining('<x id="1"/>') },
      { translation: '<x id="1"/>' },
      { translation: expect.stringMatching(/<x id="1">\S+.*<\/x>/) },
    ]);
  });

  it('finds its models under other codes', async () => {
    const engine = open();
    const can = async (...pairs: string[]): Promise<boolean[]> =>
      Promise.all(pairs.map((pair) => engine.supports(...(pair.split(' ') as [string, string]))));
    expect(await can('en es', 'en-US es-MX', 'fr es', 'fr-CA es', 'en no', 'en nb')).toEqual(
      Array(6).fill(true),
    );
    expect(await can('es en', 'en de', 'en en-GB', 'auto es', 'en fr')).toEqual(Array(5).fill(false));
    expect((await engine.status()).pairs).toContainEqual({ source: 'fr', target: 'es' });
    expect(await engine.modelFor?.('firefox', { source: 'fr', target: 'es' })).toMatch(
      /^fr-en [\d.]+, en-es [\d.]+$/,
    );
    expect(await engine.modelFor?.('firefox', { source: 'es', target: 'en' })).toBeUndefined();
  });

  it('has no pairs without models, and sees models installed later', async () => {
    const directory = join(modelsDirectory, 'later');
    const engine = open({ modelsDirectory: directory });
    expect(await engine.status()).toMatchObject({
      ready: false,
      pairs: [],
      hint: expect.stringContaining('install'),
    });
    await expect(engine.translate({ source: 'en', target: 'es', texts: ['a'] }, never)).rejects.toMatchObject(
      {
        code: 'engine_unavailable',
        hint: 'dragoman engines install en-es',
      },
    );
    mkdirSync(directory);
    installTiny(directory, { 'en-es': 'syllables' });
    expect(await engine.supports('en', 'es')).toBe(true);
    expect((await open({ modelsDirectory: undefined }).status()).ready).toBe(false);
  });

  it('skips files that are not models', async () => {
    const directory = join(modelsDirectory, 'odd');
    mkdirSync(directory);
    const manifest = { source: 'en', target: 'es', version: '3.0', architecture: 'tiny', files: {} };
    const file = { sha256: 'a'.repeat(64), size: 1 };
    for (const [name, content] of Object.entries({
      'en-es.json': manifest,
      'en-fr.json': { ...manifest, target: 'de', files: { model: file, vocab: file } },
      'en-it.json': {
        ...manifest,
        target: 'it',
        files: { model: { sha256: '../../x', size: 1 }, vocab: file },
      },
      'en-pt.json': { ...manifest, target: 'pt', files: { model: file, vocab: file, ['../x']: file } },
      'en-ro.json': [],
      'en-ru.json': 'text',
    })) {
      writeFileSync(join(directory, name), JSON.stringify(content));
    }
    writeFileSync(join(directory, 'en-uk.json'), '{');
    expect(await readInstalled(directory)).toEqual([]);
  });

  it('kills a worker that computes for too long', async () => {
    const [model] = await readInstalled(modelsDirectory);
    const thread = new ModelThread({ files: model!.files, memoryMegabytes: 1024 });
    await thread.translate([{ text: 'house', html: false }], 20_000);
    const endless = { text: 'the garden '.repeat(5_000), html: false };
    await expect(thread.translate([endless], 50)).rejects.toThrow('gave no answer within 0.05 s');
    await expect(thread.translate([endless], 20_000)).rejects.toThrow('gave no answer within 0.05 s');
    await thread.close();
  });

  it.each([
    ['en', 'es', 'dragoman engines install en-es'],
    ['fr-CA', 'de-AT', 'dragoman engines install fr-en en-de'],
    ['en', 'zh-CN', 'dragoman engines install en-zh-Hans'],
    ['zh-TW', 'en', 'dragoman engines install zh-Hant-en'],
    ['en', 'no', 'dragoman engines install en-nb'],
    ['en', 'xh', undefined],
    ['en', 'en-GB', undefined],
  ])('explains how to get %s to %s', (source, target, hint) => {
    expect(installHintFor(source, target)).toBe(hint);
  });
});

import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import { createAutoEngine } from '../../src/engines/auto.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createEngine, engineIds, engineStatuses, installHints } from '../../src/engines/registry.ts';

const program = fileURLToPath(new URL('../../fixtures/engines/program.mjs', import.meta.url));
const execCommand = `"${process.execPath}" "${program}"`;
const never = new AbortController().signal;
const opened: Engine[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

async function open(id: string, options = {}): Promise<Engine> {
  const engine = await createEngine(id, options);
  opened.push(engine);
  return engine;
}

/** An engine with one pair. */
function only(id: string, source: string, target: string): Engine & { closed: boolean } {
  return {
    id,
    closed: false,
    status: () => Promise.resolve({ id, ready: true, detail: id, pairs: [{ source, target }] }),
    supports: (from, to) => Promise.resolve(from === source && to === target),
    translate: ({ texts }) => Promise.resolve(texts.map((text) => ({ translation: `${id} ${text}` }))),
    close() {
      this.closed = true;
      return Promise.resolve();
    },
  };
}

describe('createEngine', () => {
  it('supports every listed id', async () => {
    const keys = ['OPENAI', 'DEEPL', 'LIBRETRANSLATE', 'GOOGLE'].map((name) => [`${name}_API_KEY`, 'key']);
    const service = (): Promise<Engine> => Promise.resolve(only('service', 'en', 'fr'));
    const options = {
      execCommand,
      env: Object.fromEntries(keys),
      settings: { openai: { model: 'm' } },
      service,
    };
    for (const id of engineIds) expect((await open(id, options)).id).toBe(id);
  });

  it('lists the ids, and suggests the nearest one', async () => {
    await expect(createEngine('apertum', {})).rejects.toMatchObject({
      code: 'usage',
      hint: `Did you mean apertium? Engines: ${engineIds.join(', ')}.`,
    });
    await expect(createEngine('constructor', {})).rejects.toMatchObject({ code: 'usage' });
  });

  it('creates a chain of several engines', async () => {
    const engine = await open('exec, pseudo', { execCommand });
    expect(engine.id).toBe('exec,pseudo');
    expect(await engine.translate({ source: 'en', target: 'de', texts: ['a'] }, never)).toEqual([
      { translation: 'A', engine: 'exec' },
    ]);
    await expect(createEngine('pseudo,nothing', {})).rejects.toMatchObject({ code: 'usage' });
    await expect(createEngine('pseudo,', {})).rejects.toMatchObject({ code: 'usage' });
  });

  it('creates the configured chain, which cannot contain itself', async () => {
    const engine = await open('engines', { execCommand, engines: { 'en-de': ['pseudo'], '*': ['exec'] } });
    const translate = (target: string) => engine.translate({ source: 'en', target, texts: ['a'] }, never);
    expect(await translate('de')).toEqual([{ translation: 'å', engine: 'pseudo' }]);
    expect(await translate('fr')).toEqual([{ translation: 'A', engine: 'exec' }]);
    await expect(createEngine('engines', {})).rejects.toMatchObject({ code: 'usage' });
    await expect(createEngine('engines', { engines: { '*': ['engines'] } })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it('explains how to name a service if none is configured, alone and in a chain', async () => {
    for (const id of ['service', 'service,pseudo']) {
      for (const service of [undefined, () => Promise.resolve(undefined)]) {
        await expect(createEngine(id, { service })).rejects.toMatchObject({
          code: 'configuration',
          message: 'no service given',
          hint: expect.stringContaining('--base-url'),
        });
      }
    }
  });

  it('opens the service once for a chain, and closes it with the chain', async () => {
    const service = only('service', 'en', 'fr');
    let opened = 0;
    const chain = await createEngine('engines', {
      engines: { 'en-*': ['service', 'pseudo'], '*': ['pseudo', 'service'] },
      service: () => {
        opened++;
        return Promise.resolve(service);
      },
    });
    const translate = (target: string) => chain.translate({ source: 'en', target, texts: ['a'] }, never);
    expect(await translate('fr')).toEqual([{ translation: 'service a', engine: 'service' }]);
    expect(await translate('de')).toEqual([{ translation: 'å', engine: 'pseudo' }]);
    expect(opened).toBe(1);
    await chain.close();
    expect(service.closed).toBe(true);
  });

  it('reports that exec needs a command', async () => {
    await expect(createEngine('exec', {})).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('--engine-command'),
    });
  });
});

describe('auto', () => {
  it('is never a service, which must be chosen by name', async () => {
    const service = (): Promise<Engine> => Promise.reject(new Error('it was asked'));
    expect((await open('auto', { execCommand, service })).id).toBe('auto');
  });

  it('prefers the configured program, and reports that', async () => {
    const engine = await open('auto', { execCommand });
    expect(await engine.supports('en', 'ja')).toBe(true);
    expect(await engine.translate({ source: 'en', target: 'ja', texts: ['a'] }, never)).toEqual([
      { translation: 'A', engine: 'exec' },
    ]);
  });

  it('uses, for each pair, the first engine that supports it, and closes all engines', async () => {
    const engines = [only('one', 'en', 'fr'), only('two', 'en', 'es'), only('three', 'en', 'es')];
    const auto = createAutoEngine(engines, installHints);
    const ask = (target: string): Promise<unknown> =>
      auto.translate({ source: 'en', target, texts: ['a'] }, never);
    expect(await ask('es')).toEqual([{ translation: 'two a', engine: 'two' }]);
    expect(await ask('fr')).toEqual([{ translation: 'one a', engine: 'one' }]);
    expect((await auto.status()).pairs).toHaveLength(3);
    await auto.close();
    expect(engines.every((engine) => engine.closed)).toBe(true);
  });

  it('never uses pseudo: without an engine for the pair it explains how to get one', async () => {
    const auto = createAutoEngine([only('one', 'en', 'fr')], installHints);
    const ask = (target: string): Promise<unknown> =>
      auto.translate({ source: 'en', target, texts: ['a'] }, never);
    expect(await auto.supports('en', 'sc')).toBe(false);
    await expect(ask('ja')).rejects.toMatchObject({
      hint: expect.stringContaining('dragoman engines install en-ja'),
    });
    await expect(ask('xh')).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'no engine here translates en to xh',
      hint: expect.stringMatching(/^Use .*--engine exec --engine-command/),
    });
    await expect(ask('sc')).rejects.toMatchObject({ hint: expect.stringMatching(/apertium/i) });
  });
});

describe('engineStatuses', () => {
  it('lists every engine, including those that are not set up', async () => {
    const statuses = await engineStatuses({ env: {} });
    expect(['auto', ...statuses.map(({ id }) => id)]).toEqual(engineIds);
    const statusOf = (id: string) => statuses.find((status) => status.id === id);
    const hints = {
      exec: '--engine-command',
      openai: 'OPENAI_API_KEY',
      deepl: 'DEEPL_API_KEY',
      libretranslate: 'LIBRETRANSLATE_API_KEY',
      google: 'GOOGLE_API_KEY',
      service: '--base-url',
    };
    for (const [id, hint] of Object.entries(hints))
      expect(statusOf(id)).toMatchObject({ ready: false, hint: expect.stringContaining(hint) });
    expect(statusOf('pseudo')).toMatchObject({ ready: true, pairs: 'any' });
  });

  it('reports why a service cannot be opened, and continues', async () => {
    const statusWith = async (code: ErrorCode) => {
      const service = () => Promise.reject(new DragomanError(code, `no: ${code}`, { hint: 'do this' }));
      return (await engineStatuses({ env: {}, service })).find(({ id }) => id === 'service');
    };
    const told = { ready: false, detail: 'no: unauthenticated', hint: 'do this', pairs: [] };
    expect(await statusWith('unauthenticated')).toMatchObject(told);
    await expect(statusWith('internal')).rejects.toMatchObject({ code: 'internal' });
  });
});

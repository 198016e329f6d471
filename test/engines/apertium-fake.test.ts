import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createApertiumEngine } from '../../src/engines/apertium/apertium.ts';
import { isProgram } from '../../src/engines/apertium/modes.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';

const stage = fileURLToPath(new URL('../../fixtures/engines/stage.mjs', import.meta.url));
const never = new AbortController().signal;
const directory = mkdtempSync(join(tmpdir(), 'apertium-'));
const opened: Engine[] = [];

function dataWith(modes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const data = mkdtempSync(join(directory, 'data-'));
  mkdirSync(join(data, 'modes'));
  for (const [name, pipeline] of Object.entries(modes))
    writeFileSync(join(data, 'modes', `${name}.mode`), pipeline);
  return { ...process.env, APERTIUM_DATADIR: data };
}

function engineWith(modes: Readonly<Record<string, string>>, timeoutMs = 20_000): Engine {
  const engine = createApertiumEngine({ env: dataWith(modes), timeoutMs });
  opened.push(engine);
  return engine;
}

function ask(engine: Engine, texts: readonly string[], target = 'es'): Promise<readonly EngineOutcome[]> {
  return engine.translate({ source: 'en', target, texts }, never);
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});
afterAll(() => rmSync(directory, { recursive: true }));

const isInstalled =
  (await isProgram('apertium-wblank-mode', process.env)) && (await isProgram('bash', process.env));

describe.skipIf(!isInstalled)('an Apertium pipeline that misbehaves', () => {
  it('fails only the record that crashes it', async () => {
    const engine = engineWith({ 'eng-spa': `${stage} good` });
    const texts = Array.from({ length: 300 }, (_, i) => (i === 100 ? 'KILL it' : `text ${i}`));
    const outcomes = await ask(engine, texts);
    expect(outcomes[100]).toEqual({ failure: expect.stringContaining('apertium eng-spa ended') });
    expect(outcomes[101]).toEqual({ translation: 'TEXT 101' });
    expect(outcomes.filter((outcome) => 'translation' in outcome)).toHaveLength(299);
  });

  it('fails only the record that it hangs on', async () => {
    const outcomes = await ask(engineWith({ 'eng-spa': `${stage} good` }, 2500), [
      'one',
      'HANG',
      'two',
      'three',
    ]);
    expect(outcomes).toEqual([
      { translation: 'ONE' },
      { failure: 'apertium eng-spa gave no answer within 2.5 s' },
      { translation: 'TWO' },
      { translation: 'THREE' },
    ]);
  });

  it('never mixes up the answers of records', async () => {
    const outcomes = await ask(engineWith({ 'eng-spa': `${stage} good` }), ['one', 'SHIFT', 'two']);
    expect(outcomes[0]).toEqual({ translation: 'ONE' });
    expect(outcomes[1]).toHaveProperty('failure');
    expect(outcomes[2]).toEqual({ translation: 'TWO' });
  });

  it('may treat the added full stop as its own, or add blanks after it', async () => {
    const texts = ['SWALLOW', 'put it BEHIND <x id="1"/>', 'etc. BEHIND me_too', 'one. two'];
    expect(await ask(engineWith({ 'eng-spa': `${stage} good` }), texts)).toEqual([
      { translation: 'SWALLOW' },
      { translation: 'PUT IT BEHIND <x id="1"/>' },
      { translation: 'ETC. BEHIND me_too' },
      { translation: 'ONE. TWO' },
    ]);
  });

  it.each([
    ['a placeholder that moves into the next record', 'go AWAY <x id="1"/>', 'GO AWAY <x id="1"/>'],
    ['records that cannot be separated', 'please MERGE', 'PLEASE MERGE'],
  ])('translates each record alone after %s', async (_, text, translation) => {
    const texts = ['see <x id="1"/> there', text, 'and <x id="1"/> here', 'last'];
    expect(await ask(engineWith({ 'eng-spa': `${stage} good` }), texts)).toEqual([
      { translation: 'SEE <x id="1"/> THERE' },
      { translation },
      { translation: 'AND <x id="1"/> HERE' },
      { translation: 'LAST' },
    ]);
  });

  it('falls back to runs if a placeholder is lost or doubled', async () => {
    const texts = ['please LOSE <x id="1"/> now', 'please DOUBLE <x id="1"/> now'];
    expect(await ask(engineWith({ 'eng-spa': `${stage} good` }), texts)).toEqual([
      { translation: 'PLEASE LOSE <x id="1"/> NOW' },
      { translation: 'PLEASE DOUBLE <x id="1"/> NOW' },
    ]);
  });

  it('falls back to loose tags if the words of a pair are split', async () => {
    const texts = ['see <x id="1">APART it</x> and', 'see <x id="1">the house</x>'];
    expect(await ask(engineWith({ 'eng-spa': `${stage} good` }), texts)).toEqual([
      { translation: 'SEE <x id="1">APART IT</x> AND' },
      { translation: 'SEE <x id="1">THE HOUSE</x>' },
    ]);
  });

  it('strips only the marks of unknown words', async () => {
    const [marked] = await ask(engineWith({ 'eng-spa': `${stage} good` }), ['*a* MARK # @']);
    expect(marked).toEqual({ translation: '*A* mark noun verb *literal # @' });
  });

  it('fails if a unit stays unresolved', async () => {
    const [outcome] = await ask(engineWith({ 'eng-spa': `${stage} good` }), ['the UNIT']);
    expect(outcome).toEqual({ failure: 'apertium lost part of the text' });
  });
});

describe.skipIf(!isInstalled)('the discovery of Apertium modes', () => {
  it('skips modes that lack a file or do not answer', async () => {
    const engine = engineWith({
      'eng-fra': `${stage} broken`,
      'eng-spa': `${stage} good '/no/such/file.bin'`,
      'eng-cat': `${stage} good`,
      'cat-fra': `${stage} good '${stage}'`,
      'cat-spa': 'no-such-program-anywhere',
      'eng-cat-debug': `${stage} good`,
      'eng-hbs': `${stage} good`,
    });
    expect(await engine.supports('en', 'es')).toBe(false);
    expect(await engine.supports('en', 'fr')).toBe(true);
    expect(await engine.supports('en', 'sr-Latn')).toBe(false);
    expect(await engine.modelFor?.('apertium', { source: 'en', target: 'fr' })).toBe('eng-cat, cat-fra');
    expect(await ask(engine, ['house'], 'fr')).toEqual([{ translation: 'HOUSE' }]);
    const status = await engine.status();
    expect(status.pairs).toEqual([
      { source: 'ca', target: 'fr' },
      { source: 'en', target: 'ca' },
      { source: 'en', target: 'fr' },
    ]);
    expect(status.ready).toBe(true);
  });

  it('does not report Apertium as ready without a working mode', async () => {
    const status = await engineWith({}).status();
    expect(status).toMatchObject({ ready: false, pairs: [] });
  });

  it('abandons a probe that hangs', async () => {
    const engine = engineWith({ 'eng-spa': `${stage} silent` }, 500);
    expect(await engine.supports('en', 'es')).toBe(false);
    await expect(ask(engine, ['a'])).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

describe('Apertium that is not installed', () => {
  it('is reported with the command that installs it', async () => {
    const engine = createApertiumEngine({ env: { PATH: directory } });
    opened.push(engine);
    const status = await engine.status();
    expect(status).toMatchObject({
      id: 'apertium',
      ready: false,
      detail: 'Apertium is not installed',
      pairs: [],
    });
    expect(status.hint).toMatch(/apertium/i);
    expect(await engine.supports('en', 'es')).toBe(false);
  });
});

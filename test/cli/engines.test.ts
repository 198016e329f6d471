import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCollection } from '../../scripts/firefox/collection.ts';
import { makeModelSet } from '../../scripts/firefox/model-set.ts';
import { startMirror, type Mirror } from '../engines/firefox/mirror.ts';
import { sharedDirectory } from '../engines/firefox/models.ts';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

const collection = sharedDirectory();
let mirror: Mirror;

beforeAll(async () => {
  writeCollection(
    collection,
    ['en-es', 'en-fr', 'es-en'].map((pair, i) => {
      const [source = '', target = ''] = pair.split('-');
      return { source, target, set: makeModelSet('syllables', i + 7) };
    }),
  );
  mirror = await startMirror(collection);
});

afterAll(() => mirror.close());

/** Runs commands one after the other with one directory of models. */
function session(): (line: string, cwd?: string) => Promise<Result> {
  const env = {
    DRAGOMAN_FIREFOX_MODELS_DIR: temporaryDirectory(),
    DRAGOMAN_FIREFOX_RECORDS_URL: mirror.recordsUrl,
  };
  return (line, cwd = temporaryDirectory()) => dragoman(line.split(' '), { env, cwd });
}

describe('dragoman engines', () => {
  it('lists engines and their pairs, with and without the subcommand', async () => {
    const run = session();
    const [short, long] = [await run('engines'), await run('engines status')];
    expect(short).toEqual(long);
    expect(short.stdout).toMatch(/^firefox: not ready, no model/m);
    expect(short.stdout).toMatch(/^ {2}For example: dragoman engines install en-es$/m);
    expect(JSON.parse((await run('engines --json')).stdout)).toMatchObject({ engines: expect.any(Array) });
  });

  it('reports a misspelt subcommand', async () => {
    const result = await session()('engines instal');
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toContain('Did you mean install?');
  });

  it('installs, lists and removes models', async () => {
    const run = session();
    const path = (await run('engines path')).stdout.trim();
    expect(await run('engines list')).toMatchObject({ exitCode: 0, stdout: '' });
    const installed = await run('engines install en-es en-fr');
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(installed.stdout).toMatch(/^en-es 3\.0: \d+ kB downloaded and verified\nen-fr 3\.0: /);
    expect(installed.stderr).toBe('');
    expect((await run('engines install en-es')).stdout).toBe('en-es 3.0: already installed\n');
    expect((await run('engines list')).stdout).toMatch(/^en-es {2}3\.0 {2}tiny {2}\d+ kB\nen-fr /);
    expect((await run('engines list --available')).stdout).toMatch(
      /kB {2}installed\n.*kB {2}installed\nes-en.*kB\n$/,
    );
    expect((await run('engines')).stdout).toMatch(/firefox: ready, neural.*\n {2}en → es, fr\n/);
    expect(existsSync(join(path, 'en-es.json'))).toBe(true);
    expect((await run('engines remove en-es')).stdout).toBe('en-es: removed\n');
    expect(existsSync(join(path, 'en-es.json'))).toBe(false);
    const missing = await run('engines remove en-es');
    expect(missing).toMatchObject({ exitCode: 1 });
    expect(missing.stderr).toContain('no model en-es is installed');
    const json = JSON.parse((await run('engines list --json')).stdout);
    expect(json).toMatchObject({ models: [{ name: 'en-fr', version: '3.0', installed: true }] });
  });

  it('installs both models of a pair without English, and reports them as JSON', async () => {
    const run = session();
    const { stdout } = await run('engines install es-fr --json');
    expect(JSON.parse(stdout)).toMatchObject({
      installed: [
        { name: 'es-en', version: '3.0', downloaded: expect.any(Number) },
        { name: 'en-fr', version: '3.0' },
      ],
    });
    expect((await run('engines remove es-en en-fr --json')).stdout).toContain('"removed"');
  });

  it('lists the installed models before an error', async () => {
    const run = session();
    const [first] = (await run('engines install en-es --json')).stdout ? ['en-es'] : [];
    expect(first).toBe('en-es');
    mirror.faults.corrupt = true;
    const failed = await run('engines install en-es en-fr --json').finally(
      () => delete mirror.faults.corrupt,
    );
    expect(failed.exitCode).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      installed: [{ name: 'en-es' }],
      error: { code: 'integrity' },
    });
    expect((await run('engines list')).stdout).not.toContain('en-fr');
  });

  it.each(['engines install', 'engines install en', 'engines install en-xyz123', 'engines remove'])(
    'ends with 2 for %s',
    async (line) => expect((await session()(line)).exitCode).toBe(2),
  );

  it('lists the engine that translates files, without a request', async () => {
    const run = session();
    await run('engines install en-es es-en en-fr');
    mirror.requests.length = 0;
    const cwd = projectWith({
      'en.json': '{ "a": "Hello {name}, the house is red", "b": "Open <b>the file</b>" }\n',
    });
    const result = await run('sync . -s en -t es --engine firefox', cwd);
    expect(result).toMatchObject({ exitCode: 0 });
    const es = JSON.parse(readFileSync(join(cwd, 'es.json'), 'utf8'));
    expect(es.a).toContain('{name}');
    expect(es.b).toMatch(/<b>\S.*<\/b>/);
    const text = await run('translate -s es -t fr --engine auto --json la-casa-es-roja-y-la-puerta-es-azul');
    expect(JSON.parse(text.stdout)).toMatchObject({ translations: { source: 'es', target: 'fr' } });
    expect(mirror.requests).toEqual([]);
  });

  it('names the command that installs a missing engine', async () => {
    const run = session();
    const direct = await run('translate -s en -t de --engine firefox House');
    expect(direct.exitCode).not.toBe(0);
    expect(direct.stderr).toContain('dragoman engines install en-de');
    const pivot = await run('translate -s fr -t de --engine firefox Maison');
    expect(pivot.stderr).toContain('dragoman engines install fr-en en-de');
    await run('engines install en-es');
    const path = (await run('engines path')).stdout.trim();
    const { files } = JSON.parse(readFileSync(join(path, 'en-es.json'), 'utf8'));
    writeFileSync(join(path, 'files', files.model.sha256), 'damaged');
    const damaged = await run('translate -s en -t es --engine firefox House');
    expect(damaged.stderr).toContain('To reinstall it: dragoman engines install en-es');
    rmSync(join(path, 'files'), { recursive: true });
    mkdirSync(join(path, 'files'));
    await run('engines install en-es');
    expect(
      await run('translate -s en -t es --engine firefox the-house-is-red-and-the-door-is-blue'),
    ).toMatchObject({ exitCode: 0 });
  });
});

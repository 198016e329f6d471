import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { writeCollection } from '../../scripts/firefox/collection.ts';
import { makeModelSet } from '../../scripts/firefox/model-set.ts';
import { readInstalled } from '../../src/engines/firefox/installed.ts';
import { dragoman, type Invocation, projectWith, temporaryDirectory } from './harness.ts';
import { startService } from './service.ts';

const service = startService();

interface Report {
  readonly healthy: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly hint: string | null;
  }[];
}

/** The problems found, and the exit code. */
async function examine(argv: readonly string[], invocation: Invocation = {}) {
  const { exitCode, stdout, stderr } = await dragoman(['doctor', '--json', ...argv], invocation);
  const report = JSON.parse(stdout) as Report;
  expect(report.healthy).toBe(exitCode === 0);
  const found = report.checks.filter(({ status }) => status !== 'ok');
  return { exitCode, stderr, found, checks: report.checks };
}

describe('dragoman doctor', () => {
  it('prints one line for each part if everything is fine, without a network', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    onTestFinished(() => connect.mockRestore());
    const root = projectWith({ 'dragoman.config.yaml': 'source: en\ntargets: [es]\n' });
    const { exitCode, stdout, stderr } = await dragoman(['doctor', '--engine', 'pseudo'], {
      cwd: root,
      env: { DRAGOMAN_MEMORY: 'm.db' },
    });
    expect(stdout.replace(/^ok: versions: .*$/m, 'ok: versions').replace(/in \S+$/m, 'in MODELS')).toBe(
      `ok: versions
ok: configuration: dragoman.config.yaml
ok: engine: pseudo: embedded: accents letters, for tests
ok: models: none installed in MODELS
ok: memory: m.db: not created yet; the first translation creates it
`,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(connect).not.toHaveBeenCalled();
  });

  it('suggests a remedy if no engine can translate', async () => {
    const { exitCode, found } = await examine(['--engine', 'firefox']);
    expect(exitCode).toBe(2);
    expect(found).toEqual([
      {
        name: 'engine',
        status: 'problem',
        message: 'firefox: no model of Firefox Translations is installed',
        hint: 'For example: dragoman engines install en-es',
      },
    ]);
  });

  it('warns about target languages that the engine does not support', async () => {
    const collection = temporaryDirectory();
    writeCollection(collection, [{ source: 'en', target: 'es', set: makeModelSet('syllables', 7) }]);
    const models = temporaryDirectory();
    const env = {
      DRAGOMAN_FIREFOX_MODELS_DIR: models,
      DRAGOMAN_FIREFOX_RECORDS_URL: join(collection, 'records.json'),
    };
    expect(await dragoman(['engines', 'install', 'en-es'], { env })).toMatchObject({ exitCode: 0 });
    const cwd = projectWith({ 'dragoman.config.yaml': 'source: en\ntargets: [es, fr]\nengine: firefox\n' });
    const incomplete = await examine([], { cwd, env });
    expect(incomplete.exitCode).toBe(0);
    expect(incomplete.found).toMatchObject([
      {
        name: 'engine',
        status: 'warning',
        message: 'firefox does not translate en to fr',
        hint: expect.stringContaining('dragoman engines install en-fr'),
      },
    ]);

    const [model] = await readInstalled(models);
    truncateSync(model?.files.model.path ?? '', 5);
    const damaged = {
      name: 'models',
      status: 'problem',
      message: 'files of the model en-es are missing or damaged',
    };
    const hint = 'dragoman engines install en-es downloads the missing files.';
    expect((await examine([], { cwd, env })).found).toContainEqual({ ...damaged, hint });
    rmSync(model?.files.model.path ?? '');
    expect((await examine([], { cwd, env })).found).toContainEqual({ ...damaged, hint });
    expect(await dragoman(['engines', 'install', 'en-es'], { env })).toMatchObject({ exitCode: 0 });
    expect((await examine([], { cwd, env })).exitCode).toBe(0);
  });

  it('reports a mistake in the configuration once', async () => {
    const cwd = projectWith({ 'dragoman.config.yaml': 'source: en\ntarget: [es]\n' });
    const { exitCode, found } = await examine([], { cwd });
    expect(exitCode).toBe(2);
    expect(found).toMatchObject([{ name: 'configuration', status: 'problem' }]);
    expect(found[0]?.message).toMatch(/dragoman\.config\.yaml:2:1: .*target/);
  });

  it('reports an invalid memory', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'memory.db'), 'this is no database '.repeat(100));
    const { exitCode, found } = await examine(['--engine', 'pseudo', '--memory', 'memory.db'], { cwd });
    expect(exitCode).toBe(2);
    expect(found).toMatchObject([
      { name: 'memory', status: 'problem', hint: expect.stringContaining('--memory') },
    ]);
  });
});

describe('dragoman doctor with a service', () => {
  const at = (url: string, key?: string): Invocation => ({
    env: { DRAGOMAN_BASE_URL: url, ...(key !== undefined && { DRAGOMAN_API_KEY: key }) },
  });

  it('reports that it is healthy and accepts the key', async () => {
    const { exitCode, found, checks } = await examine([], at(service.url, service.key));
    expect({ exitCode, found }).toEqual({ exitCode: 0, found: [] });
    const ofService = checks.filter(({ name }) => name === 'service').map(({ message }) => message);
    expect(ofService).toEqual([`${service.url}: healthy`, 'the key is accepted; 100,000 credits left']);
  });

  it('suggests what to do without a key, with a wrong one, and without credits', async () => {
    expect((await examine([], at(service.url))).found).toEqual([
      {
        name: 'service',
        status: 'warning',
        message: `there is no key for ${service.url}`,
        hint: `Store one with dragoman login --base-url ${service.url}, or set DRAGOMAN_API_KEY.`,
      },
    ]);
    const wrong = await examine([], at(service.url, `${service.key}x`));
    expect(wrong).toMatchObject({ exitCode: 2, found: [{ name: 'service', status: 'problem' }] });
    expect(JSON.stringify(wrong)).not.toContain(service.key);
    const key = await service.keys(['create', '--email', 'b@example.org', '--credits', '1']);
    const spent = { env: { DRAGOMAN_API_KEY: key } };
    expect(await service.run(['translate', '-s', 'en', '-t', 'es', 'One'], spent)).toMatchObject({
      exitCode: 0,
    });
    expect(await examine([], at(service.url, key))).toMatchObject({
      exitCode: 0,
      found: [{ status: 'warning', message: 'the key is accepted; 0 credits left' }],
    });
  });

  it('does not exceed its time limit', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once('listening', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = silent.address() as AddressInfo;
    const begin = performance.now();
    const { exitCode, found } = await examine(['--timeout', '1'], at(`http://127.0.0.1:${port}`));
    expect(exitCode).toBe(2);
    expect(found).toMatchObject([{ name: 'service', status: 'problem' }]);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('ends immediately when it is interrupted', async () => {
    const result = await dragoman(['doctor'], { signal: AbortSignal.abort(), ...at(service.url) });
    expect(result).toMatchObject({ exitCode: 130, stdout: '' });
  });
});

describe('dragoman version', () => {
  it('prints everything that a bug report needs', async () => {
    const { exitCode, stdout, stderr } = await dragoman(['version']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { version, devDependencies } = packageJson;
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      `dragoman  ${version}`,
      `node      ${process.versions.node}`,
      `platform  ${process.platform} ${process.arch}`,
      `firefox   Bergamot ${devDependencies['@browsermt/bergamot-translator']}`,
    ]);
  });

  it('prints the same as JSON', async () => {
    const { stdout } = await dragoman(['version', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: packageJson.version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      engines: { firefox: expect.stringMatching(/^Bergamot /) },
    });
  });
});

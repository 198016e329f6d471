import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEEPL_KEY, startDeepL, type DeepLServer } from '../engines/servers/deepl.ts';
import { OPENAI_KEY, startOpenAI } from '../engines/servers/openai.ts';
import type { VendorServer } from '../engines/servers/vendor-server.ts';
import { dragoman, projectWith, type Result } from './harness.ts';

let deepl: DeepLServer;
let openai: VendorServer;
let env: Record<string, string>;
beforeAll(async () => {
  [deepl, openai] = await Promise.all([startDeepL(), startOpenAI()]);
  env = {
    DEEPL_API_KEY: DEEPL_KEY,
    DEEPL_BASE_URL: deepl.url,
    OPENAI_API_KEY: OPENAI_KEY,
    OPENAI_BASE_URL: `${openai.url}/v1`,
  };
});
beforeEach(() => {
  for (const server of [deepl, openai]) {
    server.always = undefined;
    server.translations.length = 0;
  }
});
afterAll(async () => {
  await Promise.all([deepl.close(), openai.close()]);
});

const HELLO = ['translate', 'Hello {name}', '-s', 'en', '-t', 'es'];

function translateWith(engine: string, files: Record<string, string> = {}): Promise<Result> {
  return dragoman([...HELLO, '--engine', engine], { env, cwd: projectWith(files) });
}

describe('hosted engines', () => {
  it('translate by name, with key and address from the environment', async () => {
    expect(await translateWith('deepl')).toMatchObject({ exitCode: 0, stdout: 'HELLO {name}\n' });
  });

  it('take settings from the configuration', async () => {
    const files = { 'dragoman.config.yaml': 'openai:\n  model: small\n' };
    expect(await translateWith('openai', files)).toMatchObject({ exitCode: 0, stdout: 'HELLO {name}\n' });
    expect(openai.translations[0]?.body['model']).toBe('small');
    openai.translations.length = 0;
    const lines = Array.from({ length: 200 }, (_, i) => `A text with words enough, number ${i}`);
    const narrow = { 'dragoman.config.yaml': 'openai:\n  window: 2048\n  model: small\n' };
    const { exitCode } = await dragoman(['batch', '-s', 'en', '-t', 'es', '--engine', 'openai'], {
      env,
      cwd: projectWith(narrow),
      stdin: `${lines.join('\n')}\n`,
    });
    expect(exitCode).toBe(0);
    expect(openai.translations.length).toBeGreaterThan(5);
    const few = { 'dragoman.config.yaml': 'openai:\n  window: 20\n' };
    expect(await translateWith('openai', few)).toMatchObject({ exitCode: 2 });
  });

  it('receive the form of address', async () => {
    const files = { 'dragoman.config.yaml': "formality:\n  de: formal\n  '*': informal\n" };
    await translateWith('deepl', files);
    await dragoman([...HELLO, '--engine', 'deepl', '--formality', 'formal'], {
      env,
      cwd: projectWith(files),
    });
    expect(deepl.translations.map(({ body }) => body['formality'])).toEqual(['prefer_less', 'prefer_more']);
  });

  it('receive the terms of the glossary, or the reason is reported', async () => {
    const files = { 'glossary.csv': 'term,es\nHello,Saludos\n' };
    expect(await translateWith('deepl', files)).toMatchObject({ exitCode: 0, stdout: 'SALUDOS {name}\n' });
    expect(deepl.glossaries.size).toBe(0);
    deepl.room = 0;
    const { stdout, stderr } = await translateWith('deepl', files);
    deepl.room = 1000;
    expect(stdout).toBe('HELLO {name}\n');
    expect(stderr).toMatch(
      /^deepl translates without the terms of the glossary: DeepL answered with status 456/m,
    );
  });

  it.each([
    [403, 3],
    [456, 4],
    [500, 6],
  ])('end with the exit code for the failure: %i', async (status, exitCode) => {
    deepl.always = { status, body: { message: `no ${DEEPL_KEY}` } };
    const result = await translateWith('deepl');
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain('DeepL answered');
    expect(result.stderr).not.toContain(DEEPL_KEY);
  });

  it('report missing settings', async () => {
    const result = await dragoman([...HELLO, '--engine', 'google'], { env });
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Set GOOGLE_API_KEY') });
  });

  it('are listed', async () => {
    const { stdout } = await dragoman(['engines', '--json'], { env: { ...env, OPENAI_MODEL: 'small' } });
    const { engines } = JSON.parse(stdout) as { engines: { id: string; ready: boolean; detail: string }[] };
    const listed = new Map(engines.map((engine) => [engine.id, engine]));
    expect(listed.get('deepl')).toMatchObject({ ready: true });
    expect(listed.get('openai')).toMatchObject({ ready: true, detail: expect.stringContaining('small at') });
    expect(listed.get('google')).toMatchObject({ ready: false });
  });

  it('never receive texts from auto', async () => {
    const path = { PATH: '', APERTIUM_DATADIR: '/nonexistent' };
    await dragoman([...HELLO, '--engine', 'auto'], { env: { ...env, ...path } });
    expect(deepl.translations).toEqual([]);
  });
});

describe('several engines', () => {
  it('take turns, and the report names the one that translated', async () => {
    deepl.always = { status: 456, body: { message: 'Quota Exceeded' } };
    const cwd = projectWith({ 'locales/en.json': '{"a": "One house", "b": "Two houses"}' });
    const argv = ['sync', '-s', 'en', '-t', 'es', '--engine', 'deepl,pseudo', '--json'];
    const { exitCode, stdout, stderr } = await dragoman(argv, { env, cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^deepl is skipped for a minute: DeepL answered with status 456: Quota Exceeded/m);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('"pseudo"');
    expect(readFileSync(join(cwd, 'locales/es.json'), 'utf8')).toContain('Öñé ĥöûšé');
    expect(deepl.translations).toHaveLength(1);
  });

  it('are chosen by language pair', async () => {
    const cwd = projectWith({
      'dragoman.config.yaml': "engines:\n  en-es: [deepl]\n  '*': [pseudo]\n",
    });
    expect((await dragoman(HELLO, { env, cwd })).stdout).toBe('HELLO {name}\n');
    expect((await dragoman([...HELLO.slice(0, -1), 'fr'], { env, cwd })).stdout).toBe('Ĥéļļö {name}\n');
    const { stdout } = await dragoman(['config', '--json'], { env, cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      settings: expect.arrayContaining([
        expect.objectContaining({ name: 'engines', value: { 'en-es': ['deepl'], '*': ['pseudo'] } }),
      ]),
    });
  });

  it.each([
    ["engine: auto\nengines:\n  '*': [pseudo]\n", 'both select engines'],
    ['engines:\n  en-nowhere: [pseudo]\n', 'is not a language pair'],
    ["engines:\n  '*': [pseudo, pseudo]\n", 'twice'],
    ["engines:\n  '*': []\n", 'must not be empty'],
    ['openai:\n  apiKey: secret\n', 'apiKey'],
  ])('must make sense in a configuration: %s', async (configuration, problem) => {
    const cwd = projectWith({ 'dragoman.config.yaml': configuration });
    const { exitCode, stderr } = await dragoman(HELLO, { env, cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('dragoman.config.yaml:');
    expect(stderr).toContain(problem);
  });
});

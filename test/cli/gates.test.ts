import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectWith } from './harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program with only its embedded engines. */
function built(
  argv: readonly string[],
  cwd: string,
  { env, input = '' }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Ended {
  return spawnSync(process.execPath, [BIN, ...argv], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      XDG_CACHE_HOME: join(cwd, '.cache'),
      XDG_CONFIG_HOME: join(cwd, '.config'),
      APERTIUM_DATADIR: join(cwd, 'no-apertium'),
      ...env,
    },
    encoding: 'utf8',
    input,
  });
}

function parse(text: string): { readonly [name: string]: unknown } {
  return JSON.parse(text) as { readonly [name: string]: unknown };
}

describe('a gate without a target language', () => {
  it.each([
    ['check'],
    ['sync', '--frozen'],
    ['sync', '--dry-run'],
    ['sync'],
    ['check', '-s', 'en', '--json'],
  ])('ends with 2: %s %s', (...argv) => {
    const root = projectWith({ 'locales/en.json': '{"a": "Hello"}' });
    const { status, stdout, stderr } = built(argv.filter(Boolean), root);
    expect(status, stderr).toBe(2);
    if (argv.includes('--json')) {
      expect(parse(stdout)).toMatchObject({
        error: {
          code: 'usage',
          message: 'no target languages found',
          hint: expect.stringContaining('--target'),
        },
      });
    } else {
      expect(stdout).toBe('');
      expect(stderr).toMatch(/no target languages found\n.*--target es,fr.*`targets`/);
    }
  });

  it('names the project if there are several', () => {
    const root = projectWith({
      'packages/web/locales/en.json': '{"a": "Hello"}',
      'packages/web/locales/es.json': '{"a": "Hola"}',
      'packages/web/dragoman.config.yaml': 'source: en\ntargets: [es]\n',
      'packages/app/locales/en.json': '{"a": "Hello"}',
      'packages/app/dragoman.config.yaml': 'source: en\n',
    });
    const { status, stderr } = built(['check', 'packages/web', 'packages/app'], root);
    expect(status, stderr).toBe(2);
    expect(stderr).toContain('no target languages found in packages/app\n');
  });

  it('passes with a target language; lint needs none', () => {
    const root = projectWith({ 'locales/en.json': '{"a": "Hello"}' });
    expect(built(['lint'], root)).toMatchObject({ status: 0 });
    expect(built(['check', '-t', 'es'], root)).toMatchObject({ status: 8 });
    expect(built(['sync', '-s', 'en', '-t', 'es', '--engine', 'pseudo'], root)).toMatchObject({ status: 0 });
    expect(built(['check'], root)).toMatchObject({ status: 0 });
  });
});

/** Engines for Spanish, and for no other language. */
const CHAINS = 'source: en\nengines:\n  en-es: [pseudo]\n  en-*: [apertium]\n';

describe('a pair of languages that no engine supports', () => {
  it('makes translate fail, with the hint on stderr', () => {
    const root = projectWith({});
    const json = built(['translate', 'Hello', '-s', 'en', '-t', 'ja', '--json'], root);
    expect(json.status).toBe(7);
    expect(parse(json.stdout)).toEqual({
      translations: {
        text: 'Hello',
        translation: 'Hello',
        source: 'en',
        target: 'ja',
        success: false,
        error: 'no engine here translates en to ja',
      },
      details: {},
    });
    expect(json.stderr).toMatch(/^ {2}To add it: dragoman engines install en-ja/);
    const text = built(['translate', 'Hello', 'Bye', '-s', 'en', '-t', 'ja'], root);
    expect(text).toMatchObject({ status: 7, stdout: '' });
    expect(text.stderr).toMatch(
      /^texts 1 to 2 were not translated into ja: no engine here translates en to ja\n {2}To add it: .*\n$/,
    );
  });

  it('does not keep translate from translating into other languages', () => {
    const root = projectWith({ 'dragoman.config.yaml': CHAINS });
    const { status, stdout, stderr } = built(['translate', 'Hello', '-s', 'en', '-t', 'ja,es'], root);
    expect({ status, stdout }).toEqual({ status: 7, stdout: 'ja\tHello\nes\tĤéļļö\n' });
    expect(stderr).toMatch(/text 1 was not translated into ja: none of the engines .* en to ja/);
  });

  it('makes batch fail only the items of that pair', () => {
    const root = projectWith({ 'dragoman.config.yaml': CHAINS });
    const input = Array.from({ length: 120 }, (_, i) => `Line ${i}\n`).join('');
    const all = built(['batch', '-s', 'en', '-t', 'ja', '--json'], root, { input });
    expect(all.status).toBe(7);
    expect(parse(all.stdout)).toMatchObject({ total: 120, successful: 0, failed: 120 });
    const some = built(['batch', '-s', 'en', '-t', 'ja,es', '--json'], root, { input });
    expect(some.status).toBe(7);
    expect(parse(some.stdout)).toMatchObject({ total: 240, successful: 120, failed: 120 });
    const lines = built(['batch', '-s', 'en', '-t', 'ja'], root, { input });
    expect(lines.stderr.trimEnd().split('\n').length).toBeLessThan(5);
  });

  it.each([
    ['i18n', 'a.json', 'a_es.json', { translated_keys: 0, failed_keys: 2 }],
    ['html', 'b.html', 'b.es.html', { text_nodes: 1 }],
    ['subtitles', 'c.srt', 'c.es.srt', { blocks: 1, failed_blocks: 1 }],
    ['email', 'd.eml', 'd.es.eml', {}],
  ])('does not keep %s from translating into other languages', (command, input, output, counts) => {
    const root = projectWith({
      'a.json': '{"a": "Hello", "b": {"c": "Bye"}, "n": ""}',
      'b.html': '<p>Hello</p>\n',
      'c.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
      'd.eml': 'Subject: Hello\nContent-Type: text/plain\n\nHello\n',
      'dragoman.config.yaml': CHAINS,
    });
    mkdirSync(join(root, 'out'));
    const flags = ['-s', 'en', '-o', 'out/'];
    const several = built([command, input, '-t', 'ja,es', ...flags, '--json'], root);
    expect(several.status, several.stderr).toBe(7);
    const { files } = parse(several.stdout) as { files: { language_code: string }[] };
    expect(files.find(({ language_code: code }) => code === 'ja')).toMatchObject({
      path: null,
      ...counts,
      error: { code: 'engine_unavailable', message: expect.stringContaining('en to ja') },
    });
    expect(existsSync(join(root, 'out', output))).toBe(true);
    const single = built([command, input, '-t', 'ja', ...flags], root);
    expect(single).toMatchObject({ status: 7, stdout: '' });
    expect(single.stderr).toMatch(/was not translated into ja: none of the engines .*\n {2}\S/);
  });

  it.each([
    [['html', '-'], '<p>Hello</p>', { html: null }],
    [['email', '-', '--subject', 'Hello'], '<p>Hello</p>', { subject: null, html_body: null }],
  ])('leaves standard output empty: %s', (argv, input, document) => {
    const root = projectWith({});
    const flags = ['-s', 'en', '-t', 'ja'];
    expect(built([...argv, ...flags], root, { input })).toMatchObject({ status: 7, stdout: '' });
    const json = built([...argv, ...flags, '--json'], root, { input });
    expect(json.status).toBe(7);
    expect(parse(json.stdout)).toMatchObject({ ...document, error: { code: 'engine_unavailable' } });
  });
});

describe('an unknown engine', () => {
  const NOTHING_TO_DO = { 'locales/en.json': '{}', 'locales/es.json': '{}' };

  it.each([
    ['dragoman.config.yaml', 'source: en\ntargets: [es]\nengine: firefx\n', '3:1', 'firefox'],
    ['dragoman.config.yaml', 'source: en\nengine: apertium, psuedo\n', '2:1', 'pseudo'],
    ['dragoman.config.yaml', 'targets: [es]\nengines:\n  en-es: [deepl, gogle]\n', '3:18', 'google'],
    ['dragoman.config.json', '{\n  "targets": ["es"],\n  "engines": {"*": ["foo"]}\n}', '3:21', undefined],
    ['.dragomanrc', 'engine: engines\n', '1:1', undefined],
    ['package.json', '{\n  "dragoman": {"engine": "apertum"}}', '2:16', 'apertium'],
  ])('is reported immediately as an error of %s (%#)', (name, text, place, meant) => {
    const root = projectWith({ ...NOTHING_TO_DO, [name]: text });
    for (const argv of [
      ['sync', '-t', 'es'],
      ['sync', '--frozen', '-t', 'es'],
      ['check', '-t', 'es'],
      ['status', '-t', 'es'],
      ['lint'],
      ['config'],
      ['translate', 'Hello', '-s', 'en', '-t', 'es'],
    ]) {
      const { status, stderr } = built(argv, root);
      expect(status, `${argv.join(' ')}: ${stderr}`).toBe(2);
      expect(stderr).toContain(`error: ${name}:${place}: `);
      expect(stderr).toMatch(/unknown engine "/);
      expect(stderr).toContain(meant === undefined ? 'Engines: auto, exec' : `Did you mean ${meant}?`);
    }
  });

  it('is reported immediately as an error of the user’s own configuration', () => {
    const root = projectWith({ ...NOTHING_TO_DO, '.config/dragoman/config.yaml': 'engine: firefx\n' });
    for (const argv of [['sync', '-s', 'en', '-t', 'es'], ['translate', 'Hello', '-t', 'es'], ['config']]) {
      const { status, stderr } = built(argv, root);
      expect(status, stderr).toBe(2);
      expect(stderr).toMatch(/config\.yaml:1:1: `engine`: unknown engine "firefx"\n.*Did you mean firefox\?/);
    }
  });

  it('is a usage error in a flag or a variable, reported before anything is read or written', () => {
    const root = projectWith({ ...NOTHING_TO_DO, 'a.html': '<p>Hello</p>' });
    for (const argv of [
      ['sync', '-s', 'en', '-t', 'es'],
      ['sync', '-s', 'en', '-t', 'es', '--dry-run'],
      ['translate', 'Hello', '-t', 'es'],
      ['batch', '-t', 'es'],
      ['html', 'a.html', '-t', 'es'],
      ['i18n', 'locales/en.json', '-t', 'de', '-o', '.'],
      ['serve', '--data-dir', 'data'],
      ['eval', 'a.html', '-t', 'es'],
    ]) {
      for (const [more, env] of [
        [['--engine', 'firefx'], {}],
        [['--engine', 'apertium,firefx'], {}],
        [[], { DRAGOMAN_ENGINE: 'firefx' }],
      ] as const) {
        const { status, stderr } = built([...argv, ...more], root, { env });
        expect(status, `${argv.join(' ')}: ${stderr}`).toBe(2);
        expect(stderr).toMatch(/unknown engine "firefx"\n.*Did you mean firefox\?/);
      }
    }
    const frozen = built(['sync', '--frozen', '-s', 'en', '-t', 'es', '--engine', 'foo', '--json'], root);
    expect(frozen.status).toBe(2);
    expect(parse(frozen.stdout)).toMatchObject({
      error: { code: 'usage', message: 'unknown engine "foo"' },
    });
    expect(existsSync(join(root, 'data'))).toBe(false);
  });
});

import { readFileSync, truncateSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canSeeProcesses, markProcesses } from '../engines/processes.ts';
import { DEEPL_KEY, startDeepL } from '../engines/servers/deepl.ts';
import type { VendorServer } from '../engines/servers/vendor-server.ts';
import { dragoman, projectWith, type Invocation, type Result } from './harness.ts';
import { startService } from './service.ts';

const fixtures = resolve(import.meta.dirname, '../../fixtures');
const FIXTURE = join(fixtures, 'evaluation/en-es.tsv');
const PROGRAM = `"${process.execPath}" "${join(fixtures, 'engines/program.mjs')}"`;
/** The references are the output of the upper-casing program. */
const ROWS = 'Good morning\tGOOD MORNING\nHello {name}\tHELLO {name}\nCRASH it\tCRASH IT\n';

let deepl: VendorServer;
let env: Record<string, string>;
beforeAll(async () => {
  deepl = await startDeepL();
  env = { DEEPL_API_KEY: DEEPL_KEY, DEEPL_BASE_URL: deepl.url, PATH: process.env['PATH'] ?? '' };
});
beforeEach(() => {
  deepl.always = undefined;
  deepl.translations.length = 0;
});
afterAll(() => deepl.close());

interface Row {
  readonly engine: string;
  readonly chrf?: number | null;
  readonly placeholders?: object;
  readonly failed?: number;
  readonly failures?: readonly object[];
  readonly translated_by?: object;
  readonly words_per_second?: number | null;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

/** Engine names become options; everything else stays. */
function evaluate(
  engines: string,
  argv: readonly string[] = [],
  { behaviour = 'crash-on-word', ...more }: Invocation & { readonly behaviour?: string } = {},
): Promise<Result> {
  const chosen = engines.split(' ').flatMap((engine) => ['--engine', engine]);
  const command = ['--engine-command', `${PROGRAM} ${behaviour}`];
  const cwd = projectWith({ 'test.tsv': ROWS });
  const args = ['eval', ...(argv[0]?.startsWith('--') || !argv[0] ? ['test.tsv', ...argv] : argv)];
  return dragoman([...args, ...chosen, ...command, '-s', 'en', '-t', 'es'], { cwd, env, ...more });
}

function enginesOf({ stdout }: Result): readonly Row[] {
  return (JSON.parse(stdout) as { engines: readonly Row[] }).engines;
}

describe('eval', () => {
  it('shows engines side by side, in a table', async () => {
    const { exitCode, stdout, stderr } = await evaluate('exec pseudo', ['--quiet']);
    expect(exitCode).toBe(7);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toBe('engine  chrF  exact placeholders  after repair  failed  words/s');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^exec {4}\d\d\.\d {13}100\.0 % {7}100\.0 % {7}1 +[\d,.]+$/);
    expect(rows[1]).toMatch(/^pseudo {2}\d\d\.\d {13}100\.0 % {7}100\.0 % {7}0 +[\d,.]+$/);
    expect(stderr).toMatch(
      /^exec: 1 of 3 rows failed and count as empty translations; the first, test\.tsv:3: /,
    );
    expect(stderr.split('\n')).toHaveLength(2);
  });

  it('summarizes on standard error, and lists all failures with --verbose', async () => {
    const { stderr } = await evaluate('exec', ['--verbose']);
    expect(stderr).toMatch(/^exec: test\.tsv:3: the engine program ended/m);
    expect(stderr).toMatch(/^en → es: 3 rows, 1 with placeholders$/m);
  });

  it('prints one document with --json', async () => {
    const result = await evaluate('exec pseudo', ['--json']);
    expect(result.exitCode).toBe(7);
    expect(JSON.parse(result.stdout)).toEqual({
      file: 'test.tsv',
      source_language: 'en',
      target_language: 'es',
      rows: 3,
      metric: 'chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no',
      engines: [
        {
          engine: 'exec',
          chrf: expect.any(Number),
          placeholders: { rows: 1, exact: 1, exact_rate: 1, translated: 1, translated_rate: 1 },
          failed: 1,
          failures: [{ line: 3, reason: expect.any(String) }],
          translated_by: { exec: 2 },
          words_per_second: expect.any(Number),
          error: null,
        },
        expect.objectContaining({ engine: 'pseudo', failed: 0, failures: [], translated_by: { pseudo: 3 } }),
      ],
    });
    const [exec] = enginesOf(result);
    expect(exec?.chrf).toBeGreaterThan(50);
    expect(exec?.chrf).toBeLessThan(100);
  });

  it('reads every syntax, a byte order mark, CRLF, and standard input', async () => {
    const text = readFileSync(FIXTURE, 'utf8').replaceAll('\n', '\r\n');
    const result = await evaluate('pseudo', ['-', '--json'], { stdin: Buffer.from(`\ufeff${text}`) });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({ file: 'standard input', rows: 11 });
    // `{count}` has no text to translate; tags, `%d`, `#` and an escape are placeholders, but a line break is not.
    expect(enginesOf(result)[0]).toMatchObject({
      placeholders: { rows: 6, exact: 6, translated: 6 },
      translated_by: { pseudo: 10 },
    });
  });

  it('detects the source language from all rows together', async () => {
    const { stdout } = await dragoman(['eval', FIXTURE, '--engine', 'pseudo', '-t', 'es', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ source_language: 'en' });
  });

  it('evaluates the engine chosen by the environment or the configuration if none is named', async () => {
    const argv = ['eval', FIXTURE, '-s', 'en', '-t', 'es', '--json'];
    expect(enginesOf(await dragoman(argv, { env: { DRAGOMAN_ENGINE: 'pseudo' } }))).toMatchObject([
      { engine: 'pseudo', error: null },
    ]);
    const cwd = projectWith({ 'dragoman.config.yaml': 'engine: pseudo\n' });
    expect(enginesOf(await dragoman(argv, { cwd }))).toMatchObject([{ engine: 'pseudo' }]);
  });

  it('evaluates chains, each engine once, and shows which engine translated', async () => {
    const result = await evaluate('deepl,pseudo pseudo deepl,pseudo', ['--json']);
    expect(enginesOf(result).map(({ engine, translated_by: by }) => [engine, by])).toEqual([
      ['deepl,pseudo', { deepl: 3 }],
      ['pseudo', { pseudo: 3 }],
    ]);
    expect((await evaluate('deepl,pseudo')).stdout).toMatch(/^deepl,pseudo .* deepl 3$/m);
  });

  it('does not send an engine’s control characters to a terminal', async () => {
    const terminal = { tty: true, env: { ...env, TERM: 'dumb' } };
    const { stdout } = await evaluate('pseudo exec', [], { ...terminal, behaviour: 'crash-always' });
    expect(stdout).toContain('\\u{1b}[31mbroke');
    expect(stdout).not.toMatch(/[^\n -~]/);
  });
});

describe('eval with failures', () => {
  it('shows a row for an engine that does not support the pair, and continues', async () => {
    const result = await evaluate('firefox pseudo', ['--json']);
    expect(result.exitCode).toBe(7);
    expect(enginesOf(result)).toMatchObject([
      {
        engine: 'firefox',
        chrf: null,
        failed: 3,
        error: { code: 'engine_unavailable', hint: 'dragoman engines install en-es' },
      },
      { engine: 'pseudo', failed: 0, error: null },
    ]);
    const { stdout, stderr } = await evaluate('firefox pseudo', ['--quiet']);
    expect(stdout).toMatch(/^firefox {5}- +- +- +3 +- {2}no model for en to es is installed$/m);
    expect(stderr).toBe('firefox: dragoman engines install en-es\n');
  });

  it('fails with the error of the only engine', async () => {
    deepl.always = { status: 456, body: { message: `Quota Exceeded for ${DEEPL_KEY}` } };
    const result = await evaluate('deepl', ['--json']);
    expect(result.exitCode).toBe(4);
    expect(JSON.parse(result.stdout)).toMatchObject({
      engines: [{ engine: 'deepl', error: { code: 'insufficient_credits' } }],
      error: { code: 'insufficient_credits', message: expect.stringContaining('Quota Exceeded') },
    });
    expect(result.stdout + result.stderr).not.toContain(DEEPL_KEY);
  });

  it('fails if all engines fail, and gives each reason', async () => {
    deepl.always = { status: 403, body: {} };
    const { exitCode, stdout, stderr } = await evaluate('deepl firefox');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/^error: no engine could be evaluated: deepl: .*403.*; firefox: no model/m);
  });

  it.each([
    ['pseudp', 'Did you mean pseudo?'],
    ['google', 'Set GOOGLE_API_KEY'],
    ['deepl,deepl', 'twice'],
  ])('finds mistakes before it calls an engine: %s', async (engine, problem) => {
    const { exitCode, stdout, stderr } = await evaluate(`deepl ${engine}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(deepl.translations).toEqual([]);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ['no tab', 'One\tUno\nTwo\n', /^error: test\.tsv:2:4: the row has no tab$/m],
    ['malformed', '{n, plural, one {x}\ty\ticu\n', /^error: test\.tsv:1:1: .*icu/m],
    ['not UTF-8', Buffer.from([0x61, 0x09, 0x62, 0x0a, 0xff, 0xfe]), /^error: test\.tsv:2:1: .*UTF-8/m],
    ['empty', '', /^error: test\.tsv:1:1: the test set has no rows$/m],
  ])('reports the place of an error in the file: %s', async (_, content, problem) => {
    const cwd = projectWith({ 'test.tsv': content });
    const { exitCode, stdout, stderr } = await evaluate('deepl', [], { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(deepl.translations).toEqual([]);
  });

  it('requires an existing file of reasonable size, and one target', async () => {
    expect(await evaluate('pseudo', ['nothing.tsv'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('there is no such file'),
    });
    const cwd = projectWith({ 'test.tsv': '' });
    truncateSync(join(cwd, 'test.tsv'), 64 * 1024 * 1024 + 1);
    expect(await evaluate('pseudo', [], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('test.tsv:1:1: the file has more than 64 MiB'),
    });
    const two = await dragoman(['eval', FIXTURE, '-s', 'en', '-t', 'es,fr', '--engine', 'pseudo']);
    expect(two).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('name one target') });
    const none = await dragoman(['eval', FIXTURE, '-s', 'en', '--engine', 'pseudo']);
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no target language') });
  });

  it('shows the results so far when interrupted, and does not call further engines', async () => {
    const controller = new AbortController();
    deepl.always = (answer) => {
      controller.abort();
      return answer;
    };
    const result = await evaluate('pseudo deepl exec', ['--json'], { signal: controller.signal });
    expect(result.exitCode).toBe(130);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'interrupted' } });
    expect(enginesOf(result).map(({ engine }) => engine)).toEqual(['pseudo']);
  });

  it.runIf(canSeeProcesses)('leaves no engine process running', async () => {
    const living = markProcesses();
    await evaluate('exec', []);
    expect(living()).toBe(0);
    const controller = new AbortController();
    const hanging = evaluate('exec', [], { behaviour: 'hang', signal: controller.signal });
    while (living() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    expect(await hanging).toMatchObject({ exitCode: 130, stdout: '' });
    expect(living()).toBe(0);
  });
});

describe('eval of a service', () => {
  const service = startService();
  const argv = ['eval', FIXTURE, '-s', 'en', '-t', 'es', '--json'];

  it('compares it with local engines, also in a chain', async () => {
    const result = await service.run([
      ...argv,
      ...['service', 'pseudo', 'firefox,service'].flatMap((e) => ['--engine', e]),
    ]);
    expect(result.exitCode).toBe(0);
    const [there, here, chain] = enginesOf(result);
    expect(there).toMatchObject({ engine: 'service', failed: 0, translated_by: { service: 10 } });
    expect(there?.chrf).toBe(here?.chrf);
    expect(chain).toMatchObject({ engine: 'firefox,service', translated_by: { service: 10 } });
  });

  it('evaluates the service that other commands would use', async () => {
    expect(enginesOf(await service.run(argv))).toMatchObject([{ engine: 'service', failed: 0 }]);
  });

  it('warns about a key once, and reports a missing one before any request', async () => {
    const named = ['--engine', 'service', '--base-url', service.url, '--api-key', service.key];
    const { exitCode, stdout, stderr } = await dragoman([...argv, ...named]);
    expect({ exitCode, warnings: stderr.match(/^warning: /gm) }).toEqual({
      exitCode: 0,
      warnings: ['warning: '],
    });
    expect(stdout + stderr).not.toContain(service.key);
    const keyless = await service.run([...argv, '--engine', 'pseudo', '--engine', 'service'], {
      env: { DRAGOMAN_API_KEY: '' },
    });
    expect(keyless.exitCode).toBe(3);
    expect(keyless.stderr).not.toContain('pseudo');
    expect(await dragoman([...argv, '--engine', 'service'])).toMatchObject({ exitCode: 2 });
  });
});

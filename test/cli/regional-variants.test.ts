import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isProgram } from '../../src/engines/apertium/modes.ts';
import { installTiny } from '../engines/firefox/models.ts';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

/** Writes in capitals, to mark text that went through an engine. */
const STAGE = fileURLToPath(new URL('../../fixtures/engines/stage.mjs', import.meta.url));
/** There is a route through Catalan, Spanish and English between all variants below. */
const PIVOTS = [
  'eng-cat',
  'cat-eng',
  'cat-eng_US',
  'eng-cat_valencia',
  'pt-es',
  'es-pt',
  'es-pt_BR',
  'eng-spa',
];
const isInstalled =
  (await isProgram('apertium-wblank-mode', process.env)) && (await isProgram('bash', process.env));

function environment(modes: readonly string[]): Record<string, string> {
  const data = temporaryDirectory();
  mkdirSync(join(data, 'modes'));
  for (const mode of modes) writeFileSync(join(data, 'modes', `${mode}.mode`), `${STAGE} good`);
  return { PATH: process.env['PATH'] ?? '', APERTIUM_DATADIR: data };
}

function run(argv: readonly string[], cwd = temporaryDirectory(), modes = PIVOTS): Promise<Result> {
  return dragoman(argv, { cwd, env: { ...environment(modes), XDG_CACHE_HOME: join(cwd, '.cache') } });
}

describe.skipIf(!isInstalled)('a regional variant', () => {
  it.each([
    ['en-GB', 'en-US'],
    ['en', 'en-US'],
    ['pt', 'pt-BR'],
    ['pt-BR', 'pt-PT'],
    ['ca', 'ca-valencia'],
  ])('is never translated through a pivot: %s to %s', async (source, target) => {
    for (const engine of ['auto', 'apertium', 'firefox,apertium']) {
      const result = await run(['translate', 'The colour', '-s', source, '-t', target, '--engine', engine]);
      expect(result).toMatchObject({ exitCode: 0, stdout: 'The colour\n' });
      expect(result.stderr).toBe(
        `${target}: texts are kept as they are in ${source}: no engine translates ${source} to ${target} directly\n`,
      );
    }
  });

  it('is translated by a direct engine, without affecting other languages', async () => {
    const modes = [...PIVOTS, 'eng-eng_US'];
    const flags = ['-s', 'en-GB', '-t', 'en-US,es', '--engine', 'apertium'];
    const result = await run(['translate', 'The colour', ...flags], undefined, modes);
    expect(result).toEqual({ exitCode: 0, stdout: 'en-US\tTHE COLOUR\nes\tTHE COLOUR\n', stderr: '' });
  });

  it('in another script is neither copied nor translated through English', async () => {
    const models = temporaryDirectory();
    installTiny(models, { 'zh-Hans-en': 'syllables', 'en-zh-Hant': 'syllables' });
    const result = await dragoman(
      ['translate', '你好', '-s', 'zh-CN', '-t', 'zh-TW', '--engine', 'firefox', '--json'],
      { env: { DRAGOMAN_FIREFOX_MODELS_DIR: models } },
    );
    expect(result.exitCode).not.toBe(0);
    expect(result.stdout).not.toContain('dragoman engines install');
  });

  it('keeps the bytes of documents', async () => {
    const files = {
      'a.json': '{\n  "n": "{count, plural, one {# colour} other {# colours}}", "t": "<b>Grey</b>"\n}\n',
      'b.html': '<html lang="en"><p>The <b>colour</b>  of\n the lorry</p></html>\n',
      'c.srt':
        '1\n00:00:01,000 --> 00:00:02,000\nA line that is much longer than any line of a subtitle may be, and\n\n2\n00:00:02,000 --> 00:00:03,000\n- ends here.\n- <i>Yes</i>\n',
      'd.eml':
        'Subject: The colour\nContent-Type: text/plain; charset=utf-8\n\nThe colour of the lorry is\ngrey.\n\nBye\n',
    };
    const cwd = projectWith(files);
    const flags = ['-s', 'en-GB', '-t', 'en-US', '--engine', 'apertium', '-o', 'out/'];
    mkdirSync(join(cwd, 'out'));
    for (const [command, input, output] of [
      ['i18n', 'a.json', 'a_en-US.json'],
      ['html', 'b.html', 'b.en-US.html'],
      ['subtitles', 'c.srt', 'c.en-US.srt'],
      ['email', 'd.eml', 'd.en-US.eml'],
    ] as const) {
      const result = await run([command, input, ...flags], cwd);
      expect(result.exitCode, result.stderr).toBe(0);
      expect(result.stderr).toContain('texts are kept as they are in en-GB');
      expect(readFileSync(join(cwd, 'out', output), 'utf8')).toBe(files[input]);
    }
  });

  it('is copied by sync as ours: counted, copied again when its source changes, and never stored in the memory', async () => {
    const cwd = projectWith({ 'locales/en.json': '{"a": "The colour", "b": "Grey"}' });
    const sync = (...more: string[]): Promise<Result> =>
      run(['sync', '-s', 'en', '-t', 'en-GB,es', '--engine', 'apertium', ...more], cwd);
    const first = await sync('--json');
    expect(first.exitCode, first.stderr).toBe(0);
    expect(first.stderr).toContain('en-GB: texts are kept as they are in en');
    const { projects } = JSON.parse(first.stdout) as {
      projects: [{ languages: { language_code: string; engines: object; changes: object }[] }];
    };
    expect(projects[0].languages).toMatchObject([
      { language_code: 'en-GB', engines: { copy: 2 }, changes: { translated: 2, failed: 0 } },
      { language_code: 'es', engines: { apertium: 2 } },
    ]);
    const target = join(cwd, 'locales/en-GB.json');
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ a: 'The colour', b: 'Grey' });
    expect((await sync()).stderr).toBe('everything is up to date\n');
    expect((await run(['check'], cwd)).exitCode).toBe(0);

    writeFileSync(join(cwd, 'locales/en.json'), '{"a": "The new colour", "b": "Grey"}');
    writeFileSync(target, '{"a": "The colour", "b": "Gray, by a human"}');
    const again = await sync();
    expect(again.stderr).not.toMatch(/translated by.*copy/);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ a: 'The new colour', b: 'Gray, by a human' });
    const exported = await run(['memory', 'export', 'all.tmx', '--json'], cwd);
    expect(exported.exitCode, exported.stdout).toBe(0);
    const memory = readFileSync(join(cwd, 'all.tmx'), 'utf8');
    expect(memory).toContain('THE NEW COLOUR');
    expect(memory).not.toMatch(/xml:lang="en-GB"[^>]*><seg>The/);
  });
});

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, type Result } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo'] as const;

/** A project with two keys, translated into Spanish. */
async function synced(): Promise<{ root: string; run: (...argv: readonly string[]) => Promise<Result> }> {
  const root = projectWith({ 'locales/en.json': '{\n  "a": "One",\n  "b": "Two"\n}\n' });
  const run = (...argv: readonly string[]): Promise<Result> => dragoman(argv, { cwd: root });
  expect((await run('sync', '-s', 'en', '-t', 'es', ...PSEUDO)).exitCode).toBe(0);
  return { root, run };
}

describe('a first-time user', () => {
  it('sees that only the lock was written', async () => {
    const root = projectWith({ 'locales/en.json': '{"a": "One"}\n', 'locales/es.json': '{"a": "Uno"}\n' });
    const sync = (): Promise<Result> => dragoman(['sync', '-s', 'en', '-t', 'es', ...PSEUDO], { cwd: root });
    expect((await sync()).stderr).toBe('no translations changed; updated dragoman.lock\n');
    expect(readFileSync(join(root, 'dragoman.lock'), 'utf8')).toContain('es');
    expect((await sync()).stderr).toBe('everything is up to date\n');
  });

  it('sees an error, above the list of skipped files', async () => {
    const text = '{"a": "One"}\n';
    const root = projectWith({ 'locales/en.json': text, 'tests/locales/en.json': text });
    const sync = (...argv: readonly string[]): Promise<Result> => dragoman(['sync', ...argv], { cwd: root });
    const failed = await sync('-s', 'en', '-t', 'es', '--engine', 'deepl');
    expect(failed).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: /) as string,
    });
    expect((await sync(...PSEUDO)).stderr).toMatch(/^error: no target languages found\n/);
    expect((await sync('-s', 'en', '-t', 'es', ...PSEUDO)).stderr).toMatch(
      /^translated by pseudo\n1 file written\n1 \.json file in test directories/,
    );
  });

  it('sees that a target cannot be read', async () => {
    const { root, run } = await synced();
    writeFileSync(join(root, 'locales/es.json'), '{"a": ');
    const { exitCode, stdout, stderr } = await run('sync', ...PSEUDO);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('locales/es.json:1:7: ');
    expect(stdout).toMatch(/^es +not readable$/m);
  });

  it('sees which keys are extra, and the commands that remove them', async () => {
    const { root, run } = await synced();
    writeFileSync(join(root, 'locales/en.json'), '{\n  "a": "One"\n}\n');
    const checked = await run('check');
    expect(checked).toMatchObject({ exitCode: 8 });
    expect(checked.stdout).toBe('locales/es.json:3:8: error: extra: b is not in the source (es)\n');
    expect(checked.stderr).toContain('dragoman sync --prune removes those that dragoman translated');
    expect((await run('sync', '--frozen')).stderr).toContain('dragoman sync --prune removes');
    const kept = await run('sync', ...PSEUDO);
    expect(kept.stdout).toMatch(/^language +kept +extra\nes +1 +1$/m);
    expect(kept.stderr).toContain('--prune');
    const pruned = await run('sync', '--prune', '--yes', ...PSEUDO);
    expect(pruned.stdout).toMatch(/^language +kept +removed\nes +1 +1$/m);
    expect(pruned.stderr).not.toContain('--prune');
    expect(await run('check')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each<[file: string, line: string]>([
    ['dragoman.config.yaml', 'targets: ["es", "fr"]'],
    ['dragoman.config.json', '"targets": ["es", "fr"]'],
  ])('sees how to add languages to %s', async (file, line) => {
    const root = projectWith({
      'locales/en.json': '{"a": "One"}\n',
      [file]: file.endsWith('.json') ? '{"source": "en"}\n' : 'source: en\n',
    });
    const { exitCode, stderr } = await dragoman(['init', '-t', 'es,fr'], { cwd: root });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`add ${line} to it`);
    expect(stderr).toContain('dragoman sync -t es,fr');
    const sync = await dragoman(['sync', '-t', 'es,fr', ...PSEUDO], { cwd: root });
    expect(sync.stderr).toContain('2 files written');
    expect((await dragoman(['init'], { cwd: root })).stderr).toContain('Edit it, or remove it first.');
  });

  it.each([
    ['app.ftl', 'hello = Hello\n'],
    ['texts.json', '{"a": "Hello"}\n'],
    ['texts.yaml', 'a: Hello\n'],
    ['app.properties', 'a=Hello\n'],
    ['Localizable.strings', '"a" = "Hello";\n'],
  ])('sees what to do about %s', async (name, content) => {
    const ofTools = ['package.json', 'tsconfig.json', 'tslint.json', 'docker-compose.yml', 'phpunit.xml'];
    const root = projectWith({
      [name]: content,
      ...Object.fromEntries(ofTools.map((tool) => [tool, '{}\n'])),
    });
    const sync = (): Promise<Result> => dragoman(['sync', '-s', 'en', '-t', 'es', ...PSEUDO], { cwd: root });
    const { exitCode, stderr } = await sync();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`dragoman i18n ${name} -t LANGUAGE`);
    // Both suggested ways work.
    expect((await dragoman(['i18n', name, '-s', 'en', '-t', 'es', ...PSEUDO], { cwd: root })).exitCode).toBe(
      0,
    );
    const moved = projectWith({ [name]: content });
    const place = /such as (\S+),/.exec(stderr)?.[1] ?? '';
    mkdirSync(join(moved, 'locales/en'), { recursive: true });
    renameSync(join(moved, name), join(moved, place));
    const again = await dragoman(['sync', '-s', 'en', '-t', 'es', ...PSEUDO], { cwd: moved });
    expect(again.stderr).toContain('1 file written');
  });

  it('sees where layouts are described, if several files are candidates', async () => {
    const root = projectWith({ 'a.ftl': 'a = A\n', 'b.ftl': 'b = B\n' });
    const { stderr } = await dragoman(['sync', '-s', 'en', '-t', 'es', ...PSEUDO], { cwd: root });
    expect(stderr).toContain('Expected a layout such as');
  });
});

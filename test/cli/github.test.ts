import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const FILES = {
  'app/package.json': '{ "dependencies": { "vue-i18n": "11.1.0" } }\n',
  'app/locales/en.json': '{\n  "a": "One {x}",\n  "b, c": "Two"\n}\n',
  'app/locales/fr.json': '{\n  "a": "Un",\n  "b, c": "Deux"\n}\n',
};
const LANGUAGES = ['-s', 'en', '-t', 'fr'];

/** The environment of a step, with the repository in `root`. */
function step(root: string): Record<string, string> {
  return { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: root, GITHUB_STEP_SUMMARY: join(root, 'summary.md') };
}

describe('in a GitHub workflow', () => {
  it('lint annotates the affected lines by their path in the repository', async () => {
    const root = projectWith(FILES);
    const cwd = join(root, 'app');
    const plain = await dragoman(['lint', 'locales', ...LANGUAGES], { cwd });
    const result = await dragoman(['lint', 'locales', ...LANGUAGES], { cwd, env: step(root) });
    // The result is the same, because annotations go to standard error.
    expect(result).toMatchObject({ exitCode: 8, stdout: plain.stdout });
    expect(result.stderr).toMatch(
      /^::error file=app\/locales\/fr\.json,line=2,col=\d+,title=[a-z-]+::.*\{x\}.*\(a\)$/m,
    );
    expect(plain.stderr).not.toContain('::error');
    const summary = readFileSync(join(root, 'summary.md'), 'utf8');
    expect(summary).toMatch(/^### ❌ dragoman lint\n/);
    expect(summary).toContain('| app/locales/fr.json:2 |');
    expect(summary).not.toContain('{x}');
    expect(summary).toContain('&#123;x&#125;');
    const json = await dragoman(['lint', 'locales', '--json', ...LANGUAGES], { cwd, env: step(root) });
    expect(() => JSON.parse(json.stdout) as unknown).not.toThrow();
    const own = await dragoman(['lint', 'locales', '--output-format', 'github', ...LANGUAGES], {
      cwd,
      env: step(root),
    });
    expect(own.stdout).toMatch(/^::error /);
    expect(own.stderr).toBe('');
  });

  it('check and sync --frozen annotate missing translations, and summarize the coverage', async () => {
    const root = projectWith({ ...FILES, 'app/locales/fr.json': '{\n  "a": "Un {x}"\n}\n' });
    for (const argv of [
      ['check', 'app/locales', ...LANGUAGES],
      ['sync', '--frozen', 'app/locales', ...LANGUAGES],
    ]) {
      const result = await dragoman(argv, { cwd: root, env: step(root) });
      expect(result.exitCode).toBe(8);
      expect(result.stderr).toContain(
        '::error file=app/locales/en.json,line=3,col=11,title=missing::b, c has no translation (fr)\n',
      );
    }
    const summary = readFileSync(join(root, 'summary.md'), 'utf8');
    expect(summary).toContain('### ❌ dragoman check\n');
    expect(summary).toContain('### ❌ dragoman sync --frozen\n');
    expect(summary).toMatch(/^\| fr \| 50 % \| 2 \| 1 \| 0 \|/m);
  });

  it('sync annotates failed translations, and summarizes its work', async () => {
    const root = projectWith({ 'locales/en.json': '{"a": "One", "b": "{n, plural, one {x}"}' });
    const argv = ['sync', 'locales', ...LANGUAGES, '--engine', 'pseudo'];
    const result = await dragoman(argv, { cwd: root, env: step(root) });
    expect(result.exitCode).toBe(7);
    expect(result.stderr).toMatch(
      /^::error file=locales\/en\.json,line=1,col=\d+,title=not translated::b was not/m,
    );
    expect(readFileSync(join(root, 'summary.md'), 'utf8')).toMatch(/^\| fr \| 1 \| 0 \| 0 \| 1 \| 0 \|$/m);
  });

  it('an error that ends a gate is annotated at its position, and cannot forge a command', async () => {
    const root = projectWith({ 'dragoman.config.yaml': 'source: en\n"tar\\n::add-mask::gets%": [fr]\n' });
    const result = await dragoman(['check'], { cwd: root, env: step(root) });
    expect(result.exitCode).toBe(2);
    const commands = result.stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatch(
      /^::error file=dragoman\.config\.yaml,line=2,col=1,title=configuration::.*%0A::add-mask::gets%25/,
    );
    expect(existsSync(join(root, 'summary.md'))).toBe(false);
    // Other commands may fail on purpose.
    const other = await dragoman(['languages'], { cwd: root, env: step(root) });
    expect(other.stderr).not.toMatch(/^::error/m);
  });

  it('a summary that cannot be written changes nothing', async () => {
    const root = projectWith({ 'locales/en.json': '{"a": "One"}', 'locales/fr.json': '{"a": "Un"}' });
    const env = { ...step(root), GITHUB_STEP_SUMMARY: join(root, 'no/such/place.md') };
    const result = await dragoman(['lint', 'locales', ...LANGUAGES], { cwd: root, env });
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toMatch(/cannot write the summary/);
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/project/lint/finding.ts';
import { dragoman, projectWith } from './harness.ts';

const FILES = {
  'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
  'en.json': '{\n  "a": "Hello {name}",\n  "b": "Two",\n  "c": "<b>x</b>",\n  "d": "See https://a.org"\n}',
  'de.json': '{\n  "a": "Hallo,\\n{Name}: 100%",\n  "c": "x",\n  "d": "Siehe"\n}',
};

describe('lint', () => {
  it('prints one line per finding, and ends with 8', async () => {
    const { exitCode, stdout, stderr } = await dragoman(['lint'], { cwd: projectWith(FILES) });
    expect(exitCode).toBe(8);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^de\.json:2:8: error: placeholder-mismatch: .*\(a\)$/),
      expect.stringMatching(/^de\.json:4:8: warning: link-mismatch: .*\(d\)$/),
    ]);
    expect(stderr).toBe('2 findings (1 error, 1 warning)\n');
  });

  it.each<[level: string, findings: number, exitCode: number]>([
    ['error', 1, 8],
    ['warning', 2, 8],
    ['info', 3, 8],
  ])(
    'reports findings of level %s and worse, and ends with 8 for these',
    async (level, findings, exitCode) => {
      const cwd = projectWith(FILES);
      const result = await dragoman(['lint', '--severity', level], { cwd });
      expect(result).toMatchObject({ exitCode });
      expect(result.stdout.trimEnd().split('\n')).toHaveLength(findings);
      const slight = projectWith({ 'en.json': '{"c": "<b>x</b>"}', 'de.json': '{"c": "x"}' });
      const other = await dragoman(['lint', '--severity', level], { cwd: slight });
      expect(other.exitCode).toBe(level === 'info' ? 8 : 0);
    },
  );

  it('ends with 2 for an unknown level', async () => {
    const result = await dragoman(['lint', '--severity', 'fatal'], { cwd: projectWith(FILES) });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('ends with 0 if there are no findings', async () => {
    const { exitCode, stdout } = await dragoman(['lint'], {
      cwd: projectWith({ 'en.json': '{"a": "One"}' }),
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  it('prints one JSON document', async () => {
    const { stdout } = await dragoman(['lint', '--json'], { cwd: projectWith(FILES) });
    const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
    expect(findings[0]).toMatchObject({
      rule: 'placeholder-mismatch',
      severity: 'error',
      file: 'de.json',
      line: 2,
      column: 8,
      key: ['a'],
      key_name: 'a',
    });
  });

  it('prints a SARIF log', async () => {
    const { stdout } = await dragoman(['lint', '--output-format', 'sarif', '--severity', 'info'], {
      cwd: projectWith(FILES),
    });
    const log = JSON.parse(stdout) as {
      version: string;
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: { ruleId: string; ruleIndex: number; level: string }[];
      }[];
    };
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(RULES));
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(run?.results.map(({ level }) => level)).toEqual(['error', 'note', 'warning']);
  });

  it('prints GitHub annotations, one line each', async () => {
    const { stdout } = await dragoman(['lint', '--output-format', 'github', '--severity', 'info'], {
      cwd: projectWith(FILES),
    });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => /^::([a-z]+)/.exec(line)?.[1])).toEqual(['error', 'notice', 'warning']);
    for (const line of lines) {
      expect(line).toMatch(/^::[a-z]+ file=de\.json,line=\d+,col=\d+,title=[a-z-]+::.+$/);
    }
  });

  it('checks a file that belongs to no project', async () => {
    const cwd = projectWith({ 'notes/x.properties': 'a = caf\u00c3\u00a9\n' });
    const { exitCode, stdout } = await dragoman(['lint', 'notes/x.properties'], { cwd });
    expect(exitCode).toBe(8);
    expect(stdout).toMatch(/notes\/x\.properties:1:5: error: mojibake/);
  });

  it('names files relative to the current directory', async () => {
    const root = projectWith({
      'dragoman.config.yaml': 'source: en\n',
      'locales/en/a.json': '{"a": "Hello {name}"}',
      'locales/de/a.json': '{"a": "Hallo"}',
    });
    const { stdout } = await dragoman(['lint'], { cwd: join(root, 'locales/de') });
    expect(stdout).toMatch(/^a\.json:1:7: warning: placeholder-mismatch/);
  });

  it('ends with 2 for a missing path', async () => {
    expect((await dragoman(['lint', 'nowhere'], { cwd: projectWith(FILES) })).exitCode).toBe(2);
  });
});

describe('check', () => {
  it('reports missing translations once, and also reports broken ones', async () => {
    const { exitCode, stdout } = await dragoman(['check', '-s', 'en', '-t', 'de'], {
      cwd: projectWith(FILES),
    });
    expect(exitCode).toBe(8);
    expect(stdout.match(/: missing(-key)?: /g)).toHaveLength(1);
    expect(stdout).toMatch(/error: placeholder-mismatch/);
    expect(stdout).not.toContain('markup-changed');
  });

  it('does not fail because of findings below the level', async () => {
    const cwd = projectWith({ 'en.json': '{"d": "See https://a.org"}', 'de.json': '{"d": "Siehe"}' });
    const check = (...flags: readonly string[]): ReturnType<typeof dragoman> =>
      dragoman(['check', '-s', 'en', '-t', 'de', ...flags], { cwd });
    expect(await check()).toMatchObject({ exitCode: 8 });
    expect(await check('--severity', 'error')).toMatchObject({ exitCode: 0 });
  });
});

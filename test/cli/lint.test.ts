import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/project/lint/finding.ts';
import { dragoman, projectWith } from './harness.ts';

const FILES = {
  'en.json': '{\n  "a": "Hello {name}",\n  "b": "Two"\n}',
  'de.json': '{\n  "a": "Hallo,\\n{Name}: 100%"\n}',
};

describe('lint', () => {
  it('prints one line per finding, and ends with 8', async () => {
    const { exitCode, stdout, stderr } = await dragoman(['lint'], { cwd: projectWith(FILES) });
    expect(exitCode).toBe(8);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^de\.json:1:1: missing-key: .*\(b\)$/),
      expect.stringMatching(/^de\.json:2:8: placeholder-mismatch: .*\(a\)$/),
    ]);
    expect(stderr).toBe('2 findings\n');
  });

  it('ends with 0 when all is well', async () => {
    const { exitCode, stdout } = await dragoman(['lint'], {
      cwd: projectWith({ 'en.json': '{"a": "One"}' }),
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  it('prints one JSON document', async () => {
    const { stdout } = await dragoman(['lint', '--json'], { cwd: projectWith(FILES) });
    const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
    expect(findings[1]).toMatchObject({
      rule: 'placeholder-mismatch',
      file: 'de.json',
      line: 2,
      column: 8,
      key: ['a'],
    });
  });

  it('prints a SARIF log', async () => {
    const { stdout } = await dragoman(['lint', '--format', 'sarif'], { cwd: projectWith(FILES) });
    const log = JSON.parse(stdout) as {
      version: string;
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: { ruleId: string; ruleIndex: number }[];
      }[];
    };
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(RULES));
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(run?.results).toHaveLength(2);
  });

  it('prints GitHub annotations, one line each', async () => {
    const { stdout } = await dragoman(['lint', '--format', 'github'], { cwd: projectWith(FILES) });
    for (const line of stdout.trimEnd().split('\n')) {
      expect(line).toMatch(/^::error file=de\.json,line=\d+,col=\d+,title=[a-z-]+::.+$/);
    }
  });

  it('checks a file that belongs to no project', async () => {
    const cwd = projectWith({ 'notes/x.properties': 'a = caf\u00c3\u00a9\n' });
    const { exitCode, stdout } = await dragoman(['lint', 'notes/x.properties'], { cwd });
    expect(exitCode).toBe(8);
    expect(stdout).toMatch(/notes\/x\.properties:1:5: mojibake/);
  });

  it('ends with 2 for a path that is not there', async () => {
    expect((await dragoman(['lint', 'nowhere'], { cwd: projectWith(FILES) })).exitCode).toBe(2);
  });
});

describe('check', () => {
  it('says what is missing once, and what is broken', async () => {
    const { exitCode, stdout } = await dragoman(['check', '-s', 'en', '-t', 'de'], {
      cwd: projectWith(FILES),
    });
    expect(exitCode).toBe(8);
    expect(stdout.match(/: missing(-key)?: /g)).toHaveLength(1);
    expect(stdout).toMatch(/placeholder-mismatch/);
  });
});

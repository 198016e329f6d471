import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countingService, numberedTexts } from './counting-service.ts';
import { dragoman, projectWith } from './harness.ts';

const terminal = { tty: true, columns: 80, env: { TERM: 'dumb' } };

describe('sync --dry-run', () => {
  it('--retranslate: shows the real cost, even if the memory has all texts', async () => {
    const root = numberedTexts(12);
    const { env: service, sent } = await countingService(() => 'answer');
    const env = { ...service, XDG_CACHE_HOME: projectWith({}) };
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--json'];
    expect((await dragoman(argv, { env })).exitCode).toBe(0);
    sent.length = 0;
    const dry = await dragoman([...argv, '--retranslate', '--dry-run'], { env });
    const run = await dragoman([...argv, '--retranslate'], { env });
    expect(JSON.parse(dry.stdout)).toMatchObject({ credits: 12 });
    expect(JSON.parse(run.stdout)).toMatchObject({ credits_spent: 12 });
    expect(sent).toHaveLength(12);
  });

  it('lists languages that no engine supports, with the exit code of the run, and writes nothing', async () => {
    const root = projectWith({
      'locales/en.json': '{"title": "Garden", "bye": "Goodbye"}',
      'locales/es.json': '{"title": "Jardín", "bye": "Adiós"}',
    });
    // Programs are only searched for, so nothing counts as installed.
    const env = { ...terminal.env, PATH: '' };
    const dry = await dragoman(['sync', '--dry-run', '-t', 'es,xh'], { ...terminal, env, cwd: root });
    expect(dry).toEqual({
      exitCode: 7,
      stdout:
        'language  done   keys  translated  missing  unknown  characters  no engine\n' +
        'es        100 %  2     2           0        2        0           0\n' +
        'xh        0 %    2     0           2        0        13          2\n',
      stderr:
        'xh: no engine here translates en to xh\n' +
        '  Use your own program with --engine exec --engine-command COMMAND, or --engine\n' +
        '  pseudo to try the layout.\n' +
        'unknown: in the files before the first sync, and never overwritten. Empty a\n' +
        '  value to have it translated.\n' +
        'Dry run: nothing was written.\n',
    });
    expect(readdirSync(root)).toEqual(['locales']);
    const run = await dragoman(['sync', '-t', 'es,xh'], { ...terminal, env, cwd: root });
    expect(run.exitCode).toBe(dry.exitCode);
    expect(run.stderr).toContain('xh: no engine here translates en to xh\n');
  });

  it('lists the keys with --verbose', async () => {
    const root = projectWith({
      'locales/en.json': '{\n  "title": "Garden",\n  "bye": "Goodbye"\n}\n',
      'locales/es.json': '{\n  "title": "Jardín"\n}\n',
    });
    const argv = ['sync', '--dry-run', '--verbose', '-t', 'es', '--engine', 'pseudo'];
    const { stderr, exitCode } = await dragoman(argv, { ...terminal, cwd: root });
    expect(stderr).toContain('locales/en.json:3:10: would translate bye (es)\n');
    expect(stderr).not.toContain('would translate title');
    expect(exitCode).toBe(0);
  });
});

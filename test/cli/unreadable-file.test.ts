import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, type Result } from './harness.ts';

const FILES = {
  'locales/en.json': '{\n  "save": "Save",\n  "open": "Open"\n}\n',
  'locales/de.json': '{\n  "save": \n',
  'locales/es.json': '{\n  "save": "Guardar"\n}\n',
};

describe('an unreadable translation', () => {
  it.each([['status'], ['sync', '--dry-run', '--engine', 'pseudo']])(
    'is reported, and %s counts the others',
    async (...args) => {
      const { exitCode, stdout, stderr } = await dragoman(args, { cwd: projectWith(FILES) });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('locales/de.json:3:1');
      expect(stdout).toMatch(/^de +not readable$/m);
      expect(stdout).toMatch(/^es +50 % /m);
    },
  );
});

describe('the share of translated keys', () => {
  const inCi = (root: string, ...args: readonly string[]): Promise<Result> =>
    dragoman(args, {
      cwd: root,
      env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(root, 'summary.md') },
    });
  const sharesIn = (page: string): readonly (string | undefined)[] =>
    [...page.matchAll(/data-count="Done">([^<]*)</g)].map((match) => match[1]);

  it('is not given for a language of which no file could be read', async () => {
    const root = projectWith(FILES);
    const { stderr } = await inCi(root, 'check');
    expect(stderr).toContain('\nde: 1 unreadable file, 1 finding (1 error)\n');
    expect(readFileSync(join(root, 'summary.md'), 'utf8')).toContain('| de | - | 0 |');
    await inCi(root, 'status', '-t', 'de', '--badge', 'badge.svg', '--report', 'report.html');
    expect(readFileSync(join(root, 'badge.svg'), 'utf8')).toContain(
      '<title>translations: 1 unreadable file<',
    );
    const page = readFileSync(join(root, 'report.html'), 'utf8');
    expect(sharesIn(page)).toEqual(['-', '-']);
    expect(page).not.toContain('<progress max');
  });

  it('is below 100 % where a file could not be read', async () => {
    const root = projectWith({
      'locales/en/open.json': '{"open": "Open"}',
      'locales/en/save.json': '{"save": "Save"}',
      'locales/de/open.json': '{"open": "Öffnen"}',
      'locales/de/save.json': '{"save": ',
    });
    const { stderr } = await inCi(root, 'check');
    expect(stderr).toContain(
      '\nde: 100 % of 1 readable key translated, 1 unreadable file, 1 finding (1 error)\n',
    );
    expect(readFileSync(join(root, 'summary.md'), 'utf8')).toContain('| de | 99 % | 1 |');
    const { stdout } = await inCi(root, 'status', '--badge', 'badge.svg', '--report', 'report.html');
    expect(stdout).toMatch(/^de +99 % /m);
    expect(readFileSync(join(root, 'badge.svg'), 'utf8')).toContain(
      '<title>translations: 99 % of 1 value in 1 language, 1 unreadable file<',
    );
    expect(sharesIn(readFileSync(join(root, 'report.html'), 'utf8'))).toEqual(['99 %', '100 %', '-']);
  });

  it('is not given for files without keys', async () => {
    const root = projectWith({ 'locales/en.json': '{}', 'locales/de.json': '{}' });
    expect((await inCi(root, 'check', '-t', 'de')).stderr).toContain('de: no keys, no findings\n');
    expect((await inCi(root, 'status', '-t', 'de')).stdout).toMatch(/^de +-$/m);
  });
});

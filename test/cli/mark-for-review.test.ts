import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const HEADER =
  'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n';
const FILES = {
  'po/app.pot': `${HEADER.replace('de', '')}msgid "Open"\nmsgstr ""\n\nmsgid "Save"\nmsgstr ""\n`,
  'po/de.po': `${HEADER}#, fuzzy\nmsgid "Open"\nmsgstr "Auf?"\n`,
};

describe('translations that are marked for review', () => {
  it('are reported by sync and check, and counted by status', async () => {
    const cwd = projectWith(FILES);
    const synced = await dragoman(['sync', '-s', 'en', '--engine', 'pseudo'], { cwd });
    const named =
      'po/de.po:9:8: "Open" is marked for review, and kept because dragoman did not write it (de)\n';
    expect(synced).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(named) });
    const checked = await dragoman(['check', '-s', 'en'], { cwd });
    expect(checked.exitCode, checked.stderr).toBe(0);
    expect(checked.stdout + checked.stderr).toContain('po/de.po:9:8: warning: review: "Open" is marked');
    const { stdout } = await dragoman(['status', '-s', 'en', '--json'], { cwd });
    expect(JSON.parse(stdout).projects[0].languages[0].coverage).toMatchObject({
      keys: 2,
      translated: 1,
      missing: 0,
      review: 1,
    });
    expect((await dragoman(['status', '-s', 'en'], { cwd })).stdout).toMatch(/review[\s\S]*50 %/);
  });

  it('are those of engines with --mark-for-review or markForReview, if the format has a mark', async () => {
    const files = { ...FILES, 'locales/en.json': '{"a": "Open"}', 'locales/de.json': '{}' };
    const cwd = projectWith(files);
    const flagged = await dragoman(['sync', '-s', 'en', '--engine', 'pseudo', '--mark-for-review'], { cwd });
    expect(flagged.exitCode, flagged.stderr).toBe(0);
    expect(flagged.stderr).toContain('JSON cannot mark translations for review: written without a mark\n');
    expect(readFileSync(join(cwd, 'po/de.po'), 'utf8')).toContain('#, fuzzy\nmsgid "Save"\n');
    const again = await dragoman(['sync', '-s', 'en', '--engine', 'pseudo', '--mark-for-review'], { cwd });
    expect(again.stderr).not.toContain('no mark');

    const configured = projectWith({ ...FILES, 'dragoman.config.yaml': 'source: en\nmarkForReview: true\n' });
    await dragoman(['sync', '--engine', 'pseudo'], { cwd: configured });
    expect(readFileSync(join(configured, 'po/de.po'), 'utf8')).toContain('#, fuzzy\nmsgid "Save"\n');
    writeFileSync(join(configured, 'po/app.pot'), `${FILES['po/app.pot']}\nmsgid "Close"\nmsgstr ""\n`);
    const { stdout } = await dragoman(['status', '--json'], { cwd: configured });
    expect(JSON.parse(stdout).projects[0].languages[0].coverage).toMatchObject({ review: 2, missing: 1 });
  });
});

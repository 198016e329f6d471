import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const terminal = { tty: true, columns: 80, env: { TERM: 'dumb' } };

describe('check', () => {
  it('names texts of catalogues and pages by the text, not by their keys', async () => {
    const cwd = projectWith({
      'po/de.po':
        'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "Hello, %(name)s."\nmsgstr ""\n\nmsgid "%(count)d book"\nmsgid_plural "%(count)d books"\nmsgstr[0] ""\nmsgstr[1] ""\n',
      'docs/guide.md': '# A guide to the garden\n\nText.\n',
      'docs/de/guide.md': '# Ein Führer\n\nText auf Deutsch.\n',
    });
    const languages = ['-s', 'en', '-t', 'de'];
    await dragoman(['sync', 'docs', ...languages, '--engine', 'pseudo'], { cwd });
    writeFileSync(join(cwd, 'docs/guide.md'), '# A guide to the garden\n\nText.\n\nOne more thing.\n');
    const { stdout } = await dragoman(['check', ...languages], { ...terminal, cwd });
    expect(stdout).toContain('missing: "Hello, %(name)s." has no translation (de)');
    expect(stdout).toMatch(/missing: "%\(count\)d books?" has no translation\s+\(de\)/);
    expect(stdout).toContain('missing: "One more thing." has no translation (de)');
    expect(stdout).not.toMatch(/-paragraph|\.one\b/);
  });

  it('lists at most 20 findings of a rule without --all', async () => {
    const texts = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`key${i}`, `Text ${i}`]));
    const cwd = projectWith({ 'locales/en.json': JSON.stringify(texts), 'locales/de.json': '{}' });
    const listed = (stdout: string): number => stdout.match(/missing: key/g)?.length ?? 0;
    const short = await dragoman(['check'], { ...terminal, cwd });
    expect([listed(short.stdout), short.exitCode]).toEqual([20, 8]);
    expect(short.stderr).toContain('missing: 5 more findings. --all lists them.\n');
    const all = await dragoman(['check', '--all'], { ...terminal, cwd });
    expect([listed(all.stdout), all.exitCode]).toEqual([25, 8]);
    expect(all.stderr).not.toContain('more findings');
    const json = await dragoman(['check', '--json'], { cwd });
    expect(json.stdout.match(/"kind": "missing"/g)).toHaveLength(25);
  });
});

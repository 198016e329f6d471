import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const terminal = { tty: true, columns: 80, env: { TERM: 'dumb' } };

describe('check', () => {
  it('identifies texts of catalogues and pages by text, not by key', async () => {
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

  it('identifies texts in findings of lint, in glossary terms and in failures', async () => {
    const cwd = projectWith({
      'docs/guide.md': '# A guide to the garden\n\nThe [shed](shed.md) is open.\n',
      'docs/de/guide.md': '# Ein Führer\n\nDie Hütte ist offen.\n',
      'locales/app.de.xlf':
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="4711"><source>Save %(name)s</source><target>Sichern</target></trans-unit></body></file></xliff>\n',
      'po/de.po':
        'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "Open the shed."\nmsgstr ""\n\nmsgid "Close the shed."\nmsgstr "Tür zu."\n',
      'glossary.csv': 'term,de\nshed,Schuppen\n',
    });
    const languages = ['-s', 'en', '-t', 'de'];
    const { stdout } = await dragoman(['lint', ...languages], { ...terminal, cwd });
    const lint = stdout.replace(/\s+/g, ' ');
    expect(lint).toContain('("Die Hütte ist offen.")');
    expect(lint).toContain('("Save %(name)s")');
    expect(lint).toContain('"shed" is not translated as "Schuppen" ("Close the shed.")');
    expect(lint).not.toMatch(/-paragraph|4711/);
    const synced = await dragoman(['sync', 'po', ...languages, '--engine', 'pseudo'], { ...terminal, cwd });
    expect(synced.stderr.replace(/\s+/g, ' ')).toContain(
      '"Open the shed." (de): "shed" is not translated as',
    );
  });

  it('ends with one line per language', async () => {
    const cwd = projectWith({
      'locales/en.json': '{"a": "One {name}", "b": "Two", "c": "Th\ufffdee"}',
      'locales/de.json': '{"a": "Eins {Name}", "d": "Vier"}',
      'locales/fr.json': '{"a": "Un {name}", "b": "Deux", "c": "Trois"}',
    });
    const { stderr, exitCode } = await dragoman(['check', '-s', 'en', '-t', 'de,fr'], { ...terminal, cwd });
    expect(exitCode).toBe(8);
    expect(stderr.split('\n').filter((line) => /^\w\w[: ]/.test(line))).toEqual([
      'en (source): 1 finding (1 error)',
      'de: 33 % of 3 keys translated, 2 missing, 1 extra, 1 finding (1 warning)',
      'fr: 100 % of 3 keys translated, no findings',
    ]);
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

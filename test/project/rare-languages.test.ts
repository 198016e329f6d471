import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../cli/harness.ts';

const GEMFILE = "gem 'rails'\n";
const RAILS_EN = 'en:\n  a: Hello\n  b: World\n  c:\n    one: One file\n    other: "%{count} files"\n';
const POT =
  'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hello"\nmsgstr ""\n\n' +
  'msgid "World"\nmsgstr ""\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n';
const TS =
  '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="en">\n<context>\n    <name>A</name>\n' +
  '    <message>\n        <source>Hello</source>\n        <translation>Hello</translation>\n    </message>\n' +
  '    <message>\n        <source>World</source>\n        <translation>World</translation>\n    </message>\n</context>\n</TS>\n';

/** Languages whose codes usually mean something else, so that `parseLocale` alone does not know them. */
describe('a language with a rare code', () => {
  it.each([
    [
      'Rails',
      { Gemfile: GEMFILE, 'config/locales/en.yml': RAILS_EN },
      'config/locales/%.yml',
      '%:\n  a: Tach\n',
    ],
    [
      'gettext',
      { 'po/x.pot': POT },
      'po/%.po',
      'msgid ""\nmsgstr ""\n"Language: %\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hello"\nmsgstr "Tach"\n',
    ],
    [
      'Qt',
      { 'translations/app_en.ts': TS },
      'translations/app_%.ts',
      TS.replace('"en"', '"%"')
        .replace('<translation>Hello', '<translation>Tach')
        .replace('<translation>World', '<translation type="unfinished">'),
    ],
  ])('%s: its files are read, counted and completed', async (_, source, path, existing) => {
    for (const code of ['ksh', 'lkt', 'gcf', 'mjw']) {
      const file = path.replace('%', code);
      const root = projectWith({
        ...source,
        [path.replace('%', 'de')]: existing.replace('%', 'de'),
        [file]: existing.replaceAll('%', code),
      });
      const status = await dragoman(['status', '-t', code, '--json'], { cwd: root });
      const { languages } = (
        JSON.parse(status.stdout) as {
          projects: { languages: { coverage: { keys: number; missing: number; unknown: number } }[] }[];
        }
      ).projects[0] ?? { languages: [] };
      expect(languages[0]?.coverage.unknown, code).toBeGreaterThan(0);
      expect(await dragoman(['sync', '-t', code, '--engine', 'pseudo'], { cwd: root })).toMatchObject({
        exitCode: 0,
      });
      const written = readFileSync(join(root, file), 'utf8');
      expect(written).toContain('Tach');
      expect(written).toContain('Ŵöŕļð');
      const again = await dragoman(['sync', '-t', code, '--engine', 'pseudo'], { cwd: root });
      expect(again).toMatchObject({ exitCode: 0 });
      expect(again.stdout).not.toContain('translated');
      expect(readFileSync(join(root, file), 'utf8')).toBe(written);
    }
  });
});

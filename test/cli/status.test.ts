import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

/** The rows of the table of `status`. */
async function statusOf(files: Readonly<Record<string, string>>, argv: readonly string[] = []) {
  const result = await dragoman(['status', ...argv], { cwd: projectWith(files) });
  const [head, ...rows] = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  const table = Object.fromEntries(
    rows.map(([label = '', ...cells]) => [
      label,
      Object.fromEntries(cells.map((cell, i) => [head?.[i + 1] ?? '', cell])),
    ]),
  );
  return { ...result, table };
}

const APP = {
  'package.json': '{"dependencies": {"i18next": "24.0.0"}}',
  'locales/en.json': '{"hello": "Hello {{name}}", "bye": "Bye"}',
};

describe('status', () => {
  it('counts translations that fail verification, in the second run, too', async () => {
    const cwd = projectWith({ ...APP, 'locales/de.json': '{"hello": "Hallo", "bye": "Tschüss"}' });
    for (let i = 0; i < 2; i++) {
      const { stdout } = await dragoman(['status', '--json'], { cwd });
      expect(JSON.parse(stdout).projects[0].languages[0].coverage).toMatchObject({
        keys: 2,
        translated: 2,
        invalid: 1,
      });
    }
    expect((await dragoman(['status'], { cwd })).stdout).toContain('invalid');
  });

  it('does not count keys with an empty source, whether translated or not', async () => {
    const cwd = projectWith({
      ...APP,
      'locales/en.json': '{"a": "", "b": "Bye", "c": "", "d": ""}',
      'locales/de.json': '{"a": "", "c": "Willkommen {{name}}"}',
    });
    const { stdout } = await dragoman(['status', '--json'], { cwd });
    const { coverage } = JSON.parse(stdout).projects[0].languages[0];
    expect(coverage).toMatchObject({ keys: 1, translated: 0, missing: 1, invalid: 0, extra: 0 });
    expect(JSON.parse((await dragoman(['lint', '--json'], { cwd })).stdout).findings).toEqual([]);
  });

  it('does not count translations with only informational findings of lint as invalid', async () => {
    const cwd = projectWith({
      ...APP,
      'locales/en.json': '{"note": "This is <b>not</b> <i>final</i>.", "bye": "Bye {{name}}"}',
      'locales/de.json': '{"note": "Das ist <b>nicht <i>endgültig</i></b>, <b>nie</b>.", "bye": "Tschüss"}',
    });
    const { stdout } = await dragoman(['status', '--json'], { cwd });
    expect(JSON.parse(stdout).projects[0].languages[0].coverage).toMatchObject({ keys: 2, invalid: 1 });
    const { findings } = JSON.parse((await dragoman(['lint', '--json'], { cwd })).stdout);
    expect(findings).toMatchObject([{ key: ['bye'] }]);
  });

  it('counts findings of lint as invalid, even if a file splits its texts', async () => {
    const invalid = async (files: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
      const cwd = projectWith(files);
      const { stdout } = await dragoman(['status', '--json', '-s', 'en'], { cwd });
      const linted = await dragoman(['lint', '--json', '-s', 'en'], { cwd });
      const keys = JSON.parse(linted.stdout).findings.map(
        ({ key }: { readonly key: readonly string[] }) => key[0],
      );
      return [JSON.parse(stdout).projects[0].languages[0].coverage.invalid, ...new Set(keys)];
    };
    const unit = (value: string): object => ({ stringUnit: { state: 'translated', value } });
    const substitution = (text: string): object => ({
      n: {
        argNum: 2,
        formatSpecifier: 'lld',
        variations: { plural: { one: unit(`one ${text}`), other: unit(`%arg ${text}`) } },
      },
    });
    const catalogue = JSON.stringify({
      sourceLanguage: 'en',
      strings: {
        '%@ has %lld': {
          localizations: { de: { ...unit('%1$@ hat %2$#@n@'), substitutions: substitution('x') } },
        },
        '%@ lost %lld': {
          localizations: { de: { ...unit('verlor %2$#@n@'), substitutions: substitution('y') } },
        },
      },
      version: '1.0',
    });
    expect(await invalid({ 'App.xcstrings': catalogue })).toEqual([1, '%@ lost %lld']);
    const english = `-app = The { $kind } app
fine = { $number } { $number ->
    [one] hour
   *[other] hours
}
lost = { $name } has { $n ->
    [one] one file
   *[other] { $n } files
}
`;
    const german = `-app = Die App
fine = { $number ->
    [one] eine Stunde
   *[other] { $number } Stunden
}
lost = Da sind { $n ->
    [one] eine Datei
   *[other] { $n } Dateien
}
`;
    const files = { 'i18n/en/app.ftl': english, 'i18n/de/app.ftl': german };
    expect(await invalid(files)).toEqual([1, 'lost']);
  });

  it('counts notes on many pages, with an example, and lists them with --verbose', async () => {
    const page = (title: string, text: string): string => `# ${title}\n\n::: tip\n${text} \`oil\`.\n:::\n`;
    const noted = (number: number): Promise<Awaited<ReturnType<typeof dragoman>>[]> => {
      const names = Array.from({ length: number }, (_, i) => `p${i}.md`);
      const cwd = projectWith({
        'dragoman.config.yaml':
          'source: en\ntargets: [es, fr]\nfiles:\n  - source: docs/*.md\n    target: "{locale}/*.md"\n',
        ...Object.fromEntries(names.map((name) => [`docs/${name}`, page('Tools', 'Clean them with')])),
        ...Object.fromEntries(
          ['es', 'fr'].flatMap((locale) =>
            names.map((name) => [
              `${locale}/${name}`,
              page('Herramientas', 'Límpielas con').replace('tip', 'tip CONSEJO'),
            ]),
          ),
        ),
      });
      return Promise.all([dragoman(['status'], { cwd }), dragoman(['status', '--verbose'], { cwd })]);
    };
    const note = 'no clear counterpart in the source, left unchanged';
    const linesOf = ({ stderr }: { readonly stderr: string } = { stderr: '' }): readonly string[] =>
      stderr.split('\n').filter((line) => line.includes(note));
    const [few] = await noted(2);
    expect(linesOf(few)).toHaveLength(4);
    expect(linesOf(few)[0]).toBe(`es/p0.md (es): line 3: ${note}`);
    const [many, verbose] = await noted(4);
    const summary = `8 translations: ${note} (for example es/p0.md (es), line 3). --verbose lists all.`;
    expect(linesOf(many)).toEqual([summary]);
    expect(linesOf(verbose)).toHaveLength(8);
    expect(linesOf(verbose)).not.toContain(summary);
  });

  it('has no columns of zeros', async () => {
    const { table } = await statusOf({
      ...APP,
      'locales/de.json': '{"hello": "Hallo {{name}}", "bye": "T"}',
    });
    expect(table).toEqual({ de: { done: '100 %', keys: '2', translated: '2', unknown: '2' } });
  });

  it('counts texts and documents separately, each in its own languages', async () => {
    const { table } = await statusOf({
      ...APP,
      'locales/de.json': '{"hello": "Hallo {{name}}", "bye": "T"}',
      'locales/es.json': '{"bye": "Adiós"}',
      'docs/en/a.md': '# One\n',
      'docs/en/b.md': '# Two\n',
      'docs/de/a.md': '# Eins\n',
      'docs/fr/a.md': '# Un\n',
    });
    expect(Object.entries(table).map(([label, { done }]) => [label, done])).toEqual([
      ['de', '100 %'],
      ['de documents', '50 %'],
      ['es', '50 %'],
      ['fr', '50 %'],
    ]);
  });

  it('keeps documents in 2 languages apart from an interface in 58', async () => {
    const codes =
      'ar bg bn ca cs da de el es et eu fa fi fr gl gu he hi hr hu hy id is it ja ka kk km kn ko lt lv mk ml mn mr ms my ' +
      'nb ne nn pa pl pt ro ru si sk sl sq sr sv sw ta te th tr';
    const languages = codes.split(' ');
    expect(languages).toHaveLength(57);
    const cwd = projectWith({
      ...APP,
      ...Object.fromEntries(
        languages.map((code) => [`locales/${code}.json`, `{"hello": "${code} {{name}}"}`] as const),
      ),
      'docs/en/a.md': '# One\n\nText of it.\n',
      'docs/en/b.md': '# Two\n',
      'docs/de/a.md': '# Eins\n\nDer Text.\n',
    });
    const { stdout } = await dragoman(['status'], { cwd });
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual(
      languages.flatMap((code) => [
        [code, '50 %', '2'],
        ...(code === 'de' ? [['de documents', '66 %', '3']] : []),
      ]),
    );
    const sync = await dragoman(['sync', '-t', 'es', '--engine', 'pseudo'], { cwd });
    expect(sync.exitCode, sync.stderr).toBe(0);
    expect(readdirSync(join(cwd, 'docs')).sort()).toEqual(['de', 'en']);
    expect(JSON.parse(readFileSync(join(cwd, 'locales/es.json'), 'utf8'))).toHaveProperty('bye');
  });

  it('explains unknown translations, and what to do about them', async () => {
    const { stderr } = await statusOf({ ...APP, 'locales/de.json': '{"bye": "Tschüss"}' });
    expect(stderr).toContain('unknown: in the files before the first sync');
    const none = await statusOf({ ...APP, 'locales/de.json': '{}' });
    expect(none.stderr).not.toContain('unknown');
  });

  it('has rows for sources that cannot be read', async () => {
    const files = { 'locales/en.json': '{"a": ', 'locales/de.json': '{"a": "b"}' };
    const { exitCode, stdout, stderr } = await statusOf(files);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: 'de        not readable\n' });
    expect(stderr).toContain('locales/en.json:1:');
    const { stdout: json } = await dragoman(['status', '--json'], { cwd: projectWith(files) });
    expect(JSON.parse(json).projects[0].languages[0].files).toMatchObject([
      { source: 'locales/en.json', error: { code: 'unreadable_input' } },
    ]);
  });

  it('shows the sources if no language is known', async () => {
    const files = {
      'plugin.php': '<?php\n/* Plugin Name: Shop */\n',
      'languages/shop.pot': 'msgid ""\nmsgstr ""\n\nmsgid "Save"\nmsgstr ""\n\nmsgid "Open"\nmsgstr ""\n',
    };
    const { exitCode, stdout, stderr } = await statusOf(files);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'languages/shop.pot: 2 keys in en, and no translation\n',
    });
    expect(stderr).toContain('--target');
    const { stdout: json } = await dragoman(['status', '--json'], { cwd: projectWith(files) });
    expect(JSON.parse(json).projects).toMatchObject([
      { sources: [{ source: 'languages/shop.pot', keys: 2, error: null }], languages: [] },
    ]);
    const plural = { one: '%{count} item', other: '%{count} items' };
    const forms = await statusOf({
      Gemfile: 'gem "rails"\n',
      'config/locales/en.yml': `en:\n  items: ${JSON.stringify(plural)}\n  save: Save\n  none: ""\n`,
    });
    expect(forms.stdout).toBe('config/locales/en.yml: 2 keys in en, and no translation\n');
    const broken = await statusOf({ 'locales/en.json': '{"a": ' });
    expect(broken.exitCode).toBe(2);
    expect(broken.stderr).toContain('locales/en.json:1:');
  });
});

describe('the framework that reads the files', () => {
  const files = {
    ...APP,
    'locales/de.json': '{"hello": "Hallo {{name}}", "bye": "T"}',
    'app/src/main/res/values/strings.xml': '<resources><string name="a">One</string></resources>',
    'app/src/main/res/values-de/strings.xml': '<resources><string name="a">Eins</string></resources>',
  };
  const lines = ['Android: 1 source file', 'i18next (package.json): 1 source file'];

  it('is shown by init, status --verbose and doctor, with the manifest that proves it', async () => {
    const cwd = projectWith(files);
    const verbose = await dragoman(['status', '--verbose'], { cwd });
    for (const line of lines) expect(verbose.stderr).toContain(line);
    expect((await dragoman(['status'], { cwd })).stderr).not.toContain('Android');
    const doctor = await dragoman(['doctor', '--engine', 'pseudo'], { cwd });
    expect(doctor.stdout).toContain(`ok: project: ${lines.join(', ')}\n`);
    const init = await dragoman(['init', '--dry-run'], { cwd });
    for (const line of lines) expect(init.stderr).toContain(line);
    const { frameworks } = JSON.parse((await dragoman(['init', '--dry-run', '--json'], { cwd })).stdout);
    expect(frameworks).toEqual([
      { framework: 'android', manifest: null, files: 1 },
      { framework: 'i18next', manifest: 'package.json', files: 1 },
    ]);
  });
});

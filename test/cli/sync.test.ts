import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo'];
const text = (root: string, name: string): string => readFileSync(join(root, name), 'utf8');

function demoProject(): string {
  const root = temporaryDirectory();
  cpSync(join(import.meta.dirname, '../../demo/project'), root, { recursive: true });
  return root;
}

function snapshot(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(root, name)).isFile(),
  );
  return Object.fromEntries(
    files.map((name) => [name, `${statSync(join(root, name)).mtimeMs} ${text(root, name)}`]),
  );
}

describe('sync', () => {
  it('translates all six formats, then has nothing to do', async () => {
    const root = demoProject();
    const first = await dragoman(['sync', root, '-s', 'en', '-t', 'de,ru', ...PSEUDO]);
    expect(first.exitCode, first.stderr).toBe(0);
    for (const name of [
      'locales/de.json',
      'config/locales/ru.yml',
      'po/de.po',
      'src/main/resources/messages_ru.properties',
      'ios/de.lproj/Localizable.strings',
      'android/res/values-ru/strings.xml',
    ]) {
      expect(text(root, name).length, name).toBeGreaterThan(20);
    }
    expect(text(root, 'locales/de.json')).toContain('"build": 12345678901234567890');
    expect(text(root, 'config/locales/ru.yml')).toMatch(/^ru:$/m);
    expect(text(root, 'android/res/values-ru/strings.xml')).toMatch(/quantity="few"/);
    const before = snapshot(root);
    const second = await dragoman(['sync', root, ...PSEUDO]);
    expect(second.exitCode).toBe(0);
    expect(snapshot(root)).toEqual(before);
    expect((await dragoman(['check', root])).exitCode).toBe(0);
    expect((await dragoman(['sync', root, '--frozen'])).exitCode).toBe(0);
  });

  it('needs no engine for --frozen and --dry-run, and writes nothing', async () => {
    const root = demoProject();
    const before = snapshot(root);
    const argv = ['sync', '-s', 'en', '-t', 'de', '--frozen', '--engine', 'deepl'];
    const frozen = await dragoman(argv, { cwd: root });
    expect(frozen.exitCode).toBe(8);
    expect(frozen.stdout).toMatch(/^locales\/en\.json:\d+:\d+: error: missing: app\.title /m);
    const dry = await dragoman(['sync', root, '-s', 'en', '-t', 'de', '--dry-run', '--engine', 'deepl']);
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toMatch(/^de +0 %/m);
    expect(snapshot(root)).toEqual(before);
  });

  it('reports stale and extra keys, and fixes them', async () => {
    const root = projectWith({ 'en.json': '{\n  "a": "One",\n  "b": "Two"\n}\n' });
    await dragoman(['sync', root, '-s', 'en', '-t', 'de', ...PSEUDO]);
    writeFileSync(join(root, 'en.json'), '{\n  "a": "One more"\n}\n');
    const { exitCode, stdout } = await dragoman(['check', root]);
    expect(exitCode).toBe(8);
    expect(stdout).toMatch(/de\.json:2:8: error: stale: a /);
    expect(stdout).toMatch(/de\.json:3:8: error: extra: b /);
    expect((await dragoman(['sync', root, '--prune', 'all', '--yes', ...PSEUDO])).exitCode).toBe(0);
    expect(Object.keys(JSON.parse(text(root, 'de.json')) as object)).toEqual(['a']);
    expect((await dragoman(['check', root])).exitCode).toBe(0);
  });

  it('keeps a person’s text and reports when it is outdated', async () => {
    const root = projectWith({ 'en.json': '{"a": "One", "b": "Two"}' });
    await dragoman(['sync', root, '-s', 'en', '-t', 'de', ...PSEUDO]);
    writeFileSync(join(root, 'de.json'), text(root, 'de.json').replace(/"a": "[^"]+"/, '"a": "Eins"'));
    writeFileSync(join(root, 'en.json'), '{"a": "One!", "b": "Two"}');
    const { exitCode, stderr } = await dragoman(['sync', root, ...PSEUDO]);
    expect(exitCode).toBe(0);
    expect(text(root, 'de.json')).toContain('"a": "Eins"');
    expect(stderr).toMatch(/de\.json:1:7: the source of a has changed; its de translation was kept/);
  });

  it('ends with 7 when a value fails, keeps the others, and retries the failed one in the next run', async () => {
    const program = `
      const lines = require('readline').createInterface({ input: process.stdin });
      lines.on('line', (line) => {
        const { id, texts } = JSON.parse(line);
        console.log(JSON.stringify({ id, translations: texts.map((t) => (t === 'Two' ? null : t.toLowerCase())) }));
      });`;
    const root = projectWith({ 'en.json': '{\n  "a": "One",\n  "b": "Two"\n}', 'engine.cjs': program });
    const engine = [
      '--engine',
      'exec',
      '--engine-command',
      `${process.execPath} ${join(root, 'engine.cjs')}`,
    ];
    const first = await dragoman(['sync', root, '-s', 'en', '-t', 'de', ...engine]);
    expect(first.exitCode).toBe(7);
    expect(first.stderr).toMatch(/en\.json:3:8: b was not translated into de/);
    expect(JSON.parse(text(root, 'de.json'))).toEqual({ a: 'one', b: 'Two' });
    const check = await dragoman(['check', root]);
    expect(check.exitCode).toBe(8);
    expect(check.stdout).toMatch(/missing: b/);
    expect((await dragoman(['sync', root, ...PSEUDO])).exitCode).toBe(0);
    expect(text(root, 'de.json')).not.toContain('Two');
  });

  it('stops at a signal, with 130', async () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    const result = await dragoman(['sync', root, '-s', 'en', '-t', 'de', ...PSEUDO], {
      signal: AbortSignal.abort(),
    });
    expect(result.exitCode).toBe(130);
    expect(readdirSync(root)).not.toContain('de.json');
  });

  it('does not print progress if it ends immediately', async () => {
    const root = projectWith({ 'en.json': '{"a": "One", "b": "Two"}' });
    const argv = ['sync', root, '-s', 'en', ...PSEUDO];
    const first = await dragoman([...argv, '-t', 'de,fr']);
    expect(first.stderr).toMatch(/^translated by pseudo\n/);
    expect((await dragoman([...argv, '-t', 'es', '--quiet'])).stderr).toBe('');
  });

  it('lists the candidates if the source language is unknown', async () => {
    const root = projectWith({ 'fr.json': '{"a": "Un"}', 'de.json': '{"a": "Eins"}' });
    const result = await dragoman(['sync', root, '-t', 'es', ...PSEUDO]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/de, fr/);
  });

  it('prints one document with --json', async () => {
    const root = demoProject();
    const { stdout } = await dragoman(['sync', root, '-s', 'en', '-t', 'de', '--json', ...PSEUDO]);
    const { projects } = JSON.parse(stdout) as { projects: { languages: { language_code: string }[] }[] };
    expect(projects[0]?.languages.map((language) => language.language_code)).toEqual(['de']);
  });
});

describe('an unreadable target', () => {
  it.each([[['status']], [['sync', '--dry-run']]])(
    'is an error of %s, which ends with 2 and reports the position',
    async (argv) => {
      const root = projectWith({ 'en.json': '{"a": "One"}', 'de.json': '{\n"a": "Eins' });
      const result = await dragoman([...argv, root]);
      expect(result).toMatchObject({ exitCode: 2 });
      expect(result.stdout).not.toContain('%');
      expect(result.stderr).toMatch(/de\.json:2:\d+: /);
    },
  );
});

describe('status', () => {
  it('prints coverage per language', async () => {
    const root = projectWith({ 'en.json': '{"a": "One", "b": "Two"}', 'de.json': '{"a": "Eins"}' });
    const { stdout, exitCode } = await dragoman(['status', root]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^de +50 % +2 +1 +1 /m);
  });
});

describe('init', () => {
  it('writes a configuration that sync uses, and does not replace it', async () => {
    const root = projectWith({ 'l10n/en.json': '{"a": "One"}', 'l10n/de.json': '{}' });
    const first = await dragoman(['init'], { cwd: root });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'dragoman.config.yaml\n' });
    expect(text(root, 'dragoman.config.yaml')).toMatch(/^source: "en"\ntargets: \["de"\]$/m);
    expect((await dragoman(['sync', root, ...PSEUDO])).exitCode).toBe(0);
    expect(JSON.parse(text(root, 'l10n/de.json'))).toHaveProperty('a');
    expect((await dragoman(['init', root])).exitCode).toBe(2);
  });
});

describe('sync --watch', () => {
  it('translates again when a source changes, and ends when it is interrupted', async () => {
    const root = projectWith({ 'en.json': '{"a": "One"}' });
    const controller = new AbortController();
    const argv = ['sync', root, '-s', 'en', '-t', 'de', '--watch', ...PSEUDO];
    const running = dragoman(argv, { signal: controller.signal });
    const until = (condition: () => boolean): Promise<void> =>
      vi.waitFor(() => expect(condition()).toBe(true), 10_000);
    await until(() => existsSync(join(root, 'de.json')));
    // The watch begins some time after the files are written, so a change is repeated until it is seen.
    let edition = 0;
    await until(() => {
      writeFileSync(join(root, 'en.json'), `{"a": "One", "b": "Edition ${++edition}"}`);
      return text(root, 'de.json').includes('"b"');
    });
    controller.abort();
    expect((await running).exitCode).toBe(130);
  });

  it('treats new, removed and broken files as one change each, and prints the time and the files', async () => {
    const root = projectWith({ 'locales/en/a.json': '{"a": "One"}', 'locales/de/a.json': '{}' });
    const controller = new AbortController();
    let shown = '';
    const running = dragoman(['sync', '-t', 'de', '--watch', ...PSEUDO], {
      cwd: root,
      signal: controller.signal,
      onStderr: (part) => void (shown += part),
    });
    const seen = (sentence: RegExp): Promise<void> =>
      vi.waitFor(() => expect(shown).toMatch(sentence), { timeout: 20_000 });
    await seen(/^\d\d:\d\d:\d\d first run$[^]*^watching for changes$/m);
    shown = '';
    mkdirSync(join(root, 'locales/en/more'));
    writeFileSync(join(root, 'locales/en/more/b.json'), '{"b": "Two"}');
    await seen(/^\d\d:\d\d:\d\d added locales\/en\/more\/b\.json$[^]*^watching for changes$/m);
    expect(text(root, 'locales/de/more/b.json')).toContain('"b"');
    shown = '';
    writeFileSync(join(root, 'locales/en/a.json'), '{"a": ');
    await seen(/changed locales\/en\/a\.json$[^]*locales\/en\/a\.json:1:\d+: [^]*^watching for changes$/m);
    shown = '';
    rmSync(join(root, 'locales/en/a.json'));
    await seen(/removed locales\/en\/a\.json[^]*^watching for changes$/m);
    controller.abort();
    expect((await running).exitCode).toBe(130);
  });

  it.each([['--frozen'], ['--dry-run'], ['--json']])('cannot be combined with %s', async (flag) => {
    expect((await dragoman(['sync', '.', '--watch', flag])).exitCode).toBe(2);
  });
});

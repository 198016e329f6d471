import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from '../project/project-directory.ts';
import { dragoman, projectWith } from './harness.ts';

const NAME = 'App/Localizable.xcstrings';
const PSEUDO = ['--engine', 'pseudo'];

interface Unit {
  readonly state: string;
  readonly value: string;
}

type Texts = Readonly<Record<string, Readonly<Record<string, string | Unit>>>>;

/** A catalogue as Xcode writes it: the values of languages by key. */
function catalog(texts: Texts): string {
  const strings = Object.entries(texts).map(([key, values]) => {
    const localizations = Object.entries(values).map(([language, value]) => {
      const stringUnit = typeof value === 'string' ? { state: 'translated', value } : value;
      return [language, { stringUnit }] as const;
    });
    return [
      key,
      localizations.length === 0 ? {} : { localizations: Object.fromEntries(localizations) },
    ] as const;
  });
  const file = { sourceLanguage: 'en', strings: Object.fromEntries(strings), version: '1.0' };
  return JSON.stringify(file, null, 2).replaceAll('": ', '" : ');
}

/** The values of a catalogue, by key and language. */
function valuesIn(text: string): Record<string, Record<string, string>> {
  const { strings } = JSON.parse(text) as {
    strings: Record<string, { localizations?: Record<string, { stringUnit: Unit }> }>;
  };
  return Object.fromEntries(
    Object.entries(strings).map(([key, { localizations = {} }]) => [
      key,
      Object.fromEntries(
        Object.entries(localizations).map(([language, { stringUnit }]) => [language, stringUnit.value]),
      ),
    ]),
  );
}

describe('a file that holds all languages', () => {
  it('gets one language after the other, and nothing in the second run', async () => {
    const project = new ProjectDirectory({
      [NAME]: catalog({ Save: { de: 'Sichern' }, Open: {}, Help: { fr: { state: 'new', value: '' } } }),
    });
    const engine = new RecordingEngine();
    const report = await project.sync(engine, { targets: ['de', 'fr', 'zh-CN'] });
    expect(valuesIn(project.read(NAME))).toEqual({
      Save: { de: 'Sichern', fr: 'fr:Save', 'zh-Hans': 'zh-CN:Save' },
      Open: { de: 'de:Open', fr: 'fr:Open', 'zh-Hans': 'zh-CN:Open' },
      Help: { de: 'de:Help', fr: 'fr:Help', 'zh-Hans': 'zh-CN:Help' },
    });
    expect(project.read(NAME)).not.toContain('"new"');
    expect(report.languages.map(({ locale, changes: { translated } }) => [locale, translated])).toEqual([
      ['de', 2],
      ['fr', 3],
      ['zh-CN', 3],
    ]);
    const before = project.snapshot();
    const asked = engine.calls.length;
    await project.sync(engine);
    expect(project.cleanState(), 'every language is recorded in its last state').not.toBeNull();
    expect(engine.calls.length).toBe(asked);
    expect(project.snapshot()).toEqual(before);
  });

  it('is not up to date in a second language because it is in the first', async () => {
    const project = new ProjectDirectory({ [NAME]: catalog({ Save: { de: 'Sichern' } }) });
    const engine = new RecordingEngine();
    const sync = async (target: string): Promise<readonly (readonly [string, number])[]> => {
      const { languages } = await project.sync(engine, { targets: [target] });
      return languages.map(({ locale, changes: { translated } }) => [locale, translated]);
    };
    expect(await sync('de')).toEqual([['de', 0]]);
    expect(await sync('de')).toEqual([['de', 0]]);
    expect(await sync('fr')).toEqual([['fr', 1]]);
    expect(valuesIn(project.read(NAME))).toEqual({ Save: { de: 'Sichern', fr: 'fr:Save' } });
  });

  it('keeps a person’s changes in one language, and recognizes its own work in the others', async () => {
    const project = new ProjectDirectory({ [NAME]: catalog({ save: { en: 'Save' } }) });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['de', 'fr'] });
    project.write(NAME, project.read(NAME).replace('de:Save', 'Sichern').replace('"Save"', '"Save now"'));
    const report = await project.sync(engine);
    expect(valuesIn(project.read(NAME))).toEqual({
      save: { en: 'Save now', de: 'Sichern', fr: 'fr:Save now' },
    });
    expect(report.languages.map(({ coverage: { outdated, stale } }) => ({ outdated, stale }))).toEqual([
      { outdated: 1, stale: 0 },
      { outdated: 0, stale: 0 },
    ]);
  });

  it('keeps concurrent edits in any language', async () => {
    const project = new ProjectDirectory({ [NAME]: catalog({ Save: { it: 'Salva' }, Open: {} }) });
    const engine = new RecordingEngine();
    engine.before = ({ target }) => {
      if (target !== 'fr') return;
      project.write(NAME, project.read(NAME).replace('Salva', 'Registra').replace('de:Open', 'Öffnen'));
    };
    await project.sync(engine, { targets: ['de', 'fr', 'it'] });
    expect(valuesIn(project.read(NAME))).toEqual({
      Save: { de: 'de:Save', fr: 'fr:Save', it: 'Registra' },
      Open: { de: 'Öffnen', fr: 'fr:Open', it: 'it:Open' },
    });
    const status = await project.check();
    expect(status.languages.map(({ coverage: { edited } }) => edited)).toEqual([1, 0, 0]);
  });

  it('loses nothing when a run ends between two languages', async () => {
    const project = new ProjectDirectory({ [NAME]: catalog({ Save: {}, Open: {} }) });
    const stopped = new AbortController();
    const engine = new RecordingEngine();
    engine.before = ({ target }) => {
      if (target === 'fr') stopped.abort();
    };
    await project.sync(engine, { targets: ['de', 'fr'], signal: stopped.signal });
    expect(Object.keys(valuesIn(project.read(NAME))['Save'] ?? {})).toEqual(['de']);
    const next = new RecordingEngine();
    await project.sync(next, { targets: ['de', 'fr'] });
    expect(next.texts.filter((text) => text.startsWith('de'))).toEqual([]);
    expect(valuesIn(project.read(NAME))).toEqual({
      Save: { de: 'de:Save', fr: 'fr:Save' },
      Open: { de: 'de:Open', fr: 'fr:Open' },
    });
    const { languages } = await project.check();
    expect(
      languages.map(({ coverage: { translated, edited, unknown } }) => [translated, edited, unknown]),
    ).toEqual([
      [2, 0, 0],
      [2, 0, 0],
    ]);
  });

  it('is checked language by language, and its own errors are reported once', async () => {
    const root = projectWith({
      [NAME]: catalog({ '%@ files': { de: '%d Dateien', fr: '%@ fichiers' }, Open: { fr: 'Ouvrir' } }),
    });
    const lint = await dragoman(['lint'], { cwd: root });
    expect(lint.exitCode).toBe(8);
    expect(lint.stdout.split('\n').filter(Boolean)).toEqual([
      expect.stringMatching(/^App\/Localizable\.xcstrings:\d+:\d+: .*%@/),
    ]);
    const check = await dragoman(['check'], { cwd: root });
    expect(check.exitCode).toBe(8);
    expect(check.stdout).toMatch(/missing: "?Open"? has no translation \(de\)/);
    const status = await dragoman(['status', root, '--json']);
    const [{ languages }] = JSON.parse(status.stdout).projects;
    expect(
      languages.map(({ language_code: code, coverage }: { language_code: string; coverage: object }) => ({
        code,
        ...coverage,
      })),
    ).toMatchObject([
      { code: 'de', keys: 2, translated: 1, missing: 1 },
      { code: 'fr', keys: 2, translated: 2, missing: 0 },
    ]);
  });

  it('needs the form `other` in every plural, and may have `zero` in any language', async () => {
    const form = (value: string): object => ({ stringUnit: { state: 'translated', value } });
    const plural = (forms: object): object => ({ variations: { plural: forms } });
    const localizations = {
      en: plural({ one: form('%lld file'), other: form('%lld files') }),
      de: plural({ zero: form('Keine Dateien'), one: form('%lld Datei'), other: form('%lld Dateien') }),
      ru: plural({ one: form('%lld файл'), few: form('%lld файла'), many: form('%lld файлов') }),
    };
    const text = JSON.stringify({ sourceLanguage: 'en', strings: { files: { localizations } } });
    const lint = await dragoman(['lint'], { cwd: projectWith({ [NAME]: text }) });
    expect(lint.stdout.split('\n').filter(Boolean)).toEqual([
      expect.stringContaining('missing-other: the plural has no form `other` (files)'),
    ]);
  });

  it('is translated in place by i18n, or with all languages into another directory', async () => {
    const root = projectWith({ 'x.xcstrings': catalog({ Save: { de: 'Sichern' }, Open: {} }) });
    const path = join(root, 'x.xcstrings');
    const before = readFileSync(path, 'utf8');
    const aside = await dragoman(['i18n', 'x.xcstrings', '-s', 'en', '-t', 'de,fr', '-o', 'out', ...PSEUDO], {
      cwd: root,
    });
    expect(aside.exitCode, aside.stderr).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
    const own = await dragoman(['i18n', 'x.xcstrings', '-t', 'de,fr', ...PSEUDO], { cwd: root });
    expect(own.exitCode, own.stderr).toBe(0);
    const text = readFileSync(path, 'utf8');
    expect(readFileSync(join(root, 'out/x.xcstrings'), 'utf8')).toBe(text);
    expect(Object.entries(valuesIn(text)).map(([key, values]) => [key, Object.keys(values)])).toEqual([
      ['Save', ['de', 'fr']],
      ['Open', ['de', 'fr']],
    ]);
    expect(valuesIn(text)['Save']?.['de']).toBe('Sichern');
    expect(existsSync(join(root, 'x_de.xcstrings'))).toBe(false);
  });

  it('is configured without a target', async () => {
    const root = projectWith({
      'Strings/App.xcstrings': catalog({ Save: {} }),
      'Other/App.xcstrings': catalog({ Other: {} }),
      'dragoman.config.yaml': 'targets: [de]\nfiles:\n  - source: Strings/*.xcstrings\n',
    });
    const sync = await dragoman(['sync', root, ...PSEUDO]);
    expect(sync.exitCode, sync.stderr).toBe(0);
    expect(readFileSync(join(root, 'Strings/App.xcstrings'), 'utf8')).toContain('"de"');
    expect(readFileSync(join(root, 'Other/App.xcstrings'), 'utf8')).not.toContain('"de"');
    writeFileSync(
      join(root, 'dragoman.config.yaml'),
      'targets: [de]\nfiles:\n  - source: Strings/App.xcstrings\n    target: Strings/{locale}.xcstrings\n',
    );
    const wrong = await dragoman(['sync', root, ...PSEUDO]);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('files hold all languages');
  });

  it('is not translated from a language that it lacks', async () => {
    const root = projectWith({ [NAME]: catalog({ Save: {} }) });
    const status = await dragoman(['status', root, '-s', 'fr', '-t', 'de']);
    expect(status.exitCode).toBe(2);
    expect(status.stderr).toContain('Localizable.xcstrings');
  });

  it('is reported when it cannot be read', async () => {
    const root = projectWith({ [NAME]: '{ "strings" : {', 'App/Other.xcstrings': catalog({ Save: {} }) });
    const sync = await dragoman(['sync', root, '-t', 'de', ...PSEUDO]);
    expect(sync.exitCode).toBe(7);
    expect(sync.stderr + sync.stdout).toContain('Localizable.xcstrings:1:');
    expect(readFileSync(join(root, 'App/Other.xcstrings'), 'utf8')).toContain('"de"');
  });
});

import { chmodSync, mkdirSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_TEXTS } from '../../src/project/state/text-counts.ts';
import { CleanState } from '../../src/project/state/clean-state.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

function drifted(): ProjectDirectory {
  const project = new ProjectDirectory();
  project.json('en.json', { save: 'Save', open: 'Open 😀', quit: 'Open 😀' });
  project.json('es.json', { save: 'Guardar', old: 'Viejo' });
  return project;
}

const resources = (body: string): string => `<?xml version="1.0"?>\n<resources>\n${body}\n</resources>\n`;
const stringsdict = (one: string, other: string): string =>
  `<?xml version="1.0"?>\n<plist version="1.0">\n<dict>\n  <key>a</key>\n  <dict>\n    <key>NSStringLocalizedFormatKey</key>\n    <string>%#@n@</string>\n    <key>n</key>\n    <dict>\n      <key>NSStringFormatSpecTypeKey</key>\n      <string>NSStringPluralRuleType</string>\n      <key>NSStringFormatValueTypeKey</key>\n      <string>d</string>\n      <key>one</key>\n      <string>%d ${one}</string>\n      <key>other</key>\n      <string>%d ${other}</string>\n    </dict>\n  </dict>\n</dict>\n</plist>\n`;
/** Another text for a file like this one. */
const more = (path: string): string =>
  path.endsWith('.xml') ? '<string name="more">More</string>\n' : 'more = More\n';

describe('check', () => {
  it('works without a lock by comparing keys, and writes nothing', async () => {
    const project = drifted();
    const before = project.snapshot();
    const report = await project.check();
    expect(report.languages).toMatchObject([
      {
        locale: 'es',
        coverage: {
          keys: 3,
          translated: 1,
          missing: 2,
          stale: 0,
          edited: 0,
          unknown: 1,
          outdated: 0,
          extra: 1,
          characters: 6,
        },
        files: [
          {
            source: 'en.json',
            target: 'es.json',
            written: false,
            drift: [
              { kind: 'missing', key: ['open'], file: 'en.json', line: 3, column: 11 },
              { kind: 'missing', key: ['quit'], file: 'en.json', line: 4, column: 11 },
              { kind: 'extra', key: ['old'], file: 'es.json', line: 3 },
            ],
          },
        ],
      },
    ]);
    expect(project.snapshot()).toEqual(before);
  });

  it('warns about missing forms for rare numbers, and reports those for ordinary whole numbers as missing', async () => {
    const project = new ProjectDirectory({
      'package.json': '{ "dependencies": { "i18next": "25" } }',
      'en.json':
        '{ "a_one": "{{count}} day", "a_other": "{{count}} days", "b_one": "One", "b_other": "More" }',
      'es.json':
        '{ "a_one": "{{count}} día", "a_other": "{{count}} días", "b_one": "Uno", "b_many": "Muchos", "b_other": "Más" }',
      'pl.json':
        '{ "a_one": "{{count}} dzień", "a_many": "{{count}} dni", "a_other": "{{count}} dnia", "b_one": "Jeden", "b_few": "Kilka", "b_many": "Wiele", "b_other": "Inne" }',
      'theme.toml': 'min_version = "0.1"\n',
      'i18n/en.toml': '[a]\none = "Day"\nother = "Days"\n[b]\nother = "B"\n',
      'i18n/pt.toml': '[a]\none = "Dia"\nother = "Dias"\n[b]\nother = "B"\n',
    });
    const { languages } = await project.check({ source: 'en' });
    const found = (path: string) =>
      languages.flatMap(({ files }) =>
        files.flatMap(({ target, drift }) =>
          target === path ? drift.map(({ kind, key }) => `${kind} ${key.join('.')}`) : [],
        ),
      );
    expect(found('es.json')).toEqual(['rare-form a_other']);
    expect(found('pl.json')).toEqual(['missing a_few']);
    expect(found('i18n/pt.toml')).toEqual(['rare-form a.other']);
  });

  it.each([
    [
      'app/src/main/res/values/strings.xml',
      'app/src/main/res/values-es/strings.xml',
      resources(
        '<plurals name="a"><item quantity="one">%d day</item><item quantity="other">%d days</item></plurals>',
      ),
      resources(
        '<plurals name="a"><item quantity="one">%d día</item><item quantity="other">%d días</item></plurals>',
      ),
    ],
    [
      'en.lproj/L.stringsdict',
      'es.lproj/L.stringsdict',
      stringsdict('day', 'days'),
      stringsdict('día', 'días'),
    ],
    [
      'i18n/en/a.ftl',
      'i18n/es/a.ftl',
      'a = { $n ->\n    [one] { $n } day\n   *[other] { $n } days\n }\n',
      'a = { $n ->\n    [one] { $n } día\n   *[other] { $n } días\n }\n',
    ],
  ])(
    'a plural without a form for rare numbers is complete: %s',
    async (source, target, text, translation) => {
      const project = new ProjectDirectory({ [source]: text, [target]: translation });
      const [language] = (await project.check({ source: 'en' })).languages;
      expect(language?.coverage).toMatchObject({ translated: language?.coverage.keys, missing: 0 });
      expect(language?.files[0]?.drift.map(({ kind }) => kind)).toEqual(['rare-form']);
      await project.sync(new RecordingEngine(), { targets: ['es'] });
      expect(project.read(target)).toBe(translation);
      // A .stringsdict file has plurals only.
      if (target.endsWith('.stringsdict')) return;
      const added = (of: string): string => of.replace(/(?=<\/resources>|$(?![^]))/, more(target));
      project.write(source, added(text));
      await project.sync(new RecordingEngine(), { targets: ['es'] });
      const written = project.read(target);
      expect(written).toContain('es:More');
      expect(written).not.toContain('many');
    },
  );

  it('finds the units of files named after their language, as Symfony dumps them', async () => {
    const xliff = (language: string, id: string, ...units: readonly string[]): string =>
      `<?xml version="1.0" encoding="utf-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="${language}">\n  <file id="messages.${id}">\n${units.map((text, i) => `    <unit id="u${i}" name="a${i}">\n      <segment>\n        <source>a${i}</source>\n        <target>${text}</target>\n      </segment>\n    </unit>\n`).join('')}  </file>\n</xliff>\n`;
    const project = new ProjectDirectory({
      'composer.json': '{"require": {"symfony/translation": "7"}}',
      'translations/messages.en.xlf': xliff('en', 'en', 'Save', 'Open'),
      'translations/messages.pt_BR.xlf': xliff('pt-BR', 'pt_BR', 'Salvar'),
      'translations/messages.de.xlf': xliff('de', 'en', 'Speichern'),
      'translations/messages.uk.xlf': xliff('uk', 'en', 'Зберегти').replace('srcLang="en"', 'srcLang="uk"'),
    });
    const { languages } = await project.check({ source: 'en' });
    expect(languages.map(({ coverage }) => [coverage.translated, coverage.missing, coverage.extra])).toEqual([
      [1, 1, 0],
      [1, 1, 0],
      [1, 1, 0],
    ]);
    await project.sync(new RecordingEngine(), { targets: ['pt-BR'] });
    const written = project.read('translations/messages.pt_BR.xlf');
    expect(written).toContain('<file id="messages.pt_BR">');
    expect(written.match(/<unit /g)).toHaveLength(2);
  });

  it('finds stale keys through the lock, and takes source and targets from it', async () => {
    const project = drifted();
    await project.sync(new RecordingEngine(), { targets: ['es', 'fr'], prune: 'all' as const, yes: true });
    expect(
      (await project.check()).languages.flatMap(({ files }) => files.flatMap(({ drift }) => drift)),
    ).toEqual([]);
    project.write('en.json', project.read('en.json').replace('"Save"', '"Save all"'));
    const { source, languages } = await project.check();
    expect(source).toBe('en');
    expect(languages.map(({ locale, files }) => [locale, files[0]?.drift.map(({ kind }) => kind)])).toEqual([
      ['es', ['outdated']],
      ['fr', ['stale']],
    ]);
  });

  it('needs a usable lock: conflict markers are reported with their line', async () => {
    const project = drifted();
    await project.sync(new RecordingEngine(), { targets: ['es'] });
    project.write('dragoman.lock', `${project.read('dragoman.lock')}<<<<<<< HEAD\n`);
    const lines = project.read('dragoman.lock').split('\n').length - 1;
    await expect(project.check()).rejects.toMatchObject({
      code: 'configuration',
      at: { file: join(project.path, 'dragoman.lock'), line: lines },
    });
  });

  it('reports a file that cannot be read', async () => {
    const project = drifted();
    project.write('es.json', '{');
    const report = await project.check();
    expect(report.languages[0]?.files[0]?.error?.code).toBe('unreadable_input');
  });

  it('merges branches: the lines of both sides are kept without duplicates', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'A', b: 'B' });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    const branch = (key: string, text: string): string => {
      const source = project.read('en.json');
      project.write('en.json', source.replace(`"${key}": "${key.toUpperCase()}"`, `"${key}": "${text}"`));
      return source;
    };
    const [lock, target] = [project.read('dragoman.lock'), project.read('es.json')];
    const source = branch('a', 'A1');
    await project.sync(engine);
    const [lockA, targetA] = [project.read('dragoman.lock'), project.read('es.json')];
    project.write('en.json', source);
    project.write('dragoman.lock', lock);
    project.write('es.json', target);
    branch('b', 'B1');
    await project.sync(engine);
    const lockB = project.read('dragoman.lock');
    // A union merge of the lock; the files merge as text.
    project.write(
      'dragoman.lock',
      [...new Set([...lockA.split('\n').slice(0, -1), ...lockB.split('\n')])].join('\n'),
    );
    project.write('en.json', source.replace('"A"', '"A1"').replace('"B"', '"B1"'));
    project.write('es.json', targetA.replace('es:B', 'es:B1'));
    expect((await project.check()).languages[0]?.coverage).toMatchObject({ stale: 0, edited: 0, missing: 0 });
    const calls = engine.calls.length;
    await project.sync(engine);
    expect(engine.calls.length).toBe(calls);
    expect(project.read('dragoman.lock').split('\n')).toHaveLength(lockA.split('\n').length);
  });
});

describe('the remembered clean state', () => {
  it('is ignored when any byte differs', async () => {
    const project = drifted();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'], prune: 'all' as const, yes: true });
    const clean = await project.check();
    expect(clean.languages[0]?.coverage).toMatchObject({ keys: 3, missing: 0, unknown: 1 });
    project.write('es.json', project.read('es.json').replace('Guardar', 'Guarder'));
    await project.sync(engine);
    project.write('es.json', project.read('es.json').replace('Guarder', ''));
    expect((await project.check()).languages[0]?.coverage.missing).toBe(1);
    rmSync(join(project.path, 'es.json'));
    expect((await project.check()).languages[0]?.coverage.missing).toBe(3);
  });

  it('tolerates a cache that is unwritable or invalid', async () => {
    const project = drifted();
    const engine = new RecordingEngine();
    writeFileSync(join(project.cache, 'file'), '');
    const options = {
      targets: ['es'],
      cacheDirectory: join(project.cache, 'file'),
      prune: 'all' as const,
      yes: true,
    };
    await project.sync(engine, options);
    const before = project.snapshot();
    await project.sync(engine, options);
    expect(project.snapshot()).toEqual(before);

    const text = JSON.stringify(['settings']);
    const file = { basis: 'b', digest: 'd', keys: 1, review: 0, edited: 0, unknown: 0, ...NO_TEXTS };
    const counts = [3, 0, 1, 0, ...Array<number>(12).fill(0)];
    const state = await CleanState.open('/p', text, project.cache);
    state.note('es.json', file);
    await state.save(['lines'], { digest: 'w', languages: [['es', ...counts]] });
    const again = await CleanState.open('/p', text, project.cache);
    expect(again.find('es.json')).toEqual(file);
    expect(again.knowsLines('lines')).toBe(true);
    expect(again.whole).toEqual({ digest: 'w', languages: [['es', ...counts]] });
    expect((await CleanState.open('/p', 'other settings', project.cache)).find('es.json')).toBeUndefined();
    for (const damaged of ['', '7', '{"settings":7}', '{"files":[]}', '{"files":{"es.json":[1]}}']) {
      for (const name of readdirSync(join(project.cache, 'clean')))
        writeFileSync(join(project.cache, 'clean', name), damaged);
      expect((await CleanState.open('/p', text, project.cache)).find('es.json')).toBeUndefined();
    }
    mkdirSync(join(project.cache, 'locked'));
    chmodSync(join(project.cache, 'locked'), 0o555);
    const locked = await CleanState.open('/p', text, join(project.cache, 'locked', 'x'));
    locked.note('es.json', file);
    await locked.save([], undefined);
  });
});

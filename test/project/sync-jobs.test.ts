import { describe, expect, it } from 'vitest';
import { refusalOfJob } from '../../src/client/job-translations.ts';
import { CountingJobs } from '../client/counting-jobs.ts';
import { FakeClock } from '../client/fake-clock.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';
import { journal, price, simple, sync, TARGETS } from './sync-by-jobs.ts';

describe('sync by jobs', () => {
  it('creates one job per file for all languages, and deletes it when its results are in the files', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    expect(await price(project, TARGETS)).toBe(8);
    const report = await sync(project, jobs, TARGETS);
    expect([...jobs.created].sort()).toEqual(['a es,fr', 'b es,fr']);
    expect(jobs.charged).toBe(8);
    expect(project.readJson('fr/a.json')).toEqual({
      save: 'fr:Save',
      open: 'fr:Open {file}',
      nested: { close: 'fr:Close' },
    });
    expect(report.languages.map(({ changes }) => changes.translated)).toEqual([4, 4]);
    expect(jobs.stored.size).toBe(0);
    expect(journal(project)).toBe(false);
    await sync(project, jobs);
    expect(jobs.created).toHaveLength(2);
  });

  it.each([
    [
      'i18next',
      'package.json',
      '{ "dependencies": { "i18next": "25" } }',
      'locales/en.json',
      'locales/ru.json',
      '{ "items_one": "{{count}} item", "items_other": "{{count}} items", "title": "Shop" }',
      ['items_one', 'items_few', 'items_many', 'items_other', 'title'],
    ],
    [
      'Rails',
      'Gemfile',
      'gem "rails"',
      'config/locales/en.yml',
      'config/locales/ru.yml',
      'en:\n  items:\n    one: "%{count} item"\n    other: "%{count} items"\n  title: Shop\n',
      ['one', 'few', 'many', 'other', 'title'],
    ],
  ])(
    'plurals of %s get the forms of the language, and cost the keys of the source',
    async (_, manifest, text, path, target, source, names) => {
      const project = new ProjectDirectory({ [manifest]: text, [path]: source });
      const to = { source: 'en', targets: ['ru'] };
      const jobs = new CountingJobs();
      expect(await price(project, to)).toBe(3);
      const report = await sync(project, jobs, to);
      expect(jobs.charged).toBe(3);
      expect(report.languages[0]?.changes).toMatchObject({ translated: 2, failed: 0 });
      const written = project.read(target);
      const places = names.map((name) => written.search(new RegExp(`\\b${name}\\b`)));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      const { languages } = await project.check(to);
      expect(languages[0]?.coverage).toMatchObject({ keys: 2, missing: 0, extra: 0, unknown: 0 });
      await sync(project, jobs, to);
      expect(jobs.created).toHaveLength(1);
    },
  );

  it('creates one job for all languages in which a file lacks texts', async () => {
    const project = simple();
    project.json('es/a.json', { save: 'Guardar', open: 'Abrir {file}', nested: { close: 'Cerrar' } });
    const jobs = new CountingJobs();
    expect(await price(project, TARGETS)).toBe(5);
    await sync(project, jobs, TARGETS);
    expect([...jobs.created].sort()).toEqual(['a fr', 'b es,fr']);
    expect(jobs.charged).toBe(5);
  });

  it('takes only the selected keys, and keeps human texts', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    await sync(project, jobs, { targets: ['es'] });
    project.write('es/a.json', project.read('es/a.json').replace('es:Save', 'Guardar'));
    project.write('en/a.json', project.read('en/a.json').replace('Close', 'Close it'));
    await sync(project, jobs);
    expect(project.readJson('es/a.json')).toEqual({
      save: 'Guardar',
      open: 'es:Open {file}',
      nested: { close: 'es:Close it' },
    });
    expect((await project.check()).languages[0]?.coverage).toMatchObject({ edited: 1, missing: 0, stale: 0 });
  });

  it('checks the translations of a job against the glossary', async () => {
    const project = simple();
    const term = { doNotTranslate: false, caseSensitive: false };
    const terms = [
      { ...term, term: 'save', translations: new Map([['es', ['Save']]]) },
      { ...term, term: 'quit', translations: new Map([['es', ['salir']]]) },
    ];
    const report = await sync(project, new CountingJobs(), { ...TARGETS, glossary: { terms } });
    expect(report.languages.map(({ files }) => files.flatMap((file) => file.terms))).toEqual([
      [{ file: 'en/b.json', line: 2, column: 11, key: ['quit'], term: 'quit', translation: 'salir' }],
      [],
    ]);
  });

  it('supports all formats', async () => {
    const project = new ProjectDirectory({
      'locales/en.yml': 'en:\n  save: Save\n  count:\n    one: One file\n    other: "%{count} files"\n',
      'po/messages.pot':
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Save"\nmsgstr ""\n\nmsgid "One file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n',
      'res/values/strings.xml':
        '<resources>\n  <string name="save">Save</string>\n  <plurals name="files"><item quantity="one">One file</item><item quantity="other">%d files</item></plurals>\n</resources>\n',
      'messages.properties': 'save = Save\n',
      'en.lproj/Localizable.strings': '"save" = "Save";\n',
    });
    const jobs = new CountingJobs();
    const expected = await price(project, { source: 'en', targets: ['ru'] });
    const report = await sync(project, jobs, { source: 'en', targets: ['ru'] });
    expect(report.languages[0]).toMatchObject({ error: undefined, changes: { failed: 0 } });
    expect(jobs.charged).toBe(expected);
    expect(project.read('locales/ru.yml')).toMatch(/^ru:\n {2}save: "?ru:Save/);
    expect(project.read('po/ru.po')).toContain('msgstr[2] "ru:%d files"');
    expect(project.read('res/values-ru/strings.xml')).toContain('<item quantity="few">ru:%d files</item>');
    expect(project.read('messages_ru.properties')).toContain('save = ru:Save');
    expect(project.read('ru.lproj/Localizable.strings')).toContain('"save" = "ru:Save";');
    expect((await project.check()).languages[0]?.coverage.missing).toBe(0);
  });

  it('sends nothing to the service if no key is selected', async () => {
    const project = simple();
    await sync(project, new CountingJobs(), { targets: ['fr'] });
    project.json('en/b.json', {});
    const fileTranslator = (): Promise<never> => Promise.reject(new Error('connected'));
    const report = await project.sync(new RecordingEngine(), { prune: 'ours', yes: true, fileTranslator });
    expect(report.languages[0]?.changes.pruned).toBe(1);
    expect(project.readJson('fr/b.json')).toEqual({});
  });

  it('reports which keys a partial job left untranslated', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.broken.add('Open');
    const report = await sync(project, jobs, { targets: ['fr'] });
    expect(report.languages[0]?.changes).toMatchObject({ translated: 3, failed: 1 });
    expect(report.languages[0]?.files[0]?.failures).toMatchObject([
      { key: ['open'], reason: 'the service left it untranslated' },
    ]);
    expect(project.readJson('fr/a.json')).toMatchObject({ save: 'fr:Save', open: 'Open {file}' });
  });

  it('does not trust the file: a value that does not verify is not used', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    const honest = jobs.downloadJob.bind(jobs);
    jobs.downloadJob = async (id, request) => {
      const file = await honest(id, request);
      const content = (async function* () {
        let text = '';
        for await (const chunk of file.content) text += Buffer.from(chunk).toString();
        yield Buffer.from(text.replace('{file}', '{datei}'));
      })();
      return { ...file, content };
    };
    const report = await sync(project, jobs, { targets: ['fr'] });
    expect(report.languages[0]?.changes).toMatchObject({ translated: 3, failed: 1 });
    expect(project.read('fr/a.json')).not.toContain('datei');
  });

  it('reports files that jobs cannot translate', async () => {
    const project = new ProjectDirectory();
    project.write('l10n/app_en.arb', '{"@@locale": "en", "save": "Save"}\n');
    const jobs = new CountingJobs();
    expect(await price(project, { source: 'en', targets: ['fr'] })).toBe(0);
    const report = await sync(project, jobs, { source: 'en', targets: ['fr'] });
    expect(report.languages[0]?.files[0]?.failures[0]?.reason).toMatch(
      /of this kind as jobs: use --via strings/,
    );
    expect(jobs.charged).toBe(0);
  });

  it('accepts PO files without a template, except with source values', async () => {
    const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n';
    const project = new ProjectDirectory({
      'po/de.po': `${header}msgid "Save"\nmsgstr "Sichern"\n\nmsgid "Open"\nmsgstr ""\n`,
      'po/fr.po': `${header}msgid "Save"\nmsgstr ""\n\nmsgid "Open"\nmsgstr "Ouvrir"\n`,
    });
    const jobs = new CountingJobs();
    const expected = await price(project);
    const report = await sync(project, jobs);
    expect(report.languages.map(({ changes }) => [changes.translated, changes.failed])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(project.read('po/de.po')).toContain(
      'msgid "Save"\nmsgstr "Sichern"\n\nmsgid "Open"\nmsgstr "de:Open"',
    );
    expect(project.read('po/fr.po')).toContain(
      'msgid "Save"\nmsgstr "fr:Save"\n\nmsgid "Open"\nmsgstr "Ouvrir"',
    );
    expect(jobs.charged).toBe(expected);

    const own = new ProjectDirectory({ 'po/en.po': `${header}msgid "menu.save"\nmsgstr "Save"\n` });
    const refused = await sync(own, jobs, { source: 'en', targets: ['fr'] });
    expect(refused.languages[0]?.files[0]?.failures[0]?.reason).toMatch(/its own values/);
    expect(await price(own, { source: 'en', targets: ['fr'] })).toBe(0);
    expect(refusalOfJob('a.json', 10 * 1024 * 1024)).toBeUndefined();
    expect(refusalOfJob('a.json', 10 * 1024 * 1024 + 1)).toMatch(/10 MiB/);
    expect(jobs.charged).toBe(expected);
  });

  it('polls less and less often', async () => {
    const project = simple();
    const jobs = new CountingJobs();
    jobs.polls = 30;
    const clock = new FakeClock();
    const seen: string[] = [];
    await sync(project, jobs, {
      targets: ['fr'],
      clock,
      onProgress: ({ label }) => void seen.push(label),
    });
    expect(Math.max(...clock.waits)).toBe(10_000);
    // Two jobs at once never use more than half of the requests that the specification allows a key per minute.
    expect(clock.waits.filter((ms) => ms === 10_000).length).toBeGreaterThan(clock.waits.length / 2);
    expect(new Set(seen)).toEqual(new Set(['en/a.json → fr', 'en/b.json → fr']));
  });
});

import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const CATALOGUE = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#, fuzzy
#| msgid "Close"
msgid "Open"
msgstr "Zu"

msgid "Save"
msgstr "Sichern"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""
`;

async function statesOf(project: ProjectDirectory): Promise<unknown> {
  const { languages } = await project.check({ source: 'en' });
  return languages[0]?.coverage.states;
}

describe('states of translations', () => {
  it('follow PO entries, counting a plural once, even if no file is opened', async () => {
    const project = new ProjectDirectory({ 'po/de.po': CATALOGUE });
    expect(await statesOf(project)).toEqual({ initial: 2, translated: 1, reviewed: 0, final: 0 });
    await project.sync(new RecordingEngine(), { source: 'en' });
    const done = { initial: 0, translated: 3, reviewed: 0, final: 0 };
    const opened = await project.check({ source: 'en' });
    expect(opened.languages[0]?.coverage.states).toEqual(done);
    const [unopened] = (await project.check({ source: 'en' })).languages;
    expect(unopened?.coverage.states).toEqual(done);
    expect(unopened?.allFiles()[0]?.coverage.states).toEqual(done);
  });

  it('are computed if no format records them', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { save: 'Save', open: 'Open' });
    project.json('de.json', { save: 'Sichern' });
    expect(await statesOf(project)).toEqual({ initial: 1, translated: 1, reviewed: 0, final: 0 });
  });
});

const xliff = (body: string): string =>
  `<xliff version="1.2"><file source-language="en" target-language="de" original="a"><body>\n${body}</body></file></xliff>\n`;
const unit = (id: string, source: string, target: string, attributes = ''): string =>
  `<trans-unit id="${id}"${attributes}><source>${source}</source>${target}</trans-unit>\n`;

describe('a person’s approval', () => {
  it('protects text that sync wrote, even with force and with another source', async () => {
    const project = new ProjectDirectory({
      'messages.xlf': xliff(unit('a', 'Save', '') + unit('b', 'Open', '') + unit('c', 'Close', '')),
    });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['de'] });
    const written = project.read('messages.de.xlf');
    expect(written).toContain('<source>Save</source><target>de:Save</target>');
    const approved = written
      .replace('id="a"', 'id="a" approved="yes"')
      .replace('<target>de:Open', '<target state="signed-off">de:Open');
    project.write('messages.de.xlf', approved);
    engine.calls.length = 0;
    await project.sync(engine, { force: true });
    expect(engine.texts).toEqual(['de Close']);
    expect(project.read('messages.de.xlf')).toBe(approved);
    expect(await statesOf(project)).toEqual({ initial: 0, translated: 1, reviewed: 1, final: 1 });
    project.write('messages.xlf', project.read('messages.xlf').replace('Save', 'Save all'));
    engine.calls.length = 0;
    const report = await project.sync(engine, { force: true, keys: ['a.a'] });
    expect(engine.texts).toEqual([]);
    expect(report.languages[0]?.files[0]?.drift.map(({ kind }) => kind)).toEqual(['outdated']);
  });

  it('protects an empty text', async () => {
    const project = new ProjectDirectory({
      'app.de.xlf': xliff(
        unit('a', 'Save', '<target state="final"></target>') + unit('b', 'Open', '<target/>'),
      ),
    });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['de'] });
    expect(engine.texts).toEqual(['de Open']);
    expect(project.read('app.de.xlf')).toContain('<target state="final"></target>');
  });

  it('ends when an editor without support for states changes the text, even if another tool had written it', async () => {
    const before = (state: string, text: string): string =>
      xliff(unit('a', 'Save', `<target state="${state}">${text}</target>`));
    const project = new ProjectDirectory({ 'app.de.xlf': before('final', 'Sichern') });
    const engine = new RecordingEngine();
    const sync = async (): Promise<string> => {
      await project.sync(engine, { targets: ['de'] });
      return project.read('app.de.xlf');
    };
    expect(await sync()).toBe(before('final', 'Sichern'));
    const lock = project.read('dragoman.lock');
    expect(lock).toContain('\tunknown\tfinal:person');
    await sync();
    expect(project.read('dragoman.lock')).toBe(lock);
    project.write('app.de.xlf', before('final', 'Speichern'));
    expect(await statesOf(project)).toMatchObject({ translated: 1, final: 0 });
    expect(await sync()).toBe(before('translated', 'Speichern'));
    // The tool's next state counts, even with a changed text.
    project.write('app.de.xlf', before('final', 'Ablegen'));
    expect(await sync()).toBe(before('final', 'Ablegen'));
    expect(await sync()).toBe(before('final', 'Ablegen'));
    project.write('app.de.xlf', before('signed-off', 'Aufheben'));
    expect(await sync()).toBe(before('signed-off', 'Aufheben'));
    project.write('app.de.xlf', before('signed-off', 'Behalten'));
    expect(await sync()).toBe(before('translated', 'Behalten'));
    expect(engine.texts).toEqual([]);
  });

  it('no longer protects the text when it is withdrawn', async () => {
    const project = new ProjectDirectory({
      'app.de.xlf': xliff(unit('a', 'Save', '<target state="final">Sichern</target>')),
    });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['de'] });
    expect(engine.texts).toEqual([]);
    project.write('app.de.xlf', project.read('app.de.xlf').replace('final', 'needs-translation'));
    await project.sync(engine, { targets: ['de'] });
    expect(project.read('app.de.xlf')).toContain('<target state="translated">de:Save</target>');
  });
});

it('sync translates the sources of a file whose path names no locale and whose target is another language', async () => {
  const project = new ProjectDirectory({ 'app.xlf': xliff(unit('a', 'Save', '<target>Sichern</target>')) });
  const engine = new RecordingEngine();
  await project.sync(engine, { targets: ['fr'] });
  expect(engine.texts).toEqual(['fr Save']);
});

it('sync reports a text in place of a group of keys in the source', async () => {
  const project = new ProjectDirectory({ 'lang/de/a.php': "<?php\nreturn [\n  'a' => 'Auf',\n];\n" });
  project.write('lang/en/a.php', "<?php\nreturn [\n  'a' => ['b' => 'Open'],\n];\n");
  const report = await project.sync(new RecordingEngine());
  expect(report.languages[0]?.files[0]?.failures).toMatchObject([
    { reason: 'the file has another text in its place (3:3)' },
  ]);
});

it('sync keeps the sources of units with the same id, if a file has several', async () => {
  const units = (first: string, second: string): string =>
    xliff(unit('a', first, '') + unit('a', second, ''));
  const project = new ProjectDirectory({
    'app.xlf': units('Save', 'Open').replace(' target-language="de"', ''),
  });
  const engine = new RecordingEngine();
  await project.sync(engine, { targets: ['de'] });
  expect(project.read('app.de.xlf')).toBe(
    xliff(unit('a', 'Save', '<target>de:Save</target>') + unit('a', 'Open', '<target>de:Open</target>')),
  );
  project.write('app.xlf', project.read('app.xlf').replace('Open', 'Show'));
  await project.sync(engine);
  const changed = project.read('app.de.xlf');
  expect(changed).toContain('<source>Save</source><target>de:Save</target>');
  expect(changed).toContain('<target>de:Show</target>');
});

describe('a text whose source has changed stays outdated', () => {
  const texts = { greeting: 'Good morning', farewell: 'See you' };
  const start = async (): Promise<ProjectDirectory> => {
    const project = new ProjectDirectory();
    project.json('locales/en.json', texts);
    project.json('locales/de.json', { greeting: 'Guten Morgen', farewell: 'Bis dann' });
    await project.sync(new RecordingEngine());
    project.json('locales/en.json', { ...texts, greeting: 'Good evening' });
    expect(await driftOf(project)).toEqual(['outdated']);
    return project;
  };
  const driftOf = async (project: ProjectDirectory): Promise<unknown> => {
    const report = await project.sync(new RecordingEngine());
    return report.languages[0]?.files.flatMap(({ drift }) => drift.map(({ kind }) => kind));
  };

  it('if its files have moved', async () => {
    const project = await start();
    project.rename('locales', 'src/locales');
    expect(await driftOf(project)).toEqual(['outdated']);
    expect(await driftOf(project)).toEqual(['outdated']);
  });

  it('after its files moved and its source changed', async () => {
    const project = await start();
    project.json('locales/en.json', { ...texts, greeting: 'Good night' });
    project.rename('locales', 'src/locales');
    expect(await driftOf(project)).toEqual(['outdated']);
  });

  it('if its key was renamed in source and target', async () => {
    const project = await start();
    project.json('locales/en.json', { welcome: 'Good evening', farewell: 'See you' });
    project.json('locales/de.json', { welcome: 'Guten Morgen', farewell: 'Bis dann' });
    expect(await driftOf(project)).toEqual(['outdated']);
  });

  it('until a person changes it', async () => {
    const project = await start();
    project.rename('locales', 'src/locales');
    await driftOf(project);
    project.json('src/locales/de.json', { greeting: 'Guten Abend', farewell: 'Bis dann' });
    expect(await driftOf(project)).toEqual([]);
  });

  it('if its files moved before any run saw the change', async () => {
    const project = new ProjectDirectory();
    project.json('locales/en.json', texts);
    project.json('locales/de.json', { greeting: 'Guten Morgen', farewell: 'Bis dann' });
    await project.sync(new RecordingEngine());
    project.json('locales/en.json', { ...texts, greeting: 'Good evening' });
    project.rename('locales', 'src/locales');
    expect((await project.check()).languages[0]?.coverage.outdated).toBe(1);
    expect(await driftOf(project)).toEqual(['outdated']);
    expect(await driftOf(project)).toEqual(['outdated']);
  });
});

describe('a translation by dragoman whose source has changed', () => {
  const start = async (): Promise<ProjectDirectory> => {
    const project = new ProjectDirectory();
    project.json('locales/en/app.json', { title: 'Open', a: 'One', b: 'Two' });
    await project.sync(new RecordingEngine(), { targets: ['de'] });
    return project;
  };

  it.each(['locales/en/app.json', 'locales/en/main.json'])(
    'is translated again even if its files have moved: src/%s',
    async (path) => {
      const project = await start();
      project.json('locales/en/app.json', { title: 'Open all', a: 'One', b: 'Two' });
      for (const one of [path, path.replace('/en/', '/de/')])
        project.rename(one.replace('main', 'app'), `src/${one}`);
      const engine = new RecordingEngine();
      await project.sync(engine);
      expect(engine.texts).toEqual(['de Open all']);
      expect(project.readJson(`src/${path.replace('/en/', '/de/')}`)).toMatchObject({ title: 'de:Open all' });
    },
  );

  it('is a person’s in a file that shares only one of its keys and texts', async () => {
    const project = await start();
    project.remove('locales/en/app.json');
    project.remove('locales/de/app.json');
    project.json('locales/en/film.json', { title: 'Start', a: 'Red', b: 'Blue' });
    project.json('locales/de/film.json', { title: 'de:Open', a: 'Rot', b: 'Blau' });
    const engine = new RecordingEngine();
    await project.sync(engine);
    expect(engine.texts).toEqual([]);
  });

  it('is a person’s in a file that shares one key and text with a deleted file', async () => {
    const project = await start();
    project.remove('locales/en/app.json');
    project.remove('locales/de/app.json');
    project.json('locales/en/film.json', { title: 'Start', text: 'Red' });
    project.json('locales/de/film.json', { title: 'de:Open', text: 'Rot' });
    const engine = new RecordingEngine();
    await project.sync(engine);
    expect(engine.texts).toEqual([]);
    expect(project.readJson('locales/de/film.json')).toEqual({ title: 'de:Open', text: 'Rot' });
  });
});

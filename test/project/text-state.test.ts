import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

/** Writes decisions into the lines of keys, as a review does. */
function decide(project: ProjectDirectory, decisions: Readonly<Record<string, string>>): void {
  const lines = project
    .read('dragoman.lock')
    .split('\n')
    .map((line) => {
      const found = Object.entries(decisions).find(([key]) => line.includes(`\t/${key}\t`));
      return found ? `${line}\t${found[1]}` : line;
    });
  project.write('dragoman.lock', lines.join('\n'));
}

describe('states and reasons for a review', () => {
  it('combine the lock, the files and the sources, by key', async () => {
    const project = new ProjectDirectory();
    const texts = { approved: 'Save', agent: 'Open', bad: 'Close', ask: 'Quit', ours: 'Cut', imp: 'Copy' };
    project.json('en.json', { ...texts, late: 'Paste', gone: 'New', item: 'Old {name}' });
    project.json('es.json', { item: 'Viejo {name}' });
    const options = { source: 'en', targets: ['es'] };
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    decide(project, {
      approved: 'human\tfinal:person',
      agent: 'reviewed:agent',
      bad: 'rejected:person\ttoo formal',
      ask: 'needs-review:person',
      imp: 'human\tneeds-review:import:acme',
      late: 'human\treviewed:person',
    });
    project.json('en.json', { ...texts, late: 'Paste all', item: 'Old {name}', fresh: 'Fresh' });
    const es = project.readJson('es.json') as object;
    project.json('es.json', { ...es, item: 'Viejo' });
    const found: Record<string, string> = {};
    const { languages } = await project.check({
      ...options,
      onKeys: async ({ keys }) => {
        for (const { key, state } of keys)
          if (state) found[key.join('.')] = `${state.state} ${state.needsReview ?? '-'}`;
      },
    });
    expect(found).toEqual({
      approved: 'final -',
      agent: 'reviewed agent',
      bad: 'translated rejected',
      ask: 'translated requested',
      ours: 'translated machine',
      imp: 'translated imported',
      late: 'translated source-changed',
      item: 'translated lint',
      fresh: 'initial -',
    });
    const { states, flags } = languages[0]?.coverage ?? {};
    expect(states).toEqual({ initial: 1, translated: 6, reviewed: 1, final: 1 });
    expect(flags).toMatchObject({ rejected: 1, lint: 1, 'source-changed': 1, agent: 1, machine: 1 });
  });

  it('are the same if nothing is opened, and follow the least finished form of a plural', async () => {
    const project = new ProjectDirectory({
      'i18next.config.ts': '',
      'package.json': '{"dependencies":{"i18next":"25"}}',
    });
    project.json('locales/en.json', { n_one: '{{count}} file', n_other: '{{count}} files', a: 'Save' });
    const options = { source: 'en', targets: ['de'] };
    await project.sync(new RecordingEngine(), options);
    decide(project, { n_one: 'human\treviewed:person', a: 'human\treviewed:person' });
    await project.sync(new RecordingEngine(), options);
    const states = async (): Promise<unknown> => (await project.check(options)).languages[0]?.coverage;
    const opened = await states();
    expect(opened).toMatchObject({
      keys: 2,
      states: { translated: 1, reviewed: 1 },
      flags: { machine: 1 },
    });
    expect(await states()).toEqual(opened);
    expect(project.cleanState()).not.toBeNull();
  });

  it('follow the file if it differs from the lock', async () => {
    const unit = (id: string, state: string): string =>
      `<trans-unit id="${id}"><source>Save</source><target${state}>Sichern</target></trans-unit>`;
    const xliff = (...units: readonly string[]): string =>
      `<xliff version="1.2"><file source-language="en" target-language="de" original="a"><body>${units.join('\n')}</body></file></xliff>\n`;
    const approved = ' state="signed-off"';
    const project = new ProjectDirectory({ 'a.de.xlf': xliff(unit('a', approved), unit('b', approved)) });
    const options = { source: 'en', targets: ['de'] };
    await project.sync(new RecordingEngine(), options);
    decide(project, { 'a/a': 'reviewed:person', 'a/b': 'reviewed:person' });
    const review = ' state="needs-review-translation"';
    project.write('a.de.xlf', xliff(unit('a', ' state="translated"'), unit('b', review)));
    const { languages } = await project.check(options);
    expect(languages[0]?.coverage).toMatchObject({ states: { translated: 2 }, flags: { marked: 1 } });
    await project.sync(new RecordingEngine(), options);
    expect(project.read('dragoman.lock')).not.toContain('reviewed:');
  });
});

import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const CATALOGUE = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#, fuzzy
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
  it('are those of PO entries, plurals counted once, also where nothing is opened', async () => {
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

  it('are absent where no format has them', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { save: 'Save' });
    project.json('de.json', { save: 'Sichern' });
    expect(await statesOf(project)).toBeUndefined();
  });
});

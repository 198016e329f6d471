import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const json = (text: string): string => `{\n  "key": "${text}"\n}\n`;
const android = (text: string): string =>
  `<resources>\n  <string name="key">${text}</string>\n</resources>\n`;

/** A project in Spanish whose second source was removed after a sync. */
async function withRemoved(
  [first, second]: readonly [string, string],
  write: (text: string) => string,
): Promise<ProjectDirectory> {
  const project = new ProjectDirectory();
  project.write(first, write('Open'));
  project.write(second, write('Close'));
  await project.sync(new RecordingEngine(), { source: 'en', targets: ['es'] });
  project.remove(second);
  return project;
}

describe('a translation whose source was removed', () => {
  it.each([
    [['locales/en/one.json', 'locales/en/two.json'], 'locales/es/two.json', json],
    [['texts/one.en.json', 'texts/two.en.json'], 'texts/two.es.json', json],
    [['res/values/one.xml', 'res/values/two.xml'], 'res/values-es/two.xml', android],
  ] as const)('is listed until pruning removes it: %j', async (sources, target, write) => {
    const project = await withRemoved(sources, write);
    const listed = { removedSources: [{ source: sources[1], target, locale: 'es' }] };
    expect(await project.check()).toMatchObject(listed);
    const engine = new RecordingEngine();
    expect(await project.sync(engine)).toMatchObject(listed);
    expect(await project.sync(engine)).toMatchObject(listed);
    expect(project.list()).toContain(target);
    expect(await project.sync(engine, { prune: 'ours', yes: true })).toMatchObject({
      removedSources: [],
      prunedFiles: [target],
    });
    expect(project.list()).not.toContain(target);
    expect(project.read('dragoman.lock')).not.toContain(sources[1]);
    expect((await project.check()).removedSources ?? []).toEqual([]);
  });

  it('stays if a person has changed it, unless everything is pruned', async () => {
    const project = await withRemoved(['locales/en/one.json', 'locales/en/two.json'], json);
    const target = 'locales/es/two.json';
    project.write(target, json('Cerrar'));
    const kept = await project.sync(new RecordingEngine(), { prune: 'ours', yes: true });
    expect(kept).toMatchObject({ removedSources: [{ target }] });
    expect(kept.prunedFiles ?? []).toEqual([]);
    expect(project.read(target)).toBe(json('Cerrar'));
    await project.sync(new RecordingEngine(), { prune: 'all', yes: true });
    expect(project.list()).not.toContain(target);
  });

  it('is removed only with a confirmation', async () => {
    const project = await withRemoved(['locales/en/one.json', 'locales/en/two.json'], json);
    await expect(project.sync(new RecordingEngine(), { prune: 'ours' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('locales/es/two.json (all of its values)'),
    });
    expect(project.list()).toContain('locales/es/two.json');
  });

  it('is not one that moved with its source', async () => {
    const project = await withRemoved(['locales/en/one.json', 'locales/en/two.json'], json);
    project.write('locales/en/three.json', json('Close'));
    project.write('locales/es/three.json', project.read('locales/es/two.json'));
    project.remove('locales/es/two.json');
    const report = await project.sync(new RecordingEngine());
    expect(report.removedSources).toEqual([]);
    expect(project.read('dragoman.lock')).not.toContain('two.json');
  });
});

describe('a removal of keys', () => {
  it('is done even if no other text changes, and reports kept keys', async () => {
    const project = new ProjectDirectory();
    const file = (...lines: string[]): string =>
      `<?php\n$options = ['color' => 'red'];\n${lines.join('\n')}\n`;
    const entry = (name: string): string => `$lang['${name}'] = 'Text ${name}';`;
    project.write('lang/en.php', file(entry('a'), entry('b')));
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    const translated = project.read('lang/es.php');
    project.write('lang/en.php', file(entry('c')));
    engine.broken.add('Text c');
    const report = await project.sync(engine, { prune: 'ours', yes: true });
    const [language] = report.languages;
    expect(language?.changes.pruned).toBe(1);
    const [written] = language?.allFiles() ?? [];
    expect(written?.failures).toMatchObject([
      { file: 'lang/en.php', key: ['c'], reason: 'too hard' },
      { file: 'lang/es.php', line: 3, key: ['b'], isExtra: true },
    ]);
    expect(project.read('lang/es.php')).toBe(translated.replace(/\n[^\n]*'a'[^\n]*/, ''));
  });
});

import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeFormat, loadFormat } from '../../src/formats/registry.ts';
import { checkProject } from '../../src/project/plan/check.ts';
import { Workspace } from '../../src/project/plan/workspace.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

/** How many times files were scanned during an action. */
async function scansIn(work: () => Promise<unknown>): Promise<number> {
  const json = await loadFormat(describeFormat('json'));
  const markdown = await loadFormat(describeFormat('markdown'));
  const spies = [vi.spyOn(json, 'scan'), vi.spyOn(markdown, 'scan')];
  try {
    await work();
    return spies.reduce((count, { mock }) => count + mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function translated(): ProjectDirectory {
  const project = new ProjectDirectory();
  for (const name of ['a', 'b'])
    project.json(`en/${name}.json`, { save: `Save ${name}`, open: `Open ${name}` });
  return project;
}

const TARGETS = { targets: ['es', 'fr'] };

it('a run scans source and targets once for the plan, and once to verify the output', async () => {
  const project = translated();
  await project.sync(new RecordingEngine(), TARGETS);
  project.json('en/a.json', { save: 'Save it', open: 'Open a' });
  // One source, two targets, two verifications; the other source and its targets are unchanged.
  expect(await scansIn(() => project.sync(new RecordingEngine()))).toBe(5);
  expect(project.readJson('fr/a.json')).toEqual({ save: 'fr:Save it', open: 'fr:Open a' });
});

it('a run scans nothing if nothing changed, and reports the same', async () => {
  const project = translated();
  await project.sync(new RecordingEngine(), TARGETS);
  const first = await project.check();
  expect(await scansIn(() => project.sync(new RecordingEngine()))).toBe(0);
  expect(await scansIn(() => project.check())).toBe(0);
  const again = await project.check();
  const filesOf = (report: typeof first): unknown => report.languages.map(({ allFiles }) => allFiles());
  expect(filesOf(again)).toEqual(filesOf(first));
  expect(again.languages[0]?.allFiles().map(({ target, coverage }) => [target, coverage.keys])).toEqual([
    ['es/a.json', 2],
    ['es/b.json', 2],
  ]);
});

it('a run compares files again after a change to a target, lines of the lock, or the version', async () => {
  const project = translated();
  await project.sync(new RecordingEngine(), TARGETS);
  project.json('es/b.json', { save: 'Guardar', open: 'es:Open b' });
  expect(await scansIn(() => project.check())).toBe(2);
  expect((await project.check()).languages[0]?.coverage).toMatchObject({ edited: 1, keys: 4 });
  await project.sync(new RecordingEngine());
  const lock = project.read('dragoman.lock');
  project.write('dragoman.lock', lock.replace(/^en\/a\.json\t\/save\tes.*\n/m, ''));
  // Scans the source and both targets of the file whose lock lines differ.
  expect(await scansIn(() => project.check())).toBe(3);
  expect((await project.check()).languages[0]?.coverage).toMatchObject({ unknown: 1 });
  project.write('dragoman.lock', lock);
  expect(await scansIn(() => project.check({ version: 'another' }))).toBe(6);
});

it('a run scans a page only once if its blocks differ from those of its source', async () => {
  const garden = '# The garden\n\nA garden needs water and light.\n\n::: tip\nSee the `calendar`.\n:::\n';
  const project = new ProjectDirectory({
    'dragoman.config.yaml':
      'source: en\ntargets: [es]\nfiles:\n  - source: guide.md\n    target: "{locale}/guide.md"\n',
    'guide.md': garden,
    'es/guide.md':
      '# El jardín\n\nUn jardín necesita agua y luz.\n\n::: tip CONSEJO\nVea el `calendar`.\n:::\n',
  });
  expect(await scansIn(() => project.check())).toBe(2);
  const [language] = (await project.check()).languages;
  expect(language?.coverage).toMatchObject({ keys: 3, translated: 3 });
  expect(language?.files[0]?.notes).toHaveLength(1);
});

it('a run finds a whole project unchanged after a run on a part of it', async () => {
  const project = translated();
  await project.sync(new RecordingEngine(), TARGETS);
  const options = { signal: AbortSignal.timeout(30_000), version: 'test' };
  const places = { cacheDirectory: project.cache, stateDirectory: project.state };
  for (const part of await openProjects([join(project.path, 'en/a.json')]))
    await checkProject(part, { ...options, ...places });
  await project.check();
  const compare = vi.spyOn(Workspace.prototype, 'compare');
  expect((await project.check()).languages[0]?.coverage.keys).toBe(4);
  expect(compare).not.toHaveBeenCalled();
  compare.mockRestore();
});

it.each([0, 5])('a run compares languages twice beyond %i keys, with the same result', async (mostKept) => {
  const run = async (options: { readonly mostKept?: number }) => {
    const project = translated();
    const targets = ['es', 'fr', 'de'];
    await project.sync(new RecordingEngine(), { targets });
    project.json('es/a.json', { save: 'Guardar', open: 'es:Open a' });
    project.json('en/a.json', { save: 'Save it', open: 'Open a', close: 'Close' });
    const engine = new RecordingEngine();
    const shown: unknown[] = [];
    const compared: unknown[] = [];
    const compare = vi.spyOn(Workspace.prototype, 'compare');
    const onProgress = (progress: unknown): void => void shown.push(progress);
    const { languages, work } = await project.sync(engine, { targets, onProgress, ...options });
    compared.push(...new Set(await Promise.all(compare.mock.results.map(({ value }) => value as unknown))));
    compare.mockRestore();
    const files = project.list().map((name) => [name, project.read(name)]);
    const reports = languages.map(({ allFiles, ...language }) => ({ ...language, all: allFiles() }));
    return { result: { files, reports, work, texts: engine.texts, shown }, compared: compared.length };
  };
  const kept = await run({});
  const dropped = await run({ mostKept });
  expect(dropped.result).toEqual(kept.result);
  expect(dropped.compared).toBeGreaterThan(kept.compared);
});

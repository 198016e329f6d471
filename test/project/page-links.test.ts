import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintLanguage } from '../../src/project/lint/lint.ts';
import { Workspace } from '../../src/project/plan/workspace.ts';
import { LOCK_NAME, parseLock } from '../../src/project/state/lock.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { syncProject } from '../../src/project/sync/sync.ts';
import { MemoryFake } from '../memory/memory-fake.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const CONFIGURATION =
  'source: en\ntargets: [es]\nlinks: true\nfiles:\n  - source: README.md\n    target: README.{locale}.md\n  - source: guide.md\n    target: guide.{locale}.md\n  - source: docs/en/**/*.md\n    target: docs/{locale}/**/*.md\n';
const README =
  '# Tool\n\nRead [the *guide*](./guide.md#use "Guide"), [a page](docs/en/a.md) and [more][more].\n\n[English](README.md) or [Spanish](README.es.md), [here](README.md#tool), [web](https://a.b/guide.md), [licence](LICENSE.md).\n\n![guide](guide.md)\n\n[more]: <guide.md> "A title"\n[other]: other.md\n';
const LINKED =
  '# es:Tool\n\nes:Read [the *guide*](./guide.es.md#use "es:Guide"), [a page](docs/es/a.md) and [more][more].\n\nes:[English](README.md) or [Spanish](README.es.md), [here](README.es.md#tool), [web](https://a.b/guide.md), [licence](LICENSE.md).\n\nes:![guide](guide.md)\n\n[more]: <guide.es.md> "es:A title"\n[other]: other.md\n';
const PAGE =
  'Text [in the tree](b.md), [by name](../en/b.md), [of the site](/en/b), [up](../../README.md#tool), [out](../../LICENSE).\n';
const LINKED_PAGE =
  'es:Text [in the tree](b.md), [by name](../es/b.md), [of the site](/es/b), [up](../../README.es.md#tool), [out](../../LICENSE).\n';

const FILES = {
  'dragoman.config.yaml': CONFIGURATION,
  'README.md': README,
  'guide.md': 'Guide.\n',
  'docs/en/a.md': PAGE,
  'docs/en/b.md': 'Back to [a](./a.md).\n',
};

async function settled(directory: ProjectDirectory): Promise<void> {
  const before = directory.snapshot();
  const engine = new RecordingEngine();
  await directory.sync(engine);
  expect(engine.texts).toEqual([]);
  expect(directory.snapshot()).toEqual(before);
}

describe('links between the pages of a project', () => {
  it('lead to the translations, and a second run writes nothing', async () => {
    const directory = new ProjectDirectory(FILES);
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(LINKED);
    expect(directory.read('docs/es/a.md')).toBe(LINKED_PAGE);
    expect(directory.read('docs/es/b.md')).toBe('es:Back to [a](./a.md).\n');
    await settled(directory);
  });

  it('stay unchanged without the setting, and are updated without an engine once it is set', async () => {
    const directory = new ProjectDirectory({
      ...FILES,
      'dragoman.config.yaml': CONFIGURATION.replace('links: true\n', ''),
    });
    await directory.sync(new RecordingEngine());
    const plain = directory.read('README.es.md');
    expect(plain).toContain('[the *guide*](./guide.md#use "es:Guide"), [a page](docs/en/a.md)');
    expect(plain).toContain('[more]: <guide.md>');
    await settled(directory);
    directory.write('dragoman.config.yaml', CONFIGURATION);
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toEqual([]);
    expect(directory.read('README.es.md')).toBe(LINKED);
    await settled(directory);
  });

  it('lead to the translation once their page is added to the project', async () => {
    const directory = new ProjectDirectory({ ...FILES, 'README.md': 'See [the new one](docs/en/c.md).\n' });
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe('es:See [the new one](docs/en/c.md).\n');
    directory.write('docs/en/c.md', 'New.\n');
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toEqual(['es New.']);
    expect(directory.read('README.es.md')).toBe('es:See [the new one](docs/es/c.md).\n');
    await settled(directory);
  });

  it('stay if a person changed them, while other texts of the document are updated', async () => {
    const directory = new ProjectDirectory(FILES);
    await directory.sync(new RecordingEngine());
    const own = LINKED.replace('docs/es/a.md', 'docs/en/a.md').replace('<guide.es.md>', '<guia.md>');
    directory.write('README.es.md', own);
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(own);
    directory.write('README.md', `New [one](guide.md).\n\n${README}`);
    const engine = new RecordingEngine();
    await directory.sync(engine);
    expect(engine.texts).toHaveLength(1);
    expect(directory.read('README.es.md')).toBe(`es:New [one](guide.es.md).\n\n${own}`);
    await settled(directory);
  });

  it('are updated in texts that a run for selected keys does not touch; these stay ours', async () => {
    const configuration = CONFIGURATION.replace('links: true\n', '');
    const directory = new ProjectDirectory({ ...FILES, 'dragoman.config.yaml': configuration });
    await directory.sync(new RecordingEngine());
    directory.write('dragoman.config.yaml', CONFIGURATION);
    await directory.sync(new RecordingEngine(), { keys: ['nothing'] });
    expect(directory.read('README.es.md')).toBe(LINKED);
    directory.write('README.md', README.replace('Read', 'See'));
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(LINKED.replace('Read', 'See'));
  });

  it('are not reported by lint', async () => {
    const directory = new ProjectDirectory(FILES);
    await directory.sync(new RecordingEngine());
    const project = await directory.open();
    const workspace = new Workspace(project, parseLock(directory.read(LOCK_NAME)));
    expect(await lintLanguage(workspace, 'es', { signal: new AbortController().signal })).toEqual([]);
  });

  it('do not prevent learning a person’s text next to them', async () => {
    const directory = new ProjectDirectory(FILES);
    const memory = new MemoryFake();
    await directory.sync(new RecordingEngine(), { memory });
    directory.write('README.es.md', LINKED.replace('es:Read', 'Lea'));
    await directory.sync(new RecordingEngine(), { memory });
    const learned = memory.stored.filter(({ origin }) => origin === 'human');
    expect(JSON.stringify(learned)).toContain('Lea');
    expect(JSON.stringify(learned)).not.toContain('guide.es.md');
  });

  it('lead to pages outside the run only if these exist', async () => {
    const directory = new ProjectDirectory(FILES);
    const run = async (): Promise<void> => {
      const [project] = await openProjects([join(directory.path, 'README.md')]);
      if (!project) throw new Error('no project');
      await syncProject(project, {
        signal: new AbortController().signal,
        version: 'test',
        cacheDirectory: directory.cache,
        stateDirectory: directory.state,
        engine: () => Promise.resolve(new RecordingEngine()),
      });
    };
    await run();
    expect(directory.read('README.es.md')).toContain('(./guide.md#use "es:Guide"), [a page](docs/en/a.md)');
    directory.write('guide.es.md', 'Guía.\n');
    await run();
    expect(directory.read('README.es.md')).toContain(
      '(./guide.es.md#use "es:Guide"), [a page](docs/en/a.md)',
    );
    await directory.sync(new RecordingEngine());
    expect(directory.read('README.es.md')).toBe(LINKED);
    await settled(directory);
  });
});

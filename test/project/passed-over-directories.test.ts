import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProjects } from '../../src/project/state/project.ts';
import { ProjectDirectory } from './project-directory.ts';

async function sourcesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { resources: found } = await new ProjectDirectory({ 'locales/en.json': '{}', ...files }).open();
  return found.map(({ source }) => source).filter((source) => source !== 'locales/en.json');
}

describe('skipped directories', () => {
  it.each([
    'test',
    'Tests',
    '__tests__',
    'spec',
    'testdata',
    'test-data',
    'e2e',
    'e2e-tests',
    'fixtures',
    '__fixtures__',
    '__mocks__',
    'androidTest',
    'commonTest',
    'testDebug',
    'PlannerUITests',
    'Planner.Tests',
    'snapshots',
  ])('%s has tests', async (name) => {
    expect((await passedOverIn(name))[0]?.reason).toBe('test_directory');
  });

  it.each(['build', 'dist', 'out', 'target', 'bin', 'obj'])('%s has build output', async (name) => {
    expect((await passedOverIn(name))[0]?.reason).toBe('build_output');
  });

  it.each(['vendor', 'vendored', 'third_party', 'ThirdParty', '3rdparty', '3rd-party', 'Sparkle.framework'])(
    '%s is third-party',
    async (name) => {
      expect((await passedOverIn(name))[0]?.reason).toBe('vendored');
    },
  );

  describe('with third-party and own libraries', () => {
    const OWN = 'Copyright 2020 The Example Project';
    const OTHER = 'Copyright 1999 Somebody Else';
    const EN = '{"a": "One"}';

    it.each([
      ['libs/editor_2.14.1', {}],
      ['src/extern/editor', { COPYING: OTHER }],
      ['libraries/Editor', { LICENSE: OTHER, 'composer.json': '{"name": "others/editor"}' }],
      ['lib/editor', { 'LICENSE.txt': OTHER, 'CMakeLists.txt': 'project(editor)' }],
      ['deps/editor', { 'LICENSE-MIT': OTHER, 'package.json': '{}' }],
    ] as const)('%s with %j is third-party', async (directory, beside) => {
      const project = new ProjectDirectory({
        LICENSE: OWN,
        'dragoman.config.yaml': 'source: en\n',
        'locales/en.json': EN,
        'composer.json': '{"name": "planner/planner"}',
        [`${directory}/ui/locales/en.json`]: EN,
        ...Object.fromEntries(Object.entries(beside).map(([name, text]) => [`${directory}/${name}`, text])),
      });
      const { passedOver, resources } = await project.open();
      expect(resources.map(({ source }) => source)).toEqual(['locales/en.json']);
      expect(passedOver.map(({ reason, example }) => [reason, example])).toEqual([
        ['vendored', `${directory}/ui/locales/en.json`],
      ]);
      const named = await openProjects([join(project.path, directory)]);
      expect(named.flatMap((one) => one.resources.map(({ source }) => source))).toEqual([
        `${directory}/ui/locales/en.json`,
      ]);
    });

    it('include those of Qt, which share their extension with programs', async () => {
      const qt = '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de"></TS>\n';
      const project = new ProjectDirectory({ 'locales/en.json': EN, 'libs/editor_2.14/editor_de.ts': qt });
      const { passedOver } = await project.open();
      expect(passedOver.map(({ reason, extension }) => [reason, extension])).toEqual([['vendored', '.ts']]);
    });

    it.each([
      ['the licence of the project', { LICENSE: OWN, 'libs/editor/LICENSE': OWN }],
      ['no licence', { LICENSE: OWN }],
      ['a licence in a project without one', { 'libs/editor/LICENSE': OTHER }],
      [
        'another licence, but a manifest like the project’s',
        {
          LICENSE: OWN,
          'package.json': '{"name": "@planner/app"}',
          'libs/editor/LICENSE': OTHER,
          'libs/editor/package.json': '{"name": "@planner/editor"}',
        },
      ],
    ])('one with %s belongs to the project', async (_, beside) => {
      const path = 'libs/editor/locales/en.json';
      expect(await sourcesOf({ 'locales/en.json': EN, [path]: EN, ...beside })).toContain(path);
    });
  });

  it.each([
    'latest',
    'contest',
    'testimonials',
    'specifications',
    'builder',
    'output',
    'attestation',
    'Settings.bundle',
  ])('%s is an ordinary directory', async (name) => {
    expect(await sourcesOf({ [`${name}/locales/en.json`]: '{}' })).toEqual([`${name}/locales/en.json`]);
  });

  async function passedOverIn(name: string): Promise<readonly { readonly reason: string }[]> {
    const project = new ProjectDirectory({ 'locales/en.json': '{}', [`a/${name}/x/locales/en.json`]: '{}' });
    const { passedOver, resources: found } = await project.open();
    expect(found.map(({ source }) => source)).toEqual(['locales/en.json']);
    return passedOver;
  }
});

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProjects, type Project } from '../../src/project/state/project.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { ProjectDirectory } from './project-directory.ts';

const SHAPES = resolve(import.meta.dirname, '../../fixtures/projects');

interface Expected {
  readonly arguments?: readonly string[];
  readonly error?: unknown;
}

const shapes = readdirSync(SHAPES).filter((name) => {
  const expected = JSON.parse(readFileSync(join(SHAPES, name, 'expected.json'), 'utf8')) as Expected;
  return expected.error === undefined && expected.arguments === undefined;
});

const sourcesOf = ({ resources }: Project): readonly string[] => resources.map(({ source }) => source);

describe('a translation whose region does not exist', () => {
  it.each(shapes)('is reported in the shape %s', async (name) => {
    const root = temporaryDirectory();
    cpSync(join(SHAPES, name, 'project'), root, { recursive: true });
    const open = async (): Promise<Project> => {
      const [project] = await openProjects([root]);
      if (!project) throw new Error('no project');
      return project;
    };
    const before = await open();
    const numberOf = ({ passedOver }: Project): number =>
      passedOver.reduce((sum, { reason, count }) => sum + (reason === 'odd_locale' ? count : 0), 0);
    let copies = 0;
    for (const resource of before.resources) {
      const existing = [...resource.existing.values()].find((path) => existsSync(join(root, path)));
      // In lower case, any two short words look like a language with a region: `no-op`.
      const odd = resource.targetPath('sr-RS').replace(/(?<=sr[-_]r?)RS/g, 'SP');
      const isInTests = odd.includes('/tests/');
      if (existing === undefined || isInTests || !odd.includes('SP') || existsSync(join(root, odd))) continue;
      mkdirSync(dirname(join(root, odd)), { recursive: true });
      cpSync(join(root, existing), join(root, odd));
      copies++;
    }
    const after = await open();
    expect(after.targets).toEqual(before.targets);
    expect(sourcesOf(after)).toEqual(sourcesOf(before));
    expect(numberOf(after) - numberOf(before)).toBe(copies);
  });

  it('is not assumed for pages and programs with other names', async () => {
    const project = new ProjectDirectory({
      'docs/index.md': '# Garden\n',
      'docs/de/index.md': '# Garten\n',
      'docs/no-op/index.md': '# No-op\n',
      'docs/api/index.md': '# Interface\n',
      'locales/en.ts': "export default { a: 'Garden' };\n",
      'locales/de.ts': "export default { a: 'Garten' };\n",
      'locales/is-rtl.ts': 'export default (language) => language === 0;\n',
    });
    const found = await project.open();
    expect(found.passedOver).toEqual([]);
    expect(sourcesOf(found)).toEqual([
      'docs/api/index.md',
      'docs/index.md',
      'docs/no-op/index.md',
      'locales/en.ts',
    ]);
  });
});

describe('a usual spelling that is not a code', () => {
  it.each(['i18n/{}.toml', 'locales/{}.json', 'config/locales/{}.yml', 'locales/{}/app.po'])(
    '%s: en-UK is British English',
    async (path) => {
      const project = new ProjectDirectory({
        'hugo.toml': 'baseURL = "/"\n',
        [path.replace('{}', 'en')]: '',
        [path.replace('{}', 'en-UK')]: '',
        [path.replace('{}', 'de')]: '',
      });
      const { resources } = await project.open();
      expect([...(resources[0]?.existing.keys() ?? [])].sort()).toEqual(['de', 'en-GB']);
    },
  );
});

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { ProjectDirectory } from '../project/project-directory.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/projects/transloco/project');

it('a reference to another text may be in either language, but an argument must be in both', async () => {
  const root = temporaryDirectory();
  cpSync(FIXTURE, root, { recursive: true });
  const path = join(root, 'src/assets/i18n/en.json');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('{{ count }} berths', '{{common.close}} the berths'),
  );
  const { stdout } = await dragoman(['lint', root]);
  expect(stdout.match(/(?:error|warning): .*/g)).toEqual([
    'error: placeholder-mismatch: {{ count }} is missing (common.berths)',
  ]);
});

it.each([
  ['@ngneat/transloco', 'Transloco'],
  ['@jsverse/transloco-messageformat', 'Transloco with ICU'],
])('a project with %s has messages of %s', async (name, dialect) => {
  const project = new ProjectDirectory({
    'package.json': JSON.stringify({ dependencies: { '@jsverse/transloco': '7.6.0', [name]: '7.0.0' } }),
    'src/assets/i18n/en.json': '{ "hello": "Hello" }',
  });
  const { resources } = await project.open({ targets: ['de'] });
  expect(resources).toMatchObject([{ framework: 'transloco', messages: { dialect } }]);
});

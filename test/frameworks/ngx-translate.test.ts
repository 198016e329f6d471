import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman } from '../cli/harness.ts';
import { ProjectDirectory } from '../project/project-directory.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/projects/ngx-translate/project');

it('ngx-translate requires arguments in double braces; other programs may read single braces', async () => {
  const { stdout } = await dragoman(['lint', FIXTURE]);
  expect(stdout.match(/(?:error|warning): .*/g)).toEqual([
    'error: placeholder-mismatch: {{ name }} is missing; {{ nom }} is not in the source (quay.open)',
    'warning: placeholder-mismatch: {policy} is missing (quay.cookies)',
  ]);
});

it.each([
  ['@ngx-translate/http-loader', 'ngx-translate'],
  ['ngx-translate-messageformat-compiler', 'ngx-translate with ICU'],
])('a project with %s has messages of %s', async (name, dialect) => {
  const project = new ProjectDirectory({
    'package.json': JSON.stringify({ dependencies: { '@ngx-translate/core': '17.0.0', [name]: '8.0.0' } }),
    'src/assets/i18n/en.json': '{ "hello": "Hello" }',
  });
  const { resources } = await project.open({ targets: ['de'] });
  expect(resources).toMatchObject([{ framework: 'ngx-translate', messages: { dialect } }]);
});

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/projects/vue-plural-rules/project');

it('new texts get the branches that the application’s own rule selects', async () => {
  const root = temporaryDirectory();
  cpSync(FIXTURE, root, { recursive: true });
  const { exitCode } = await dragoman(['sync', root, '--engine', 'pseudo', '-t', 'ru,nl']);
  expect(exitCode).toBe(0);
  const roadsIn = (language: string): string | undefined =>
    /"roads": "(.*)"/.exec(readFileSync(join(root, `src/locales/${language}.json`), 'utf8'))?.[1];
  const [one, other] = (roadsIn('nl') ?? '').split(' | ');
  expect(roadsIn('ru')).toBe([other, one, other, other].join(' | '));
  expect(one).toMatch(/^\{count\} \S+$/);
});

it('i18n reads the rule next to the catalogues, and lint reports texts with too few branches', async () => {
  const root = temporaryDirectory();
  cpSync(FIXTURE, root, { recursive: true });
  mkdirSync(join(root, '.git'));
  const locales = join(root, 'src/locales');
  cpSync(join(root, 'src/plugins/i18n.ts'), join(locales, 'index.ts'));
  const { exitCode } = await dragoman([
    'i18n',
    join(locales, 'en.json'),
    '-s',
    'en',
    '-t',
    'ru',
    '--engine',
    'pseudo',
    '-o',
    join(root, 'out.json'),
  ]);
  expect(exitCode).toBe(0);
  expect(readFileSync(join(root, 'out.json'), 'utf8').match(/\|/g)).toHaveLength(6);
  writeFileSync(
    join(locales, 'ru.json'),
    '{ "cars": "{count} машина | {count} машин", "roads": "{count} дорог | {count} дорога | {count} дорог" }',
  );
  const lint = await dragoman(['lint', root]);
  expect(lint.stdout.match(/warning: .*/g)).toEqual([
    'warning: plural-categories: 2 branches between bars instead of 4 for ru: nothing is displayed for some numbers (cars)',
  ]);
});

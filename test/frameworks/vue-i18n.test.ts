import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/projects/vue-plural-rules/project');

it("new texts have the branches that the application's own rule takes", async () => {
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

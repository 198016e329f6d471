import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The program name in quotes, as passed to a child process. */
const NAME = /['"`]git(?:\.exe)?['"`]/;

it('git is started in one place in the program, and in one in the action', () => {
  const files = ['src', 'scripts', 'action', 'bin'].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .map((name) => `${directory}/${name}`),
  );
  const naming = files.filter((file) => NAME.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(naming).toEqual(['src/git/program.ts', 'action/git.mjs']);
});

it('the action reads no setting that the program does not read, except for the header that signs in', () => {
  const settings = ['src/git/repository.ts', 'action/git.mjs'].map((file) => {
    const [, text = ''] =
      /const READ_SETTINGS =\s+\/\^\(\?:(.*)\)\$\/s;/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    return text.split('|').sort();
  });
  const [ofProgram = [], ofAction = []] = settings;
  expect(ofProgram.length).toBeGreaterThan(10);
  expect(ofAction.filter((part) => !ofProgram.includes(part))).toEqual(['http\\..+\\.extraheader']);
});

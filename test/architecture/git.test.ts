import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The program name in quotes, as passed to a child process. */
const NAME = /['"`]git(?:\.exe)?['"`]/;

function filesWith(text: RegExp): readonly string[] {
  const files = ['src', 'scripts', 'action', 'bin'].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .map((name) => `${directory}/${name}`),
  );
  return files.filter((file) => text.test(readFileSync(join(ROOT, file), 'utf8')));
}

it('git is started in one place in the program, and in one in the action', () => {
  expect(filesWith(NAME)).toEqual(['src/git/program.ts', 'action/git.mjs']);
});

it('SECURITY.md lists the commands that start git', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'scripts/release.ts': ['the release script'],
    'src/project/plan/changes.ts': ['`check --changed-since`', '`review --since`', '`export --since`'],
    'src/project/plan/provenance.ts': ['`status --provenance`'],
    'src/project/review/earlier-sources.ts': ['the page of `review`'],
    'src/project/sync/ignored-files.ts': ['A `sync` that creates files'],
  };
  const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect([...filesWith(/ from '[^']*\/git\/repository\.ts';/)].sort()).toEqual(Object.keys(names));
  for (const name of Object.values(names).flat()) expect(security).toContain(name);
});

it('the action reads no setting that the program does not read, except for the authentication header', () => {
  const settings = ['src/git/repository.ts', 'action/git.mjs'].map((file) => {
    const [, text = ''] =
      /const READ_SETTINGS =\s+\/\^\(\?:(.*)\)\$\/s;/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    return text.split('|').sort();
  });
  const [ofProgram = [], ofAction = []] = settings;
  expect(ofProgram.length).toBeGreaterThan(10);
  expect(ofAction.filter((part) => !ofProgram.includes(part))).toEqual(['http\\..+\\.extraheader']);
});

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../package.json';

/** The built program in a directory of its own, so that its version can be changed. */
const home = mkdtempSync(join(tmpdir(), 'dragoman-remembered-'));
const program = join(home, 'program');
const root = join(home, 'project');
const saved = join(home, 'saved');
const cache = join(root, '.cache/dragoman/unchanged');

const FILES: Readonly<Record<string, string>> = {
  'dragoman.config.yaml': 'source: en\ntargets: [de, fr]\nengine: pseudo\n',
  'locales/en/app.json': '{"a": "One", "b": "Two"}\n',
  'locales/en/more.json': '{"c": "Three"}\n',
  'tools/package.json': '{"name": "tools"}\n',
  'qt/app_de.ts': 'export const a = 1;\n',
  'locales/config/strings.php': '<?php\n',
  // So that the user's files are no news in the listing of the root.
  '.config/dragoman/other': '',
};

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly node?: readonly string[];
}

function run({ argv = ['sync'], env = {}, cwd = root, node = [] }: Started = {}): Ended {
  return spawnSync(process.execPath, [...node, join(program, 'bin/dragoman.js'), ...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, XDG_CACHE_HOME: join(root, '.cache'), ...env },
    encoding: 'utf8',
    input: '',
    timeout: 60_000,
  });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function remembered(): string {
  const [name = ''] = readdirSync(cache);
  return join(cache, name);
}

beforeAll(() => {
  const repository = join(import.meta.dirname, '../..');
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(repository, name), join(program, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(program, 'node_modules'));
  for (const [path, content] of Object.entries(FILES)) write(path, content);
  expect(run()).toMatchObject({ status: 0 });
  expect(run().stderr).toContain('nothing had to be written');
  // Whoever answers from memory says so from now on.
  const run2 = JSON.parse(readFileSync(remembered(), 'utf8')) as { written: [string, string][] };
  writeFileSync(remembered(), JSON.stringify({ ...run2, written: [['stdout', 'REMEMBERED\n']] }));
  cpSync(root, saved, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
});

beforeEach(() => {
  rmSync(root, { recursive: true });
  cpSync(saved, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Writes another text of the same length, at the same time, as far as the file shows. */
function replaceQuietly(path: string, before: string, after: string): void {
  const { atime, mtime } = statSync(join(root, path));
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toContain(before);
  writeFileSync(join(root, path), text.replace(before, after));
  utimesSync(join(root, path), atime, mtime);
}

const CHANGES: Readonly<Record<string, () => void>> = {
  'a value of a source': () => replaceQuietly('locales/en/app.json', 'One', 'Ten'),
  'a byte of a translation': () => replaceQuietly('locales/fr/more.json', '"c": ', '"c" :'),
  'a line of the lock': () => replaceQuietly('dragoman.lock', '\tfr\t', '\tde\t'),
  'a new source': () => write('locales/en/new.json', '{"d": "Four"}\n'),
  'a missing source': () => rmSync(join(root, 'locales/en/more.json')),
  'a missing translation': () => rmSync(join(root, 'locales/de/more.json')),
  'a new directory': () => mkdirSync(join(root, 'locales/en/deep')),
  'a directory that is a link now': () => {
    renameSync(join(root, 'locales/de'), join(root, '.de'));
    symlinkSync('../.de', join(root, 'locales/de'));
  },
  'a file that is a link now': () => {
    renameSync(join(root, 'locales/de/app.json'), join(root, '.app.json'));
    symlinkSync('../../.app.json', join(root, 'locales/de/app.json'));
  },
  'a directory in place of a file': () => {
    rmSync(join(root, 'locales/de/app.json'));
    mkdirSync(join(root, 'locales/de/app.json'));
  },
  'a comment in the configuration': () => appendFileSync(join(root, 'dragoman.config.yaml'), '# x\n'),
  'a configuration that goes before': () => write('.dragomanrc', 'source: en\ntargets: [de]\n'),
  'a configuration in a directory below': () => write('locales/.dragomanrc', 'source: en\n'),
  'a package that becomes a project': () =>
    write('tools/package.json', '{"name": "tools", "dragoman": {"source": "en"}}\n'),
  'another work tree below': () => mkdirSync(join(root, 'locales/en/.git')),
  'the beginning of a file that only its content tells': () =>
    replaceQuietly('qt/app_de.ts', 'export const a = 1;', '<TS language="de">'),
  'something that is passed over': () => write('locales/config/en.php', '<?php\n'),
  "the user's configuration": () => write('.config/dragoman/config.yaml', 'concurrency: 2\n'),
  'a glossary': () => write('glossary.csv', 'term,de\nOne,Eins\n'),
  'an earlier lock below': () =>
    write('locales/dragoman.lock', readFileSync(join(root, 'dragoman.lock'), 'utf8')),
  'a journal of an earlier version': () => write('.dragoman-journal', ''),
  'a journal that a crash left': () => {
    const projects = join(root, '.local/state/dragoman/projects');
    const [name = ''] = readdirSync(projects);
    write(`.local/state/dragoman/projects/${name}/journal`, '');
  },
  'a running sync': () => write('.dragoman-sync', '{}'),
  'a directory in place of the memory': () => mkdirSync(join(root, '.cache/dragoman/memory.db')),
};

const CIRCUMSTANCES: Readonly<Record<string, Started>> = {
  'a variable': { env: { DRAGOMAN_ENGINE: 'pseudo' } },
  'a variable of nobody known': { env: { ANYTHING: '1' } },
  'an option': { argv: ['sync', '--quiet'] },
  'a path': { argv: ['sync', 'locales'] },
  'another current directory': { cwd: join(root, 'locales') },
  'a narrower terminal': { node: ['--import', 'data:text/javascript,process.stdout.columns=50'] },
};

describe('a sync that is answered from memory', () => {
  it('writes the same again, and nothing else', () => {
    const before = statSync(remembered());
    expect(run()).toEqual(expect.objectContaining({ status: 0, stdout: 'REMEMBERED\n', stderr: '' }));
    expect(statSync(remembered()).ino).toBe(before.ino);
    // A shell counts its depth.
    expect(run({ env: { SHLVL: '3', PWD: root } }).stdout).toBe('REMEMBERED\n');
  });

  it.each(Object.entries(CHANGES))('is not after %s', (_name, change) => {
    change();
    expect(run().stdout).not.toContain('REMEMBERED');
  });

  it.each(Object.entries(CIRCUMSTANCES))('is not with %s', (_name, started) => {
    expect(run(started).stdout).not.toContain('REMEMBERED');
  });

  it.each([
    ['retranslate', ['--retranslate']],
    ['a dry run', ['--dry-run']],
    ['the gate', ['--frozen']],
    ['a report', ['--report', join(home, 'report.html')]],
  ])('is not with %s, and does not become one', (_name, options) => {
    for (let i = 0; i < 2; i++) run({ argv: ['sync', ...options] });
    expect(run().stdout).toBe('REMEMBERED\n');
  });

  it('is not in a workflow, which gets a summary', () => {
    const env = { GITHUB_ACTIONS: 'true' };
    for (let i = 0; i < 2; i++) expect(run({ env }).stdout).not.toContain('REMEMBERED');
    expect(run().stdout).toBe('REMEMBERED\n');
  });

  it('is not what a damaged cache says', () => {
    const text = readFileSync(remembered(), 'utf8');
    const end = text.indexOf(',');
    for (const broken of [
      '',
      text.slice(0, 200),
      `${text.slice(0, end)},"questions":[1],"answers":"","written":[]}`,
    ]) {
      writeFileSync(remembered(), broken);
      expect(run()).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('nothing had to be written') as string,
      });
    }
  });

  it('depends on everything that the long way looks at', () => {
    rmSync(remembered());
    const log = join(home, 'looked.json');
    const preload = join(import.meta.dirname, 'file-system-log.mjs');
    run({ node: ['--import', preload], env: { LOOKED_AT: log } });
    const { questions } = JSON.parse(readFileSync(remembered(), 'utf8')) as { questions: [string, string][] };
    const asked = new Set(questions.map(([, path]) => path));
    const looked = JSON.parse(readFileSync(log, 'utf8')) as string[];
    expect(looked.length).toBeGreaterThan(20);
    // What was found clean saves work, and decides nothing that the files do not decide.
    const isOwn = (path: string): boolean =>
      path.startsWith(`${program}/`) || path.startsWith(`${dirname(cache)}/`);
    const unnoted = [...new Set(looked)].filter((path) => !asked.has(path) && !isOwn(path));
    expect(unnoted).toEqual([]);
  });

  // The last one: it changes the program.
  it('is not after the program has another version', () => {
    const chunks = join(program, 'dist/chunks');
    for (const name of readdirSync(chunks)) {
      const text = readFileSync(join(chunks, name), 'utf8');
      const quoted = [`'${version}'`, `"${version}"`, `\`${version}\``];
      const changed = quoted.reduce((all, one) => all.replaceAll(one, '"0.0.1"'), text);
      if (changed !== text) writeFileSync(join(chunks, name), changed);
    }
    expect(run({ argv: ['--version'] }).stdout).toBe('0.0.1\n');
    expect(run().stdout).not.toContain('REMEMBERED');
  });
});

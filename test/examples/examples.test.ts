import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../../src/formats/registry.ts';
import { parse } from 'yaml';
import { temporaryDirectory } from '../cli/harness.ts';
import { startService } from '../cli/service.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const BIN = join(import.meta.dirname, '../../bin/dragoman.js');
const service = startService();

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<
    Record<string, { readonly env?: Readonly<Record<string, string>>; steps: readonly Step[] }>
  >;
}
type Pipeline = Readonly<
  Record<
    string,
    { readonly script: readonly string[]; readonly variables?: Readonly<Record<string, string>> }
  >
>;

const read = (name: string): unknown => parse(readFileSync(join(EXAMPLES, name), 'utf8'));
const workflow = read('github-actions/translations.yml') as Workflow;
const pipeline = read('gitlab/translations.gitlab-ci.yml') as Pipeline;

/** What the runner does with the steps of a job that are shell. */
const ofGitHub = (job: string): string =>
  (workflow.jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');
const ofGitLab = (job: string): string => (pipeline[job]?.script ?? []).join('\n');

interface Repository {
  readonly path: string;
  readonly origin: string;
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): string;
  write(name: string, text: string): void;
}

/** A project with an origin that it pushes to, and an npm that installs the dragoman of this checkout. */
function repository(): Repository {
  const directory = temporaryDirectory();
  const path = join(directory, 'project');
  const origin = join(directory, 'origin.git');
  const bin = join(directory, 'bin');
  const tmp = join(directory, 'tmp');
  for (const made of [path, bin, tmp]) mkdirSync(made);
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$*" = ci ] || exit 64\nmkdir -p node_modules/.bin && ln -sf '${BIN}' node_modules/.bin/dragoman\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    TMPDIR: tmp,
    CI: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Anna',
    GIT_AUTHOR_EMAIL: 'anna@example.org',
    GIT_COMMITTER_NAME: 'Anna',
    GIT_COMMITTER_EMAIL: 'anna@example.org',
  };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: path, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const write = (name: string, text: string): void => {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  git('init', '--quiet', '--initial-branch=main');
  git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  git('-C', origin, 'config', 'receive.advertisePushOptions', 'true');
  git('remote', 'add', 'origin', origin);
  write('.gitignore', 'node_modules\n');
  write('dragoman.config.yaml', 'source: en\ntargets: [de, fr]\n');
  write('locales/en.json', '{\n  "save": "Save {file}",\n  "open": "Open"\n}\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  return { path, origin, env, git, write };
}

/** Runs a script as the runners of both do. */
async function shell(
  script: string,
  { path, env }: Repository,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: path,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, output };
}

describe('the workflow for GitHub Actions', () => {
  it('is one', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    expect(Object.keys(workflow.jobs)).toEqual(['check', 'sync']);
    for (const { steps } of Object.values(workflow.jobs)) {
      for (const { uses, run } of steps) {
        expect([uses, run].filter((kind) => kind !== undefined)).toHaveLength(1);
        // What somebody else may have written must not become a part of a script.
        expect(run ?? '').not.toContain('${{');
        if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
      }
    }
  });
});

describe.each([
  ['GitHub Actions', ofGitHub('check'), ofGitHub('sync'), {}],
  [
    'GitLab',
    ofGitLab('translations-check'),
    ofGitLab('translations-sync'),
    { CI_COMMIT_BRANCH: 'main', GITLAB_USER_NAME: 'Anna', GITLAB_USER_EMAIL: 'anna@example.org' },
  ],
])('the jobs for %s', (_, check, sync, variables) => {
  const remote = (): Readonly<Record<string, string>> => ({
    ...variables,
    DRAGOMAN_BASE_URL: service.url,
    DRAGOMAN_API_KEY: service.key,
    MAX_CREDITS: '2000',
  });

  it('check; translate, commit and push, also what a budget allowed', async () => {
    const project = repository();
    const inOrigin = (...args: readonly string[]): string => project.git('-C', project.origin, ...args);
    const before = await shell(check, project);
    expect(before.code, before.output).toBe(8);
    expect(before.output).toContain('missing: save');

    const stopped = await shell(sync, project, { ...remote(), MAX_CREDITS: '3' });
    expect(stopped.code, stopped.output).toBe(4);
    const french = inOrigin('show', 'main:locales/fr.json');
    expect(french).toMatch(/"open": "Open"/);
    expect(french).not.toContain('Save');

    const synced = await shell(sync, project, remote());
    expect(synced.code, synced.output).toBe(0);
    expect(synced.output).not.toContain(service.key);
    expect(inOrigin('ls-tree', '-r', '--name-only', 'main').trim().split('\n')).toEqual([
      '.gitignore',
      'dragoman.config.yaml',
      'dragoman.lock',
      'locales/de.json',
      'locales/en.json',
      'locales/fr.json',
    ]);
    const commits = 'chore: translations\nchore: translations\nfirst\n';
    expect(inOrigin('log', '--format=%s', 'main')).toBe(commits);
    expect((await shell(check, project)).code).toBe(0);

    // With nothing to do there is nothing to commit.
    expect((await shell(sync, project, remote())).code).toBe(0);
    expect(inOrigin('log', '--format=%s', 'main')).toBe(commits);
  });
});

describe('the pre-commit hook', () => {
  it('looks at files of all formats', () => {
    const hook = readFileSync(join(EXAMPLES, 'git-hooks/pre-commit'), 'utf8');
    for (const extension of EXTENSIONS) expect(hook).toContain(`'*.${extension}'`);
  });

  it('refuses what is about to be committed, whatever the working tree has', async () => {
    const project = repository();
    expect((await shell('npm ci', project)).code).toBe(0);
    const install = `"$PWD/node_modules/.bin/dragoman" sync --engine pseudo --quiet && git add --all && git commit --quiet -m pseudo`;
    expect((await shell(install, project)).code).toBe(0);
    cpSync(join(EXAMPLES, 'git-hooks/pre-commit'), join(project.path, '.git/hooks/pre-commit'));

    const good = readFileSync(join(project.path, 'locales/de.json'), 'utf8');
    project.write('locales/de.json', good.replace('{file}', '{datei}'));
    project.git('add', 'locales/de.json');
    project.write('locales/de.json', good);
    const refused = await shell('git commit -m bad', project);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/^locales\/de\.json:2:\d+: /m);
    expect(project.git('log', '--format=%s', '-1').trim()).toBe('pseudo');

    // The working tree is broken, what is committed is not.
    project.git('add', 'locales/de.json');
    project.write('locales/de.json', '{');
    project.write('locales/en.json', `${readFileSync(join(project.path, 'locales/en.json'), 'utf8')}\n`);
    project.git('add', 'locales/en.json');
    const accepted = await shell('git commit --quiet -m good', project);
    expect(accepted.code, accepted.output).toBe(0);

    // Nothing that has translations: not even the program is needed.
    rmSync(join(project.path, 'node_modules'), { recursive: true });
    project.write('README.md', 'words\n');
    project.git('add', 'README.md');
    expect((await shell('git commit --quiet -m words', project)).code).toBe(0);

    // Without the project's own one, the installed program checks.
    symlinkSync(BIN, join(project.path, '../bin/dragoman'));
    project.write('locales/de.json', good.replace('{file}', '{datei}'));
    project.git('add', 'locales/de.json');
    expect((await shell('git commit -m bad', project)).output).toMatch(/^locales\/de\.json:2:\d+: /m);
    expect(readdirSync(project.env['TMPDIR'] ?? '')).toEqual([]);
  });
});

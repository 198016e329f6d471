import { accessSync, constants, cpSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_FORMATS } from '../../src/formats/registry.ts';
import { parse, parseAllDocuments } from 'yaml';
import { startService } from '../cli/service.ts';
import { BIN, repository, shell } from './repository.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
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
interface Specification {
  readonly spec: {
    readonly inputs: Readonly<Record<string, { readonly default: unknown; readonly description: string }>>;
  };
}
type Pipeline = Readonly<
  Record<
    string,
    { readonly script: readonly string[]; readonly variables?: Readonly<Record<string, string>> }
  >
>;

const read = (name: string): unknown => parse(readFileSync(join(EXAMPLES, name), 'utf8'));
const workflow = read('github-actions/translations.yml') as Workflow;

/** The two documents of the GitLab component: its inputs, and its jobs with the inputs' defaults. */
function readComponent(): readonly [Specification, Pipeline] {
  const text = readFileSync(join(ROOT, 'templates/translations.yml'), 'utf8');
  const [head, body] = parseAllDocuments(text);
  const specification = head?.toJS() as Specification;
  const used = new Set<string>();
  const jobs = JSON.stringify(body?.toJS()).replaceAll(/\$\[\[ inputs\.(.*?) \]\]/g, (_, name: string) => {
    used.add(name);
    return String(specification.spec.inputs[name]?.default);
  });
  expect([...used].sort()).toEqual(Object.keys(specification.spec.inputs).sort());
  return [specification, JSON.parse(jobs) as Pipeline];
}
const [{ spec }, pipeline] = readComponent();

/** Runs the shell steps of a job as the runner does. */
const ofGitHub = (job: string): string =>
  (workflow.jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');
const ofGitLab = (job: string): string => (pipeline[job]?.script ?? []).join('\n');

describe('the workflow for GitHub Actions', () => {
  it('is valid', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    expect(Object.keys(workflow.jobs)).toEqual(['check', 'sync']);
    for (const { steps } of Object.values(workflow.jobs)) {
      for (const { uses, run } of steps) {
        expect([uses, run].filter((kind) => kind !== undefined)).toHaveLength(1);
        // Untrusted text must not become part of a script.
        expect(run ?? '').not.toContain('${{');
        if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
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

  it('check, translate, commit and push, even if the budget covers only a part', async () => {
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
      '.gitattributes',
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

    // If nothing changes, there is nothing to commit.
    expect((await shell(sync, project, remote())).code).toBe(0);
    expect(inOrigin('log', '--format=%s', 'main')).toBe(commits);
  });
});

describe('the component for GitLab', () => {
  it('describes its inputs, none of which becomes part of a script', () => {
    for (const { default: value, description } of Object.values(spec.inputs)) {
      expect(value).toBeDefined();
      expect(description).toMatch(/\.$/);
    }
    const [, jobs = ''] = readFileSync(join(ROOT, 'templates/translations.yml'), 'utf8').split('\n---\n');
    for (const script of jobs.matchAll(/script:\n(?: {4}.*\n?)+/g)) expect(script[0]).not.toContain('$[[');
  });

  it('checks the changes of a merge request', async () => {
    const project = repository();
    const base = project.git('rev-parse', 'HEAD').trim();
    project.write('other/locales/en.json', '{\n  "one": "One"\n}\n');
    project.git('add', '--all');
    project.git('commit', '--quiet', '--message', 'more');
    const limited = { CHANGED_ONLY: 'true', CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
    const result = await shell(ofGitLab('translations-check'), project, limited);
    expect(result.code, result.output).toBe(8);
    expect(result.output).toContain('missing: one');
    expect(result.output).not.toContain('missing: save');
  });
});

describe('the pre-commit hook', () => {
  it('is a valid hook of pre-commit', () => {
    const hooks = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as Record<
      string,
      unknown
    >[];
    expect(hooks).toMatchObject([{ id: 'dragoman-check', language: 'script', pass_filenames: false }]);
    accessSync(join(ROOT, String(hooks[0]?.['entry'])), constants.X_OK);
  });

  it('checks files of all formats', () => {
    const hook = readFileSync(join(EXAMPLES, 'git-hooks/pre-commit'), 'utf8');
    for (const extension of BUILT_IN_FORMATS.extensions) expect(hook).toContain(`'*.${extension}'`);
  });

  it('checks the staged files, not the working tree', async () => {
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

    // The working tree is broken, but the commit is not.
    project.git('add', 'locales/de.json');
    project.write('locales/de.json', '{');
    project.write('locales/en.json', `${readFileSync(join(project.path, 'locales/en.json'), 'utf8')}\n`);
    project.git('add', 'locales/en.json');
    const accepted = await shell('git commit --quiet -m good', project);
    expect(accepted.code, accepted.output).toBe(0);

    // No staged file has translations, so not even the program is needed.
    rmSync(join(project.path, 'node_modules'), { recursive: true });
    project.write('notes.txt', 'words\n');
    project.git('add', 'notes.txt');
    expect((await shell('git commit --quiet -m words', project)).code).toBe(0);

    // Without a local installation, the hook uses the global program.
    symlinkSync(BIN, join(project.path, '../bin/dragoman'));
    project.write('locales/de.json', good.replace('{file}', '{datei}'));
    project.git('add', 'locales/de.json');
    expect((await shell('git commit -m bad', project)).output).toMatch(/^locales\/de\.json:2:\d+: /m);
    expect(readdirSync(project.env['TMPDIR'] ?? '')).toEqual([]);
  });
});

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { MARKER } from '../../action/report.mjs';
import { startService } from '../cli/service.ts';
import { BIN, repository, shell, type Repository } from './repository.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'ghs_secretTokenOfTheTest';
const service = startService();

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
  };
}
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
const [step] = action.runs.steps;

interface Comment {
  readonly databaseId: number;
  body: string;
  readonly viewerDidAuthor: boolean;
}

/** What GitHub's API answers, and what was asked. */
class FakeGitHub {
  readonly comments: Comment[] = [{ databaseId: 1, body: `${MARKER}\nmine`, viewerDidAuthor: false }];
  readonly pulls: { number: number; head: string; base: string; title: string; html_url: string }[] = [];
  readonly calls: string[] = [];
  refuses = false;
  address = '';

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    const { pathname, searchParams } = new URL(request.url ?? '', this.address);
    const call = `${request.method} ${pathname}`;
    this.calls.push(call);
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}` && !this.refuses;
    const answer = isKnown ? this.#dispatch(call, body, searchParams) : undefined;
    response.writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: 'Resource not accessible by integration' }));
  }

  #dispatch(call: string, body: Record<string, string>, query: URLSearchParams): unknown {
    if (call === 'POST /graphql') {
      const comments = { nodes: this.comments, pageInfo: { hasNextPage: false, endCursor: null } };
      return { data: { repository: { pullRequest: { comments } } } };
    }
    if (call === 'GET /repos/anna/project/pulls')
      return this.pulls.filter(
        ({ head, base }) => query.get('head') === `anna:${head}` && query.get('base') === base,
      );
    if (call === 'POST /repos/anna/project/pulls') {
      const { head = '', base = '', title = '' } = body;
      const number = this.pulls.length + 7;
      this.pulls.push({
        number,
        head,
        base,
        title,
        html_url: `https://github.example/anna/project/pull/${number}`,
      });
      return this.pulls.at(-1);
    }
    if (call === 'POST /repos/anna/project/issues/7/comments') {
      this.comments.push({ databaseId: 100, body: body['body'] ?? '', viewerDidAuthor: true });
      return {};
    }
    const patched = this.comments.find(
      ({ databaseId }) => call === `PATCH /repos/anna/project/issues/comments/${databaseId}`,
    );
    if (!patched) return undefined;
    patched.body = body['body'] ?? '';
    return {};
  }

  get own(): string {
    const own = this.comments.filter(({ viewerDidAuthor }) => viewerDidAuthor);
    expect(own).toHaveLength(1);
    return own[0]?.body ?? '';
  }
}

/** Runs the step of the action as the runner does: with the values of expressions in its variables. */
function act(
  project: Repository,
  github: FakeGitHub,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof shell> {
  const valueOf = (expression: string): string =>
    expression.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, path: string) => {
      if (path === 'github.token') return TOKEN;
      const name = path.replace(/^inputs\./, '');
      return inputs[name] ?? valueOf(action.inputs[name]?.default ?? '');
    });
  const variables = Object.entries(step?.env ?? {}).map(([name, value]) => [name, valueOf(value)]);
  return shell(step?.run ?? '', project, {
    ...(Object.fromEntries(variables) as Record<string, string>),
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_REPOSITORY: 'anna/project',
    GITHUB_API_URL: github.address,
    GITHUB_GRAPHQL_URL: `${github.address}/graphql`,
    GITHUB_SERVER_URL: 'https://github.example',
    RUNNER_TEMP: project.env['TMPDIR'] ?? '',
    ...env,
  });
}

/** The variables of a run for a pull request, with its event. */
function onPull(project: Repository, base: string, name = 'pull_request'): Readonly<Record<string, string>> {
  const event = join(project.path, '..', 'event.json');
  const title = '"; touch stolen; echo $(touch stolen) `touch stolen`';
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7, title, base: { sha: base } } }));
  return {
    GITHUB_EVENT_PATH: event,
    GITHUB_EVENT_NAME: name,
    GITHUB_SHA: project.git('rev-parse', 'HEAD').trim(),
  };
}

/** A project whose translations are complete, with dragoman installed. */
async function translated(): Promise<Repository> {
  const project = repository();
  mkdirSync(join(project.path, 'node_modules/.bin'), { recursive: true });
  symlinkSync(BIN, join(project.path, 'node_modules/.bin/dragoman'));
  const done = await shell('node_modules/.bin/dragoman sync --engine pseudo', project);
  expect(done.code, done.output).toBe(0);
  commit(project);
  project.git('push', '--quiet', 'origin', 'main');
  return project;
}

function commit(project: Repository): void {
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', 'change');
}

const headOf = (project: Repository, ref = 'HEAD'): string => project.git('rev-parse', ref).trim();

describe('action.yml', () => {
  it('declares what its script reads, and no expression is a part of a command', () => {
    expect(action.runs.using).toBe('composite');
    expect(action.runs.steps).toHaveLength(1);
    expect(step?.run).not.toContain('${{');
    const script = readFileSync(join(ROOT, 'action/main.mjs'), 'utf8');
    const read = [...script.matchAll(/input\('([A-Z_]+)'\)/g)].map(([, name]) => `DRAGOMAN_ACTION_${name}`);
    expect([...new Set(read)].sort()).toEqual(Object.keys(step?.env ?? {}).sort());
    for (const [name, value] of Object.entries(step?.env ?? {})) {
      const own = name.replace('DRAGOMAN_ACTION_', '').toLowerCase().replaceAll('_', '-');
      expect(value).toBe(`\${{ inputs.${own} }}`);
      expect(action.inputs).toHaveProperty(own);
    }
  });
});

describe('the action on a pull request', () => {
  it('fails, annotates, and writes one comment, which it updates in place', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const base = headOf(project);
    project.git('switch', '--quiet', '--create', 'topic');
    project.write(
      'locales/en.json',
      '{\n  "save": "Save {file}",\n  "open": "Open",\n  "new": "@anna <b>|New|</b>"\n}\n',
    );
    commit(project);
    const env = onPull(project, base);
    const failed = await act(project, github, {}, env);
    expect(failed.code, failed.output).toBe(8);
    expect(failed.output).toContain('title=missing::');
    expect(github.own).toMatch(/^<!-- dragoman: translations -->\n\n### ❌ Translations\n/);
    expect(github.own).toContain('| <code>fr</code> | 66 % | −34 | 1 | 0 |');
    expect(github.own).toContain('No string changes.');

    const french = readFileSync(join(project.path, 'locales/fr.json'), 'utf8');
    project.write('locales/fr.json', french.replace(/"open": ".*?"/, '"open": "Ouvrir @team <img src=x>"'));
    commit(project);
    const again = await act(project, github, {}, onPull(project, base));
    expect(again.code, again.output).toBe(8);
    expect(github.own).toContain('1 string changed</summary>');
    expect(github.own).toContain(
      '| <code>locales/fr&#46;json &#40;fr&#41;</code> | <code>open</code> | <code>Open</code> |',
    );
    expect(github.own).toContain('| <code>Ouvrir &#64;team &#60;img src&#61;x&#62;</code> |');
    expect(github.comments).toHaveLength(2);
    expect(github.comments[0]?.body).toBe(`${MARKER}\nmine`);
    for (const { output } of [failed, again]) expect(output).not.toContain(TOKEN);
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readdirSync(project.env['TMPDIR'] ?? '')).toEqual([]);
  });

  it('compares a shallow merge commit with the base, and looks at changed files only', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    // Incomplete before, and so no affair of the pull request.
    project.write('locales/other/en.json', '{\n  "x": "X"\n}\n');
    commit(project);
    project.git('switch', '--quiet', '--create', 'topic');
    const german = readFileSync(join(project.path, 'locales/de.json'), 'utf8');
    project.write('locales/de.json', german.replace(/"open": ".*?"/, '"open": "Öffnen"'));
    commit(project);
    project.git('switch', '--quiet', 'main');
    project.git('merge', '--quiet', '--no-ff', '--no-edit', 'topic');
    project.git('push', '--quiet', 'origin', 'main:refs/pull/7/merge');
    const clone = { ...project, path: join(project.path, '../clone') };
    project.git('clone', '--quiet', '--depth=1', '--branch=main', `file://${project.origin}`, clone.path);
    const git = (...args: readonly string[]): string => project.git('-C', clone.path, ...args);
    git('fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/7/merge');
    git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
    symlinkSync(join(project.path, 'node_modules'), join(clone.path, 'node_modules'));
    const env = { ...onPull({ ...clone, git }, '0'.repeat(40)) };
    const result = await act({ ...clone, git }, github, { 'changed-only': 'true' }, env);
    expect(result.code, result.output).toBe(0);
    expect(result.output).toContain('checking 1 of 2 sources');
    expect(github.own).toContain('### ✅ Translations');
    expect(github.own).toContain('1 string changed</summary>');
    expect(github.own).toContain('Öffnen');
  });

  it('is a gate also where it may not comment', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    github.refuses = true;
    const result = await act(project, github, {}, onPull(project, headOf(project)));
    expect(result.code, result.output).toBe(0);
    expect(result.output).toContain('::warning::POST /graphql answered 403');
    expect(github.comments).toHaveLength(1);
    const quiet = await act(project, github, { comment: 'false' }, onPull(project, headOf(project)));
    expect(quiet.output).not.toContain('::warning::');
  });

  it.each([
    [{ mode: 'publish' }, 'mode is check or sync'],
    [{ version: '1.0.0; touch stolen' }, 'is no version of dragoman'],
  ])('refuses %j', async (inputs, message) => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const result = await act(project, github, inputs, onPull(project, headOf(project)));
    expect(result.code).toBe(2);
    expect(result.output).toContain(`::error::`);
    expect(result.output).toContain(message);
    expect(project.git('status', '--porcelain')).toBe('');
  });
});

describe('the action on a branch', () => {
  const remote = (): Readonly<Record<string, string>> => ({
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF_NAME: 'main',
    DRAGOMAN_BASE_URL: service.url,
    DRAGOMAN_API_KEY: service.key,
  });
  const BRANCH = 'dragoman/translations';

  it('opens one pull request, keeps corrections in it, and updates it and its comment', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const hook = join(project.path, '.git/hooks/pre-push');
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const inOrigin = (...args: readonly string[]): string => project.git('-C', project.origin, ...args);
    const output = join(project.path, '../output');

    const idle = await act(project, github, {}, remote());
    expect(idle.code, idle.output).toBe(0);
    expect(idle.output).toContain('nothing to translate');
    expect(github.calls).toEqual([]);

    project.git('switch', '--quiet', 'main');
    project.write('locales/en.json', '{\n  "save": "Save {file}",\n  "open": "Open",\n  "new": "New"\n}\n');
    commit(project);
    const first = await act(project, github, {}, { ...remote(), GITHUB_OUTPUT: output });
    expect(first.code, first.output).toBe(0);
    expect(github.pulls).toMatchObject([{ head: BRANCH, base: 'main', title: 'chore: translations' }]);
    expect(github.own).toContain('2 strings changed</summary>');
    expect(github.own).toContain('This run cost 2 credits.');
    expect(readFileSync(output, 'utf8')).toBe('pull-request=https://github.example/anna/project/pull/7\n');
    expect(first.output).not.toContain(TOKEN);
    expect(first.output).not.toContain(service.key);

    // A reviewer corrects a translation in the branch, and main goes on.
    const french = inOrigin('show', `${BRANCH}:locales/fr.json`);
    project.write('locales/fr.json', french.replace(/"new": ".*?"/, '"new": "Nouveau"'));
    commit(project);
    project.git('push', '--quiet', '--no-verify', 'origin', `HEAD:${BRANCH}`);
    project.git('switch', '--quiet', 'main');
    project.write(
      'locales/en.json',
      '{\n  "save": "Save {file}",\n  "open": "Open",\n  "new": "New",\n  "last": "Last"\n}\n',
    );
    commit(project);
    project.git('push', '--quiet', '--no-verify', 'origin', 'main');

    const clone = { ...project, path: join(project.path, '../clone') };
    project.git('clone', '--quiet', '--depth=1', `file://${project.origin}`, clone.path);
    symlinkSync(join(project.path, 'node_modules'), join(clone.path, 'node_modules'));
    const second = await act(clone, github, {}, remote());
    expect(second.code, second.output).toBe(0);
    expect(github.pulls).toHaveLength(1);
    expect(inOrigin('show', `${BRANCH}:locales/fr.json`)).toContain('"new": "Nouveau"');
    expect(inOrigin('show', `${BRANCH}:locales/fr.json`)).toContain('"last"');
    expect(github.own).toContain('This run cost 2 credits.');
    expect(inOrigin('show', 'main:locales/fr.json')).not.toContain('"last"');
    expect(readdirSync(project.env['TMPDIR'] ?? '')).toEqual([]);
  });

  it('keeps what a budget allowed, and ends as sync does', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    project.write('locales/en.json', '{\n  "save": "Save {file}",\n  "open": "Open",\n  "one": "One"\n}\n');
    commit(project);
    const stopped = await act(project, github, { 'max-credits': '1' }, remote());
    expect(stopped.code, stopped.output).toBe(4);
    expect(github.pulls).toHaveLength(1);
    expect(github.own).toContain('### ❌ Translations');
    expect(github.own).toContain('1 string changed</summary>');
  });

  it.each(['main', '--force', 'a b', 'x..y', ''])('refuses the branch %j', async (branch) => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const result = await act(project, github, { branch }, remote());
    expect(result.code, result.output).toBe(2);
    expect(result.output).toContain('::error::');
    expect(project.git('branch', '--format=%(refname:short)').trim()).toBe('main');
  });

  it('pushes nothing over a branch that conflicts', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    project.git('switch', '--quiet', '--create', BRANCH);
    project.write('locales/en.json', '{\n  "save": "Theirs"\n}\n');
    commit(project);
    project.git('push', '--quiet', 'origin', BRANCH);
    const theirs = headOf(project);
    project.git('switch', '--quiet', 'main');
    project.write('locales/en.json', '{\n  "save": "Ours"\n}\n');
    commit(project);
    const result = await act(project, github, {}, remote());
    expect(result.code, result.output).toBe(2);
    expect(result.output).toContain('merge it by hand, or delete it');
    expect(project.git('-C', project.origin, 'rev-parse', BRANCH).trim()).toBe(theirs);
  });
});

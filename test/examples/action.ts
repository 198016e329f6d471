import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { MARKER } from '../../action/report.mjs';
import { startService } from '../cli/service.ts';
import { BIN, repository, shell, type Repository } from './repository.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const TOKEN = 'ghs_secretTokenOfTheTest';
export const service = startService();

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
  };
}
export const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
export const [step] = action.runs.steps;

interface Comment {
  readonly databaseId: number;
  body: string;
  readonly viewerDidAuthor: boolean;
}

/** Answers of GitHub's API, and its requests. */
export class FakeGitHub {
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
export function act(
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
export function onPull(
  project: Repository,
  base: string,
  name = 'pull_request',
): Readonly<Record<string, string>> {
  const event = join(project.path, '..', 'event.json');
  const title = '"; touch stolen; echo $(touch stolen) `touch stolen`';
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7, title, base: { sha: base } } }));
  return {
    GITHUB_EVENT_PATH: event,
    GITHUB_EVENT_NAME: name,
    GITHUB_SHA: project.git('rev-parse', 'HEAD').trim(),
  };
}

/** A project with complete translations and dragoman installed. */
export async function translated(): Promise<Repository> {
  const project = repository();
  mkdirSync(join(project.path, 'node_modules/.bin'), { recursive: true });
  symlinkSync(BIN, join(project.path, 'node_modules/.bin/dragoman'));
  const done = await shell('node_modules/.bin/dragoman sync --engine pseudo', project);
  expect(done.code, done.output).toBe(0);
  commit(project);
  project.git('push', '--quiet', 'origin', 'main');
  return project;
}

export function commit(project: Repository): void {
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', 'change');
}

export const headOf = (project: Repository, ref = 'HEAD'): string => project.git('rev-parse', ref).trim();

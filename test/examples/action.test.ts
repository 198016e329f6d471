import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARKER } from '../../action/report.mjs';
import {
  action,
  act,
  commit,
  FakeGitHub,
  headOf,
  onPull,
  ROOT,
  service,
  step,
  TOKEN,
  translated,
} from './action.ts';

describe('action.yml', () => {
  it('declares the inputs that its script reads, and does not use expressions inside commands', () => {
    expect(action.runs.using).toBe('composite');
    expect(action.runs.steps).toHaveLength(1);
    expect(step?.run).not.toContain('${{');
    const script = readFileSync(join(ROOT, 'action/main.mjs'), 'utf8');
    const read = [...script.matchAll(/(?:input|linesOf)\('([A-Z_]+)'\)/g)].map(
      ([, name]) => `DRAGOMAN_ACTION_${name}`,
    );
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

  it('compares a shallow merge commit with the base, and checks only changed files', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    // The file was incomplete before, so it is not part of the pull request.
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

  it('fails even if it is not allowed to comment', async () => {
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

  it('fails for texts below the required state, but only in the named files', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const run = (inputs: Readonly<Record<string, string>>): ReturnType<typeof act> =>
      act(project, github, { comment: 'false', ...inputs }, onPull(project, headOf(project)));
    const all = await run({ require: 'reviewed' });
    expect(all.code, all.output).toBe(8);
    expect(all.output).toContain('not reviewed');
    const none = await run({ require: 'reviewed', 'require-in': ' legal/**\nterms/** ' });
    expect(none.code, none.output).toBe(0);
  });

  it('writes a page for translators with the texts of the changed files', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const output = join(project.path, '../output');
    const page = async (base: string, code: number): Promise<string> => {
      writeFileSync(output, '');
      const inputs = { comment: 'false', 'review-page': 'true' };
      const env = { ...onPull(project, base), GITHUB_OUTPUT: output };
      const result = await act(project, github, inputs, env);
      expect(result.code, result.output).toBe(code);
      expect(result.output).not.toContain('::warning::');
      return readFileSync(output, 'utf8');
    };
    const base = headOf(project);
    expect(await page(base, 0)).toBe('');
    expect(readdirSync(project.env['TMPDIR'] ?? '')).toEqual([]);

    const hostile = 'locales/$(touch stolen)\'";`%0A::error::/fr.json';
    project.git('switch', '--quiet', '--create', '$(touch${IFS}stolen)');
    project.write('locales/fr.json', readFileSync(join(project.path, 'locales/fr.json'), 'utf8').trimEnd());
    project.write(hostile, '{"a": "</script><script>x"}');
    project.write(hostile.replace('fr.json', 'en.json'), '{"a": "A"}');
    commit(project);
    const [, path = ''] = /^review-page=(.+)\n$/.exec(await page(base, 8)) ?? [];
    expect(path).toMatch(/\/dragoman-review-\w+\/translations\.html$/);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('locales/en.json');
    expect(text).not.toContain('</script><script>x');
    expect(project.git('status', '--porcelain')).toBe('');
    expect(readdirSync(dirname(path))).toEqual(['translations.html']);
    rmSync(dirname(path), { recursive: true });
  });

  it.each([
    [{ mode: 'publish' }, 'mode must be check or sync'],
    [{ version: '1.0.0; touch stolen' }, 'is not a version of dragoman'],
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

    // A reviewer corrects a translation in the branch, and main gets a new commit.
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

  it('keeps the translations that the budget covered, and ends with the exit code of sync', async () => {
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

  it('does not push over a conflicting branch', async () => {
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

import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILTERS, settingText } from '../git/hostile-checkouts.ts';
import { act, commit, FakeGitHub, headOf, onPull, service, TOKEN, translated } from './action.ts';
import type { Repository } from './repository.ts';

const BRANCH = 'dragoman/translations';

const onPush = (): Readonly<Record<string, string>> => ({
  GITHUB_EVENT_NAME: 'push',
  GITHUB_REF_NAME: 'main',
  DRAGOMAN_BASE_URL: service.url,
  DRAGOMAN_API_KEY: service.key,
});

/** A program of the project, and whether it has run since the last query. */
function canaryIn(project: Repository): { readonly path: string; readonly hasRun: () => boolean } {
  const path = join(project.path, 'canary');
  const mark = join(project.path, '../mark');
  writeFileSync(path, `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\n`);
  chmodSync(path, 0o755);
  return {
    path,
    hasRun: () => {
      const has = existsSync(mark);
      rmSync(mark, { force: true });
      return has;
    },
  };
}

const NEW_STRING = '{\n  "save": "Save {file}",\n  "open": "Open",\n  "new": "New"\n}\n';

describe('the action in a hostile checkout', () => {
  it('runs neither filters, helpers nor hooks of its configuration', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const { path, hasRun } = canaryIn(project);
    project.write('.gitattributes', '* filter=x diff=x merge=x\n');
    project.write('locales/en.json', NEW_STRING);
    commit(project);
    const base = headOf(project, 'HEAD^');
    const settings = [
      'core.sshCommand',
      'credential.helper',
      'remote.origin.uploadpack',
      'remote.origin.receivepack',
    ];
    const text = FILTERS(path) + settings.map((key) => settingText(key, path)).join('');
    writeFileSync(join(project.path, '.git/config'), text, { flag: 'a' });
    mkdirSync(join(project.path, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'post-commit', 'pre-commit', 'pre-push', 'reference-transaction'])
      cpSync(path, join(project.path, '.git/hooks', hook));
    project.git('status');
    expect(hasRun()).toBe(true);

    const checked = await act(project, github, {}, onPull(project, base));
    expect(checked.code, checked.output).toBe(8);
    const synced = await act(project, github, {}, onPush());
    expect(synced.code, synced.output).toBe(0);
    const again = await act(project, github, {}, onPush());
    expect(again.code, again.output).toBe(0);
    expect(hasRun()).toBe(false);
    expect(github.pulls).toHaveLength(1);
  });

  it('does not accept a directory that only looks like a repository', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const { path, hasRun } = canaryIn(project);
    const inner = join(project.path, 'inner');
    for (const part of ['HEAD', 'config', 'index', 'objects', 'refs'])
      cpSync(join(project.path, '.git', part), join(inner, part), { recursive: true });
    cpSync(join(project.path, 'dragoman.config.yaml'), join(inner, 'dragoman.config.yaml'));
    cpSync(join(project.path, 'locales'), join(inner, 'locales'), { recursive: true });
    const configuration = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n${FILTERS(path)}`;
    writeFileSync(join(inner, 'config'), configuration);
    project.write('inner/.gitattributes', '* filter=x\n');
    project.write('inner/locales/en.json', NEW_STRING);
    expect(project.git('-C', inner, 'status', '--short')).toContain('M locales/en.json');
    expect(hasRun()).toBe(true);
    commit(project);

    const head = headOf(project);
    const synced = await act(project, github, { directory: 'inner' }, onPush());
    expect(synced.code, synced.output).toBe(0);
    expect(hasRun()).toBe(false);
    const inOrigin = project.git('-C', project.origin, 'log', '--format=%H', '-1', `${BRANCH}^`).trim();
    expect(inOrigin).toBe(head);
  });

  it('fetches missing objects of a partial clone, without the settings in its configuration', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    project.git('-C', project.origin, 'config', 'uploadpack.allowFilter', 'true');
    project.git('-C', project.origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    const before = headOf(project);
    const lines = ['  "save": "Save {file}"', '  "open": "Open"', '  "one": "One"', '  "two": "Two"'];
    project.write('locales/en.json', `{\n${lines.slice(0, 3).join(',\n')}\n}\n`);
    commit(project);
    project.git('push', '--quiet', 'origin', 'main');
    expect((await act(project, github, {}, onPush())).code).toBe(0);
    project.git('switch', '--quiet', 'main');
    project.write('locales/en.json', `{\n${lines.join(',\n')}\n}\n`);
    commit(project);
    project.git('push', '--quiet', 'origin', 'main');

    const clone = { ...project, path: join(project.path, '../clone') };
    const source = `file://${project.origin}`;
    project.git('clone', '--quiet', '--filter=blob:none', source, clone.path);
    cpSync(join(project.path, 'node_modules'), join(clone.path, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const { path, hasRun } = canaryIn(project);
    project.git('-C', clone.path, 'config', 'remote.origin.uploadpack', path);
    const pulled = { ...onPull(project, before), GITHUB_SHA: '' };
    const checked = await act(clone, github, {}, pulled);
    expect(checked.code, checked.output).toBe(8);
    // Shows that the files of the base were read: everything in them was translated.
    expect(github.own).toContain('| <code>fr</code> | 50 % | −50 |');
    const synced = await act(clone, github, {}, onPush());
    expect(synced.code, synced.output).toBe(0);
    expect(project.git('-C', project.origin, 'show', `${BRANCH}:locales/fr.json`)).toContain('"two"');
    expect(hasRun()).toBe(false);
  });

  it('passes its token only to push, fetch and ls-remote', async () => {
    const project = await translated();
    const github = await new FakeGitHub().start();
    const log = join(project.path, '../git.log');
    const secret = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    const real = (project.env['PATH'] ?? '')
      .split(':')
      .find((directory) => existsSync(join(directory, 'git')));
    const wrapper = `#!/bin/sh
if env | grep -q -e '${secret}' -e '${TOKEN}'; then has=token; else has=nothing; fi
for word in "$@"; do case $word in -*) ;; *) break ;; esac; done
echo "$word $has" >> '${log}'
exec '${real}/git' "$@"
`;
    writeFileSync(join(project.path, '../bin/git'), wrapper, { mode: 0o755 });
    project.write('locales/en.json', NEW_STRING);
    commit(project);
    for (let run = 0; run < 2; run += 1) {
      const synced = await act(project, github, {}, onPush());
      expect(synced.code, synced.output).toBe(0);
    }
    const commands = new Set(readFileSync(log, 'utf8').trim().split('\n'));
    const given = [...commands].filter((line) => line.endsWith(' token')).sort();
    expect(given).toEqual(['fetch token', 'ls-remote token', 'push token']);
    expect([...commands]).toEqual(
      expect.arrayContaining(['add nothing', 'commit nothing', 'switch nothing']),
    );
  });
});

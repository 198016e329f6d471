import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

const PATH = process.env['PATH'] ?? '';

/** A repository in which every file has the same keys, synced and committed as `base`. */
class Repository {
  readonly root: string;
  readonly #home = temporaryDirectory();

  private constructor(root: string) {
    this.root = root;
  }

  static async of(files: Readonly<Record<string, string>>): Promise<Repository> {
    const repository = new Repository(projectWith(files));
    repository.git('init', '--quiet', '--initial-branch=main');
    expect((await repository.run(['sync', '--engine', 'pseudo'])).exitCode).toBe(0);
    repository.commit();
    repository.git('tag', 'base');
    return repository;
  }

  git(...args: readonly string[]): string {
    const env = { PATH, HOME: this.#home, GIT_CONFIG_NOSYSTEM: '1' };
    const name = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org'];
    return execFileSync('git', [...name, ...args], { cwd: this.root, env, encoding: 'utf8', stdio: 'pipe' });
  }

  commit(): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', 'change');
  }

  write(name: string, text: string): void {
    mkdirSync(join(this.root, name, '..'), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  run(argv: readonly string[], at = '.'): Promise<Result> {
    return dragoman(argv, { cwd: join(this.root, at), env: { PATH } });
  }

  /** The targets that need work according to `check --changed-since`. */
  async changed(ref = 'base'): Promise<readonly string[]> {
    const { exitCode, stdout, stderr } = await this.run(['check', '--changed-since', ref, '--json']);
    const { projects, findings } = JSON.parse(stdout) as {
      projects: { languages: { files: { target: string; drift: unknown[] }[] }[] }[];
      findings: { file: string }[];
    };
    const all = projects.flatMap(({ languages }) => languages.flatMap(({ files }) => files));
    const files = all.flatMap(({ target, drift }) => (drift.length > 0 ? [target] : []));
    const found = [...new Set([...files, ...findings.map(({ file }) => file)])].sort();
    expect(exitCode, stderr).toBe(found.length > 0 ? 8 : 0);
    return found;
  }
}

const CONFIGURATION = 'source: en\ntargets: [de, fr]\n';
const FILES = {
  'dragoman.config.yaml': CONFIGURATION,
  'locales/en/a.json': '{\n  "save": "Save {file}"\n}\n',
  'locales/en/b.json': '{\n  "open": "Open"\n}\n',
};
const EMPTY = '{\n}\n';

describe('check --changed-since', () => {
  it('checks only changed files and the translations of changed sources', async () => {
    const repository = await Repository.of(FILES);
    // Committed before the branch, so out of scope.
    repository.write('locales/de/b.json', EMPTY);
    repository.commit();
    repository.git('tag', '--force', 'base');
    expect(await repository.changed()).toEqual([]);
    const none = await repository.run(['check', '--changed-since', 'base']);
    expect(none.stderr).toContain('nothing to check: no localization file has changed since base\n');

    repository.write('locales/fr/a.json', EMPTY);
    expect(await repository.changed()).toEqual(['locales/fr/a.json']);
    repository.write('locales/en/b.json', '{\n  "open": "Open it"\n}\n');
    repository.commit();
    expect(await repository.changed()).toEqual([
      'locales/de/b.json',
      'locales/fr/a.json',
      'locales/fr/b.json',
    ]);
    const text = await repository.run(['check', '--changed-since', 'base', 'locales/en/b.json']);
    expect(text.stdout).not.toContain('a.json');
    expect(text.stderr).not.toContain('nothing to check');
    expect((await repository.run(['check', '--json'])).stdout).toContain('de/b.json');
  });

  it('detects untracked and deleted files, and names with spaces, line feeds and umlauts, from a subdirectory', async () => {
    const repository = await Repository.of({ ...FILES, 'locales/en/ä b\nc.json': '{"x": "X"}\n' });
    repository.write('locales/en/new file.json', '{"new": "New"}\n');
    repository.write('locales/fr/ä b\nc.json', EMPTY);
    renameSync(join(repository.root, 'locales/de/b.json'), join(repository.root, 'b.json.txt'));
    const expected = [
      'locales/de/b.json',
      'locales/de/new file.json',
      'locales/fr/new file.json',
      'locales/fr/ä b\nc.json',
    ];
    expect(await repository.changed()).toEqual(expected);
    const below = await repository.run(['check', '--changed-since', 'base', '--json'], 'locales/en');
    for (const name of expected) expect(below.stdout).toContain(JSON.stringify(name).slice(1, -1));
  });

  it('checks everything if the configuration, the glossary or the languages in the lock have changed', async () => {
    const repository = await Repository.of(FILES);
    repository.write('locales/fr/a.json', EMPTY);
    repository.write('locales/de/b.json', EMPTY);
    repository.commit();
    repository.git('tag', '--force', 'base');
    const all = ['locales/de/b.json', 'locales/fr/a.json'];
    expect(await repository.changed()).toEqual([]);
    repository.write('dragoman.config.yaml', `# as before\n${CONFIGURATION}`);
    expect(await repository.changed()).toEqual(all);
    repository.write('dragoman.config.yaml', CONFIGURATION);
    expect(await repository.changed()).toEqual([]);
    repository.write('glossary.csv', 'term,de,fr\nSave,Sichern,Enregistrer\n');
    expect((await repository.changed()).length).toBeGreaterThan(1);
    repository.git('clean', '-fd');
    const lock = repository.git('show', 'base:dragoman.lock');
    repository.write('dragoman.lock', lock.replace('target\tfr', 'target\tes\ntarget\tfr'));
    expect(await repository.changed()).toEqual(all);
  });

  it('checks targets whose records in the lock have changed', async () => {
    const repository = await Repository.of(FILES);
    const lock = repository.git('show', 'base:dragoman.lock');
    const stale = lock.replace(/^(locales\/en\/b\.json\t\/open\tfr\t)[0-9a-f]{16}/m, `$1${'0'.repeat(16)}`);
    expect(stale).not.toBe(lock);
    repository.write('locales/de/a.json', EMPTY);
    repository.write('dragoman.lock', stale);
    repository.git('add', 'locales');
    repository.git('commit', '--quiet', '--message', 'files');
    expect(await repository.changed('HEAD')).toEqual(['locales/fr/b.json']);
  });

  it('compares a branch with the commit where it left the base', async () => {
    const repository = await Repository.of(FILES);
    repository.git('switch', '--quiet', '--create', 'topic');
    repository.write('locales/fr/a.json', EMPTY);
    repository.commit();
    repository.git('switch', '--quiet', 'main');
    repository.write('locales/en/c.json', '{"later": "Later"}\n');
    repository.commit();
    repository.git('switch', '--quiet', 'topic');
    expect(await repository.changed('main')).toEqual(['locales/fr/a.json']);
  });

  it('compares with the commit itself in a clone without more history', async () => {
    const repository = await Repository.of(FILES);
    const clone = join(temporaryDirectory(), 'clone');
    repository.write('locales/fr/a.json', EMPTY);
    repository.commit();
    repository.git('clone', '--quiet', '--depth=1', `file://${repository.root}`, clone);
    repository.git('-C', clone, 'fetch', '--quiet', '--depth=1', 'origin', 'tag', 'base');
    const result = await dragoman(['check', '--changed-since', 'base'], { cwd: clone, env: { PATH } });
    expect(result.stderr).toContain('checking 1 of 2 sources');
    expect(result.exitCode).toBe(8);
  });

  it.each([
    '--output=stolen',
    '-p',
    'no-such-branch',
    '',
    ' ',
    'base; touch stolen',
    '$(touch stolen)',
    'base:locales',
  ])('refuses %j', async (ref) => {
    const repository = await Repository.of(FILES);
    const { exitCode, stderr } = await repository.run(['check', `--changed-since=${ref}`]);
    expect(stderr).toContain(`git does not know the commit ${JSON.stringify(ref)}`);
    expect(exitCode).toBe(2);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('reports a missing work tree or git', async () => {
    const files = { ...FILES, 'locales/de/a.json': EMPTY };
    const cwd = projectWith(files);
    const outside = await dragoman(['check', '--changed-since', 'main'], { cwd, env: { PATH } });
    expect(outside).toMatchObject({ exitCode: 2 });
    expect(outside.stderr).toContain('is not in a git work tree that this user may read');
    const without = await dragoman(['check', '--changed-since', 'main'], { cwd, env: { PATH: '' } });
    expect(without).toMatchObject({ exitCode: 2 });
    expect(without.stderr).toContain('git is not installed');
    // A program named git in the checkout must not run.
    const bait = projectWith({ ...files, git: '#!/bin/sh\ntouch run\n' });
    chmodSync(join(bait, 'git'), 0o755);
    const relative = await dragoman(['check', '--changed-since', 'main'], { cwd: bait, env: { PATH: '.' } });
    expect(relative.stderr).toContain('git is not installed');
  });

  it('does not start programs named in the configuration of the repository', async () => {
    const repository = await Repository.of(FILES);
    const program = join(repository.root, '.git/program');
    writeFileSync(program, `#!/bin/sh\ntouch '${repository.root}/run'\n`);
    chmodSync(program, 0o755);
    repository.git('config', 'core.fsmonitor', program);
    repository.git('config', 'diff.external', program);
    repository.write('locales/fr/a.json', EMPTY);
    expect(await repository.changed()).toEqual(['locales/fr/a.json']);
    expect(repository.git('-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe(
      ' M locales/fr/a.json\n',
    );
  });

  it('ends when it is interrupted', async () => {
    const repository = await Repository.of(FILES);
    const signal = AbortSignal.abort();
    const { exitCode } = await dragoman(['check', '--changed-since', 'base'], {
      cwd: repository.root,
      env: { PATH },
      signal,
    });
    expect(exitCode).toBe(130);
  });
});

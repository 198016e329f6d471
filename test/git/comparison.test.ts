import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unchangedPaths } from '../../src/git/comparison.ts';
import { openRepository } from '../../src/git/repository.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { SPECIAL_FILES } from './hostile-checkouts.ts';

const PATH = process.env['PATH'] ?? '';

class Checkout {
  readonly home = realpathSync(temporaryDirectory());
  readonly top: string;

  constructor(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
    this.top = join(this.home, 'top');
    this.git(this.home, 'init', '--quiet', '--initial-branch=main', ...options, this.top);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.commit();
  }

  git(cwd: string, ...args: readonly string[]): string {
    const settings = [
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.org',
      '-c',
      'protocol.file.allow=always',
    ];
    const env = { PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...settings, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.top, name)), { recursive: true });
    writeFileSync(join(this.top, name), text);
  }

  commit(): void {
    this.git(this.top, 'add', '--all');
    this.git(this.top, 'commit', '--quiet', '--message', 'change');
  }

  configure(text: string): void {
    appendFileSync(join(this.home, '.gitconfig'), text);
  }

  /** The changed files among these names since a commit. */
  async changed(
    names: readonly string[],
    at = this.top,
    env: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> {
    const caller = {
      env: { PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1', ...env },
      signal: new AbortController().signal,
    };
    const repository = await openRepository(at, caller);
    try {
      const commit = (await repository.git(['rev-parse', 'HEAD'])).trim();
      const paths = names.map((name) => join(at, name));
      const unchanged = await unchangedPaths(repository, commit, paths);
      return paths.filter((path) => !unchanged.has(path)).map((path) => relative(at, path));
    } finally {
      await repository.close();
    }
  }
}

const TEXT = 'one\ntwo\n';

describe('a file compared with that of a commit', () => {
  it('is compared byte for byte, and counts if it was changed, added, deleted or renamed', async () => {
    const checkout = new Checkout({ a: TEXT, 'dir/b': TEXT, c: TEXT, 'ä b\nc': TEXT, empty: '' });
    const names = ['a', 'dir/b', 'c', 'ä b\nc', 'empty', 'renamed', 'absent', 'dir'];
    expect(await checkout.changed(names)).toEqual(['dir']);
    checkout.write('dir/b', 'three\n');
    renameSync(join(checkout.top, 'c'), join(checkout.top, 'renamed'));
    chmodSync(join(checkout.top, 'a'), 0o755);
    expect(await checkout.changed(names)).toEqual(['dir/b', 'c', 'renamed', 'dir']);
    expect(await checkout.changed(['../outside'])).toEqual([]);
  });

  it('is compared in a repository with SHA-256', async () => {
    const checkout = new Checkout({ a: TEXT, b: TEXT }, '--object-format=sha256');
    checkout.write('b', 'three\n');
    expect(await checkout.changed(['a', 'b'])).toEqual(['b']);
  });

  it('is read even if the index marks it as unchanged', async () => {
    const checkout = new Checkout({ a: TEXT });
    const path = join(checkout.top, 'a');
    const old = new Date(2020, 1, 1);
    utimesSync(path, old, old);
    checkout.git(checkout.top, 'update-index', '--refresh');
    checkout.git(checkout.top, 'update-index', '--assume-unchanged', 'a');
    writeFileSync(path, TEXT.toUpperCase());
    utimesSync(path, old, old);
    expect(await checkout.changed(['a'])).toEqual(['a']);
  });

  it('is compared even if its path contains links', async () => {
    const checkout = new Checkout({ 'real/a': TEXT, other: TEXT });
    symlinkSync('real', join(checkout.top, 'link'));
    symlinkSync('real/a', join(checkout.top, 'file'));
    symlinkSync('/etc/hostname', join(checkout.top, 'away'));
    symlinkSync('loop', join(checkout.top, 'loop'));
    checkout.commit();
    const names = ['link/a', 'file', 'away', 'loop', 'real/a'];
    expect(await checkout.changed(names)).toEqual(['away', 'loop']);
    checkout.write('real/a', 'three\n');
    expect(await checkout.changed(names)).toEqual(names);
    checkout.write('real/a', TEXT);
    rmSync(join(checkout.top, 'file'));
    symlinkSync('other', join(checkout.top, 'file'));
    expect(await checkout.changed(names)).toEqual(['file', 'away', 'loop']);
  });

  it('does not count if it is ignored and untracked', async () => {
    const checkout = new Checkout({ a: TEXT });
    checkout.configure('[core]\n\texcludesFile = ~/ignored\n');
    writeFileSync(join(checkout.home, 'ignored'), 'mine\n');
    checkout.write('forced.tmp', TEXT);
    checkout.commit();
    checkout.write('.gitignore', '*.tmp\n');
    for (const name of ['a.tmp', 'added.tmp', 'mine', 'new']) checkout.write(name, TEXT);
    checkout.git(checkout.top, 'add', '--force', 'added.tmp');
    expect(await checkout.changed(['a.tmp', 'added.tmp', 'forced.tmp', 'mine', 'new'])).toEqual([
      'added.tmp',
      'new',
    ]);
  });

  it('may be excluded by a sparse checkout', async () => {
    const checkout = new Checkout({ 'in/a': TEXT, 'out/b': TEXT, 'in/c': TEXT });
    checkout.git(checkout.top, 'sparse-checkout', 'set', 'in');
    rmSync(join(checkout.top, 'in/c'));
    expect(readdirSync(checkout.top)).not.toContain('out');
    expect(await checkout.changed(['in/a', 'out/b', 'in/c'])).toEqual(['in/c']);
  });
});

describe('the comparison of line ends', () => {
  const CRLF = TEXT.replaceAll('\n', '\r\n');

  it.each([
    ['core.autocrlf=true', '', '[core]\n\tautocrlf = true\n', false],
    ['core.autocrlf=input', '', '[core]\n\tautocrlf = input\n', false],
    ['no setting', '', '', true],
    ['core.autocrlf=false', '', '[core]\n\tautocrlf = false\n', true],
    ['the attribute text', '* text\n', '', false],
    ['the attribute text=auto', '* text=auto\n', '', false],
    ['the attribute eol=crlf', '* eol=crlf\n', '', false],
    ['the old attribute crlf', '* crlf\n', '', false],
    ['the attribute -text', '* -text\n', '[core]\n\tautocrlf = true\n', true],
    ['the old attribute -crlf', '* -crlf\n', '[core]\n\tautocrlf = true\n', true],
  ])('ignores conversions by git: %s', async (_, attributes, configuration, isChange) => {
    const checkout = new Checkout({ '.gitattributes': attributes, 'dir/a': TEXT, b: TEXT, c: TEXT, d: TEXT });
    checkout.configure(configuration);
    checkout.write('dir/a', CRLF);
    checkout.write('b', CRLF.replace('two', 'three'));
    checkout.write('c', 'one\r\ntwo\n\r');
    checkout.write('d', 'one\r\ntwo\r\n\0');
    const expected = ['b', 'c', 'd'];
    expect(await checkout.changed(['dir/a', ...expected])).toEqual(
      isChange ? ['dir/a', ...expected] : expected,
    );
    // Git agrees, except that it treats NUL and CR as text if an attribute says so.
    const asGit = checkout.git(checkout.top, 'diff', '--name-only', 'HEAD', '--', 'dir/a', 'b');
    expect(asGit.split('\n').includes('dir/a')).toBe(isChange);
  });

  it('ignores conversions by the configuration of the clone', async () => {
    const checkout = new Checkout({ a: TEXT });
    checkout.git(checkout.top, 'config', 'core.autocrlf', 'true');
    checkout.write('a', CRLF);
    expect(await checkout.changed(['a'])).toEqual([]);
  });

  it('counts conversions by a filter as changes', async () => {
    const checkout = new Checkout({ '.gitattributes': 'a filter=x\n', a: TEXT });
    checkout.configure('[filter "x"]\n\tclean = tr a-z A-Z\n');
    checkout.write('a', 'large\n');
    checkout.commit();
    expect(await checkout.changed(['a'])).toEqual(['a']);
  });
});

describe('a repository', () => {
  it('may belong to a linked work tree', async () => {
    const checkout = new Checkout({ a: TEXT, b: TEXT });
    const linked = join(checkout.home, 'linked');
    checkout.git(checkout.top, 'worktree', 'add', '--quiet', linked);
    checkout.write('a', 'main only\n');
    checkout.commit();
    writeFileSync(join(linked, 'b'), 'linked only\n');
    expect(await checkout.changed(['a', 'b'], linked)).toEqual(['b']);
    expect(await checkout.changed(['a', 'b'])).toEqual([]);
  });

  it('may belong to a submodule, whose files are not those of its parent', async () => {
    const inner = new Checkout({ a: TEXT, b: TEXT });
    const outer = new Checkout({ c: TEXT });
    outer.git(outer.top, 'submodule', '--quiet', 'add', inner.top, 'sub');
    outer.commit();
    outer.write('sub/a', 'three\n');
    expect(await outer.changed(['a', 'b'], join(outer.top, 'sub'))).toEqual(['a']);
    expect(await outer.changed(['c', 'sub/a', 'sub/b'])).toEqual(['sub/a', 'sub/b']);
  });

  it('is not a directory that only looks like one, nor one named in a configuration', async () => {
    const checkout = new Checkout({ a: TEXT });
    const other = new Checkout({ a: 'other\n' });
    checkout.git(checkout.top, 'config', 'core.worktree', other.top);
    expect(await checkout.changed(['a'])).toEqual([]);
    writeFileSync(join(checkout.home, '.git'), 'gitdir: nowhere\n');
    const bare = join(checkout.home, 'bare.git');
    checkout.git(checkout.home, 'clone', '--quiet', '--bare', checkout.top, bare);
    await expect(checkout.changed(['a'], bare)).rejects.toThrow('is not in a git work tree');
  });

  it('is still the one around the directory when a hook runs the command', async () => {
    const checkout = new Checkout({ a: TEXT });
    const other = new Checkout({ a: 'other\n' });
    const redirected = {
      GIT_DIR: join(other.top, '.git'),
      GIT_WORK_TREE: other.top,
      GIT_INDEX_FILE: '/nonexistent',
      GIT_OBJECT_DIRECTORY: join(other.top, '.git/objects'),
      GIT_EXTERNAL_DIFF: 'false',
      GIT_CEILING_DIRECTORIES: checkout.top,
    };
    expect(await checkout.changed(['a'], checkout.top, redirected)).toEqual([]);
  });

  it.each<readonly [name: string, error: string]>([
    ['HEAD', 'is not in a git work tree'],
    ['objects', 'is not in a git work tree'],
    ...[
      'config',
      'config.worktree',
      'index',
      'packed-refs',
      'shallow',
      'main',
      'origin/main',
      'refs/heads/x/y',
      'logs/refs/heads/x',
      'info/exclude',
      'info/attributes',
      'info/sparse-checkout',
      'objects/info/alternates',
      'objects/info/commit-graph',
      'objects/pack/pack-1.idx',
      'objects/12/34567890123456789012345678901234567890',
    ].map((name) => [name, `.git/${name} is not a regular file`] as const),
  ])('does not block on a FIFO, a socket or a device as %s', async (name, error) => {
    const checkout = new Checkout({ a: TEXT });
    const path = join(checkout.top, '.git', name);
    mkdirSync(dirname(path), { recursive: true });
    for (const make of Object.values(SPECIAL_FILES)) {
      rmSync(path, { recursive: true, force: true });
      make(path);
      await expect(checkout.changed(['a'])).rejects.toThrow(error);
    }
  });

  it.each(['.gitignore', '.gitattributes', 'dir/.gitignore', 'dir/.gitattributes'])(
    'does not block on a FIFO as %s of a work tree',
    async (name) => {
      const checkout = new Checkout({ a: TEXT, 'dir/b': TEXT });
      SPECIAL_FILES.fifo(join(checkout.top, name));
      writeFileSync(join(checkout.top, 'dir/new'), TEXT);
      writeFileSync(join(checkout.top, 'dir/b'), TEXT.replaceAll('\n', '\r\n'));
      await expect(checkout.changed(['dir/b', 'dir/new'])).rejects.toThrow(`${name} is not a regular file`);
    },
  );

  it('does not block on a FIFO in shared objects', async () => {
    const checkout = new Checkout({ a: TEXT });
    const [first, second] = [join(checkout.home, 'first'), join(checkout.home, 'second')];
    for (const path of [first, second]) mkdirSync(join(path, 'info'), { recursive: true });
    writeFileSync(join(checkout.top, '.git/objects/info/alternates'), `# shared\n${first}\n`);
    writeFileSync(join(first, 'info/alternates'), '../second\n');
    writeFileSync(join(second, 'info/alternates'), `${checkout.top}/.git/objects\n/nonexistent\n`);
    expect(await checkout.changed(['a'])).toEqual([]);
    mkdirSync(join(second, 'pack'));
    SPECIAL_FILES.fifo(join(second, 'pack/pack-1.idx'));
    await expect(checkout.changed(['a'])).rejects.toThrow('pack/pack-1.idx is not a regular file');
  });

  it('waits ten seconds for a FIFO that a configuration includes', async () => {
    const checkout = new Checkout({ a: TEXT });
    SPECIAL_FILES.fifo(join(checkout.home, 'fifo'));
    checkout.git(checkout.top, 'config', 'include.path', join(checkout.home, 'fifo'));
    await expect(checkout.changed(['a'])).rejects.toThrow('git rev-parse took more than 10 seconds');
  });

  it('does not fetch missing directories of a commit', async () => {
    const checkout = new Checkout({ 'dir/a': TEXT });
    const mark = join(checkout.home, 'mark');
    const tree = checkout.git(checkout.top, 'rev-parse', 'HEAD:dir');
    rmSync(join(checkout.top, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', checkout.top],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.uploadpack', `touch ${mark}; false`],
    ] as const)
      checkout.git(checkout.top, 'config', key, value);
    expect(() => checkout.git(checkout.top, 'ls-tree', '-r', 'HEAD')).toThrow('Command failed');
    expect(statSync(mark).isFile()).toBe(true);
    rmSync(mark);
    await expect(checkout.changed(['dir/a'])).rejects.toThrow('git cannot list the files of the commit');
    expect(statSync(mark, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe.runIf(process.getuid?.() === 0)('a repository of another user', () => {
  const OTHER = 12_345;

  function foreign(): Checkout {
    const checkout = new Checkout({ a: TEXT });
    for (const name of ['', '.git', 'a']) chownSync(join(checkout.top, name), OTHER, OTHER);
    return checkout;
  }

  it('is refused', async () => {
    const checkout = foreign();
    await expect(checkout.changed(['a'])).rejects.toMatchObject({
      code: 'usage',
      message: `git refuses the repository of ${checkout.top}: detected dubious ownership in repository at '${checkout.top}'`,
      hint: `If you trust its owner, run: git config --global --add safe.directory ${checkout.top}`,
    });
    // The repository's own settings do not matter.
    checkout.git(checkout.top, 'config', '--file', '.git/config', 'safe.directory', '*');
    await expect(checkout.changed(['a'])).rejects.toThrow('dubious ownership');
  });

  it('is read if safe.directory names it, and refused again after an empty value', async () => {
    const checkout = foreign();
    checkout.configure(`[safe]\n\tdirectory = ${checkout.top}\n`);
    expect(await checkout.changed(['a'])).toEqual([]);
    checkout.configure('[safe]\n\tdirectory =\n');
    await expect(checkout.changed(['a'])).rejects.toThrow('dubious ownership');
    checkout.configure('[safe]\n\tdirectory = *\n');
    expect(await checkout.changed(['a'])).toEqual([]);
  });

  it('is read by root if the owner called sudo', async () => {
    expect(await foreign().changed(['a'], undefined, { SUDO_UID: String(OTHER) })).toEqual([]);
    await expect(foreign().changed(['a'], undefined, { SUDO_UID: '54321' })).rejects.toThrow('dubious');
  });

  it('is refused if only the `.git` file of a work tree belongs to another user', async () => {
    const checkout = new Checkout({ a: TEXT });
    const linked = join(checkout.home, 'linked');
    checkout.git(checkout.top, 'worktree', 'add', '--quiet', linked);
    expect(await checkout.changed(['a'], linked)).toEqual([]);
    chownSync(join(linked, '.git'), OTHER, OTHER);
    await expect(checkout.changed(['a'], linked)).rejects.toThrow('dubious ownership');
  });
});

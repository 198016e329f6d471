import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A checkout whose git configuration was written by an attacker. */
export interface HostileCheckout {
  /** The current directory or the path given by the user, with localization files to check. */
  readonly directory: string;
  /** The top of the user's own clone, or of the unpacked archive. */
  readonly top: string;
  /** The configuration file that the attacker controls. */
  readonly configuration: string;
  /** A program in the checkout, which leaves a mark. */
  readonly canary: string;
  /** Replaces the configuration, except for the settings of the repository. */
  configure(text: string): void;
  /** Whether the program has run since the last query. */
  readonly hasRun: () => boolean;
}

const FILES = {
  'dragoman.config.json': '{"source": "en", "targets": ["de"]}\n',
  'locales/en.json': '{\n  "save": "Save"\n}\n',
  'locales/de.json': '{\n  "save": "Save"\n}\n',
  '.gitattributes': '* filter=x diff=x merge=x\n',
};

/** The attacker's settings: each of them runs a program under `git diff` or `git status`. */
export const FILTERS = (canary: string): string =>
  settingText('filter.x.clean', canary) +
  settingText('filter.x.smudge', canary) +
  settingText('filter.x.required', 'true') +
  settingText('diff.x.textconv', canary) +
  settingText('diff.x.command', canary) +
  settingText('merge.x.driver', canary) +
  settingText('core.fsmonitor', canary);

/**
 * An unpacked archive: a work tree with a `.git` that somebody else wrote.
 *
 * @param parent an empty directory
 */
export function unpackedArchive(parent: string): HostileCheckout {
  const top = committedProject(join(parent, 'archive'));
  return hostile(top, top, join(top, '.git/config'));
}

/**
 * A clone that contains a bare repository as a directory: git treats the directory as the top of a work tree, whose
 * configuration is a file of the clone.
 * @param parent an empty directory
 */
export function embeddedBareRepository(parent: string): HostileCheckout {
  const origin = join(parent, 'origin');
  mkdirSync(origin);
  git(origin, 'init', '--quiet', '--initial-branch=main');
  const inner = committedProject(join(origin, 'inner'));
  for (const part of ['HEAD', 'config', 'index', 'objects', 'refs'])
    renameSync(join(inner, '.git', part), join(inner, part));
  rmSync(join(inner, '.git'), { recursive: true });
  writeFileSync(
    join(inner, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n',
  );
  git(origin, 'add', '--all', '--force');
  commit(origin);
  const top = join(parent, 'clone');
  git(parent, 'clone', '--quiet', origin, top);
  const directory = join(top, 'inner');
  return hostile(top, directory, join(directory, 'config'));
}

/** The hostile checkouts, by the place of their hostile configuration. */
export const HOSTILE_CHECKOUTS: Readonly<Record<string, (parent: string) => HostileCheckout>> = {
  'an unpacked archive with .git/config': unpackedArchive,
  'a bare repository as a directory of a clone': embeddedBareRepository,
};

/** Creates something that can replace a file, and blocks whoever reads it. */
export const SPECIAL_FILES = {
  fifo: (path: string): void => void execFileSync('mkfifo', [path]),
  socket(path: string): void {
    const script =
      "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    // Socket names must be short.
    spawnSync(process.execPath, ['-e', script, `./${basename(path)}`], { cwd: dirname(path) });
  },
  device: (path: string): void => symlinkSync('/dev/zero', path),
} as const;

/** A setting as a section of a configuration. @param key such as `filter.x.clean` */
export function settingText(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const name = first === last ? '' : ` "${key.slice(first + 1, last)}"`;
  return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)} = "${value.replace(/[\\"]/g, '\\$&')}"\n`;
}

/** Runs git as a careless user would: this runs the programs that a configuration names. */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.org', ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: dirname(cwd), GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function committedProject(top: string): string {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  git(top, 'init', '--quiet', '--initial-branch=main');
  git(top, 'add', '--all');
  commit(top);
  git(top, 'tag', 'base');
  return top;
}

function commit(cwd: string): void {
  git(cwd, 'commit', '--quiet', '--message', 'all');
}

function hostile(top: string, directory: string, configuration: string): HostileCheckout {
  const mark = join(dirname(top), 'mark');
  const canary = join(directory, 'canary');
  writeFileSync(canary, `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\n`);
  chmodSync(canary, 0o755);
  const harmless = `${configuration}.harmless`;
  cpSync(configuration, harmless);
  const checkout: HostileCheckout = {
    directory,
    top,
    configuration,
    canary,
    configure: (text) => {
      cpSync(harmless, configuration);
      writeFileSync(configuration, text, { flag: 'a' });
    },
    hasRun: () => {
      const has = existsSync(mark);
      rmSync(mark, { force: true });
      return has;
    },
  };
  checkout.configure(FILTERS(canary));
  // Git rereads a file whose time or size differs from its index.
  writeFileSync(join(directory, 'locales/de.json'), '{\n  "save": ""\n}\n');
  return checkout;
}

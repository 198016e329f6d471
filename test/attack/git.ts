import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  FILTERS,
  HOSTILE_CHECKOUTS,
  settingText,
  SPECIAL_FILES,
  unpackedArchive,
} from '../git/hostile-checkouts.ts';
import { OCCASIONS, programSettings } from '../git/program-settings.ts';
import { forEach, isRoot, STRANGER } from './room.ts';
import type { AttackRow } from './row.ts';

/** Checkouts whose git configuration was written by somebody else. */

const CHECK = ['check', '--changed-since', 'main'];
const COMMANDS: readonly (readonly string[])[] = [
  CHECK,
  [...CHECK, 'locales'],
  ['check'],
  ['status'],
  ['lint'],
  ['config'],
  ['doctor'],
  ['init', '--dry-run'],
  ['i18n', 'locales/en.json', '--target', 'fr', '--engine', 'pseudo'],
  ['sync', '--engine', 'pseudo'],
];

const HOOKS = ['post-index-change', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman'];

/** Files that git reads: a FIFO in place of one would block it. */
const WAITED_FOR = [
  '.git/HEAD',
  '.git/config',
  '.git/index',
  '.git/packed-refs',
  '.git/main',
  '.git/info/exclude',
  '.git/objects/info/alternates',
  '.git/objects/pack/pack-1.idx',
  '.git/commondir',
];

export const gitRows: readonly AttackRow[] = [
  ...Object.entries(HOSTILE_CHECKOUTS).map(([name, make]): AttackRow => ({
    attack: `${name}: filters, text conversion and fsmonitor, with each command`,
    expected: 'git runs none of its programs',
    async run(trial) {
      const { room } = trial;
      const armed = make(room.directory());
      spawnSync('git', ['diff', '--name-only', 'HEAD', '--'], {
        cwd: armed.directory,
        env: { PATH: process.env['PATH'] ?? '' },
      });
      trial.holds('git itself runs the program', armed.hasRun());
      const led = { GIT_DIR: armed.directory, GIT_WORK_TREE: '.' };
      const { code } = await room.run(CHECK, { cwd: armed.directory, env: led });
      trial.equals('the exit code with variables that lead git there', code, 8);
      trial.holds('it does not run the program either', !armed.hasRun());
      for (const argv of COMMANDS) {
        const { code } = await room.run(argv, { cwd: armed.directory });
        trial.holds(`${argv.join(' ')} ends`, code !== null);
        trial.holds(`${argv.join(' ')} runs nothing`, !armed.hasRun());
      }
      const outside = await room.run([...CHECK, armed.directory], { cwd: room.directory() });
      trial.holds(
        'it does not run the program when the path is an argument',
        outside.code !== null && !armed.hasRun(),
      );
      return `${COMMANDS.length + 2} commands`;
    },
  })),
  {
    attack: 'every documented setting of git that names a program, one after the other in .git/config',
    expected: 'none has an effect, and the check succeeds',
    async run(trial) {
      const { room } = trial;
      const all = [...programSettings(unpackedArchive(room.directory()))].map(([key]) => key);
      await forEach([0, 1], async (lane) => {
        const checkout = unpackedArchive(room.directory());
        writeFileSync(join(checkout.directory, 'included'), FILTERS(checkout.canary));
        for (const hook of HOOKS) symlinkSync('canary', join(checkout.directory, hook));
        const occasions = OCCASIONS.map(([key, value]) => settingText(key, value)).join('');
        const own = [...programSettings(checkout)].filter((_, i) => i % 2 === lane);
        for (const [key, value] of own) {
          checkout.configure(settingText(key, value) + occasions);
          const run = await room.run(CHECK, { cwd: checkout.directory });
          trial.holds(`the exit code with ${key} is 8`, run.code === 8, run);
          trial.holds(`${key} runs nothing`, !checkout.hasRun());
        }
      });
      return `${all.length} settings`;
    },
  },
  {
    attack: `FIFOs, sockets and devices in place of ${WAITED_FOR.length} git files, and of files that its configuration includes`,
    expected:
      'the repository is refused immediately, or within seconds for an included file; no command blocks',
    async run(trial) {
      const { room } = trial;
      const kinds = WAITED_FOR.flatMap((name) =>
        Object.entries(SPECIAL_FILES).map(([kind, make]) => ({ name, kind, make })),
      );
      await forEach(kinds, async ({ name, kind, make }) => {
        const { directory } = unpackedArchive(room.directory());
        const path = join(directory, name);
        rmSync(path, { recursive: true, force: true });
        mkdirSync(dirname(path), { recursive: true });
        make(path);
        const run = await room.run(CHECK, { cwd: directory, timeoutMs: 20_000 });
        trial.holds(`the check with a ${kind} as ${name} is refused`, run.code === 2 || run.code === 1, run);
      });
      const checkout = unpackedArchive(room.directory());
      SPECIAL_FILES.fifo(join(checkout.directory, 'included'));
      checkout.configure(settingText('include.path', join(checkout.directory, 'included')));
      const included = await room.run(CHECK, { cwd: checkout.directory, timeoutMs: 30_000 });
      trial.holds('an included FIFO ends the check', included.code !== null && included.code !== 0, included);
      return `${kinds.length + 1} files`;
    },
  },
  {
    attack: 'a repository of another user, whose configuration declares itself safe',
    expected: "git refuses it, unless the user's safe.directory allows it",
    skipped: isRoot ? undefined : 'only root can make files of another user',
    async run(trial) {
      const { room } = trial;
      const checkout = unpackedArchive(room.directory());
      checkout.configure(settingText('safe.directory', '*') + FILTERS(checkout.canary));
      spawnSync('chown', ['-R', `${STRANGER}:${STRANGER}`, checkout.directory]);
      const refused = await room.run(CHECK, { cwd: checkout.directory });
      trial.equals('the exit code', refused.code, 2);
      trial.matches('the message', refused.stderr, /dubious ownership/);
      const home = room.checkout({ '.gitconfig': `[safe]\n\tdirectory = ${checkout.directory}\n` });
      const trusted = await room.run(CHECK, { cwd: checkout.directory, env: { HOME: home } });
      trial.equals('the exit code for a user who trusts it', trusted.code, 8);
      trial.holds('none of its programs was run', !checkout.hasRun());
      return 'refused';
    },
  },
];

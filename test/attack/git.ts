import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILTERS, HOSTILE_CHECKOUTS, settingText, unpackedArchive } from '../git/hostile-checkouts.ts';
import { OCCASIONS, programSettings } from '../git/program-settings.ts';
import { forEach } from './room.ts';
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

export const gitRows: readonly AttackRow[] = [
  ...Object.entries(HOSTILE_CHECKOUTS).map(([name, make]): AttackRow => ({
    attack: `${name}: filters, text conversion, fsmonitor, with each command`,
    expected: 'git runs nothing of it',
    async run(trial) {
      const { room } = trial;
      const armed = make(room.directory());
      spawnSync('git', ['diff', '--name-only', 'HEAD', '--'], {
        cwd: armed.directory,
        env: { PATH: process.env['PATH'] ?? '' },
      });
      trial.holds('git itself runs it', armed.hasRun());
      const led = { GIT_DIR: armed.directory, GIT_WORK_TREE: '.' };
      const { code } = await room.run(CHECK, { cwd: armed.directory, env: led });
      trial.equals('the exit code with variables that lead git there', code, 8);
      trial.holds('it runs nothing either', !armed.hasRun());
      for (const argv of COMMANDS) {
        const { code } = await room.run(argv, { cwd: armed.directory });
        trial.holds(`${argv.join(' ')} ends`, code !== null);
        trial.holds(`${argv.join(' ')} runs nothing`, !armed.hasRun());
      }
      const outside = await room.run([...CHECK, armed.directory], { cwd: room.directory() });
      trial.holds('nor when the path is an argument', outside.code !== null && !armed.hasRun());
      return `${COMMANDS.length + 2} commands`;
    },
  })),
  {
    attack: "every setting of git's documentation that names a program, one after the other in .git/config",
    expected: 'none has an effect, and the check is made',
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
          const { code } = await room.run(CHECK, { cwd: checkout.directory });
          trial.equals(`the exit code with ${key}`, code, 8);
          trial.holds(`${key} runs nothing`, !checkout.hasRun());
        }
      });
      return `${all.length} settings`;
    },
  },
];

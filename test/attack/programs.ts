import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forEach, type Files } from './room.ts';
import type { AttackRow } from './row.ts';

/** Checkouts that try to make a command run one of their programs. */

const PAIR = ['-s', 'en', '-t', 'fr'];

export const PROJECT: Files = {
  '.git/HEAD': '',
  'en.json': '{"a": "One"}\n',
  'page.html': '<p>One</p>\n',
  'movie.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
  'set.csv': 'en,fr\nOne,Un\n',
  'letter.eml': 'Subject: Hello\n\nOne\n',
  'texts.txt': 'One\n',
  'read.md': '# One\n',
};

/** One of each kind of command that reads the project's configuration. */
export const COMMANDS: readonly (readonly string[])[] = [
  ['sync', ...PAIR],
  ['sync', '--dry-run', ...PAIR],
  ['i18n', 'en.json', ...PAIR],
  ['translate', 'One', ...PAIR],
  ['batch', 'texts.txt', ...PAIR],
  ['html', 'page.html', ...PAIR],
  ['markdown', 'read.md', ...PAIR],
  ['email', 'letter.eml', ...PAIR],
  ['subtitles', 'movie.srt', ...PAIR],
  ['eval', 'set.csv', ...PAIR],
  ['status', ...PAIR],
  ['check', ...PAIR],
  ['lint', ...PAIR],
  ['config'],
  ['health'],
  ['serve', '--data-dir', 'data', '--port', '0'],
];

/** Commands that do not report forbidden settings, or read no configuration. */
const OTHERS: readonly (readonly string[])[] = [
  ['doctor'],
  ['init', '--dry-run'],
  ['formats', 'list'],
  ['engines'],
  ['memory', 'stats'],
];

/** Leaves a mark when it runs, no matter how it is loaded. */
const SCRIPT = "import('node:fs').then((fs) => fs.writeFileSync('ran', ''));\n";

const NAMES = ['config', 'dragomanrc', 'dragoman.config', 'dragoman', 'cosmiconfig.config'];
const SCRIPTS = NAMES.flatMap((name) =>
  ['js', 'cjs', 'mjs', 'ts'].map((extension) => `${name}.${extension}`),
).flatMap((name) => [name, `.${name}`, `.config/${name}`]);

export const programRows: readonly AttackRow[] = [
  {
    attack: 'a configuration that names a program, read by every command',
    expected: 'exit code 2 with the position; the program is not run',
    async run(trial) {
      const { room } = trial;
      const trap = room.trap();
      const quoted = JSON.stringify(trap.command);
      const configurations: Files = {
        'dragoman.config.yaml': `source: en\nengine: exec\nengineCommand: ${quoted}\n`,
        'dragoman.config.json': `{"formats": {"json": {"command": ${quoted}}}}`,
        '.dragomanrc': `engineCommand: ${quoted}\n`,
        'package.json': `{"dragoman": {"engine": "exec", "engineCommand": ${quoted}}}`,
      };
      const tried = Object.entries(configurations).flatMap(([name, text], i) =>
        COMMANDS.filter((_, at) => i === 0 || at % 4 === i).map((argv) => ({ name, text, argv })),
      );
      await forEach(tried, async ({ name, text, argv }) => {
        const cwd = room.checkout({ ...PROJECT, [name]: text });
        const { code, stderr } = await room.run(argv, { cwd });
        trial.equals(`the exit code of ${argv.join(' ')} with ${name}`, code, 2);
        trial.matches(`the message of ${argv.join(' ')}`, stderr, /cannot run a program|exec/);
      });
      const cwd = room.checkout({ ...PROJECT, ...configurations });
      await forEach(OTHERS, async (argv) => {
        const { code } = await room.run(argv, { cwd });
        trial.holds(`${argv.join(' ')} ends`, code !== null);
      });
      trial.holds('no program was run', !trap.sprung());
      const armed = await room.run(
        ['translate', 'One', ...PAIR, '--engine', 'exec', '--engine-command', trap.command],
        {
          cwd: room.checkout(PROJECT),
        },
      );
      trial.holds('the same program is run where the user names it', trap.sprung(), armed);
      return `${tried.length} commands refused`;
    },
  },
  {
    attack: 'scripts in every place where a configuration is looked for',
    expected: 'no script is loaded, and no other directory is searched',
    async run(trial) {
      const { room } = trial;
      const meta = '{"searchPlaces": ["config.js", "dragoman.config.mjs"], "loadPath": "./config.js"}';
      const traps = Object.fromEntries(SCRIPTS.map((name) => [name, SCRIPT]));
      const others = {
        '.config/config.json': `{"cosmiconfig": ${meta}, "dragoman": {"engine": "exec"}}`,
        '.config/config.yaml': `cosmiconfig: ${meta}\n`,
        '.config/dragomanrc.json': '{"$import": "./config.js"}',
        'node_modules/dragoman/bin/dragoman.js': SCRIPT,
        'node_modules/libsql/index.js': SCRIPT,
        'dist/cli.js': SCRIPT,
        '.npmrc': 'script-shell=./config.js\n',
        '.node-version': '0',
        'package.json': `{"cosmiconfig": ${meta}, "$import": "./config.js", "dragoman": {"engine": "pseudo"}, "imports": {"#x": "./config.js"}, "type": "module", "main": "config.js"}`,
      };
      await forEach([...COMMANDS.slice(0, -1), ...OTHERS], async (argv) => {
        const cwd = room.checkout({ ...PROJECT, ...traps, ...others });
        const { code } = await room.run(argv, { cwd });
        trial.holds(`${argv.join(' ')} ends`, code !== null);
        trial.equals(`what ${argv.join(' ')} ran`, marks(cwd), []);
      });
      return `${SCRIPTS.length + 9} traps avoided`;
    },
  },
  {
    attack: 'programs in the checkout named node, git, npx, sh, python3 and others, in the current directory',
    expected: 'no program is run',
    async run(trial) {
      const { room } = trial;
      const names = [
        'node',
        'git',
        'npx',
        'npm',
        'sh',
        'bash',
        'python3',
        'apertium',
        'tput',
        'stty',
        'locale',
        'xdg-open',
      ];
      const cwd = room.checkout(PROJECT);
      const traps = names.map(
        (name) => [name, `#!/bin/sh\ntouch '${join(realpathSync(cwd), 'ran')}'\n`] as const,
      );
      for (const [name, text] of traps) writeFileSync(join(cwd, name), text, { mode: 0o755 });
      await forEach(COMMANDS.slice(0, -1), async (argv) => {
        await room.run(argv, { cwd, env: { DRAGOMAN_ENGINE: 'pseudo' } });
      });
      await room.run(['check', '--changed-since', 'HEAD', ...PAIR], { cwd });
      trial.equals('the programs that were run', marks(cwd), []);
      return `${names.length} names`;
    },
  },
];

function marks(cwd: string): readonly string[] {
  return (readdirSync(cwd, { recursive: true }) as string[]).filter((name) => /(^|\/)ran$/.test(name));
}

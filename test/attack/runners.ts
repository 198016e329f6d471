import { BIN, forEach, snapshot, type Files } from './room.ts';
import type { AttackRow } from './row.ts';

/** Texts of a checkout that try to control a terminal, or the runner of a workflow. */

const PAIR = ['-s', 'en', '-t', 'fr'];
const COMMANDS = [
  '::add-mask::x',
  '::error::x',
  '##[add-path]/tmp',
  '##vso[task.setvariable variable=PATH]/tmp',
  "##teamcity[buildNumber '1']",
  '::stop-commands::x',
];
const SIGNS = '\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u2066\u2028\u2029\u{e0041}\u{e007f}\r\u0000';

const RUNNERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GitHub: { GITHUB_ACTIONS: 'true' },
  'Azure Pipelines': { TF_BUILD: 'True' },
  TeamCity: { TEAMCITY_VERSION: '2024.12' },
};

/** A checkout in which keys, values, file names and settings are an attacker's texts. */
function hostile(texts: readonly string[]): Files {
  const entries = texts.flatMap((text) => [
    [text, 'One'],
    [`a\n${text}`, `Two {x} ${text}`],
    [`b ${text}`, text],
  ]);
  const other = texts.map((text) => [`b ${text}`, `{y}\n${text}`]);
  return {
    '.git/HEAD': '',
    'en.json': JSON.stringify(Object.fromEntries(entries)),
    'fr.json': JSON.stringify(Object.fromEntries(other)),
    'bad/en.json': '{',
    [`n ${(texts[0] ?? '').replaceAll(/[/\u0000]/g, '')}/en.json`]: '{"a": "One"}',
    'read.md': `# ${texts.join('\n\n')}\n`,
  };
}

const RUNS: readonly (readonly string[])[] = [
  ['check', ...PAIR],
  ['lint', ...PAIR],
  ['lint', ...PAIR, '--output-format', 'github'],
  ['status', ...PAIR],
  ['status', ...PAIR, '--json', '--keys'],
  ['sync', '--dry-run', ...PAIR, '--engine', 'pseudo'],
  ['sync', '--dry-run', '--json', ...PAIR, '--engine', 'pseudo'],
  ['i18n', 'bad/en.json', ...PAIR, '--engine', 'pseudo'],
  ['config'],
];

/** Keeps our own output free of colours and progress lines, so that any control sequence comes from the attacker. */
const PLAIN = { NO_COLOR: '1', TERM: 'dumb' };

/** Runs the program in its own terminal, which it prints to and reads from. */
function onTerminal(argv: readonly string[]): readonly string[] {
  const quoted = [process.execPath, BIN, ...argv].map((part) => `'${part.replaceAll("'", `'\\''`)}'`);
  return ['script', '-qec', quoted.join(' '), '/dev/null'];
}

/** Annotations are our own commands: no other command may begin inside them. */
const OWN = /^::(?:error|warning|notice) (?:[a-z]+=[^:,]*,?)+::(?!.*##\[)/;

export const runnerRows: readonly AttackRow[] = [
  {
    attack: `${COMMANDS.length} commands to the runners of GitHub, Azure and TeamCity in keys, values, names and settings`,
    expected: 'no line of the output is a command',
    async run(trial) {
      const { room } = trial;
      const tried = Object.entries(RUNNERS).flatMap(([runner, env]) =>
        RUNS.map((argv) => ({ runner, env, argv })),
      );
      await forEach(tried, async ({ runner, env, argv }) => {
        const cwd = room.checkout(hostile(COMMANDS));
        const { code, stdout, stderr } = await room.run(argv, { cwd, env });
        trial.holds(`${argv.join(' ')} ends`, code !== null);
        const lines = `${stdout}\n${stderr}`.split(/\r\n|[\r\n]/).filter((line) => !OWN.test(line));
        const found = lines.filter(
          (line) => /^[\s\u0085]*::[^:]*::/.test(line) || /##(?:vso|teamcity)?\[/i.test(line),
        );
        trial.equals(`the commands to ${runner} that ${argv.join(' ')} prints`, found, []);
      });
      const arguments_ = [
        ['translate', `--x\n${COMMANDS[0]}`],
        ['translate', 'x', `-s\r${COMMANDS[0]}`],
        ['sync', `nowhere\n${COMMANDS[2]}`],
      ];
      for (const argv of arguments_) {
        const { stdout, stderr } = await room.run(argv, {
          cwd: room.directory(),
          env: { GITHUB_ACTIONS: 'true' },
        });
        const lines = `${stdout}\n${stderr}`.split(/[\r\n]+/).filter((line) => !OWN.test(line));
        trial.lacks('the message for an argument', lines.join('\n'), /^\s*::|##\[/m);
      }
      return `${tried.length} runs`;
    },
  },
  {
    attack:
      'terminal escapes, direction overrides, line separators and tag characters in keys, values, names, settings',
    expected: 'all of them are shown as escapes',
    async run(trial) {
      const { room } = trial;
      const texts = [SIGNS, `${SIGNS}x`];
      await forEach([...RUNS, ['sync', ...PAIR, '--engine', 'pseudo', '--verbose']], async (argv) => {
        const cwd = room.checkout(hostile(texts));
        const { code, stdout } = await room.run([], { cwd, program: onTerminal(argv), env: PLAIN });
        trial.holds(`${argv.join(' ')} ends`, code !== null);
        const sign =
          /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]|\r(?!\r?\n)|[\u{e0000}-\u{e007f}]/u;
        trial.lacks(`what ${argv.join(' ')} prints`, stdout, sign);
        trial.holds(`${argv.join(' ')} prints something`, stdout.length > 10, stdout);
      });
      const settings = ['"\\u001b[2J": 1\n', 'source: "\\u001b[2J\\u202e"\n', 'engine: "\\u202ex"\n'];
      for (const text of settings) {
        const { stdout, stderr } = await room.run(['sync'], {
          cwd: room.checkout({ 'dragoman.config.yaml': text }),
        });
        trial.lacks('the message for a setting', stdout + stderr, /[\u001b\u202e]/);
      }
      return `${RUNS.length + settings.length + 1} runs`;
    },
  },
  {
    attack: 'a directory, a pipe or a link named .dragoman-sync',
    expected: 'a clear message, or a normal run; nothing is left behind',
    async run(trial) {
      const { room } = trial;
      const files = { '.git/HEAD': '', 'en.json': '{"a": "One"}', '.dragoman-sync/keep': 'x' };
      const cwd = room.checkout(files);
      const { code, stderr } = await room.run(['sync', ...PAIR, '--engine', 'pseudo'], { cwd });
      trial.equals('the exit code', code, 2);
      trial.matches('the message', stderr, /\.dragoman-sync/);
      trial.equals(
        'the remaining files',
        Object.keys(snapshot(cwd)).sort(),
        [...Object.keys(files), '.dragoman-sync', '.git'].sort(),
      );
      return 'refused';
    },
  },
];

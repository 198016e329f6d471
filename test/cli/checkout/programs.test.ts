import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeWith, projectWith } from '../harness.ts';
import { runBuilt, type Start } from './program.ts';

/** Answers every text, and first writes its environment to a file. */
const ENGINE = `
require('node:fs').writeFileSync(__dirname + '/environment.json', JSON.stringify(process.env));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  console.log(JSON.stringify({ id, translations: texts.map((text) => 'fr:' + text) }));
});
`;

const FILES = {
  '.git/HEAD': '',
  'en.json': '{"a": "One"}',
  'page.html': '<p>One</p>',
  'movie.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
  'set.csv': 'en,fr\nOne,Un\n',
  'letter.eml': 'Subject: Hello\n\nOne\n',
  'texts.txt': 'One\n',
};

const PAIR = ['-s', 'en', '-t', 'fr'];

const COMMANDS: readonly (readonly string[])[] = [
  ['sync', ...PAIR],
  ['translate', 'One', ...PAIR],
  ['i18n', 'en.json', ...PAIR],
  ['html', 'page.html', ...PAIR],
  ['subtitles', 'movie.srt', ...PAIR],
  ['email', 'letter.eml', ...PAIR],
  ['batch', 'texts.txt', ...PAIR],
  ['eval', 'set.csv', ...PAIR],
  ['serve', '--data-dir', 'data', '--port', '0'],
  ['health'],
  ['status'],
  ['check'],
  ['lint'],
  ['config'],
];

const CONFIGURATIONS: readonly (readonly [string, string, string])[] = [
  ['dragoman.config.yaml', 'source: en\nengineCommand: touch x\n', 'dragoman.config.yaml:2:1'],
  ['dragoman.config.json', '{\n  "engineCommand": "touch x"}', 'dragoman.config.json:2:3'],
  ['.dragomanrc', 'engine: exec\nengineCommand: touch x\n', '.dragomanrc:2:1'],
  ['package.json', '{"dragoman": {\n "engineCommand": "touch x"}}', 'package.json:2:2'],
  ['dragoman.config.yaml', 'source: en\nformats: {json: {command: touch x}}\n', 'dragoman.config.yaml:2:1'],
];

const started = (cwd: string): boolean => existsSync(join(cwd, 'x'));
const run = (argv: readonly string[], start: Start) => runBuilt(argv, { until: /listening/i, ...start });

describe('a checkout does not run a program', () => {
  it.each(
    CONFIGURATIONS.flatMap(([name, ...configuration]) =>
      COMMANDS.map((argv) => [name, argv, ...configuration] as const),
    ),
  )(
    'by %s with %j',
    async (name, argv, text, place) => {
      const cwd = projectWith({ ...FILES, [name]: text });
      const { code, stdout, stderr } = await run(argv, { cwd });
      expect({ code, started: started(cwd), stdout }).toEqual({ code: 2, started: false, stdout: '' });
      const [setting, flags] = text.includes('formats')
        ? ['formats', '--format-command']
        : ['engineCommand', '--engine exec --engine-command'];
      expect(stderr).toContain(
        `${place}: \`${setting}\`: the configuration of a project cannot run a program`,
      );
      expect(stderr).toMatch(new RegExp(`~/\\.config/dragoman/config\\.yaml.*${flags}`));
    },
    60_000,
  );

  it.each([
    ['engine: exec\n', 'dragoman.config.yaml:1:1'],
    ['engine: pseudo, exec\n', 'dragoman.config.yaml:1:1'],
    ["engines:\n  en-fr: [pseudo]\n  '*':\n    - apertium\n    - exec\n", 'dragoman.config.yaml:5:7'],
    ["engines: {'*': ['pseudo,exec']}\n", 'dragoman.config.yaml:1:17'],
  ])('with the command of its user: %j', async (text, place) => {
    const cwd = projectWith({ ...FILES, 'dragoman.config.yaml': text });
    for (const env of [homeWith('engineCommand: touch x\n'), { DRAGOMAN_ENGINE_COMMAND: 'touch x' }]) {
      const { code, stderr } = await run(['sync', ...PAIR], { cwd, env });
      expect({ code, started: started(cwd) }).toEqual({ code: 2, started: false });
      expect(stderr).toContain(`${place}: `);
    }
  });
});

/** Leaves a mark when it runs, no matter how it is loaded. */
const TRAP = "import('node:fs').then((fs) => fs.writeFileSync('x', ''));\n";

describe('the search for a configuration', () => {
  const names = ['config', 'dragomanrc', 'dragoman.config'];
  const places = names.flatMap((name) =>
    ['js', 'cjs', 'mjs', 'ts'].map((extension) => `${name}.${extension}`),
  );
  const traps = Object.fromEntries(
    [...places, ...places.map((name) => `.${name}`), ...places.map((name) => `.config/${name}`)].map(
      (name) => [name, TRAP],
    ),
  );
  const meta = '{"searchPlaces": ["config.js", "dragoman.config.mjs"]}';
  const others = {
    '.config/config.json': `{"cosmiconfig": ${meta}, "dragoman": {"engine": "exec"}}`,
    '.config/config.yaml': `cosmiconfig: ${meta}\n`,
    '.config/dragomanrc': 'engineCommand: touch x\n',
    '.config/dragomanrc.json': '{"$import": "./config.js"}',
  };

  it.each([
    ['{}', undefined],
    [`{"cosmiconfig": ${meta}}`, undefined],
    [`{"cosmiconfig": ${meta}, "x": "\\"dragoman\\""}`, undefined],
    [`{"cosmiconfig": ${meta}, "$import": "./config.js", "dragoman": {"engine": "pseudo"}}`, 'package.json'],
  ])(
    'does not run anything from a checkout, and ignores its settings for other tools: %s',
    async (text, found) => {
      const cwd = projectWith({ ...FILES, ...traps, ...others, 'package.json': text });
      const { code, stdout, stderr } = await run(['config', '--json'], {
        cwd,
        env: homeWith('engine: pseudo\n'),
      });
      expect({ code, started: started(cwd), stderr }).toEqual({ code: 0, started: false, stderr: '' });
      const { files } = JSON.parse(stdout) as { files: { project: string | null } };
      expect(files.project).toBe(found === undefined ? null : join(realpathSync(cwd), found));
      expect(
        (await run(['translate', 'One', ...PAIR], { cwd, env: homeWith('engine: pseudo\n') })).code,
      ).toBe(0);
      expect(started(cwd)).toBe(false);
    },
  );

  it('does not run other files of the user next to the configuration', async () => {
    const home = projectWith({
      'dragoman/config.js': TRAP,
      'dragoman/config.ts': TRAP,
      'dragoman/config.yaml': '',
    });
    const cwd = projectWith({ ...FILES, 'package.json': '{"x": "\\"dragoman\\""}' });
    const { code, stderr } = await run(['config'], { cwd, env: { XDG_CONFIG_HOME: home } });
    expect({ code, started: started(cwd) }).toEqual({ code: 2, started: false });
    expect(stderr).toContain('config.yaml:1:1: the configuration must be an object');
  });
});

describe('a program of the user', () => {
  const texts = ['translate', 'One', ...PAIR];

  it.each([
    ['flags', (command: string) => ({ argv: ['--engine', 'exec', '--engine-command', command], env: {} })],
    [
      'variables',
      (command: string) => ({
        argv: [],
        env: { DRAGOMAN_ENGINE: 'exec', DRAGOMAN_ENGINE_COMMAND: command } as Record<string, string>,
      }),
    ],
    [
      'the configuration of the user',
      (command: string) => ({
        argv: [],
        env: { ...homeWith(`engine: exec\nengineCommand: ${JSON.stringify(command)}\n`) },
      }),
    ],
    [
      'a flag, with the command of the configuration',
      (command: string) => ({
        argv: ['--engine', 'exec'],
        env: { ...homeWith(`engineCommand: ${JSON.stringify(command)}\n`) },
      }),
    ],
  ])('is named by %s, and does not get API keys', async (_, named) => {
    const cwd = projectWith({ ...FILES, 'dragoman.config.yaml': 'source: en\n', 'engine.cjs': ENGINE });
    const { argv, env } = named(`"${process.execPath}" "${join(cwd, 'engine.cjs')}"`);
    const keys = { DRAGOMAN_API_KEY: 'sk-1', OPENAI_API_KEY: 'sk-2', MY_API_KEY: 'sk-3', MY_TOKEN: 'token' };
    const { code, stdout, stderr } = await runBuilt([...texts, ...argv], { cwd, env: { ...env, ...keys } });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'fr:One\n', stderr: '' });
    const environment = JSON.parse(readFileSync(join(cwd, 'environment.json'), 'utf8')) as object;
    expect(Object.keys(environment).filter((name) => name.endsWith('_API_KEY'))).toEqual([]);
    expect(environment).toMatchObject({ MY_TOKEN: 'token' });
  });

  it('is used regardless of the engine that the project prefers', async () => {
    const cwd = projectWith({ ...FILES, 'dragoman.config.yaml': 'engine: pseudo\n', 'engine.cjs': ENGINE });
    const command = `"${process.execPath}" "${join(cwd, 'engine.cjs')}"`;
    const env = homeWith(`engine: exec\nengineCommand: ${JSON.stringify(command)}\n`);
    expect((await runBuilt(texts, { cwd, env })).stdout).not.toContain('fr:');
    expect((await runBuilt([...texts, '--engine', 'exec'], { cwd, env })).stdout).toBe('fr:One\n');
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasWorkflowCommand, WorkflowCommandBreaker } from '../../../src/base/workflow-command.ts';
import { projectWith } from '../harness.ts';
import { runBuilt, type Ended } from './program.ts';

const ATTACK = '::add-mask::x';
const OLD_ATTACK = '##[add-path]/tmp';
const PAIR = ['-s', 'en', '-t', 'fr', '--engine', 'exec', '--engine-command'];
const GITHUB = { GITHUB_ACTIONS: 'true' };

/** Returns its input; if a text contains `die`, prints commands of an attacker and exits. */
const ENGINE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  if (texts.some((text) => text.includes('die'))) {
    process.stderr.write('${ATTACK}\\n${OLD_ATTACK}\\n');
    process.exit(1);
  }
  console.log(JSON.stringify({ id, translations: texts }));
});
`;

/** As GitHub's runner recognizes them: `::name::` at the beginning, `##[name]` anywhere. */
function commandsIn({ stdout, stderr }: Ended): readonly string[] {
  return [stdout, stderr].flatMap((text) =>
    text
      .split(/\r\n|[\r\n]/)
      .filter((line) => /^[\s\u0085]*::.*::/.test(line) || /##(?:vso|teamcity)?\[.*\]/i.test(line)),
  );
}

async function run(
  argv: readonly string[],
  files: Readonly<Record<string, string>>,
  rest: {
    readonly stdin?: string;
    readonly stdoutFile?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Ended & { readonly cwd: string }> {
  const cwd = projectWith({ '.git/HEAD': '', 'engine.cjs': ENGINE, ...files });
  const command = `"${process.execPath}" "${join(cwd, 'engine.cjs')}"`;
  const whole = argv.flatMap((part) => (part === 'PAIR' ? [...PAIR, command] : [part]));
  return { ...(await runBuilt(whole, { cwd, env: GITHUB, ...rest })), cwd };
}

const keys = { [ATTACK]: 'One', [`a\n${ATTACK}`]: 'Two', [OLD_ATTACK]: 'Three', b: `die` };

describe('no content from outside becomes a command to the runner', () => {
  it.each([
    ['keys and stderr of engines', ['sync', 'PAIR', '--verbose'], { 'en.json': JSON.stringify(keys) }],
    ['keys', ['check', '-s', 'en', '-t', 'fr'], { 'en.json': JSON.stringify(keys), 'fr.json': '{}' }],
    [
      'keys, in JSON',
      ['status', '-s', 'en', '-t', 'fr', '--json'],
      { 'en.json': JSON.stringify(keys), 'fr.json': '{}' },
    ],
    [
      'keys and values',
      ['lint', '-s', 'en'],
      {
        'en.json': JSON.stringify(keys),
        'fr.json': JSON.stringify({ [ATTACK]: '{x}', [OLD_ATTACK]: '{x}' }),
      },
    ],
    [
      'names of files',
      ['status', '-s', 'en', '-t', 'fr'],
      { [`${ATTACK}/en.json`]: '{"a": "One"}', 'x##[error]y/en.json': '{' },
    ],
    ['names of files', ['i18n', `##[error]x.json`, 'PAIR'], { '##[error]x.json': '{"a": "One"}' }],
    ['values, in a JSON document', ['translate', `${ATTACK} ${OLD_ATTACK}`, 'PAIR', '--json'], {}],
    ['a setting', ['sync'], { 'dragoman.config.yaml': `"${ATTACK}": 1\n` }],
    ['a setting', ['translate', 'One'], { 'dragoman.config.yaml': `"\\n${OLD_ATTACK}": 1\n` }],
    ['an argument', ['translate', `--x\n${ATTACK}`], {}],
    ['an argument', ['translate', 'x', `-s\r${ATTACK}`], {}],
  ])('from %s: %j', async (_, argv, files) => {
    const result = await run(argv, files);
    // Annotations are our own commands: no other command may begin inside them.
    const own = /^::(?:error|warning) (?:[a-z]+=[^:,]*,?)+::(?!.*##\[)/;
    expect(result.stdout + result.stderr).not.toBe('');
    expect(commandsIn(result).filter((line) => !own.test(line))).toEqual([]);
  });

  it('from a translation: it is refused rather than changed', async () => {
    const page = `<p>\n${ATTACK}\n</p>\n`;
    const cues = `1\n00:00:01,000 --> 00:00:02,000\n  ${ATTACK}\n`;
    const letter = `Subject: Hello\n\nOne ${OLD_ATTACK}\n`;
    for (const [argv, files, stdin] of [
      [['translate', ATTACK, 'PAIR'], {}],
      [['translate', `One\r${ATTACK}`, 'PAIR'], {}],
      [['batch', 'PAIR'], {}, `${ATTACK}\n`],
      [['html', 'page.html', 'PAIR'], { 'page.html': page }],
      [['subtitles', 'a.srt', 'PAIR', '-o', '-'], { 'a.srt': cues }],
      [['email', 'a.eml', 'PAIR', '-o', '-'], { 'a.eml': letter }],
    ] as const) {
      const result = await run(argv, files, { stdin: stdin ?? '' });
      expect({ code: result.code, commands: commandsIn(result) }, argv[0]).toEqual({ code: 1, commands: [] });
      expect(result.stderr).toMatch(/a workflow runner would execute as a command\n.*-o or by `> FILE`/);
    }
  });

  it('if standard output is a file, which the runner does not read', async () => {
    const stdoutFile = join(projectWith({}), 'out');
    const { code } = await run(['translate', `${ATTACK} ${OLD_ATTACK}`, 'PAIR'], {}, { stdoutFile });
    expect({ code, text: readFileSync(stdoutFile, 'utf8') }).toEqual({
      code: 0,
      text: `${ATTACK} ${OLD_ATTACK}\n`,
    });
  });

  it('while the annotations of gates still work', async () => {
    const files = { 'en.json': JSON.stringify({ a: 'One', ...keys }), 'fr.json': '{}' };
    const { stderr } = await run(['check', '-s', 'en', '-t', 'fr'], files);
    expect(stderr).toMatch(
      /^::error file=en\.json,line=1,col=\d+,title=missing::a has no translation \(fr\)$/m,
    );
    const { stdout } = await run(['lint', '--output-format', 'github', '-s', 'en'], {
      'en.json': '{"a": "One {x}"}',
      'fr.json': '{"a": "Un"}',
      'package.json': '{"dependencies": {"vue-i18n": "11.1.0"}}',
    });
    expect(stdout).toMatch(/^::error file=fr\.json,/m);
  });

  it.each([
    ['Azure Pipelines', { TF_BUILD: 'True' }, '##vso[task.setvariable variable=PATH]/tmp'],
    ['Azure Pipelines', { TF_BUILD: 'True' }, '##[error]x'],
    ['TeamCity', { TEAMCITY_VERSION: '2024.12' }, "##teamcity[buildNumber '1']"],
  ])('in %s, either: %j', async (_, env, attack) => {
    const files = {
      'en.json': JSON.stringify({ [attack]: 'One', [`a ${attack}`]: `{x} ${attack}` }),
      'fr.json': JSON.stringify({ [attack]: `{y} ${attack}` }),
    };
    const pair = ['-s', 'en', '-t', 'fr'];
    for (const argv of [
      ['check', ...pair],
      ['lint', ...pair],
      ['status', ...pair, '--json', '--keys'],
    ]) {
      const result = await run(argv, files, { env });
      expect(result.stdout + result.stderr).toMatch(/buildNumber|setvariable|error\]x/);
      // Only GitHub gets annotations.
      expect({ commands: commandsIn(result), annotations: /^::/m.test(result.stderr) }, argv[0]).toEqual({
        commands: [],
        annotations: false,
      });
    }
    const refused = await run(['translate', attack, 'PAIR'], {}, { env });
    expect({ code: refused.code, commands: commandsIn(refused) }).toEqual({ code: 1, commands: [] });
    const json = await run(['translate', attack, 'PAIR', '--json'], {}, { env });
    expect(commandsIn(json)).toEqual([]);
    expect(JSON.parse(json.stdout)).toMatchObject({ translations: { translation: attack } });
  });

  it('while translations stay unchanged outside of runners', async () => {
    const cwd = projectWith({ 'engine.cjs': ENGINE });
    const command = `"${process.execPath}" "${join(cwd, 'engine.cjs')}"`;
    const { stdout } = await runBuilt(['translate', ATTACK, ...PAIR, command], { cwd });
    expect(stdout).toBe(`${ATTACK}\n`);
    expect(existsSync(join(cwd, 'dragoman.lock'))).toBe(false);
  });
});

describe('commands to the runner', () => {
  it.each([
    '::error::x',
    ' \t\u00a0::error::x',
    'a\n\u0085\ufeff::error::x',
    'a\r::error::x',
    'a\r\n\v::error::x',
    'a ##[error]x',
    '::stop-commands::x\n::y::',
    '####[x]',
    'a ##vso[task.setvariable]x',
    'a\n##VSO[x] ##vso[y]',
    '##teamcity[message]',
    '##vso##TeamCity[message]',
  ])('%j is broken up, no matter where the output is split into writes', (text) => {
    expect(hasWorkflowCommand(text)).toBe(true);
    for (let size = 1; size <= text.length; size++) {
      const breaker = new WorkflowCommandBreaker();
      let written = '';
      for (let at = 0; at < text.length; at += size) written += breaker.push(text.slice(at, at + size));
      expect(hasWorkflowCommand(written), `${size}: ${written}`).toBe(false);
      expect(written.replaceAll('> ', '').replaceAll(' [', '[')).toBe(text);
    }
  });

  it('are found in other ASCII-compatible encodings', () => {
    expect(hasWorkflowCommand(Buffer.from('\ufeff::error::x', 'utf16le'))).toBe(true);
  });

  it('leave other text unchanged', () => {
    const text = 'a::b\n## heading [x]\n# [y]\n: z\nstd::vector\n';
    expect(hasWorkflowCommand(text)).toBe(false);
    expect(new WorkflowCommandBreaker().push(text)).toBe(text);
  });

  it('take linear time', () => {
    const started = performance.now();
    new WorkflowCommandBreaker().push(`${' '.repeat(200_000)}x${'::'.repeat(200_000)}`);
    new WorkflowCommandBreaker().push(`${' '.repeat(200_000)}\n`.repeat(3));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, homeWith, projectWith } from './harness.ts';

/** Upper case; records its requests. */
const UPPER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  require('node:fs').appendFileSync(__dirname + '/asked.txt', texts.map((text) => text + '\\n').join(''));
  console.log(JSON.stringify({ id, translations: texts.map((text) => text.toUpperCase()) }));
});`;

const FILES = { 'locales/en.json': '{"a": "One", "b": "Two!", "c": "One"}', 'upper.cjs': UPPER };
const CONFIGURATION = 'source: en\ntargets: [de, fr]\n';

function projectOf(files: Readonly<Record<string, string>> = {}): {
  readonly cwd: string;
  readonly run: (command: string, env?: Readonly<Record<string, string>>) => ReturnType<typeof dragoman>;
  readonly asked: () => readonly string[];
} {
  const cwd = projectWith({ ...FILES, 'dragoman.config.yaml': CONFIGURATION, ...files });
  const engine = ['--engine-command', `${process.execPath} ${join(cwd, 'upper.cjs')}`];
  const run = (command: string, env: Readonly<Record<string, string>> = {}) =>
    dragoman([...command.split(' '), ...engine], { cwd, env });
  return { cwd, run, asked: () => readFileSync(join(cwd, 'asked.txt'), 'utf8').trimEnd().split('\n') };
}

describe('sync --dry-run', () => {
  it('prints the cost of a run by the character, counting distinct texts per language', async () => {
    const { run } = projectOf();
    const { stdout, stderr, exitCode } = await run('sync --dry-run --engine exec --price 20/1M --no-memory');
    expect({ stdout, exitCode }).toEqual({
      stdout:
        'language  done  keys  missing  characters  cost\n' +
        'de        0 %   3     3        7           0.00014\n' +
        'fr        0 %   3     3        7           0.00014\n' +
        'total: 0.00028\n',
      exitCode: 0,
    });
    expect(stderr).toBe(
      'Counts every character of each distinct text, including placeholders. Retries can add a little.\n' +
        'Dry run: nothing was written.\n',
    );
  });

  it.each<[string, string, string | undefined, string, unknown]>([
    ['the project', 'prices: {exec: 2 EUR/1k}', undefined, '', { amount: '0.028', currency: 'EUR' }],
    [
      'the user, before the project',
      'prices: {exec: 1 EUR/1k}',
      'prices: {exec: 5 USD/1k}',
      '',
      { amount: '0.07', currency: 'USD' },
    ],
    [
      'a flag, before both',
      'prices: {exec: 1 EUR/1k}',
      undefined,
      ' --price exec=1/1',
      { amount: '14.00', currency: null },
    ],
    [
      'the flag of the engine, before that of all',
      '',
      undefined,
      ' --price 3/1 --price exec=1/1 --price deepl=9/1',
      { amount: '14.00', currency: null },
    ],
  ])('uses the price of %s', async (_, prices, user, flags, cost) => {
    const env = user === undefined ? {} : homeWith(user);
    const { run } = projectOf({ 'dragoman.config.yaml': `${CONFIGURATION}${prices}\n` });
    const { stdout, stderr } = await run(`sync --dry-run --json --no-memory --engine exec${flags}`, env);
    expect(JSON.parse(stdout), stderr).toMatchObject({ cost });
  });

  it('prints the maximum for engines that are asked in turn', async () => {
    const { run } = projectOf();
    const { stdout } = await run(
      'sync --dry-run --no-memory --engine exec,pseudo --price exec=1/1 --price pseudo=2/1',
    );
    expect(stdout).toMatch(/^total: at most 42\.00$/m);
  });
});

describe('sync --max-cost', () => {
  it('stops before the limit with 4; the next run pays only for the rest', async () => {
    const { run, asked, cwd } = projectOf();
    const argv = 'sync --no-memory --engine exec --price 1EUR/1';
    const first = await run(`${argv} --max-cost 10`);
    expect(first.exitCode).toBe(4);
    expect(first.stderr).toMatch(/^10\.00 EUR spent$/m);
    expect(first.stderr).toMatch(
      /^error: continuing would exceed the budget of 10\.00 EUR; the remaining key needs 4\.00 EUR\n {2}Finished translations are saved\. Set a higher --max-cost to continue\.$/m,
    );
    expect(asked()).toEqual(['One', 'Two!', 'One']);
    expect(JSON.parse(readFileSync(join(cwd, 'locales/de.json'), 'utf8'))).toEqual({
      a: 'ONE',
      b: 'TWO!',
      c: 'ONE',
    });
    const second = await run(`${argv} --max-cost 4 --json`);
    expect(second.exitCode, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ cost_spent: { amount: '4.00', currency: 'EUR' } });
    expect(asked()).toEqual(['One', 'Two!', 'One', 'Two!']);
    expect((await dragoman(['check'], { cwd })).exitCode).toBe(0);
  });

  it('uses the free engines of a list when the budget is spent', async () => {
    const { run } = projectOf();
    const result = await run('sync --no-memory --engine exec,pseudo --price exec=1/1 --max-cost 8');
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stderr).toMatch(/^7\.00 spent$/m);
  });

  it.each([
    [
      '--max-cost 5',
      '--max-cost requires the price of an engine',
      'Name it with --price 20/1M, or under `prices` in the configuration.',
    ],
    [
      '--max-cost 5EUR --price 20USD/1M',
      'amounts in EUR and USD cannot be added',
      'Name all prices and the budget in one currency.',
    ],
    [
      '--max-cost 5 --frozen',
      '--frozen writes nothing: it cannot be combined with --dry-run, --retranslate, --fix-terms, --prune, --max-credits or --max-cost',
      undefined,
    ],
  ])('is refused in an invalid combination: %s', async (flags, message, hint) => {
    const { run } = projectOf();
    const { exitCode, stderr } = await run(`sync --engine exec ${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`error: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`);
  });

  it.each([
    [
      '--price 20',
      '"20" is not a price. Write it as 20/1M, 0.02/1k or 20 EUR/1M: an amount per number of characters.',
    ],
    ['--price depl=20/1M', 'unknown engine "depl"'],
    ['--max-cost five', '"five" is not an amount of money. Write it as 5, 0.50 or 5 EUR.'],
  ])('a wrong value is reported: %s', async (flags, message) => {
    const { exitCode, stderr } = await projectOf().run(`sync --engine exec ${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('a wrong price in a configuration is reported with its position', async () => {
    const { run } = projectOf({ 'dragoman.config.yaml': `${CONFIGURATION}prices:\n  deepl: cheap\n` });
    expect(await run('sync')).toMatchObject({
      exitCode: 2,
      stderr:
        'error: dragoman.config.yaml:4:3: "cheap" is not a price\n  Write it as 20/1M, 0.02/1k or 20 EUR/1M: an amount per number of characters.\n',
    });
  });
});

describe('eval', () => {
  it('prints the cost of each engine', async () => {
    const { run } = projectOf({ 'test.tsv': 'One\tONE\nTwo!\tTWO!\n' });
    const argv = 'eval test.tsv -s en -t de --engine exec --engine pseudo --price exec=1USD/1k';
    const { stdout } = await run(argv);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toMatchObject([
      [
        'engine',
        'chrF',
        'exact placeholders',
        'after repair',
        'failed',
        expect.stringMatching(/words\/s/),
        'cost',
      ],
      expect.arrayContaining(['exec', '0.007 USD']),
      expect.arrayContaining(['pseudo', '-']),
      [''],
    ]);
    const { engines } = JSON.parse((await run(`${argv} --json`)).stdout) as { engines: readonly object[] };
    expect(engines[0]).toMatchObject({ cost: { amount: '0.007', currency: 'USD' } });
    expect(engines[1]).not.toHaveProperty('cost');
    expect((await run('eval test.tsv -s en -t de --engine pseudo')).stdout).not.toContain('cost');
  });
});

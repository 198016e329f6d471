import { existsSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { displayWidth } from '../../src/base/display-width.ts';
import { fittingLine, Progress, progressLines, type ProgressStep } from '../../src/cli/terminal/progress.ts';
import { writeCollection } from '../../scripts/firefox/collection.ts';
import { makeModelSet } from '../../scripts/firefox/model-set.ts';
import { startMirror } from '../engines/firefox/mirror.ts';
import { dragoman, projectWith, temporaryDirectory, type Invocation } from './harness.ts';

const STEP: ProgressStep = { label: 'es', at: 1, of: 2, done: 640, total: 3000, unit: 'keys' };

/** A clock that advances only on command. */
class ManualClock implements Clock {
  #time = 0;
  #waiting: { readonly until: number; readonly resolve: () => void }[] = [];

  now(): number {
    return this.#time;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(new Error('aborted'));
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      const end = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      this.#waiting.push({ until: this.#time + ms, resolve: end });
    });
  }

  async pass(ms: number): Promise<void> {
    const end = this.#time + ms;
    for (;;) {
      // Lets the code under test start its next wait before time moves on.
      await new Promise(setImmediate);
      const next = Math.min(...this.#waiting.map(({ until }) => until));
      if (next > end) break;
      this.#time = next;
      const due = this.#waiting.filter(({ until }) => until <= next);
      this.#waiting = this.#waiting.filter(({ until }) => until > next);
      for (const { resolve } of due) resolve();
    }
    this.#time = end;
    await new Promise(setImmediate);
  }
}

describe('the progress line', () => {
  it.each<[string, Partial<ProgressStep>, number | undefined]>([
    ['es 1/2 ▇▁▁▁▁ 21 %  640/3,000 keys  1:10 left', {}, 70_000],
    ['es 1/2 ▁▁▁▁▁ 0 %  0/3,000 keys', { done: 0 }, undefined],
    ['fr 2/2 ▇▇▇▇▇ 100 %  3,000/3,000 keys  0:00 left', { label: 'fr', at: 2, done: 3000 }, 0],
    ['es 1/2 ▇▁▁▁▁ 21 %  640/3,000 keys  1:01:01 left', {}, 3_660_500],
    [
      'en-es 1/2 ▇▇▁▁▁ 50 %  8.6/17.2 MB',
      { label: 'en-es', done: 8.6e6, total: 17.2e6, unit: 'bytes' },
      undefined,
    ],
    [
      'l10n 1/1  12,000 translations',
      { label: 'l10n', of: 1, done: 12_000, total: undefined, unit: 'translations' },
      9,
    ],
  ])('%s', (line, step, msLeft) => {
    expect(progressLines({ ...STEP, ...step }, msLeft)[0]).toBe(line);
  });

  it.each([
    [48, 'es 1/2 ▇▁▁▁▁ 21 %  640/3,000 keys  1:10 left'],
    [42, 'es 1/2 21 %  640/3,000 keys  1:10 left'],
    [37, 'es 1/2 21 %  640/3,000 keys'],
    [19, '… %  640/3,000 keys'],
  ])('drops the bar and then the time on %i columns', (width, line) => {
    expect(fittingLine(progressLines(STEP, 70_000), width)).toBe(line);
  });

  it('fits into the terminal, and shows the counts', () => {
    const label = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[映画テa-z]{0,60}$/));
    fc.assert(
      fc.property(label, fc.integer({ min: 16, max: 120 }), fc.option(fc.nat()), (name, width, msLeft) => {
        const lines = progressLines({ ...STEP, label: name }, msLeft ?? undefined);
        const line = fittingLine(lines, width);
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(line).toContain('640/3,000 keys'.slice(1 - width));
        expect(lines.includes(line)).toBe(lines.some((one) => displayWidth(one) <= width));
      }),
    );
  });

  it('has a bar that agrees with its percentage, for any counts', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (done, total) => {
        const [line = ''] = progressLines({ ...STEP, done, total });
        const [, bar = '', percent = ''] = /^es 1\/2 ([▇▁]{5}) (\d+) % {2}/.exec(line) ?? [];
        expect(Number(percent)).toBeLessThanOrEqual(100);
        expect(bar.lastIndexOf('▇') + 1).toBe(Math.floor(Number(percent) / 20));
        expect(bar).toMatch(/^▇*▁*$/);
      }),
    );
  });
});

describe('on a terminal', () => {
  it('the line stays hidden until the next step', async () => {
    const clock = new ManualClock();
    let lines = 0;
    let open: () => void = () => undefined;
    const isOpen = new Promise<void>((resolve) => (open = resolve));
    const view = { everyMs: 100, isRedrawn: true, draw: () => void lines++, close: () => undefined };
    const progress = new Progress(() => isOpen.then(() => view), clock);
    progress.show(STEP);
    progress.hide();
    open();
    await clock.pass(1_000);
    expect(lines).toBe(0);
    progress.show(STEP);
    expect(lines).toBe(1);
    progress.hide();
    await clock.pass(1_000);
    expect(lines).toBe(1);
    await progress.stop();
  });
});

describe('without a terminal', () => {
  const start = (): { clock: ManualClock; lines: string[]; progress: Progress } => {
    const clock = new ManualClock();
    const lines: string[] = [];
    const view = {
      everyMs: 10_000,
      isRedrawn: false,
      draw: ([line = '']: readonly string[]) => void lines.push(line),
    };
    const progress = new Progress(() => Promise.resolve({ ...view, close: () => undefined }), clock);
    return { clock, lines, progress };
  };

  it('a line appears every 10 seconds, even if nothing happens, but not after the end', async () => {
    const { clock, lines, progress } = start();
    progress.show({ ...STEP, done: 0 });
    await clock.pass(9_999);
    expect(lines).toEqual([]);
    await clock.pass(1);
    progress.show({ ...STEP, done: 500 });
    progress.show({ ...STEP, done: 1000 });
    await clock.pass(10_000);
    await clock.pass(10_000);
    expect(lines).toEqual([
      'es 1/2 ▁▁▁▁▁ 0 %  0/3,000 keys',
      'es 1/2 ▇▁▁▁▁ 33 %  1,000/3,000 keys  0:40 left',
      'es 1/2 ▇▁▁▁▁ 33 %  1,000/3,000 keys  1:00 left',
    ]);
    await progress.stop();
    await clock.pass(60_000);
    progress.show(STEP);
    await clock.pass(60_000);
    expect(lines).toHaveLength(3);
  });

  it('the remaining time is computed from the last minute', async () => {
    const { clock, lines, progress } = start();
    progress.show({ ...STEP, total: 100_000, done: 0 });
    // The memory contained the first half.
    await clock.pass(1_000);
    progress.show({ ...STEP, total: 100_000, done: 50_000 });
    for (let second = 2; second <= 100; second++) {
      await clock.pass(1_000);
      progress.show({ ...STEP, total: 100_000, done: 50_000 + second * 10 });
    }
    // 49,000 keys at 10 per second take 1:21:40; the average since the beginning was 510 per second.
    expect(lines.at(-1)).toMatch(/ 5(?:0,990|1,000)\/100,000 keys {2}1:2[123]:\d\d left$/);
    await progress.stop();
  });

  it('shows nothing for work without steps', async () => {
    const { clock, lines, progress } = start();
    await clock.pass(100_000);
    await progress.stop();
    expect(lines).toEqual([]);
  });
});

/** Answers only when the test releases it. */
const HELD = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  const answer = () => require('node:fs').existsSync(__dirname + '/go')
    ? console.log(JSON.stringify({ id, translations: texts.map((text) => text.toUpperCase()) }))
    : setTimeout(answer, 5);
  answer();
});`;

describe('a command with a slow engine', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['sync', ['sync', '-t', 'de,fr'], /^de 1\/2 ▁▁▁▁▁ 0 % {2}0\/4 keys$/m],
    [
      'i18n',
      ['i18n', 'locales/en.json', '-t', 'de,fr', '-o', 'out'],
      /^en\.json → de 1\/2 ▁▁▁▁▁ 0 % {2}0\/4 keys$/m,
    ],
    [
      'subtitles of a directory',
      ['subtitles', 'subs', '-t', 'de', '-o', 'out'],
      /^a\.srt → de 1\/2 ▁▁▁▁▁ 0 % {2}0\/2 cues$/m,
    ],
    ['batch', ['batch', 'lines.txt', '-t', 'de,fr'], /^de 1\/2 ▁▁▁▁▁ 0 % {2}0\/4 texts$/m],
    ['translate', ['translate', 'One', '-t', 'de,fr'], /^de 1\/2 ▁▁▁▁▁ 0 % {2}0\/2 texts$/m],
    [
      'html',
      ['html', 'page.html', '-t', 'de', '-o', 'out'],
      /^page\.html → de 1\/1 ▁▁▁▁▁ 0 % {2}0\/1 texts$/m,
    ],
  ])('shows its progress after 10 seconds: %s', async (_, argv, expected) => {
    const cwd = projectWith({
      'locales/en.json': '{"a": "One", "b": "Two"}',
      'subs/a.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne.\n',
      'subs/b.srt': '1\n00:00:01,000 --> 00:00:02,000\nTwo.\n',
      'lines.txt': 'One\nTwo\n',
      'page.html': '<p>One</p>',
      'held.cjs': HELD,
    });
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${cwd}/held.cjs`];
    const clock = new ManualClock();
    const stderr: string[] = [];
    const running = dragoman([...argv, '-s', 'en', ...engine], {
      cwd,
      clock,
      onStderr: (text) => stderr.push(text),
    });
    await vi.waitFor(
      async () => {
        await clock.pass(1_000);
        expect(stderr.join('')).toMatch(expected);
      },
      { timeout: 30_000 },
    );
    writeFileSync(`${cwd}/go`, '');
    expect(await running).toMatchObject({ exitCode: 0 });
  });
});

/** Answers once. */
const ONCE = `let count = 0; require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts } = JSON.parse(line);
  if (++count === 1) console.log(JSON.stringify({ id, translations: texts.map((text) => text.toUpperCase()) }));
});`;

describe('Ctrl-C', () => {
  it.each([
    ['i18n locales/en.json', 'out/en_de.json', 'run the command again with --skip-existing.', ':'],
    [
      'subtitles subs/a.srt',
      'out/a.de.srt',
      'Finished translations are saved: the same command continues from there. Files that exist already need --force.',
      '.',
    ],
  ])('reports how many files are kept: %s', async (command, path, hint, sign) => {
    const cwd = projectWith({
      'locales/en.json': '{"a": "One"}',
      'subs/a.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne.\n',
      'once.cjs': ONCE,
    });
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${cwd}/once.cjs`];
    const controller = new AbortController();
    const argv = [...command.split(' '), '-s', 'en', '-t', 'de,fr', '-o', 'out', ...engine];
    const running = dragoman(argv, { cwd, signal: controller.signal });
    await vi.waitFor(() => expect(existsSync(`${cwd}/${path}`)).toBe(true), { timeout: 30_000 });
    controller.abort();
    const { exitCode, stderr } = await running;
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/^error: .*\n/);
    expect(stderr.split('\n')[1]).toBe(`  1 of 2 files are kept${sign} ${hint}`);
  });
});

/** Answers twice, and then never again. */
const TWICE = ONCE.replace('=== 1', '<= 2');

describe('a sync of several projects', () => {
  it('continues counting in the next project, and reports after Ctrl-C how much of the total is saved', async () => {
    const project = (name: string, plural: string): Readonly<Record<string, string>> => ({
      [`${name}/dragoman.config.yaml`]: 'source: en\ntargets: [de, fr]\n',
      [`${name}/po/${name}.pot`]: `msgid "One in ${name}"\n${plural}msgstr${plural && '[0]'} ""\n`,
    });
    const cwd = projectWith({
      ...project('app', ''),
      // The forms of a plural are one key.
      ...project('site', 'msgid_plural "%d in site"\n'),
      'twice.cjs': TWICE,
      '.git/HEAD': '',
    });
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${cwd}/twice.cjs`];
    const clock = new ManualClock();
    const controller = new AbortController();
    const stderr: string[] = [];
    const running = dragoman(['sync', 'app', 'site', '--no-memory', ...engine], {
      cwd,
      clock,
      signal: controller.signal,
      onStderr: (text) => stderr.push(text),
    });
    await vi.waitFor(
      async () => {
        await clock.pass(1_000);
        expect(stderr.join('')).toMatch(/^de 3\/4 ▇▇▁▁▁ 50 % {2}2\/4 keys(?: {2}[\d:]+ left)?$/m);
      },
      { timeout: 30_000 },
    );
    controller.abort();
    expect(await running).toMatchObject({ exitCode: 130 });
    expect(stderr.join('')).toContain('interrupted: 2 of 4 keys are kept: run the command again\n');
    for (const line of stderr.join('').match(/\d+\/\d+ keys/g) ?? []) expect(line).toMatch(/\/4 keys$/);
  });
});

/** Runs a command that must succeed, and advances the clock by 10 seconds at a time until it ends. */
async function stderrWhileTimePasses(argv: readonly string[], invocation: Invocation): Promise<string> {
  const clock = new ManualClock();
  const ended = new AbortController();
  const running = dragoman(argv, { ...invocation, clock }).finally(() => ended.abort());
  while (!ended.signal.aborted) await clock.pass(10_000);
  const { exitCode, stderr } = await running;
  expect(exitCode, stderr.slice(-1_000)).toBe(0);
  return stderr;
}

describe('progress of long work without an engine', () => {
  it('counts the bytes of files during a memory import', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `Text number ${i},Text Nummer ${i}\n`);
    const cwd = projectWith({ 'known.csv': `en,de\n${lines.join('')}` });
    const stderr = await stderrWhileTimePasses(['memory', 'import', 'known.csv', '-s', 'en', '-t', 'de'], {
      cwd,
    });
    const shown = stderr.split('\n').slice(0, -1);
    expect(shown[0]).toBe('known.csv 1/1 ▁▁▁▁▁ 0 %  0.0/0.7 MB');
    expect(shown.at(-1)).toMatch(/^known\.csv 1\/1 ▇[▇▁]{4} \d+ % {2}\d\.\d\/0\.7 MB(?: {2}[\d:]+ left)?$/);
  });

  it('counts the translations during a memory import of unknown size', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `Text number ${i},Text Nummer ${i}\n`);
    const stderr = await stderrWhileTimePasses(
      ['memory', 'import', '-', '--format', 'csv', '-s', 'en', '-t', 'de'],
      { stdin: `en,de\n${lines.join('')}` },
    );
    expect(stderr).toMatch(/^standard input 1\/1 {2}\d+,000 translations$/m);
  });

  it('counts the bytes of a model during its download', async () => {
    const collection = temporaryDirectory();
    writeCollection(collection, [{ source: 'en', target: 'es', set: makeModelSet('syllables', 7) }]);
    const mirror = await startMirror(collection);
    try {
      mirror.faults.cut = { after: 20_000, times: 1 };
      const clock = new ManualClock();
      const stderr: string[] = [];
      const running = dragoman(['engines', 'install', 'en-es'], {
        env: {
          DRAGOMAN_FIREFOX_MODELS_DIR: temporaryDirectory(),
          DRAGOMAN_FIREFOX_RECORDS_URL: mirror.recordsUrl,
        },
        clock,
        onStderr: (text) => stderr.push(text),
      });
      await vi.waitFor(
        async () => {
          await clock.pass(1_000);
          expect(stderr.join('')).toMatch(/^en-es 1\/1 ▇▇▁▁▁ 4\d % {2}0\.0\/0\.0 MB(?: {2}[\d:]+ left)?$/m);
        },
        { timeout: 30_000 },
      );
      mirror.drop();
      expect(await running).toMatchObject({ exitCode: 0 });
    } finally {
      await mirror.close();
    }
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const SRT = '1\n00:00:01,000 --> 00:00:02,000\nOne more time.\n';

/** All commands use one rule for the paths of results. */
describe.each([
  {
    command: 'i18n',
    input: 'a.json',
    text: '{ "a": "One more" }\n',
    result: 'a_fr.json',
    other: 'a_es.json',
  },
  { command: 'html', input: 'a.html', text: '<p>One more</p>\n', result: 'a.fr.html', other: 'a.es.html' },
  {
    command: 'email',
    input: 'a.eml',
    text: 'Subject: One more\n\nHello\n',
    result: 'a.fr.eml',
    other: 'a.es.eml',
  },
  { command: 'subtitles', input: 'a.srt', text: SRT, result: 'a.fr.srt', other: 'a.es.srt' },
])('$command', ({ command, input, text, result, other }) => {
  const setUp = () => {
    const cwd = projectWith({ [input]: text, [`b/${input}`]: text });
    const run = (...args: readonly string[]) =>
      dragoman([command, ...args, '-s', 'en', '--engine', 'pseudo'], { cwd });
    return { cwd, run, read: (path: string) => readFileSync(join(cwd, path), 'utf8') };
  };

  it('writes next to its source, and keeps existing files', async () => {
    const { cwd, run, read } = setUp();
    expect(await run(input, '-t', 'fr,es')).toMatchObject({ exitCode: 0 });
    expect(read(other)).not.toBe(text);
    writeFileSync(join(cwd, result), 'mine');
    expect(await run(input, '-t', 'fr,es')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/already exists\n.*--force.*--skip-existing.*-o/),
    });
    const skipping = await run(input, '-t', 'fr,es', '--skip-existing');
    expect([skipping.exitCode, skipping.stdout]).toEqual([0, '']);
    expect(skipping.stderr).toMatch(/^Skipped 2 files that already exist\.$/m);
    expect(read(result)).toBe('mine');
    expect(await run(input, '-t', 'fr,es', '--force')).toMatchObject({ exitCode: 0 });
    expect(read(result)).not.toBe('mine');
  });

  it('takes -o as a file if it has an extension, otherwise as a directory', async () => {
    const { run, read } = setUp();
    await run(input, '-t', 'fr', '-o', `there/${input}`);
    await run(input, '-t', 'fr', '-o', 'directory');
    await run(input, '-t', 'fr', '-o', 'b/');
    const translation = read(`there/${input}`);
    expect(translation).not.toBe(text);
    expect([read(`directory/${result}`), read(`b/${result}`)]).toEqual([translation, translation]);
    expect((await run(input, '-t', 'fr', '-o', 'directory', '--force')).exitCode).toBe(0);
    expect((await run(input, '-t', 'fr', '-o', '-')).stdout).toBe(translation);
  });

  it.each([
    ['a file', `there/${input}`, `there/${input}`],
    ['a directory', 'directory', `directory/${result}`],
  ])('does not replace files below -o without --force if it names %s', async (_, output, place) => {
    const { cwd, run, read } = setUp();
    expect(await run(input, '-t', 'fr', '-o', output)).toMatchObject({ exitCode: 0 });
    writeFileSync(join(cwd, place), 'mine');
    expect(await run(input, '-t', 'fr', '-o', output)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: `error: ${place} already exists\n  Replace it with --force, leave it alone with --skip-existing, or name another place with -o.\n`,
    });
    expect(read(place)).toBe('mine');
    expect(await run(input, '-t', 'fr', '-o', output, '--force')).toMatchObject({ exitCode: 0 });
    expect(read(place)).not.toBe('mine');
  });

  it('counts the files that --skip-existing skips', async () => {
    const { run } = setUp();
    await run(input, '-t', 'fr,es', '-o', 'out');
    const { stderr, exitCode } = await run(input, '-t', 'fr,es', '-o', 'out', '--skip-existing');
    expect([stderr.split('\n')[0], exitCode]).toEqual(['Skipped 2 files that already exist.', 0]);
  });

  it.each([
    ['several results on standard output', ['-t', 'fr,es', '-o', '-'], /cannot all go to standard output/],
    ['several results in one file', ['-t', 'fr,es', '-o', 'x.json'], /cannot all go to x\.json/],
    ['a result in the place of its source', ['-t', 'fr', '-o', input], /replace its source/],
  ])('refuses %s', async (_, args, message) => {
    const { run, read } = setUp();
    expect(await run(input, ...args)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
    expect(read(input)).toBe(text);
  });

  it.skipIf(command === 'email')('refuses the same result path for two sources', async () => {
    const { run } = setUp();
    expect(await run(input, `b/${input}`, '-t', 'fr', '-o', 'out')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/both be written/),
    });
  });
});

describe('results of concurrent processes', () => {
  it('are all kept: if two have the same path, one is refused', async () => {
    const { writeAtomically } = await import('../../src/base/atomic-file.ts');
    const path = join(projectWith({}), 'out.json');
    const results = await Promise.allSettled(
      ['one', 'two'].map((text) => writeAtomically(path, text, { isNew: true })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('with the same name are not lost, as with xargs', async () => {
    const cwd = projectWith({ 'a/en.json': '{ "a": "One" }', 'b/en.json': '{ "a": "Two" }' });
    const run = (path: string) =>
      dragoman(['i18n', path, '-s', 'en', '-t', 'fr', '--engine', 'pseudo', '-o', 'out'], { cwd });
    expect((await run('a/en.json')).exitCode).toBe(0);
    expect(await run('b/en.json')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('error: out/en_fr.json already exists\n'),
    });
  });
});

describe('subtitles', () => {
  it('are read from standard input without a name', async () => {
    const { stdout, exitCode } = await dragoman(['subtitles', '--format', 'vtt'], { stdin: SRT });
    expect({ stdout, exitCode }).toEqual({
      stdout: 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nOne more time.\n',
      exitCode: 0,
    });
    expect(await dragoman(['subtitles', '--format', 'vtt'], { tty: true, columns: 80 })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Name a file, or pipe one in.'),
    });
  });
});

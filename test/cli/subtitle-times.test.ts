import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, type Result } from './harness.ts';

const run = (files: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Result> =>
  dragoman(argv, { cwd: projectWith(files), tty: false, columns: 80 });

const SRT = `7
00:00:01,000 --> 00:00:02,500  X1:10
Today at 12:30:00
the garden

00:00:02,600 --> 00:59:59,900
is closed.
`;

/** The same two cues in every format whose times are in the file. */
const FILES: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    'movie.srt',
    SRT,
    SRT.replace('00:00:01,000 --> 00:00:02,500', '00:00:02,500 --> 00:00:04,000').replace(
      '00:00:02,600 --> 00:59:59,900',
      '00:00:04,100 --> 01:00:01,400',
    ),
  ],
  [
    'movie.vtt',
    'WEBVTT\n\nNOTE 00:01.000\n\n00:05\n00:01.000 --> 00:02.500 line:0\nToday <00:02.000>the garden\n\n00:02.600 --> 59:59.900\nis closed.\n',
    'WEBVTT\n\nNOTE 00:01.000\n\n00:05\n00:02.500 --> 00:04.000 line:0\nToday <00:03.500>the garden\n\n00:04.100 --> 01:00:01.400\nis closed.\n',
  ],
  ['movie.sbv', '0:00:01.000,0:00:02.500\nToday\n', '0:00:02.500,0:00:04.000\nToday\n'],
  [
    'movie.ass',
    '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no\nDialogue: 0,0:00:01.00,0:00:02.50,Default,1:00:00,0,0,0,,It is 12:30:00, now\n',
    '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no\nDialogue: 0,0:00:02.50,0:00:04.00,Default,1:00:00,0,0,0,,It is 12:30:00, now\n',
  ],
  [
    'song.lrc',
    '[ti:Song]\n[00:01.00][00:58.60]Today <00:02.00>the\n[61:00.00]garden\n',
    '[ti:Song]\n[00:02.50][01:00.10]Today <00:03.50>the\n[61:01.50]garden\n',
  ],
  ['movie.sub', '{1}{1}25.000\n{25}{50}{y:i}Today|25\n', '{1}{1}25.000\n{63}{88}{y:i}Today|25\n'],
];

describe('subtitles --shift', () => {
  it.each(FILES)('shifts the times of %s, and changes no other byte', async (name, before, after) => {
    const result = await run({ [name]: before }, 'subtitles', name, '--shift', '1.5s');
    expect(result).toEqual({ exitCode: 0, stdout: after, stderr: '' });
    const back = await run({ [name]: after }, 'subtitles', name, '--shift', '-1500ms', '-o', '-');
    // Shifting back keeps an hour that was added, and rounds half a frame up again.
    if (!/01:00:01|sub$/.test(after + name)) expect(back.stdout).toBe(before);
  });

  it('also shifts translations and conversions', async () => {
    const cwd = projectWith({ 'movie.srt': SRT });
    const argv = [
      'subtitles',
      'movie.srt',
      '-t',
      'es',
      '--engine',
      'pseudo',
      '--shift',
      '1s',
      '--format',
      'vtt',
    ];
    expect((await dragoman(argv, { cwd })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'movie.es.vtt'), 'utf8')).toContain('00:00:02.000 --> 00:00:03.500');
  });

  it('shifts TTML if it is converted, and otherwise reports that it cannot', async () => {
    const ttml =
      '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">Hi</p></div></body></tt>';
    expect(
      (await run({ 'a.ttml': ttml }, 'subtitles', 'a.ttml', '--shift', '1s', '--format', 'srt')).stdout,
    ).toBe('1\n00:00:02,000 --> 00:00:03,000\nHi\n');
    const refused = await run({ 'a.ttml': ttml }, 'subtitles', 'a.ttml', '--shift', '1s');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('the times of TTML files cannot be changed');
  });

  it('never loses a subtitle: one before 0 begins at 0, one that would end before 0 is refused', async () => {
    const sooner = await run({ 'movie.srt': SRT }, 'subtitles', 'movie.srt', '--shift', '-2s');
    expect(sooner.stdout).toContain('00:00:00,000 --> 00:00:00,500');
    expect(sooner.stderr).toBe('movie.srt: 1 subtitle would begin before 0 and now begin at 0\n');
    expect(await run({ 'movie.srt': SRT }, 'subtitles', 'movie.srt', '--shift', '-3s')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('subtitle 1 at 00:00:01.000 would end before 0') as string,
    });
  });

  it.each(['soon', '5', '1.5h'])('refuses %s', async (shift) => {
    expect(await run({ 'movie.srt': SRT }, 'subtitles', 'movie.srt', '--shift', shift)).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  });
});

describe('subtitles --stretch', () => {
  it('multiplies times, before they are shifted', async () => {
    const { stdout } = await run(
      { 'movie.srt': SRT },
      'subtitles',
      'movie.srt',
      '--stretch',
      '25/23.976',
      '--shift',
      '1s',
    );
    expect(stdout).toContain('00:00:02,043 --> 00:00:03,607');
  });
});

describe('subtitles --fps', () => {
  const SUB = '{25}{50}Today\n{100}{150}the garden is closed\n';

  it('is required if a MicroDVD file does not declare it', async () => {
    const guessed = await run({ 'movie.sub': SUB }, 'subtitles', 'movie.sub', '--format', 'srt');
    expect(guessed.stdout).toContain('00:00:01,043 --> 00:00:02,085');
    expect(guessed.stderr).toBe(
      'movie.sub: the file does not declare its frame rate: assuming 23.976. Set it with --fps, such as --fps 25.\n',
    );
    const named = await run({ 'movie.sub': SUB }, 'subtitles', 'movie.sub', '--format', 'srt', '--fps', '25');
    expect(named).toMatchObject({ exitCode: 0, stderr: '' });
    expect(named.stdout).toContain('00:00:01,000 --> 00:00:02,000');
  });

  it('is not needed if times stay in frames, or if the file declares it', async () => {
    const translated = await run(
      { 'movie.sub': SUB },
      'subtitles',
      'movie.sub',
      '-t',
      'es',
      '--engine',
      'pseudo',
    );
    expect(translated.stderr).not.toContain('--fps');
    const named = await run(
      { 'a.sub': `{1}{1}25.000\n${SUB}` },
      'subtitles',
      'a.sub',
      '--format',
      'srt',
      '--fps',
      '30',
    );
    expect(named.stdout).toContain('00:00:01,000 --> 00:00:02,000');
    expect(named.stderr).toBe('');
  });
});

const BAD = `1
00:00:01,000 --> 00:00:02,000
A line that is much too long for any screen of the world.

2
00:00:01,900 --> 00:00:02,100
Hi
there
you

3
00:00:02,120 --> 00:00:01,000
Gone
`;

describe('subtitles --check', () => {
  it('lists the problems, needs no engine, and ends with 8', async () => {
    const result = await run({ 'movie.srt': BAD }, 'subtitles', 'movie.srt', '--check');
    expect(result).toEqual({
      exitCode: 8,
      stdout: `movie.srt:1:1: warning: cue-fast: subtitle 1 at 00:00:01.000 has 57 characters per second, more than 21
movie.srt:1:1: warning: cue-wide: subtitle 1 at 00:00:01.000 has a line of 57 characters, more than 42
movie.srt:5:1: warning: cue-short: subtitle 2 at 00:00:01.900 is shown for 200 ms, less than 833 ms
movie.srt:5:1: warning: cue-overlap: subtitle 2 at 00:00:01.900 begins 100 ms before subtitle 1 ends
movie.srt:5:1: warning: cue-fast: subtitle 2 at 00:00:01.900 has 60 characters per second, more than 21
movie.srt:5:1: warning: cue-lines: subtitle 2 at 00:00:01.900 has 3 lines, more than 2
movie.srt:11:1: error: cue-ends-early: subtitle 3 at 00:00:02.120 ends before it begins
`,
      stderr: '7 findings (1 error, 6 warnings)\n',
    });
  });

  it('applies the limits of the command line, and passes a file within them', async () => {
    const fine = '1\n00:00:01,000 --> 00:00:03,000\nToday\n\n2\n00:00:03,000 --> 00:00:05,000\nthe garden\n';
    expect(await run({ 'a.srt': fine }, 'subtitles', 'a.srt', '--check')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'no findings\n',
    });
    const strict = await run(
      { 'a.srt': fine },
      'subtitles',
      'a.srt',
      '--check',
      '--max-cps',
      '4',
      '--max-line',
      '9',
    );
    expect(strict.exitCode).toBe(8);
    expect(strict.stdout).toBe(
      `a.srt:5:1: warning: cue-fast: subtitle 2 at 00:00:03.000 has 5 characters per second, more than 4
a.srt:5:1: warning: cue-wide: subtitle 2 at 00:00:03.000 has a line of 10 characters, more than 9
`,
    );
  });

  it('reports pauses that are too short, but not between cues in different positions or layers', async () => {
    const gap = '1\n00:00:01,000 --> 00:00:03,000\nToday\n\n2\n00:00:03,040 --> 00:00:05,000\nthe garden\n';
    expect((await run({ 'a.srt': gap }, 'lint', 'a.srt')).stdout).toBe(
      'a.srt:5:1: warning: cue-gap: subtitle 2 at 00:00:03.040 begins 40 ms after subtitle 1 ends, less than 83 ms\n',
    );
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:03.000\nToday\n\n00:02.000 --> 00:05.000 line:0\nthe garden\n';
    expect(await run({ 'a.vtt': vtt }, 'lint', 'a.vtt')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('takes the severities of findings from the configuration above the file', async () => {
    const gap = '1\n00:00:01,000 --> 00:00:03,000\nToday\n\n2\n00:00:03,040 --> 00:00:05,000\nthe garden\n';
    const linted = (severity: string): Promise<Result> =>
      run(
        { 'films/a.srt': gap, 'dragoman.config.json': `{"lint": {"rules": {"cue-gap": "${severity}"}}}` },
        'lint',
        'films/a.srt',
      );
    expect((await linted('error')).stdout).toContain('films/a.srt:5:1: error: cue-gap');
    expect(await linted('off')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('writes nothing, and reports that', async () => {
    expect(await run({ 'a.srt': SRT }, 'subtitles', 'a.srt', '--check', '-t', 'es')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--check writes nothing') as string,
    });
  });

  it('ends with 8 on a file that cannot be read', async () => {
    expect(
      await run({ 'a.vtt': 'no', 'b.srt': SRT }, 'subtitles', 'a.vtt', 'b.srt', '--check'),
    ).toMatchObject({ exitCode: 8 });
    expect(await run({ 'a.vtt': 'no' }, 'lint', 'a.vtt')).toMatchObject({
      exitCode: 8,
      stdout: expect.stringContaining('a.vtt:1:1: error: unreadable: ') as string,
    });
  });
});

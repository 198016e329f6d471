import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo', '-s', 'en'];
const launcher = resolve(import.meta.dirname, '../../bin/dragoman.js');

const SRT =
  '1\n00:00:01,000 --> 00:00:02,000\nOne more time.\n\n2\n00:00:03,000 --> 00:00:04,000 X1:40\n- Yes.\n- No.\n';
const VTT =
  'WEBVTT\nKind: captions\n\nNOTE keep me\n\n00:01.000 --> 00:02.000 align:start\nOne <i>more</i> time.\n';

/** A program for the exec engine: it fails on texts with FAIL, and hangs on texts with STOP. */
const ENGINE = `
import { createInterface } from 'node:readline';
import { appendFileSync } from 'node:fs';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, texts } = JSON.parse(line);
  appendFileSync(process.env.ASKED, texts.join('\\n') + '\\n');
  if (texts.some((text) => text.includes('STOP')) && process.env.STOP) process.kill(Number(process.env.STOP), 'SIGINT');
  console.log(JSON.stringify({ id, translations: texts.map((text) => (text.includes('FAIL') ? null : text.toUpperCase())) }));
}
`;

interface Listed {
  readonly files: readonly Readonly<Record<string, unknown>>[];
  readonly skipped: readonly string[];
}

describe('subtitles', () => {
  it('writes {name}.{lang}.{ext} for every file and language, and prints the paths', async () => {
    const cwd = projectWith({ 'season1/a.srt': SRT, 'season1/b.vtt': VTT, 'season1/notes.txt': 'x' });
    const result = await dragoman(
      ['subtitles', 'season1/*.{srt,vtt}', '-t', 'fr,pt-BR', '-o', 'out', ...PSEUDO],
      { cwd },
    );
    expect(result.exitCode, result.stderr).toBe(0);
    const names = ['a.fr.srt', 'a.pt-BR.srt', 'b.fr.vtt', 'b.pt-BR.vtt'];
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(names);
    expect(result.stdout.trimEnd().split('\n')).toEqual(names.map((name) => `out/${name}`));
    expect(readFileSync(join(cwd, 'out/b.fr.vtt'), 'utf8')).toBe(
      VTT.replace('One', 'Öñé').replace('more', 'ɱöŕé').replace('time', 'ţîɱé'),
    );
  });

  it('takes a directory, keeps its structure, and skips files of earlier runs', async () => {
    const cwd = projectWith({
      'films/a.srt': SRT,
      'films/one/B.VTT': VTT,
      'films/one/two/c.sbv': '0:00:01.000,0:00:02.000\nOne more time\n',
      'films/one/two/notes.txt': 'x',
      'films/.hidden/d.srt': SRT,
    });
    const result = await dragoman(['subtitles', 'films', '-t', 'fr', '-o', 'out', ...PSEUDO], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    const names = ['a.fr.srt', 'one/B.fr.VTT', 'one/two/c.fr.sbv'];
    expect(result.stdout.trimEnd().split('\n')).toEqual(names.map((name) => `out/${name}`));
    expect(result.stderr).toMatch(/^3 files written with \d+ cues$/m);
    for (const _ of [1, 2]) {
      const beside = await dragoman(['subtitles', 'films', '-t', 'fr', '--force', ...PSEUDO], { cwd });
      expect(beside.stdout.trimEnd().split('\n')).toEqual(names.map((name) => `films/${name}`));
    }
    const empty = await dragoman(['subtitles', 'films/.hidden/..', '--format', 'srt'], {
      cwd: projectWith({ 'films/.hidden/notes.txt': 'x' }),
    });
    expect(empty.exitCode).toBe(2);
    expect(empty.stderr).toContain('there are no subtitles below');
  });

  it('skips a translation next to its source, and reports that', async () => {
    const files = { 'a.srt': SRT, 'a.es.srt': SRT, 'b.en.srt': SRT, 'b.es.srt': SRT, 'c.es.srt': SRT };
    const cwd = projectWith(files);
    const result = await dragoman(['subtitles', '.', '-t', 'fr', ...PSEUDO], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout.trimEnd().split('\n')).toEqual(['a.fr.srt', 'b.en.fr.srt', 'c.es.fr.srt']);
    expect(result.stderr).toContain('Skipped 2 files that look like translations, such as a.es.srt.');
    const named = await dragoman(['subtitles', 'a.es.srt', '-t', 'fr', ...PSEUDO], { cwd });
    expect(named.stdout).toBe('a.es.fr.srt\n');
    const converted = await dragoman(['subtitles', '.', '--format', 'vtt', '-o', 'out'], {
      cwd: projectWith(files),
    });
    expect(converted.stdout.trimEnd().split('\n')).toHaveLength(5);
  });

  it('warns about cues that are too fast to read', async () => {
    const text =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nTwenty-one characters\n\n00:03.000 --> 00:04.000\nThese are <i>twenty-two!!</i>\n';
    const cwd = projectWith({ 'a.vtt': text });
    const result = await dragoman(['subtitles', 'a.vtt', '--format', 'srt', '--max-cps', '20'], { cwd });
    expect(result.stderr).toMatch(
      /^\S*a\.vtt: subtitle 1 at \d\d:\d\d:\d\d\.\d{3} has 21 characters per second, more than 20\n\S*a\.vtt: subtitle 2 at \S+ has 22 [^\n]*\n$/,
    );
  });

  it('writes next to the source, and keeps existing files with --skip-existing', async () => {
    const cwd = projectWith({ 'a.srt': SRT, 'b.srt': SRT, 'b.fr.srt': 'by hand' });
    const result = await dragoman(
      ['subtitles', 'a.srt', 'b.srt', '-t', 'fr', '--skip-existing', '--json', ...PSEUDO],
      { cwd },
    );
    const { files, skipped } = JSON.parse(result.stdout) as Listed;
    expect(files).toMatchObject([
      {
        source: join(cwd, 'a.srt'),
        path: join(cwd, 'a.fr.srt'),
        language_code: 'fr',
        format: 'srt',
        blocks: 2,
        failed_blocks: 0,
        failures: [],
      },
    ]);
    expect(skipped).toEqual([join(cwd, 'b.fr.srt')]);
    expect(readFileSync(join(cwd, 'b.fr.srt'), 'utf8')).toBe('by hand');
  });

  it('keeps the byte order mark, line ends and UTF-16', async () => {
    const text = SRT.replaceAll('\n', '\r\n');
    const cwd = projectWith({ 'a.srt': `\ufeff${text}`, 'b.srt': Buffer.from(`\ufeff${text}`, 'utf16le') });
    const result = await dragoman(['subtitles', 'a.srt', 'b.srt', '-t', 'fr', ...PSEUDO], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    const utf8 = readFileSync(join(cwd, 'a.fr.srt'), 'utf8');
    expect(utf8).toMatch(/^\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\nÖñé/);
    expect(readFileSync(join(cwd, 'b.fr.srt')).toString('utf16le')).toBe(utf8);
  });

  it('reads the given legacy encoding, and writes UTF-8 if it cannot hold the translation', async () => {
    const latin = Buffer.from(SRT.replace('One', 'Déjà'), 'latin1');
    const cwd = projectWith({ 'a.srt': latin });
    const refused = await dragoman(['subtitles', 'a.srt', '-t', 'de', ...PSEUDO], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/a\.srt:3:2: .*UTF-8[^]*--encoding windows-1252/);
    const named = ['subtitles', 'a.srt', '--encoding', 'windows-1252'];
    const converted = await dragoman([...named, '--format', 'vtt', '-o', 'a.vtt'], { cwd });
    expect(converted.exitCode, converted.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'a.vtt'), 'utf8')).toContain('Déjà');
    const translated = await dragoman([...named, '-t', 'de', ...PSEUDO], { cwd });
    expect(translated.exitCode).toBe(0);
    expect(translated.stderr).toContain('written as UTF-8');
    expect(readFileSync(join(cwd, 'a.de.srt'), 'utf8')).toContain('Ðéĵà'.slice(0, 2));
    const unknown = await dragoman(['subtitles', 'a.srt', '--encoding', 'nonsense', '-t', 'de', ...PSEUDO], {
      cwd,
    });
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nonsense') });
  });

  it('detects the language from all cues together', async () => {
    const cwd = projectWith({
      'a.srt': SRT.replace('One more time.', 'Ich weiß nicht, was du meinst.').replace('Yes', 'Doch'),
    });
    const result = await dragoman(['subtitles', 'a.srt', '-t', 'fr', '--engine', 'pseudo'], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
  });

  it('ends with 7 and reports the position when a cue keeps its source', async () => {
    const cwd = projectWith({ 'a.srt': SRT.replace('One', 'FAIL'), 'engine.mjs': ENGINE });
    const env = { ASKED: join(cwd, 'asked') };
    process.env['ASKED'] = env.ASKED;
    const argv = [
      'subtitles',
      'a.srt',
      '-s',
      'en',
      '-t',
      'fr',
      '--engine-command',
      `node ${join(cwd, 'engine.mjs')}`,
    ];
    const result = await dragoman(argv, { cwd, env });
    expect(result.exitCode).toBe(7);
    expect(result.stderr).toContain('a.srt:3:1: (fr) keeps its source text');
    expect(readFileSync(join(cwd, 'a.fr.srt'), 'utf8')).toBe(
      SRT.replace('One', 'FAIL').replace('Yes', 'YES').replace('No.', 'NO.'),
    );
    const json = JSON.parse((await dragoman([...argv, '--force', '--json'], { cwd, env })).stdout) as Listed;
    expect(json.files).toMatchObject([{ failed_blocks: 1, failures: [{ line: 3, column: 1 }] }]);
  });
});

describe('subtitles --format', () => {
  it('converts one file to standard output, and reports losses', async () => {
    const cwd = projectWith({ 'a.vtt': VTT.replace('align:start', 'align:start size:50%') });
    const result = await dragoman(['subtitles', 'a.vtt', '--format', 'srt'], { cwd });
    expect(result.stdout).toBe('1\n00:00:01,000 --> 00:00:02,000\n{\\an1}One <i>more</i> time.\n');
    expect(result.stderr).toMatch(/NOTE blocks \(1\)[^]*cue settings \(1\)/);
    expect(readdirSync(cwd)).toEqual(['a.vtt']);
  });

  it('converts its translations', async () => {
    const cwd = projectWith({ 'a.srt': SRT });
    const result = await dragoman(['subtitles', 'a.srt', '-t', 'fr', '--format', 'vtt', ...PSEUDO], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'a.fr.vtt'), 'utf8')).toMatch(
      /^WEBVTT\n\n1\n00:00:01\.000 --> 00:00:02\.000\nÖñé/,
    );
  });

  it('reads standard input of either format, and includes the content in the document', async () => {
    const converted = await dragoman(['subtitles', '-', '--format', 'vtt', '--json'], { stdin: SRT });
    const { files } = JSON.parse(converted.stdout) as Listed;
    expect(files).toMatchObject([
      { source: null, path: null, language_code: null, format: 'vtt', blocks: 2 },
    ]);
    const back = await dragoman(['subtitles', '-', '--format', 'srt'], {
      stdin: String(files[0]?.['content']),
    });
    expect(back.stdout).toBe(SRT.replace(' X1:40', ''));
  });
});

describe('files with another extension', () => {
  it.each<[string, string, string]>([
    ['SubRip', SRT, SRT],
    ['WebVTT', VTT, '1\n00:00:01,000 --> 00:00:02,000\n{\\an1}One <i>more</i> time.\n'],
  ])('are recognized by their first line if a format is given: %s', async (_, content, expected) => {
    const cwd = projectWith({ 'a.txt': content });
    const converted = await dragoman(['subtitles', 'a.txt', '--format', 'srt'], { cwd });
    expect(converted).toMatchObject({ exitCode: 0, stdout: expected });
    const argv = ['subtitles', 'a.txt', '-t', 'fr', '--format', 'srt', ...PSEUDO];
    const translated = await dragoman(argv, { cwd });
    expect(translated).toMatchObject({ exitCode: 0, stdout: 'a.fr.srt\n' });
  });
});

describe('bad input', () => {
  it.each<[string, string, string | Uint8Array, RegExp]>([
    ['text without subtitles', 'a.srt', 'lost\n', /a\.srt:1:1: /],
    [
      'times that overflow',
      'a.srt',
      SRT.slice(0, 46).replace('00:00:02', '00:99:02'),
      /a\.srt:2:18: .*99 minutes/,
    ],
    ['no header', 'a.vtt', SRT, /a\.vtt:1:1: .*WEBVTT/],
    [
      'truncated UTF-8',
      'a.srt',
      Buffer.concat([Buffer.from(SRT), Buffer.from([0xc3])]),
      /a\.srt:9:1: .*UTF-8/,
    ],
    ['half a UTF-16 character', 'a.srt', Buffer.from([0xff, 0xfe, 0x31]), /a\.srt:1:\d+: /],
    ['an empty file', 'a.srt', '', /a\.srt:1:1: /],
  ])(
    'ends with 2, or with 7 if other files succeed, and reports the place: %s',
    async (_, name, content, message) => {
      const cwd = projectWith({ [name]: content, 'good.srt': SRT });
      const alone = await dragoman(['subtitles', name, '-t', 'fr', ...PSEUDO], { cwd });
      expect(alone).toMatchObject({ exitCode: 2, stdout: '' });
      expect(alone.stderr).toMatch(message);
      expect(readdirSync(cwd).sort()).toEqual([name, 'good.srt'].sort());
      const both = await dragoman(['subtitles', name, 'good.srt', '-t', 'fr', ...PSEUDO], { cwd });
      expect(both).toMatchObject({ exitCode: 7, stdout: 'good.fr.srt\n' });
      expect(both.stderr).toMatch(message);
    },
  );

  it('is listed in the document, while readable files are converted', async () => {
    const cwd = projectWith({ 'a.srt': SRT, 'bad.srt': 'x', 'worse.vtt': 'y' });
    const argv = ['subtitles', 'bad.srt', 'a.srt', 'worse.vtt', '--format', 'vtt', '--json'];
    const result = await dragoman(argv, { cwd });
    expect(result.exitCode).toBe(7);
    expect((JSON.parse(result.stdout) as Listed).files).toMatchObject([
      { source: join(cwd, 'a.srt'), path: join(cwd, 'a.vtt') },
      { source: join(cwd, 'bad.srt'), path: null, error: { code: 'unreadable_input' } },
      { source: join(cwd, 'worse.vtt'), path: null, error: { code: 'unreadable_input' } },
    ]);
    expect(result.stderr).toMatch(/bad\.srt:1:1: .*\n.*\n.*worse\.vtt:1:1: /);
  });

  it('in a single subtitle is kept, with a warning; --strict refuses the file', async () => {
    const broken = `${SRT}\n3\n00:00:0x,000 --> 00:00:06,000\nOne of none.\n`;
    const cwd = projectWith({ 'a.srt': broken });
    const argv = ['subtitles', 'a.srt', '-t', 'fr', '-o', 'out/', ...PSEUDO];
    const strict = await dragoman([...argv, '--strict'], { cwd });
    expect(strict).toMatchObject({ exitCode: 2, stdout: '' });
    expect(strict.stderr).toMatch(/a\.srt:11:1: the times of this line cannot be read/);
    const result = await dragoman(argv, { cwd });
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toMatch(
      /a\.srt:11:1: warning: the times of this line cannot be read: left unchanged/,
    );
    const written = readFileSync(join(cwd, 'out/a.fr.srt'), 'utf8');
    expect(written).toContain('Öñé ɱöŕé ţîɱé.');
    expect(written).toContain('3\n00:00:0x,000 --> 00:00:06,000\nOne of none.\n');
    const listed = await dragoman([...argv, '--force', '--json'], { cwd });
    expect((JSON.parse(listed.stdout) as Listed).files).toMatchObject([
      { problems: [{ line: 11, column: 1, reason: 'the times of this line cannot be read' }] },
    ]);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['nothing to do', ['a.srt'], /nothing to do/],
    ['a file of another kind', ['a.txt', '-t', 'fr'], /subtitle extension/],
    ['no such pattern', ['*.vtt', '-t', 'fr'], /no file matches/],
    ['several results for one place', ['a.srt', '-t', 'fr,es', '-o', '-'], /several translations/],
    ['one place for two sources', ['a.srt', 'b/a.srt', '-t', 'fr', '-o', 'out'], /both be written/],
    ['a result in the place of its source', ['a.srt', 'b/a.srt', '--format', 'srt'], /replace its source/],
    ['a line length of 0', ['a.srt', '-t', 'fr', '--max-line', '0'], /whole number above 0/],
    ['an unknown format', ['a.srt', '--format', 'stl'], /srt, sbv, /],
  ])('ends with 2: %s', async (_, argv, message) => {
    const cwd = projectWith({ 'a.srt': SRT, 'b/a.srt': SRT, 'a.txt': SRT });
    const result = await dragoman(['subtitles', ...argv, ...PSEUDO], { cwd });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(readFileSync(join(cwd, 'a.srt'), 'utf8')).toBe(SRT);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });
});

describe('the program', () => {
  it('continues where it was stopped, and removes its journal at the end', () => {
    const cwd = projectWith({ 'engine.mjs': ENGINE, 'a.srt': '', asked: '' });
    const cue = (text: string, i: number): string =>
      `${i + 1}\n00:00:${String(i % 60).padStart(2, '0')},000 --> 00:00:59,000\n${text}\n`;
    const texts = Array.from({ length: 300 }, (_, i) => (i === 200 ? 'STOP here.' : `Sentence number ${i}.`));
    writeFileSync(join(cwd, 'a.srt'), texts.map(cue).join('\n'));
    const cache = temporaryDirectory();
    const run = (stop: string): ReturnType<typeof spawnSync> =>
      spawnSync(
        'bash',
        [
          '-c',
          `${stop} exec node ${launcher} subtitles a.srt -s en -t fr --concurrency 1 --engine-command "node engine.mjs"`,
        ],
        {
          cwd,
          encoding: 'utf8',
          timeout: 60_000,
          env: { ...process.env, XDG_CACHE_HOME: cache, ASKED: join(cwd, 'asked') },
        },
      );
    const first = run('export STOP=$$;');
    expect(first.status, String(first.stderr)).toBe(130);
    expect(String(first.stderr)).toContain('the same command continues from there');
    expect(existsSync(join(cwd, 'a.fr.srt'))).toBe(false);
    const asked = readFileSync(join(cwd, 'asked'), 'utf8').split('\n').length;
    writeFileSync(join(cwd, 'asked'), '');
    const second = run('');
    expect(second.status, String(second.stderr)).toBe(0);
    const again = readFileSync(join(cwd, 'asked'), 'utf8').split('\n');
    expect(again).not.toContain('Sentence number 0.');
    expect(asked + again.length).toBeLessThan(300 + 100);
    expect(readFileSync(join(cwd, 'a.fr.srt'), 'utf8')).toContain('SENTENCE NUMBER 299.');
    expect(readdirSync(join(cache, 'dragoman/subtitles'))).toEqual([]);
  });

  it('works in a pipeline, without a terminal', () => {
    const cwd = projectWith({ 'a.srt': SRT });
    const command = `cat a.srt | node ${launcher} subtitles - --format vtt 2>/dev/null | node ${launcher} subtitles - -s en -t fr --engine pseudo --quiet | head -n 3`;
    const { stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(stderr).toBe('');
    expect(stdout).toBe('WEBVTT\n\n1\n');
  });

  it.skipIf(!existsSync('/usr/bin/script'))('shows its progress in cues on a terminal', () => {
    const cwd = projectWith({ 'a.srt': SRT });
    mkdirSync(join(cwd, 'cache'));
    const command = `node ${launcher} subtitles a.srt -s en -t fr --engine pseudo`;
    const env: NodeJS.ProcessEnv = { ...process.env, TERM: 'xterm', XDG_CACHE_HOME: join(cwd, 'cache') };
    delete env['CI'];
    const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: 60_000,
      input: '',
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/a\.srt → fr 1\/1 \S+ \d+ % {2}\d\/2 cues/);
    expect(stdout).toContain('a.fr.srt');
  });

  it('has two examples in its help', async () => {
    const { stdout } = await dragoman(['subtitles', '--help']);
    expect(stdout.match(/\$ dragoman subtitles /g)).toHaveLength(2);
  });
});

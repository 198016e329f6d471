import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';
import { startService } from './service.ts';

const service = startService();
const cue = (n: number, text: string): string => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n`;
const FILES = {
  'page.html':
    '<p>Good <b>morning</b></p><p>Good <a href="a" title="Read">day</a></p><p>Open</p><p>Open</p><p>3</p>',
  'empty.html': '<p>3</p>',
  'page.md': '# Good morning\n\nOpen the [door](a "The door").\n\nOpen the window.\n\nGood morning\n',
  'film.srt': [cue(1, 'We were never'), cue(2, 'in the garden.'), cue(3, '- Yes.\n- No.'), cue(4, '♪')].join(
    '\n',
  ),
  'mail.eml': 'Subject: Hello\r\nContent-Type: text/html\r\n\r\n<p>One text</p><p>Another text</p>\r\n',
};

/** Command lines and their costs. */
const PRICES: readonly (readonly [argv: string, credits: number])[] = [
  ['html page.html', 1],
  ['html page.html empty.html', 1],
  ['html page.html --by-text', 3],
  ['html page.html --by-text --attributes', 4],
  ['email page.html --subject Hello', 8],
  ['email mail.eml', 3],
  ['markdown page.md', 4],
  ['subtitles film.srt', 4],
  ['subtitles film.srt --max-line 40', 3],
  ['subtitles film.srt --per-cue', 4],
];

describe('--dry-run with a service', () => {
  it.each(PRICES)('%s: prints the credits that the run costs, %d per language', async (line, each) => {
    const cwd = projectWith(FILES);
    const env = { DRAGOMAN_BASE_URL: service.url, DRAGOMAN_API_KEY: service.key };
    const argv = [...line.split(' '), '-s', 'en', '-t', 'fr,de', '-o', 'out/'];
    const spent = async (): Promise<number> =>
      (JSON.parse((await service.run(['account', '--json'])).stdout) as { credits_used: number })
        .credits_used;
    const before = await spent();
    const dry = await dragoman([...argv, '--dry-run', '--json'], { cwd, env });
    expect(JSON.parse(dry.stdout), dry.stderr).toMatchObject({ credits: 2 * each });
    const said = await dragoman([...argv, '--dry-run'], { cwd, env });
    expect(said.stderr).toMatch(
      new RegExp(`, ${2 * each} credits and more for values that do not verify\n$`),
    );
    expect(await spent()).toBe(before);
    const { exitCode, stderr } = await dragoman(argv, { cwd, env });
    expect(exitCode, stderr).toBe(0);
    expect((await spent()) - before).toBe(2 * each);
  });

  it('prints no credits for a local engine or a conversion', async () => {
    const cwd = projectWith(FILES);
    const env = { DRAGOMAN_ENGINE: 'pseudo' };
    const local = await dragoman(['html', 'page.html', '-t', 'fr', '--dry-run'], { cwd, env });
    expect(local.stderr).toMatch(/^would write 1 translation: \d texts, \d+ characters$/m);
    const remote = { DRAGOMAN_BASE_URL: service.url, DRAGOMAN_API_KEY: service.key };
    const converted = await dragoman(
      ['subtitles', 'film.srt', '--format', 'vtt', '-o', 'a.vtt', '--dry-run'],
      {
        cwd,
        env: remote,
      },
    );
    expect(converted.stderr).toBe('would write 1 converted file\n');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';
import { fakeService, sendJson, startService } from './service.ts';

const service = startService();
const EN_FR = ['-s', 'en', '-t', 'fr'];

const json = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/** Earlier requests of the account, without this one. */
async function requests(): Promise<number> {
  const { stdout } = await service.run(['account', '--json']);
  return (json(stdout)['summary'] as { total_requests: number }).total_requests;
}

async function creditsUsed(): Promise<number> {
  return json((await service.run(['account', '--json'])).stdout)['credits_used'] as number;
}

describe('commands with a service', () => {
  it('translate with the same output as locally', async () => {
    const here = await dragoman(['translate', 'One {x}', 'Two', ...EN_FR, '--engine', 'pseudo', '--json']);
    const there = await service.run(['translate', 'One {x}', 'Two', ...EN_FR, '--json']);
    expect(there).toMatchObject({ exitCode: 0, stderr: '' });
    expect(json(there.stdout)).toEqual(json(here.stdout));
    const lines = await service.run(['translate', '-s', 'en', '-t', 'fr,es'], { stdin: 'One' });
    expect(lines.stdout).toMatch(/^fr\t.+\nes\t.+\n$/);
  });

  it('print one outcome per line of a batch, and send equal lines once', async () => {
    const before = await creditsUsed();
    const { exitCode, stdout } = await service.run(['batch', ...EN_FR], { stdin: 'One\nTwo\nOne\n' });
    expect(exitCode).toBe(0);
    const [first, second, third, ...rest] = stdout.split('\n');
    expect(first).toBe(third);
    expect(first).not.toBe(second);
    expect(rest).toEqual(['']);
    expect((await creditsUsed()) - before).toBe(2);
  });

  it('detect languages, even of texts that are too long for one request', async () => {
    const text = 'Das ist ein Satz in deutscher Sprache. '.repeat(400);
    expect(await service.run(['detect'], { stdin: text })).toMatchObject({ exitCode: 0, stdout: 'de\n' });
    const { stdout } = await service.run(['detect', 'Das ist ein deutscher Satz.', '--json']);
    expect(json(stdout)).toEqual({
      language_detection: { text: 'Das ist ein deutscher Satz.', language: 'de' },
    });
  });

  it('list languages, and show the account and the health', async () => {
    const { supported_languages } = json((await service.run(['languages', '--json'])).stdout) as {
      supported_languages: Record<string, string>;
    };
    expect(supported_languages['French']).toBe('fr');
    expect(json((await service.run(['account', '--json'])).stdout)).toMatchObject({
      email: 'a@example.org',
      total_credits: 100_000,
    });
    expect((await service.run(['account'])).stdout).toMatch(/credits +[\d,]+ of 100,000 remaining/);
    // Health checks need no key.
    const health = await service.run(['health'], { env: { DRAGOMAN_API_KEY: '' } });
    expect(health).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^healthy\n/) });
  });

  it('use version 1 of the interface', async () => {
    const { exitCode, stdout } = await service.run(['translate', 'One', ...EN_FR, '--api', 'v1']);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('One') });
    expect((await service.run(['detect', 'Das ist deutsch.', '--api', 'v1'])).stdout).toBe('de\n');
    expect((await service.run(['account', '--api', 'v1'])).exitCode).toBe(2);
    expect((await service.run(['jobs', 'list', '--api', 'v1'])).exitCode).toBe(2);
  });
});

describe('a service', () => {
  const PAGE = '<!doctype html>\n<p class=a>One <b>two</b></p>\n<script>let a = "One"</script>\n';

  it('gets a page in one request, or as its texts', async () => {
    const cwd = projectWith({ 'p.html': PAGE });
    const before = await creditsUsed();
    const whole = await service.run(['html', 'p.html', ...EN_FR], { cwd });
    expect((await creditsUsed()) - before).toBe(1);
    const local = await dragoman(['html', 'p.html', ...EN_FR, '--engine', 'pseudo'], { cwd });
    expect(whole).toEqual(local);
    expect((await service.run(['html', 'p.html', ...EN_FR, '--by-text'], { cwd })).stdout).toBe(local.stdout);
  });

  it('does not get a page over the limit, which is reported, but gets its texts', async () => {
    const cwd = projectWith({ 'p.html': `<p>One</p>`.repeat(6000) });
    const before = await requests();
    const refused = await service.run(['html', 'p.html', ...EN_FR, '--json'], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(json(refused.stdout)).toMatchObject({
      error: {
        code: 'limit_exceeded',
        message: expect.stringContaining('60,000 characters') as string,
        hint: expect.stringContaining('--by-text') as string,
      },
    });
    // The query itself is a request.
    expect((await requests()) - before).toBe(1);
    const byText = await service.run(['html', 'p.html', ...EN_FR, '--by-text'], { cwd });
    expect(byText.exitCode).toBe(0);
    expect(byText.stdout).not.toContain('One');
  });

  it('gets the attributes of a page only text by text', async () => {
    const cwd = projectWith({ 'p.html': '<img alt="A dog">' });
    const argv = ['html', 'p.html', ...EN_FR, '--attributes'];
    expect(await service.run(argv, { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await service.run([...argv, '--by-text'], { cwd })).stdout).toMatch(/^<img alt="(?!A dog).+">$/);
  });

  it('does not change the encoding of a page', async () => {
    const page = Buffer.from('<meta charset="iso-8859-1"><p>Gar\u00e7on</p>', 'latin1');
    const cwd = projectWith({ 'p.html': page });
    const { exitCode } = await service.run(['html', 'p.html', ...EN_FR, '-o', 'out.html'], { cwd });
    expect(exitCode).toBe(0);
    const bytes = readFileSync(join(cwd, 'out.html')).toString('latin1');
    expect(bytes).toMatch(/^<meta charset="iso-8859-1"><p>.*&#x[0-9a-f]+;.*<\/p>$/);
  });

  it('yields the same subtitle file as locally', async () => {
    const srt =
      '1\r\n00:00:01,000 --> 00:00:02,000 X1:40\r\nHello <i>you</i>\r\n\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n\r\n';
    const cwd = projectWith({ 'm.srt': srt });
    const before = await creditsUsed();
    const there = await service.run(['subtitles', 'm.srt', ...EN_FR, '-o', 'there/'], { cwd });
    expect(there.exitCode, there.stderr).toBe(0);
    expect((await creditsUsed()) - before).toBe(2);
    await dragoman(['subtitles', 'm.srt', ...EN_FR, '-o', 'here/', '--engine', 'pseudo'], { cwd });
    expect(readFileSync(join(cwd, 'there/m.fr.srt'))).toEqual(readFileSync(join(cwd, 'here/m.fr.srt')));
    const perCue = await service.run(['subtitles', 'm.srt', ...EN_FR, '-o', '-', '--per-cue'], { cwd });
    expect(perCue.stdout).toContain('X1:40');
  });

  it('translates an e-mail as subject and body, and as a message', async () => {
    const eml = 'From: a@example.org\nSubject: Hello\nContent-Type: text/plain\n\nGood morning, everybody.\n';
    const cwd = projectWith({ 'body.html': '<p>One</p>', 'm.eml': eml });
    const body = await service.run(['email', 'body.html', '--subject', 'Two', ...EN_FR, '--json'], { cwd });
    const { subject, html_body } = json(body.stdout);
    expect(subject).not.toBe('Two');
    expect(html_body).toMatch(/^<p>(?!One).+<\/p>$/);
    const padded = await service.run(['email', 'body.html', '--subject', ' Two  ', ...EN_FR, '--json'], {
      cwd,
    });
    expect(json(padded.stdout)['subject']).toMatch(/^ (?!Two)\S.*\S {2}$/);
    const message = await service.run(['email', 'm.eml', ...EN_FR, '-o', 'out/'], { cwd });
    expect(message.exitCode, message.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'out/m.fr.eml'), 'utf8')).toMatch(
      /^From: a@example.org\nSubject: =\?utf-8\?/i,
    );
  });

  it('translates documents from standard input to standard output, on a terminal too', async () => {
    const page = await service.run(['html', ...EN_FR], { stdin: '<p>One</p>' });
    expect(page).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^<p>(?!One).+<\/p>$/) });
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nOne\n';
    const cues = await service.run(['subtitles', '-', ...EN_FR], { stdin: srt });
    expect(cues.stdout).toMatch(/^1\n00:00:01,000 --> 00:00:02,000\n(?!One).+\n$/);
    const body = await service.run(['email', '--subject', 'One', ...EN_FR], { stdin: '<p>Two</p>' });
    expect(body.stdout).toMatch(/^Subject: (?!One).+\n\n<p>(?!Two).+<\/p>\n$/);
    const shown = await service.run(['html', ...EN_FR], {
      stdin: '<p>One</p>',
      tty: true,
      env: { TERM: 'dumb' },
    });
    expect(shown.stdout).toBe(page.stdout);
    const spun = await service.run(['translate', 'One', ...EN_FR], { tty: true, env: { TERM: 'dumb' } });
    expect(spun).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^(?!One).+\n$/) });
  });

  it('that changes the elements of a page is refused, and nothing is written', async () => {
    const fake = await fakeService((_request, response) =>
      sendJson(response, { html: '<p>Un</p><script>x</script>' }),
    );
    const cwd = projectWith({ 'p.html': '<p>One</p>' });
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const result = await dragoman(['html', 'p.html', ...EN_FR, '-o', 'out.html', '--json'], { cwd, env });
    expect(result.exitCode).toBe(6);
    expect(json(result.stdout)).toMatchObject({ error: { code: 'contract_violation' } });
    expect(() => readFileSync(join(cwd, 'out.html'))).toThrow('ENOENT');
  });

  it('provides only the texts of subtitles, and changed times are refused', async () => {
    const srt = '7\n00:00:01,000 --> 00:00:02,000\nOne\n';
    const cwd = projectWith({ 'm.srt': srt });
    let content = '1\n00:00:01.000 --> 00:00:02,000\nUn\n\n\n';
    const fake = await fakeService((_request, response) => sendJson(response, { format: 'srt', content }));
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'some-key-1234' };
    const result = await dragoman(['subtitles', 'm.srt', ...EN_FR, '-o', '-'], { cwd, env });
    expect(result).toMatchObject({ exitCode: 0, stdout: srt.replace('One', 'Un') });
    content = '1\n00:00:01,000 --> 00:00:02,500\nUn\n';
    expect((await dragoman(['subtitles', 'm.srt', ...EN_FR, '-o', '-'], { cwd, env })).exitCode).toBe(6);
  });
});

describe('a command whose account runs out of credits', () => {
  const poor = async (email: string, credits: number): Promise<Record<string, string>> => ({
    DRAGOMAN_API_KEY: await service.keys([
      'create',
      '--email',
      email,
      '--name',
      'P',
      '--credits',
      `${credits}`,
    ]),
  });
  const ended = { error: { code: 'insufficient_credits', status: 402 } };

  it('ends with 4 and keeps the paid pages', async () => {
    const cwd = projectWith({ 'a.html': '<p>One</p>', 'b.html': '<p>Two</p>' });
    const argv = ['html', 'a.html', 'b.html', ...EN_FR, '-o', 'out', '--json'];
    const { exitCode, stdout } = await service.run(argv, { cwd, env: await poor('b@example.org', 1) });
    expect(exitCode).toBe(4);
    expect(json(stdout)).toMatchObject({ files: [{ path: join(cwd, 'out/a.fr.html') }], ...ended });
    expect(readdirSync(join(cwd, 'out'))).toEqual(['a.fr.html']);
  });

  it('ends with 4 and keeps the paid subtitles and messages, without copies', async () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nOne\n';
    const cwd = projectWith({
      'a.srt': srt,
      'b.srt': srt.replace('One', 'Two'),
      'p.html': '<p>A</p><p>B</p>',
    });
    const env = await poor('c@example.org', 1);
    const files = ['subtitles', 'a.srt', 'b.srt', ...EN_FR, '-o', 'out', '--json'];
    const result = await service.run(files, { cwd, env });
    expect(result.exitCode).toBe(4);
    expect(json(result.stdout)).toMatchObject({ files: [{ path: join(cwd, 'out/a.fr.srt') }], ...ended });
    for (const argv of [
      ['subtitles', 'b.srt', '--per-cue', '-o', 'out', ...EN_FR],
      ['html', 'p.html', '--by-text', '-o', 'out/p.html', ...EN_FR],
    ]) {
      const text = await service.run(argv, { cwd, env });
      expect(text).toMatchObject({ exitCode: 4, stdout: '', stderr: expect.stringContaining('0 remaining') });
    }
    expect(readdirSync(join(cwd, 'out'))).toEqual(['a.fr.srt']);
  });

  it('ends with 4 and keeps the paid bodies', async () => {
    const cwd = projectWith({ 'a.html': '<p>One</p>' });
    const argv = ['email', 'a.html', '--subject', 'Two', '-s', 'en', '-t', 'fr,es', '--json'];
    const { exitCode, stdout } = await service.run(argv, { cwd, env: await poor('d@example.org', 2) });
    expect(exitCode).toBe(4);
    expect(json(stdout)).toMatchObject({ translations: [{ target: 'fr' }], ...ended });
  });
});

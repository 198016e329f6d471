import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo', '-s', 'en'];
const program = new URL('../../bin/dragoman.js', import.meta.url).pathname;
const MESSAGE = 'From: a@example.org\r\nSubject: Hello\r\nX-Note: Hello\r\n\r\nGood morning\r\n';

const email = (args: readonly string[], cwd: string, stdin?: string | Uint8Array): Promise<Result> =>
  dragoman(['email', ...args, ...PSEUDO], { cwd, ...(stdin === undefined ? {} : { stdin }) });

describe('email with a message', () => {
  it('writes {name}.{lang}.eml next to the source', async () => {
    const root = projectWith({ 'news.eml': MESSAGE });
    const result = await email(['news.eml', '-t', 'fr,pt-BR'], root);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readdirSync(root).sort()).toEqual(['news.eml', 'news.fr.eml', 'news.pt-BR.eml']);
    expect(result.stdout).toBe('news.fr.eml\nnews.pt-BR.eml\n');
    const bytes = readFileSync(join(root, 'news.fr.eml'), 'latin1');
    expect(bytes).toMatch(/^From: a@example\.org\r\nSubject: =\?UTF-8\?[BQ]\?.+\?=\r\nX-Note: Hello\r\n/);
    expect((await email(['news.eml', '-t', 'fr'], root)).exitCode).toBe(2);
    expect((await email(['news.eml', '-t', 'fr', '--force'], root)).exitCode).toBe(0);
  });

  it('writes to the path given with -o', async () => {
    const root = projectWith({ 'news.eml': MESSAGE });
    mkdirSync(join(root, 'there'));
    await email(['news.eml', '-t', 'fr', '-o', 'one.eml'], root);
    await email(['news.eml', '-t', 'fr', '-o', 'there'], root);
    await email(['news.eml', '-t', 'fr,es', '-o', 'new'], root);
    expect(existsSync(join(root, 'one.eml'))).toBe(true);
    expect(readdirSync(join(root, 'there'))).toEqual(['news.fr.eml']);
    expect(readdirSync(join(root, 'new')).sort()).toEqual(['news.es.eml', 'news.fr.eml']);
    const { stdout } = await email(['-', '-t', 'fr'], root, MESSAGE);
    expect(stdout).toBe(readFileSync(join(root, 'one.eml'), 'utf8'));
    expect((await email(['-', '-t', 'fr,es'], root, MESSAGE)).exitCode).toBe(2);
  });

  it('prints one JSON document', async () => {
    const root = projectWith({ 'news.eml': MESSAGE });
    const { stdout } = await email(['news.eml', '-t', 'fr', '--json'], root);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        { language_code: 'fr', path: join(root, 'news.fr.eml'), subject: 'Ĥéļļö', texts: 2, failed_texts: 0 },
      ],
    });
  });

  it('detects the language', async () => {
    const text = 'Subject: Guten Tag\n\nWir freuen uns sehr, dass Sie unsere Einladung angenommen haben.\n';
    const root = projectWith({ 'a.eml': text });
    const result = await dragoman(['email', 'a.eml', '-s', 'auto', '-t', 'fr', '--engine', 'pseudo'], {
      cwd: root,
    });
    expect(result.exitCode, result.stderr).toBe(0);
  });

  it('warns about signatures and about errors that mail programs tolerate', async () => {
    const signed =
      'DKIM-Signature: v=1\nSubject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n';
    const { exitCode, stderr } = await email(['a.eml', '-t', 'fr'], projectWith({ 'a.eml': signed }));
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/DKIM/);
    expect(stderr).toMatch(/a\.eml:8:1: warning: .*--b--/);
  });

  it('ends with 7 when a text fails, and saves the others', async () => {
    const text = 'Subject: Hello\n\nGood {n, plural, one {x}\n\nmorning\n';
    const root = projectWith({ 'a.eml': text });
    const { exitCode, stderr } = await email(['a.eml', '-t', 'fr'], root);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/a\.eml:3:1: \(fr\) keeps its source text: /);
    expect(readFileSync(join(root, 'a.fr.eml'), 'latin1')).toContain('Good {n, plural, one {x}');
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    [
      'a broken boundary',
      'Content-Type: multipart/mixed; boundary=a\n\n--b\n\nx\n--b--\n',
      /a\.eml:1:\d+: .*boundary/,
    ],
    ['base64 that is cut off', 'Content-Transfer-Encoding: base64\n\nSGVsbG8\n', /a\.eml:3:8: .*cut off/],
    ['a header that does not end', 'Subject: a\nFrom: b', /a\.eml:2:\d+: .*does not end/],
    ['bytes that are not a message', Buffer.from([0, 1, 2, 3, 10, 255]), /a\.eml:1:1: /],
  ])('ends with 2 and writes nothing: %s', async (_, content, message) => {
    const root = projectWith({ 'a.eml': content });
    const result = await email(['a.eml', '-t', 'fr'], root);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(readdirSync(root)).toEqual(['a.eml']);
  });

  it('refuses a message beyond 64 MiB', async () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, 'a.eml'), Buffer.alloc(65 * 1024 * 1024, 'Subject: a\n\n'));
    const result = await email(['a.eml', '-t', 'fr'], root);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/64 MiB/);
  });
});

describe('email with a subject and a body', () => {
  const html = '<p>Good <b>morning</b></p>\n';

  it('prints the subject, an empty line and the body', async () => {
    const root = projectWith({ 'a.html': html });
    const { exitCode, stdout } = await email(['a.html', '--subject', 'Hello', '-t', 'fr'], root);
    expect(exitCode).toBe(0);
    expect(stdout).toBe('Subject: Ĥéļļö\n\n<p>Ĝööð <b>ɱöŕñîñĝ</b></p>\n');
  });

  it("prints the specification's document with --json", async () => {
    const { stdout } = await email(['--subject', 'Hello', '-t', 'fr', '--json'], temporaryDirectory(), html);
    expect(JSON.parse(stdout)).toEqual({ subject: 'Ĥéļļö', html_body: '<p>Ĝööð <b>ɱöŕñîñĝ</b></p>\n' });
  });

  it('keeps the blanks at both ends of the subject', async () => {
    const args = ['-', '--subject', '  Hello ', '-t', 'fr'];
    const { stdout } = await email([...args, '--json'], temporaryDirectory(), html);
    expect(JSON.parse(stdout)).toMatchObject({ subject: '  Ĥéļļö ' });
    const text = await email(args, temporaryDirectory(), html);
    expect(text.stdout).toMatch(/^Subject: {3}Ĥéļļö \n/);
  });

  it('reads the body in the encoding that --encoding names', async () => {
    const body = Buffer.from('<p>\xc4\xe0</p>', 'latin1');
    const args = ['-', '--subject', 'Hello', '-t', 'fr', '--encoding', 'windows-1251'];
    const { stdout } = await email([...args, '--json'], temporaryDirectory(), body);
    expect(JSON.parse(stdout)).toMatchObject({ html_body: '<p>Да</p>' });
    const message = await email(
      ['-', '-t', 'fr', '--encoding', 'windows-1251'],
      temporaryDirectory(),
      MESSAGE,
    );
    expect(message).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--encoding') });
  });

  it('writes the body to a file and prints the subject', async () => {
    const root = projectWith({ 'a.html': html });
    const { stdout } = await email(['a.html', '--subject', 'Hello', '-t', 'fr', '-o', 'b.html'], root);
    expect(stdout).toBe('Ĥéļļö\n');
    expect(readFileSync(join(root, 'b.html'), 'utf8')).toBe('<p>Ĝööð <b>ɱöŕñîñĝ</b></p>\n');
    const both = await email(['a.html', '--subject', 'Hello', '-t', 'fr,es', '-o', 'out'], root);
    expect(both.stdout).toBe('fr\tĤéļļö\nes\tĤéļļö\n');
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['a.es.html', 'a.fr.html']);
  });

  it.each([
    ['an empty subject', ['--subject', '', '-t', 'fr'], html],
    ['an empty body', ['--subject', 'a', '-t', 'fr'], ''],
    ['several languages on standard output', ['--subject', 'a', '-t', 'fr,es'], html],
    ['no target', ['--subject', 'a'], html],
    ['a subject with a message', ['a.eml', '--subject', 'a', '-t', 'fr'], html],
  ])('ends with 2 for %s', async (_, args, stdin) => {
    const result = await email(args, temporaryDirectory(), stdin);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('email as a program', () => {
  it('works in a pipeline without a terminal', () => {
    const root = projectWith({ 'a.eml': MESSAGE });
    const line = `cat a.eml | node ${program} email -s en -t fr --engine pseudo | grep -c '^X-Note: Hello'`;
    const stdout = execFileSync('sh', ['-c', line], { cwd: root, encoding: 'utf8', timeout: 30_000 });
    expect(stdout).toBe('1\n');
    const closed = spawnSync('sh', ['-c', `node ${program} email a.eml -s en -t fr --engine pseudo <&-`], {
      cwd: root,
      timeout: 30_000,
    });
    expect(closed.status).toBe(0);
    expect(existsSync(join(root, 'a.fr.eml'))).toBe(true);
  });

  it.skipIf(!existsSync('/usr/bin/script'))('draws progress only on a terminal', async () => {
    const root = projectWith({ 'a.eml': MESSAGE });
    const command = `node ${program} email a.eml -s en -t fr --engine pseudo -o b.eml 2>err.txt; cat err.txt`;
    const { CI: _ci, ...inherited } = process.env;
    const env = { ...inherited, TERM: 'xterm' };
    const run = (line: string): Promise<string> =>
      new Promise((resolve, reject) => {
        execFile(
          '/usr/bin/script',
          ['-qec', line, '/dev/null'],
          { cwd: root, env, timeout: 30_000 },
          (error, stdout) => (error ? reject(error) : resolve(stdout)),
        );
      });
    expect(await run(command)).toBe('b.eml\r\n');
    const drawn = await run(`node ${program} email a.eml -s en -t fr --engine pseudo -o b.eml --force`);
    expect(drawn).toContain('\u001b[');
    expect(drawn).toContain('b.eml');
  });

  it('shows two examples in its help', async () => {
    const { stdout } = await dragoman(['email', '--help']);
    expect(stdout.match(/\$ dragoman email /g)).toHaveLength(2);
  });
});

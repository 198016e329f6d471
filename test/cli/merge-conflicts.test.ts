import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const conflict = (ours: string, theirs: string): string =>
  `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> feature\n`;

function git(cwd: string, ...args: readonly string[]): string {
  const identity = [
    '-c',
    'user.name=Ana',
    '-c',
    'user.email=ana@example.org',
    '-c',
    'init.defaultBranch=main',
  ];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

function repository(files: Readonly<Record<string, string>>): string {
  const root = projectWith(files);
  git(root, 'init', '-q');
  return root;
}

const FILES = { 'locales/en.json': '{ "a": "One" }\n', 'locales/fr.json': '{}\n' };
const sync = (cwd: string) => dragoman(['sync', '--engine', 'pseudo'], { cwd });

describe('merge conflict markers', () => {
  it.each([
    ['app/en.json', `{\n${conflict('  "a": "One"', '  "a": "Two"')}}\n`, 2],
    ['app/en.properties', `a=One\n${conflict('b=Two', 'b=Three')}`, 2],
    ['app/en.yaml', `a: One\n${conflict('b: Two', 'b: Three')}`, 2],
    ['po/fr.po', `msgid ""\nmsgstr ""\n\n${conflict('msgid "a"\nmsgstr "b"', 'msgid "a"\nmsgstr "c"')}`, 4],
    ['guide.md', `# Guide\n\n${conflict('One', 'Two')}`, 3],
    ['page.html', `<p>A</p>\n${conflict('<p>B</p>', '<p>C</p>')}`, 2],
    ['movie.srt', conflict('1\n00:00:01,000 --> 00:00:02,000\nA', '1\n00:00:01,000 --> 00:00:02,000\nB'), 1],
  ])('in %s are reported with the line', async (file, text, line) => {
    const cwd = projectWith({ [file]: text });
    const command = file.endsWith('.md')
      ? 'markdown'
      : file.endsWith('.html')
        ? 'html'
        : file.endsWith('.srt')
          ? 'subtitles'
          : 'i18n';
    const result = await dragoman(
      [command, file, '-s', 'en', '-t', 'fr', '--engine', 'pseudo', '-o', 'out'],
      {
        cwd,
      },
    );
    expect(result).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: ${file}:${line}:1: merge conflict\n  Resolve the conflict that git marked here, then run the command again.\n`,
    });
  });

  it.each([
    ['dragoman.config.yaml', `source: en\n${conflict('targets: [fr]', 'targets: [es]')}`, 2],
    ['locales/fr.json', `{\n${conflict('"a": "Un"', '"a": "Une"')}}\n`, 2],
  ])('in %s of a project are also reported', async (file, text, line) => {
    const cwd = projectWith({ ...FILES, [file]: text });
    const { stderr, exitCode } = await dragoman(['check'], { cwd });
    expect(stderr).toContain(`${file}:${line}:1: merge conflict`);
    expect(exitCode).not.toBe(0);
  });

  it('are allowed in the code of a document', async () => {
    const cwd = projectWith({ 'guide.md': `# Git\n\n\`\`\`\n${conflict('a', 'b')}\`\`\`\n\nText\n` });
    expect(
      (await dragoman(['markdown', 'guide.md', '-s', 'en', '-t', 'fr', '--engine', 'pseudo'], { cwd }))
        .exitCode,
    ).toBe(0);
  });
});

describe('the lock', () => {
  it('gets a merge rule in a git repository once, at the first sync', async () => {
    const root = repository({ ...FILES, '.gitattributes': '* text=auto' });
    const first = await sync(root);
    expect(first.stderr).toContain(
      'Added "dragoman.lock merge=union" to .gitattributes, so that git merges the lock.\n',
    );
    const path = join(root, '.gitattributes');
    expect(readFileSync(path, 'utf8')).toBe('* text=auto\ndragoman.lock merge=union\n');
    writeFileSync(path, '* text=auto\n');
    writeFileSync(join(root, 'locales/en.json'), '{ "a": "One", "b": "Two" }\n');
    expect((await sync(root)).stderr).not.toContain('.gitattributes');
    expect(readFileSync(path, 'utf8')).toBe('* text=auto\n');
  });

  it('also gets the merge rule from init', async () => {
    const root = repository(FILES);
    const { stderr } = await dragoman(['init', '--yes'], { cwd: root });
    expect(stderr).toContain('Added "dragoman.lock merge=union" to .gitattributes');
    expect((await sync(root)).stderr).not.toContain('.gitattributes');
  });

  it('gets no merge rule outside a repository, or through a link, which is reported', async () => {
    const root = repository(FILES);
    const other = join(temporaryDirectory(), 'theirs');
    writeFileSync(other, '');
    symlinkSync(other, join(root, '.gitattributes'));
    expect((await sync(root)).stderr).toContain(
      '.gitattributes was left unchanged. Add "dragoman.lock merge=union" to it, so that git merges the lock.\n',
    );
    expect(readFileSync(other, 'utf8')).toBe('');
    const plain = projectWith(FILES);
    await sync(plain);
    expect(existsSync(join(plain, '.gitattributes'))).toBe(false);
  });

  it('is merged by git without a conflict when two branches contain new translations', async () => {
    const root = repository({ ...FILES, 'locales/en.json': '{\n  "a": "One"\n}\n' });
    await sync(root);
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'Start');
    git(root, 'checkout', '-qb', 'feature');
    const change = async (text: string): Promise<void> => {
      writeFileSync(join(root, 'locales/en.json'), `{\n  "a": "One",\n  "${text}": "Text of ${text}"\n}\n`);
      await sync(root);
      git(root, 'add', 'dragoman.lock');
      git(root, 'commit', '-qm', text);
      git(root, 'checkout', '-q', '--', '.');
    };
    await change('x');
    git(root, 'checkout', '-q', 'main');
    await change('y');
    git(root, 'merge', '-q', '-m', 'Merge', 'feature');
    expect(readFileSync(join(root, 'dragoman.lock'), 'utf8')).not.toContain('<<<<<<<');
    expect((await dragoman(['status'], { cwd: root })).exitCode).toBe(0);
  });
});

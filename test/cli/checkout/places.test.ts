import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectWith, temporaryDirectory } from '../harness.ts';
import { runBuilt } from './program.ts';

const CONFIG = '[core]\n\tbare = false\n';
const FILES = {
  '.git/HEAD': '',
  '.git/config': CONFIG,
  'node_modules/pkg/locales/keep': '',
  'locales/en.json': '{"a": "One"}\n',
};

interface Rule {
  readonly source?: string;
  readonly target?: string;
  readonly format?: string;
}

const configuration = (rule: Rule, rest: object = {}): string =>
  JSON.stringify({
    source: 'en',
    targets: ['fr'],
    engine: 'pseudo',
    files: [{ source: 'locales/en.json', ...rule }],
    ...rest,
  });

function list(root: string): readonly string[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort();
}

describe('a checkout does not choose where translations are written', () => {
  it.each<readonly [Rule, object]>([
    [{ target: '.git/{locale}' }, { locales: { fr: 'config' } }],
    [{ target: '.GIT/{locale}.json' }, {}],
    [{ target: '{locale}/config.json' }, { locales: { fr: '.git' } }],
    [{ target: '{locale}/x.json' }, { locales: { fr: '..' } }],
    [{ target: 'locales/{locale}/en.json' }, { locales: { fr: '.' } }],
    [{ target: 'locales/{locale}/en.json' }, { locales: { fr: 'x/..' } }],
    [{ target: '.github/workflows/{locale}.yml' }, {}],
    [{ target: 'a/.{locale}.json' }, {}],
    [{ target: 'a/{locale}' }, { locales: { fr: '.npmrc' } }],
    [{ target: 'node_modules/pkg/{locale}.json' }, {}],
    [{ target: '{locale}/pkg/x.json' }, { locales: { fr: 'Node_Modules' } }],
    [{ target: 'GIT~1/{locale}.json' }, {}],
    [{ target: '\u200c.git/{locale}.json' }, {}],
    [{ target: 'a/{locale}' }, {}],
    [{ target: 'bin/{locale}.sh' }, {}],
    [{ target: 'Makefile.{locale}' }, { locales: { fr: 'am' } }],
    [{ target: 'dragoman.{locale}' }, { locales: { fr: 'lock' } }],
    [{ target: 'dragoman.{locale}.json' }, { locales: { fr: 'config' } }],
    [{ target: 'Dragoman.{locale}.yaml' }, { locales: { fr: 'config' } }],
    [{ target: '{locale}.json' }, { locales: { fr: 'package' } }],
    [{ target: '{locale}.json' }, { locales: { fr: 'a\0' } }],
    [
      { source: 'texts/en.lock', target: 'dragoman.{locale}', format: 'properties' },
      { locales: { fr: 'lock' } },
    ],
  ])('by %j with %j', async (rule, rest) => {
    const text = configuration(rule, rest);
    const cwd = projectWith({ ...FILES, 'texts/en.lock': 'a = One\n', 'dragoman.config.json': text });
    const before = list(cwd);
    for (const argv of [['sync'], ['sync', '--dry-run'], ['status'], ['check']]) {
      const { code, stderr } = await runBuilt(argv, { cwd });
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/dragoman\.config\.json:\d+:\d+: /);
    }
    expect(list(cwd)).toEqual(before);
    expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(CONFIG);
    expect(readFileSync(join(cwd, 'dragoman.config.json'), 'utf8')).toBe(text);
  });

  it.each([
    ['.git', '../.git'],
    ['.git', '../.git/.'],
    ['node_modules', '../node_modules/pkg/locales'],
    ['a hidden directory', '../.hidden'],
    ['another directory', undefined],
  ])('through a link to %s (%s)', async (_, inside) => {
    const destination = inside ?? temporaryDirectory();
    const text = configuration({ target: 'out/{locale}/config.json' });
    const cwd = projectWith({ ...FILES, '.hidden/x': '', 'dragoman.config.json': text });
    mkdirSync(join(cwd, 'out'));
    symlinkSync(destination, join(cwd, 'out/fr'));
    const { code, stderr } = await runBuilt(['sync'], { cwd });
    expect(code, stderr).toBe(2);
    expect(existsSync(join(cwd, 'out/fr/config.json'))).toBe(false);
  });

  it.each([
    ['.git/config', CONFIG],
    ['dragoman.config.json', undefined],
    ['package.json', '{}'],
    ['run.sh', '{}'],
    ['node_modules/pkg/locales/keep', ''],
  ])('through a file that is a link to %s', async (name, content) => {
    const text = configuration({ target: 'locales/{locale}.json' });
    const cwd = projectWith({ ...FILES, 'package.json': '{}', 'run.sh': '{}', 'dragoman.config.json': text });
    symlinkSync(join('..', name), join(cwd, 'locales/fr.json'));
    const { code } = await runBuilt(['sync'], { cwd });
    expect(code).not.toBe(0);
    expect(readFileSync(join(cwd, name), 'utf8')).toBe(content ?? text);
  });

  it('through the lock', async () => {
    const cwd = projectWith({
      ...FILES,
      '.git/info/exclude': '',
      'dragoman.config.json': configuration({ target: 'locales/{locale}.json' }),
    });
    symlinkSync('.git/info/exclude', join(cwd, 'dragoman.lock'));
    expect((await runBuilt(['sync'], { cwd })).code).not.toBe(0);
    expect(readFileSync(join(cwd, '.git/info/exclude'), 'utf8')).toBe('');
  });

  it.each(['.git/x.db', '.GIT/x.db', '.hidden/x.db', 'node_modules/x.db', 'link/x.db'])(
    'by the memory %s',
    async (memory) => {
      const text = configuration({ target: 'locales/{locale}.json' }, { memory });
      const cwd = projectWith({ ...FILES, '.hidden/x': '', 'dragoman.config.json': text });
      symlinkSync('.git', join(cwd, 'link'));
      for (const argv of [['sync'], ['i18n', 'locales/en.json', '-s', 'en', '-t', 'fr']]) {
        const { code, stderr } = await runBuilt(argv, { cwd });
        expect(code, stderr).toBe(2);
      }
      expect(list(cwd).filter((name) => name.includes('x.db'))).toEqual([]);
    },
  );
});

describe('a layout without a configuration', () => {
  it('does not follow the directory of a language into .git', async () => {
    const cwd = projectWith({
      ...FILES,
      'res/values/strings.xml': '<resources><string name="a">One</string></resources>\n',
    });
    symlinkSync('../.git', join(cwd, 'res/values-fr'));
    const { code } = await runBuilt(['sync', '-s', 'en', '-t', 'fr', '--engine', 'pseudo'], { cwd });
    expect(code).toBe(2);
    expect(existsSync(join(cwd, '.git/strings.xml'))).toBe(false);
  });
});

describe('a place in the project', () => {
  it.each<readonly [Rule, string]>([
    [{ target: 'locales/{locale}.json' }, 'locales/fr.json'],
    [{ target: './locales/{locale}/package.json' }, 'locales/fr/package.json'],
    [{ target: 'git/{locale}.json' }, 'git/fr.json'],
    [{ source: 'texts/en.txt', target: 'texts/{locale}.txt', format: 'properties' }, 'texts/fr.txt'],
  ])('may be chosen for translations: %j', async (rule, written) => {
    const text = configuration(rule);
    const cwd = projectWith({ ...FILES, 'texts/en.txt': 'a = One\n', 'dragoman.config.json': text });
    const { code, stderr } = await runBuilt(['sync'], { cwd });
    expect(code, stderr).toBe(0);
    expect(existsSync(join(cwd, written))).toBe(true);
  });
});

describe('an output path that is a link in the checkout', () => {
  const PAIR = ['-s', 'en', '-t', 'fr', '--engine', 'pseudo'];

  it.each([
    ['en.properties', 'en_fr.properties', 'a = One\n', ['i18n', 'en.properties', ...PAIR]],
    ['page.html', 'page_fr.html', '<p>One</p>', ['html', 'page.html', ...PAIR, '-o', 'page_fr.html']],
    [
      'movie.srt',
      'movie_fr.srt',
      '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
      ['subtitles', 'movie.srt', ...PAIR, '-o', 'movie_fr.srt'],
    ],
    ['a.eml', 'a_fr.eml', 'Subject: Hello\n\nOne\n', ['email', 'a.eml', ...PAIR, '-o', 'a_fr.eml']],
  ])('does not lead %s elsewhere', async (name, output, content, argv) => {
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'profile'), CONFIG);
    for (const destination of ['.git/config', join(outside, 'profile')]) {
      const cwd = projectWith({ ...FILES, [name]: content });
      symlinkSync(destination, join(cwd, output));
      const { code, stderr } = await runBuilt([...argv, '--force'], { cwd });
      expect(code, stderr).toBe(1);
      expect(readFileSync(join(cwd, output), 'utf8')).toBe(CONFIG);
    }
  });
});

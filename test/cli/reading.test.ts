import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalPath } from '../../src/project/state/journal.ts';
import { runBuilt } from './built-program.ts';
import { projectWith } from './harness.ts';

type Kind = 'directory' | 'FIFO' | 'device';
const KINDS: readonly Kind[] = ['directory', 'FIFO', 'device'];

/** Puts something that is not a file in place of a file. */
function place(kind: Kind, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true, recursive: true });
  if (kind === 'directory') mkdirSync(path);
  else if (kind === 'FIFO') execFileSync('mkfifo', [path]);
  else symlinkSync('/dev/zero', path);
}

function linkToFifo(path: string): void {
  place('FIFO', join(dirname(path), 'pipe'));
  rmSync(path);
  symlinkSync('pipe', path);
}

const EN = { 'locales/en.json': '{"a": "One"}', 'locales/es.json': '{"a": "Uno"}' };
const TO = ['-s', 'en', '-t', 'es', '--engine', 'pseudo'];

/** Expects the run to end with 2, well within its time limit, to name the file and to write nothing. */
function expectRefusal(
  root: string,
  argv: readonly string[],
  name: string,
  env: Record<string, string> = {},
): void {
  const before = namesIn(root);
  const { status, stderr, stdout } = runBuilt(argv, root, { env });
  expect(stdout + stderr).toContain(name);
  expect(stderr).toMatch(/director|regular|leads out|cannot be a localization file|no subtitles below/);
  expect(status, stderr).toBe(2);
  expect(namesIn(root)).toEqual(before);
}

function namesIn(root: string): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !name.startsWith('.cache')).toSorted();
}

describe.each(KINDS)('a %s in place of', (kind) => {
  it.each([
    ['page.html', ['html', 'page.html', ...TO]],
    ['letter.eml', ['email', 'letter.eml', ...TO]],
    ['body.html', ['email', 'body.html', '--subject', 'Hello', ...TO]],
    ['film.srt', ['subtitles', 'film.srt', ...TO]],
    ['texts.txt', ['batch', 'texts.txt', ...TO]],
    ['set.tsv', ['eval', 'set.tsv', ...TO]],
    ['en.json', ['i18n', 'en.json', ...TO]],
    ['a.tmx', ['memory', 'import', 'a.tmx', '--format', 'tmx']],
    ['a.csv', ['memory', 'import', 'a.csv', '--format', 'csv']],
    ['a.po', ['memory', 'import', 'a.po', '--format', 'po']],
    ['terms.csv', ['translate', 'Hello', '--glossary', 'terms.csv', ...TO]],
    ['terms.yaml', ['translate', 'Hello', '--glossary', 'terms.yaml', ...TO]],
    ['m.db', ['translate', 'Hello', '--memory', 'm.db', ...TO]],
    ['m.db', ['memory', 'stats', '--memory', 'm.db']],
    ['key', ['translate', 'Hello', '-t', 'es', '--base-url', 'http://127.0.0.1:9', '--api-key-file', 'key']],
    [
      'ca.pem',
      [
        'translate',
        'Hello',
        '-t',
        'es',
        '--base-url',
        'https://127.0.0.1:9',
        '--api-key',
        'k',
        '--ca-file',
        'ca.pem',
      ],
    ],
    [
      'cert.pem',
      ['serve', '--data-dir', 'data', '--port', '0', '--tls-cert', 'cert.pem', '--tls-key', 'cert.pem'],
    ],
    ['secret', ['webhooks', 'listen', '--port', '0', '--secret-file', 'secret']],
  ])('%s: %s', (name, argv) => {
    const root = projectWith({});
    place(kind, join(root, name));
    expectRefusal(root, argv, name);
  });

  it.each([
    'package.json',
    '.dragomanrc',
    '.dragomanrc.json',
    'dragoman.config.yaml',
    'dragoman.config.json',
  ])('the configuration %s', (name) => {
    const root = projectWith(EN);
    place(kind, join(root, name));
    expectRefusal(root, ['status'], name);
    expectRefusal(root, ['translate', 'Hello', ...TO], name);
  });

  it.each([
    ['config.yaml', []],
    ['credentials.json', ['--base-url', 'http://127.0.0.1:9']],
  ])('the user’s %s', (name, flags) => {
    const root = projectWith({});
    place(kind, join(root, 'user/dragoman', name));
    const argv = ['translate', 'Hello', '-s', 'en', '-t', 'es', ...flags];
    expectRefusal(root, argv, name, { XDG_CONFIG_HOME: join(root, 'user') });
  });

  it('the lock', () => {
    const root = projectWith(EN);
    place(kind, join(root, 'dragoman.lock'));
    place(kind, join(root, 'locales/dragoman.lock'));
    for (const command of ['sync', 'check', 'status', 'lint'])
      expectRefusal(root, [command, '.'], 'dragoman.lock');
  });

  it.each(['glossary.csv', 'glossary.yaml'])('%s, which is read because of its name', (name) => {
    const root = projectWith(EN);
    place(kind, join(root, name));
    expectRefusal(root, ['sync', ...TO], name);
    expectRefusal(root, ['translate', 'Hello', ...TO], name);
    expect(runBuilt(['translate', 'Hello', ...TO, '--no-glossary'], root).status).toBe(0);
  });

  it('the glossary and the memory of a configuration', () => {
    for (const setting of ['glossary', 'memory']) {
      const name = setting === 'glossary' ? 'words.csv' : 'm.db';
      const root = projectWith({ ...EN, '.dragomanrc': `${setting}: ${name}\n` });
      place(kind, join(root, name));
      expectRefusal(root, ['sync', ...TO], name);
    }
  });

  it.runIf(kind === 'FIFO')('leftovers of an interrupted sync', () => {
    const root = projectWith(EN);
    // This path in a checkout is never read.
    place(kind, join(root, '.dragoman-journal'));
    expect(runBuilt(['sync', ...TO], root).status).toBe(0);
    rmSync(join(root, 'locales/es.json'));
    const journal = journalPath(realpathSync(root), join(root, '.local/state/dragoman'));
    place(kind, journal);
    expectRefusal(root, ['sync', ...TO], relative(realpathSync(root), journal));
    rmSync(journal);
    place(kind, join(root, '.dragoman-sync'));
    expect(runBuilt(['sync', ...TO], root).status).not.toBeNull();
  });
});

describe('a target that is not a file', () => {
  it.each(['directory', 'FIFO'] as const)('%s', (kind) => {
    const root = projectWith({ ...EN, 'locales/fr.json': '{"a": "Un"}' });
    writeFileSync(join(root, 'dragoman.config.yaml'), 'source: en\ntargets: [es, fr]\n');
    place(kind, join(root, 'locales/fr.json'));
    expectRefusal(root, ['memory', 'import', '.', '--memory', '.cache/m.db'], 'locales/fr.json');
  });

  it('a FIFO ends every command that reads a project', () => {
    const root = projectWith({ ...EN, 'locales/de.json': '{"a": "Eins"}' });
    place('FIFO', join(root, 'locales/es.json'));
    for (const command of ['sync', 'check', 'status', 'lint', 'init'])
      expectRefusal(
        root,
        command === 'init' ? [command] : [command, '-s', 'en', '-t', 'de,es'],
        'locales/es.json',
      );
  });

  it.each([
    ['a directory', (path: string) => place('directory', path)],
    ['a link to a directory', (path: string) => (rmSync(path), symlinkSync('.', path))],
    ['a link to a FIFO', linkToFifo],
    ['a link to a device', (path: string) => place('device', path)],
  ])('%s ends a sync before anything is written', (_, put) => {
    const root = projectWith({ ...EN, 'locales/de.json': '{}' });
    put(join(root, 'locales/es.json'));
    expectRefusal(root, ['sync', '-s', 'en', '-t', 'de,es', '--engine', 'pseudo'], 'locales/es.json');
    expect(readFileSync(join(root, 'locales/de.json'), 'utf8')).toBe('{}');
    expectRefusal(root, ['sync', ...TO], 'locales/es.json');
    expectRefusal(root, ['check', '-s', 'en', '-t', 'es'], 'locales/es.json');
  });
});

describe('reading is bounded', () => {
  it.each([
    ['.dragomanrc', '['.repeat(500_000)],
    ['.dragomanrc', '{"a":'.repeat(200_000)],
    ['dragoman.config.yaml', '- '.repeat(500_000)],
    ['dragoman.config.yaml', '? '.repeat(500_000)],
    ['dragoman.config.yaml', '{a: '.repeat(200_000)],
    ['dragoman.config.yaml', Array.from({ length: 1_400 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
    ['dragoman.config.json', '['.repeat(500_000)],
    ['dragoman.config.json', '{"a":'.repeat(200_000)],
    ['package.json', `{"dragoman": ${'['.repeat(500_000)}`],
    ['glossary.yaml', '['.repeat(500_000)],
    ['glossary.yaml', '- '.repeat(500_000)],
    ['dragoman.config.json', ' '.repeat(2 * 1024 * 1024)],
    ['glossary.csv', 'x'.repeat(9 * 1024 * 1024)],
  ])('%s', (name, content) => {
    const root = projectWith({ ...EN, [name]: content });
    const { status, stderr } = runBuilt(['translate', 'Hello', ...TO], root);
    expect(stderr).toMatch(/nested more than 100 deep|more than \d+ MiB/);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/RangeError|stack/);
    expect(status).toBe(2);
  });

  it('no configuration, lock or glossary is read through a link that leads out of the checkout', () => {
    const outside = projectWith({ secret: 'term,es\npassword: hunter2\n' });
    for (const name of [
      '.dragomanrc',
      'dragoman.config.json',
      'dragoman.lock',
      'glossary.csv',
      'glossary.yaml',
    ]) {
      const root = projectWith({ ...EN, '.git/HEAD': '' });
      symlinkSync(join(outside, 'secret'), join(root, name));
      const { status, stdout, stderr } = runBuilt(['sync', ...TO], root);
      expect(stderr).toContain('leads out of');
      expect(stdout + stderr).not.toContain('hunter2');
      expect(status).toBe(2);
    }
  });

  it('a configuration that the repository shares through a link is read', () => {
    const root = projectWith({
      '.git/HEAD': '',
      'shared.yaml': 'source: en\ntargets: [es]\nengine: pseudo\n',
      'app/locales/en.json': '{"a": "One"}',
    });
    symlinkSync('../shared.yaml', join(root, 'app/dragoman.config.yaml'));
    const { status, stderr } = runBuilt(['sync', 'app'], root);
    expect(status, stderr).toBe(0);
    expect(existsSync(join(root, 'app/locales/es.json'))).toBe(true);
  });

  it('a glossary that is a broken link is an error', () => {
    const root = projectWith(EN);
    symlinkSync('missing.csv', join(root, 'glossary.csv'));
    const { status, stderr } = runBuilt(['translate', 'Hello', ...TO], root);
    expect(stderr).toMatch(/glossary\.csv: there is no such file[^]*DRAGOMAN_GLOSSARY=off/);
    expect(status).toBe(2);
  });

  it('SQLite’s files next to a memory must not be links', () => {
    const outside = projectWith({});
    const root = projectWith({ ...EN, '.dragomanrc': 'memory: m.db\n' });
    symlinkSync(join(outside, 'victim'), join(root, 'm.db-wal'));
    expectRefusal(root, ['sync', ...TO], 'm.db-wal');
    expect(existsSync(join(outside, 'victim'))).toBe(false);
  });
});

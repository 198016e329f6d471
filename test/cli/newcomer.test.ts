import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { version } from '../../package.json';
import { ROOT } from '../docs/document.ts';
import { projectWith } from './harness.ts';
import { hasPseudoTerminals, onTerminal, plainOf, type TerminalSession } from './pseudo-terminal.ts';
import { certificateFor } from '../webhooks/receiver.ts';

/** One command of a person's first ten minutes. */
interface Step {
  readonly argv: readonly string[];
  readonly typed?: TerminalSession['typed'];
  /** The person's earlier steps, such as changing a file or making a commit. */
  readonly before?: (root: string) => void | Promise<void>;
  /** Whether the output is for programs: long lines are kept, and the screen shows only the beginning and the end. */
  readonly isDocument?: true;
}

interface Tour {
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const CATALOGUE = `{
  "title": "The calendar of your garden",
  "welcome": "Hello, {name}.",
  "photos": "{count, plural, one {# photo} other {# photos}}",
  "closed": "The garden is <b>closed</b> today."
}
`;

const EPISODE = `1
00:00:01,000 --> 00:00:02,500
Today the garden is closed.

2
00:00:03,000 --> 00:00:05,000
Come back
tomorrow.
`;

/** A catalogue as makemessages writes it. */
const MESSAGES = `# SOME DESCRIPTIVE TITLE.
#
msgid ""
msgstr ""
"Project-Id-Version: garden 1.0\\n"
"POT-Creation-Date: 2026-03-01 10:00+0000\\n"
"Language: es\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=n != 1;\\n"

#: shop/templates/home.html:3
#, python-format
msgid "Hello, %(name)s."
msgstr ""

#: shop/templates/home.html:7
msgid "Open the dashboard"
msgstr ""

#: shop/models.py:12
#, python-format
msgid "%(count)d book"
msgid_plural "%(count)d books"
msgstr[0] ""
msgstr[1] ""
`;
const CATALOGUE_PATH = 'locale/es/LC_MESSAGES/django.po';

const PSEUDO = ['--engine', 'pseudo'] as const;

const INIT: TerminalSession['typed'] = [
  ['Source language', '\r'],
  ['separated by commas', ', fr\r'],
  ['● auto', '\r'],
  ['translated file found', '\r'],
  ['Write ', '\r'],
];

function change(root: string, name: string, from: string, to: string): void {
  const path = join(root, name);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

/** A self-signed certificate, next to its key. */
async function certify(root: string): Promise<void> {
  const { key, cert } = await certificateFor('localhost');
  writeFileSync(join(root, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(root, 'cert.pem'), cert);
}

/**
 * Ctrl-C after the last line of a server that is ready: the terminal may drop input that is on its way at
 * that moment.
 */
const STOP: TerminalSession['typed'] = [['info  listening', '\x03']];

function commit(root: string): void {
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...identity, 'commit', '-qm', 'Texts'],
  ])
    expect(spawnSync('git', args, { cwd: root, env: { PATH: process.env['PATH'] } }).status).toBe(0);
}

const TOURS: Readonly<Record<string, Tour>> = {
  'a locale developer': {
    files: {
      'locales/en.json': CATALOGUE,
      'locales/es.json': '{\n  "title": "El calendario de tu jardín"\n}\n',
      '.git/HEAD': '',
    },
    steps: [
      { argv: ['version'] },
      { argv: ['doctor'] },
      { argv: ['init'], typed: INIT },
      { argv: ['sync', '--dry-run'] },
      { argv: ['sync'] },
      { argv: ['engines'] },
      { argv: ['sync', ...PSEUDO] },
      { argv: ['status'] },
      {
        argv: ['check'],
        before: (root) =>
          change(root, 'locales/en.json', 'your garden",', 'our garden",\n  "bye": "Goodbye, {name}.",'),
      },
      { argv: ['sync', ...PSEUDO, '--report', 'out.html'] },
      { argv: ['check'] },
      { argv: ['sync', ...PSEUDO] },
      { argv: ['sync', '-t', 'spnish'] },
      { argv: ['snyc'] },
    ],
  },
  'a build server': {
    files: {
      'dragoman.config.yaml': 'source: en\ntargets: [es, fr]\nengine: pseudo\n',
      'locales/en.json': CATALOGUE,
      'locales/es.json': '{\n  "welcome": "Hola, {nombre}."\n}\n',
      'site/en.json': '{ "home": "Home" }\n',
    },
    steps: [
      { argv: ['check'], before: commit },
      { argv: ['check', '--output-format', 'github'], isDocument: true },
      { argv: ['check', '--output-format', 'sarif'], isDocument: true },
      { argv: ['check', '--json'], isDocument: true },
      { argv: ['sync', '--frozen'] },
      { argv: ['sync'], before: (root) => change(root, 'locales/es.json', 'nombre', 'name') },
      {
        argv: ['check', '--changed-since', 'HEAD'],
        before: (root) => {
          commit(root);
          change(root, 'site/en.json', 'Home', 'Home page');
        },
      },
      { argv: ['sync'] },
      { argv: ['sync', '--frozen'] },
      { argv: ['status', '--badge', 'translations.svg'] },
    ],
  },
  'a Django developer': {
    files: {
      'manage.py': '#!/usr/bin/env python\nimport django\n',
      'requirements.txt': 'Django==5.1\n',
      [CATALOGUE_PATH]: MESSAGES,
      '.git/HEAD': '',
    },
    steps: [
      { argv: ['init', '-s', 'en', '--no-input'] },
      { argv: ['status'] },
      { argv: ['sync', ...PSEUDO] },
      { argv: ['check'] },
      {
        argv: ['check'],
        before: (root) =>
          change(root, CATALOGUE_PATH, 'msgstr "Ĥéļļö, %(name)s."', 'msgstr "Hola, %(nombre)s."'),
      },
      {
        argv: ['sync', ...PSEUDO],
        before: (root) => change(root, CATALOGUE_PATH, '%(nombre)s', '%(name)s'),
      },
      { argv: ['status'] },
      {
        argv: ['check'],
        before: (root) => writeFileSync(join(root, 'glossary.csv'), 'term,es\ndashboard,panel\n'),
      },
      { argv: ['sync', ...PSEUDO, '--fix-terms', '--dry-run', '--verbose'] },
      { argv: ['sync', ...PSEUDO, '--fix-terms'] },
    ],
  },
  'an operator': {
    files: {},
    steps: [
      { argv: ['serve', '--data-dir', 'data', '--host', '0.0.0.0', '--port', '0'] },
      { argv: ['keys', 'list', '--data-dir', 'data'] },
      { argv: ['keys', 'create', '--data-dir', 'data', '--email', 'ada@example.org', '--credits', '1000'] },
      { argv: ['keys', 'create', '--data-dir', 'data', '--email', 'ada@example.org', '--credits', '1000'] },
      { argv: ['serve', '--data-dir', 'data', '--port', '0', ...PSEUDO], typed: STOP },
      { argv: ['serve', '--data-dir', 'data', '--port', '0', '--tls-cert', 'cert.pem'] },
      {
        argv: [
          'serve',
          '--data-dir',
          'data',
          '--port',
          '0',
          ...PSEUDO,
          '--tls-cert',
          'cert.pem',
          '--tls-key',
          'key.pem',
        ],
        before: certify,
        typed: STOP,
      },
      { argv: ['keys', 'credit', '--data-dir', 'data', '--email', 'ada@example.org', '--add', '500'] },
      {
        argv: ['keys', 'revoke', '--data-dir', 'data', '--email', 'ada@example.org'],
        before: (root) => cpSync(join(root, 'data'), join(root, 'backup'), { recursive: true }),
        typed: [['[y/N]', 'y\r']],
      },
      { argv: ['keys', 'list', '--data-dir', 'data'] },
      {
        argv: ['keys', 'list', '--data-dir', 'restored'],
        before: (root) => cpSync(join(root, 'backup'), join(root, 'restored'), { recursive: true }),
      },
      { argv: ['store', 'migrate'] },
    ],
  },
  'a subtitler': {
    files: {
      'movie.srt': EPISODE,
      'show/one.srt': EPISODE,
      'show/two.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning\n',
      'show/notes.txt': 'Not a subtitle.\n',
      'broken.srt': 'hello\n',
    },
    steps: [
      { argv: ['subtitles', 'movie.srt', '-t', 'es'] },
      { argv: ['subtitles', 'movie.srt', '-t', 'es', ...PSEUDO, '--dry-run'] },
      { argv: ['subtitles', 'movie.srt', '-t', 'es', ...PSEUDO] },
      { argv: ['subtitles', 'movie.srt', '-t', 'es', ...PSEUDO] },
      { argv: ['subtitles', 'show', '-t', 'es,fr', ...PSEUDO, '-o', 'out'] },
      { argv: ['subtitles', 'movie.srt', '--format', 'vtt', '-o', 'out'] },
      { argv: ['subtitles', 'show', '--format', 'ass', '-o', 'out', '--dry-run'] },
      { argv: ['subtitles', 'show', '--format', 'ass', '-o', 'out'] },
      { argv: ['subtitles', 'broken.srt', '--format', 'vtt'] },
      { argv: ['subtitles', 'movies.srt', '-t', 'es'] },
      { argv: ['subtitles', 'show', '--check', '--max-cps', '10'] },
      { argv: ['lint', 'movie.srt'] },
      { argv: ['subtitles', 'movie.srt', '--shift', '1.5s', '-o', 'late'] },
      { argv: ['subtitles', 'movie.srt', '--shift', '1.5', '-o', 'late'] },
      { argv: ['subtitles', 'movie.srt', '--shift', '-1h', '-o', 'late'] },
      { argv: ['subtitles', 'movie.srt', '--format', 'ssa'] },
    ],
  },
};

const TERMINALS = {
  'a dark one with 80 columns': { columns: 80, env: { COLORFGBG: '15;0' } },
  'a dark one with 50 columns': { columns: 50, env: { COLORFGBG: '15;0' } },
  'one with 80 columns and NO_COLOR': { columns: 80, env: { NO_COLOR: '1' } },
  'a dumb one with 50 columns': { columns: 50, env: { TERM: 'dumb' } },
} as const;

/** A prompt draws itself on any terminal. */
const PROMPT_ENV = { TERM: 'xterm-256color' };
/** A progress line is drawn over the previous one. */
const OF_PROGRESS = /\x1b\[(?:\?25[hl]|\?2026[hl]|1[AG]|[02]?K)/;
const SHOWN_LINES = 8;

/** Replaces text that differs between machines or between runs. */
function normalized(screen: string, root: string): string {
  return (
    screen
      .replaceAll(root, '/project')
      .replaceAll(version, '0.0.0')
      // Replaces text that differs between two runs of a server: typed and logged text, its port, keys and their date.
      .replaceAll('^C', '')
      .replace(/^\d\d:\d\d:\d\d\.\d{3}/gm, '00:00:00.000')
      .replace(/(127\.0\.0\.1):\d+/g, '$1:8787')
      .replace(/\bdrg_[\w-]{43}/g, 'drg_0')
      .replace(/\bdrg_[\w-]{6}…/g, 'drg_000000…')
      .replace(/\b20\d\d-\d\d-\d\d\b/g, '2000-01-01')
      .replace(/(versions: dragoman)[^]*?(?=\n(?:\{green )?ok:)/, '$1 0.0.0, …')
      .replace(/^(node|platform|firefox|apertium) .*/gm, '$1 …')
  );
}

function shortened(screen: string): string {
  const lines = screen.split('\n');
  if (lines.length <= 3 * SHOWN_LINES) return screen;
  return [...lines.slice(0, SHOWN_LINES), '…', ...lines.slice(-SHOWN_LINES)].join('\n');
}

const canRun = hasPseudoTerminals && spawnSync('apertium', ['-l']).error === undefined;

describe.skipIf(!canRun).each(Object.entries(TOURS))('the first ten minutes of %s', (who, tour) => {
  // A longer path would not fit into 50 columns.
  beforeEach(() => void vi.stubEnv('TMPDIR', '/tmp'));
  afterEach(() => void vi.unstubAllEnvs());

  it.each(Object.entries(TERMINALS))('on %s', async (_, { columns, env }) => {
    const root = projectWith(tour.files);
    const isPlain = !('COLORFGBG' in env);
    let transcript = '';
    for (const { argv, typed, before, isDocument } of tour.steps) {
      await before?.(root);
      const line = `dragoman ${argv.join(' ')}`;
      const session = {
        cwd: root,
        columns,
        env: typed ? { ...env, ...PROMPT_ENV } : env,
        ...(typed && { typed }),
      };
      const { exitCode, screen, styledScreen, tooLong, sequences } = await onTerminal(argv, session);
      if (!isDocument) expect(tooLong, line).toEqual([]);
      if (isPlain && !typed)
        expect(
          sequences.filter((one) => 'TERM' in env || !OF_PROGRESS.test(one)),
          line,
        ).toEqual([]);
      const shown = normalized(isPlain ? screen : styledScreen, root);
      transcript += `$ ${line}\n${isDocument ? shortened(shown) : shown}\n[${exitCode}]\n\n`;
    }
    const golden = join(
      ROOT,
      'fixtures/newcomers',
      `${who.toLowerCase().split(' ').slice(1).join('-')}-${columns}.txt`,
    );
    if (isPlain) expect(transcript).toBe(plainOf(readFileSync(golden, 'utf8')));
    else await expect(transcript).toMatchFileSnapshot(golden);
  });
});

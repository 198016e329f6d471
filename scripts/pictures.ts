import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../test/readers/chromium.ts';
import { drawTerminal } from './pictures/terminal.ts';

/**
 * Makes the pictures of the README: the terminal from a transcript of the program's output, with Apertium,
 * and the review page in a real Chromium.
 */
const ROOT = join(import.meta.dirname, '..');
const PICTURES = join(ROOT, 'docs/pictures');

const PROJECT: Readonly<Record<string, string>> = {
  'locales/en.json': `{
  "title": "The calendar of your garden",
  "welcome": "Hello, {name}.",
  "photos": "{count, plural, one {# photo} other {# photos}}",
  "closed": "The garden is <b>closed</b> today."
}
`,
};

const COMMANDS: readonly (readonly string[])[] = [
  ['dragoman', 'sync', 'locales', '-s', 'en', '-t', 'es,fr'],
  ['cat', 'locales/es.json'],
  ['dragoman', 'check'],
];

/** The terminal output of the commands, run in a separate directory. */
export function transcribe(): string {
  return inProject((cwd, run) =>
    COMMANDS.map((command) => `$ ${command.join(' ')}\n${run(command, cwd)}`).join('\n'),
  );
}

function inProject<T>(work: (cwd: string, run: (command: readonly string[], cwd: string) => string) => T): T {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-pictures-'));
  const cwd = join(home, 'garden');
  for (const [name, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  try {
    return work(cwd, (command, directory) => print(command, directory, home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Both streams, in the order of writing. */
function print([name = '', ...args]: readonly string[], cwd: string, home: string): string {
  const program = name === 'dragoman' ? [process.execPath, join(ROOT, 'bin/dragoman.js')] : [name];
  const { stdout, status, error } = spawnSync('sh', ['-c', '"$@" 2>&1', 'sh', ...program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, COLUMNS: '80' },
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stdout}`);
  return stdout;
}

async function photographPage(): Promise<Buffer> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  const browser = await chromium.launch({ executablePath });
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'dragoman-page-')), 'es.html');
    inProject((cwd, run) => {
      run(['dragoman', 'sync', 'locales', '-s', 'en', '-t', 'es'], cwd);
      run(['dragoman', 'review', '--to', file, '-t', 'es'], cwd);
    });
    const page = await browser.newPage({ viewport: { width: 1000, height: 500 } });
    await page.goto(pathToFileURL(file).href);
    await page.getByText('welcome').first().click();
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
    const picture = await page.screenshot({ type: 'png' });
    rmSync(dirname(file), { recursive: true });
    return picture;
  } finally {
    await browser.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, 'terminal.svg'), drawTerminal(transcribe()));
  writeFileSync(join(PICTURES, 'review.png'), await photographPage());
}

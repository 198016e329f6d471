import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { version } from '../package.json';
import { writeCollection } from './firefox/collection.ts';
import { makeModelSet } from './firefox/model-set.ts';
import { installPacked, MAX_INSTALLED } from './packed-program.ts';

/** Packs the program, installs the package into an empty directory with an empty HOME, and uses it from there. */
const directory = mkdtempSync(join(tmpdir(), 'dragoman-smoke-'));
const hasMan = spawnSync('man', ['--version']).error === undefined;
try {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: directory,
    XDG_CACHE_HOME: join(directory, 'cache'),
  };
  const run = (command: string, args: readonly string[], cwd: string): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', input: '' });
    process.stderr.write(stderr);
    expect([command, ...args].join(' '), status, 0);
    // Newer versions of Node warn about deprecated features: every user would see that in every run.
    expect(`warnings of ${command}`, /\(node:\d+\) .*/.exec(stderr)?.[0], undefined);
    return stdout;
  };
  const { packed, bytes, modules } = installPacked(directory, run);
  process.stdout.write(
    `packed ${packed.filename}: ${packed.entryCount} files, ${Math.round(packed.bytes / 1024)} KiB\n`,
  );
  process.stdout.write(`installed: ${(bytes / 1e6).toFixed(1)} MB\n`);
  expect(`at most ${MAX_INSTALLED / 1e6} MB are installed`, bytes <= MAX_INSTALLED, true);
  const installed = join(modules, 'dragoman');
  // `npm install -g` puts the manual page where `man` looks for it.
  const prefix = join(directory, 'prefix');
  const global = [
    'install',
    '-g',
    '--prefix',
    prefix,
    '--prefer-offline',
    '--silent',
    '--no-audit',
    '--no-fund',
  ];
  run('npm', [...global, join(directory, packed.filename)], directory);
  const page = join(prefix, 'share/man/man1/dragoman.1.gz');
  const text = gunzipSync(readFileSync(page)).toString();
  expect('the manual page', text, readFileSync('man/dragoman.1', 'utf8'));
  if (hasMan) {
    env['MANPATH'] = join(prefix, 'share/man');
    expect(
      'man -w dragoman',
      realpathSync(run('man', ['-w', 'dragoman'], directory).trim()),
      realpathSync(page),
    );
  }
  const links = readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g);
  for (const [, path = ''] of links)
    expect(`README links to ${path}`, existsSync(join(installed, path)), true);
  const bin = join(directory, 'node_modules/.bin/dragoman');
  expect('--version', run(bin, ['--version'], directory).trim(), version);
  const help = run(bin, ['--help'], directory);
  expect('--help', help.includes('sync') && help.includes('translate'), true);
  expect('detect', run(bin, ['detect', 'This sentence is written in English.'], directory).trim(), 'en');

  writeFileSync(join(directory, 'en.json'), '{ "hello": "Hello {name}" }\n');
  run(bin, ['sync', '.', '-s', 'en', '-t', 'fr', '--engine', 'pseudo'], directory);
  const translated = JSON.parse(readFileSync(join(directory, 'fr.json'), 'utf8')) as { hello: string };
  expect(
    'sync keeps placeholders',
    translated.hello.includes('{name}') && translated.hello !== 'Hello {name}',
    true,
  );
  run(bin, ['check', '.'], directory);

  // A tiny model: its worker and its runtime are separate packages.
  writeCollection(directory, [{ source: 'en', target: 'es', set: makeModelSet('syllables', 7) }]);
  env['DRAGOMAN_FIREFOX_RECORDS_URL'] = join(directory, 'records.json');
  run(bin, ['engines', 'install', 'en-es'], directory);
  const args = ['translate', '-s', 'en', '-t', 'es', '--engine', 'firefox', 'Open {name} now'];
  expect('firefox translates', run(bin, args, directory).includes('{name}'), true);
  process.stdout.write('smoke: the packed program works\n');
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function expect(what: string, actual: unknown, wanted: unknown): void {
  if (actual !== wanted)
    throw new Error(`${what}: got ${JSON.stringify(actual)}, wanted ${JSON.stringify(wanted)}`);
}

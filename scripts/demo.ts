import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Translates a project with all six formats into Spanish and French with Apertium, which is installed first if apt-get
 * is available. Afterwards everything works without a network.
 */
const PACKAGES = ['apertium', 'apertium-eng-spa', 'apertium-eng-cat', 'apertium-fr-es', 'apertium-spa-ita'];
PACKAGES.push('apertium-es-pt', 'apertium-en-gl', 'apertium-eo-en');
const OUT = 'demo/out';

function run(command: string, args: readonly string[]): number {
  process.stdout.write(`$ ${[command, ...args].join(' ')}\n`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const installed = (name: string): boolean =>
  spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' }).stdout?.endsWith(
    ' installed',
  ) ?? false;

function installApertium(): void {
  const missing = has('dpkg-query') ? PACKAGES.filter((name) => !installed(name)) : PACKAGES;
  if (missing.length === 0) return;
  if (!has('apt-get')) {
    if (has('apertium')) return;
    process.stderr.write(
      `This demo translates with Apertium, and there is no apt-get here to install it.\n` +
        `Install Apertium (https://wiki.apertium.org/wiki/Installation) with the pairs eng-spa, eng-cat and fra-spa.\n` +
        `To see the files change without it: npm run demo -- --engine pseudo\n`,
    );
    process.exit(1);
  }
  const root = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args: string[]): number => {
    const [command = 'apt-get', ...rest] = [...root, 'apt-get', ...args];
    return run(command, rest);
  };
  const failed =
    apt('update', '-qq') !== 0 || apt('install', '-y', '-qq', '--no-install-recommends', ...missing) !== 0;
  if (failed) {
    process.stderr.write(`Installing ${missing.join(' ')} did not work; see above.\n`);
    process.exit(1);
  }
}

const extra = process.argv.slice(2);
if (!extra.includes('--engine')) installApertium();
if (run('npm', ['run', '--silent', 'build']) !== 0) process.exit(1);
await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
await cp('demo/project', OUT, { recursive: true });
// A separate project, so that its lock is not in this repository.
await writeFile(join(OUT, 'dragoman.config.yaml'), 'source: en\ntargets: [es, fr]\n');
const status = run('node', ['bin/dragoman.js', 'sync', OUT, '--verbose', ...extra]);
process.stdout.write('\nAll changes from the English file to the Spanish one:\n\n');
run('diff', ['-u', join(OUT, 'config/locales/en.yml'), join(OUT, 'config/locales/es.yml')]);
process.stdout.write(`\nThe files are in ${OUT}. Run the sync again: it has nothing to do.\n`);
process.exit(status);

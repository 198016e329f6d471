import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/**
 * Runs the packed program and a part of the tests with the newer versions of Node that the package registry
 * has, or with the named programs: `npm run matrix -- /opt/node-24/bin/node`.
 */
const VERSIONS = [22, 24];

/**
 * Tests of parts that differ between versions of Node: streams, processes, threads, the network, native code, and ICU
 * data.
 */
const SUITE = (
  'test/base/ test/client/network test/client/retry test/cli/built.test test/cli/pipes test/cli/help ' +
  'test/cli/first-steps test/cli/word-wrap test/formats/encoding test/formats/json.test test/languages/ ' +
  'test/memory/contract test/memory/processes test/server/app test/server/listener test/server/upload ' +
  'test/server/threads test/store/database test/store/processes test/text/'
).split(' ');
const LIMIT_MS = 10 * 60_000;

const directory = mkdtempSync(join(tmpdir(), 'dragoman-matrix-'));
try {
  const named = process.argv.slice(2);
  const programs = named.length > 0 ? named : installed();
  const failed = programs.filter((program) => !passes(program));
  if (failed.length > 0) throw new Error(`failed with ${failed.join(', ')}`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function installed(): readonly string[] {
  const packages = VERSIONS.map((version) => `node-${version}@npm:node@${version}`);
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', directory, ...packages];
  execFileSync('npm', args, { stdio: 'inherit', timeout: LIMIT_MS });
  return VERSIONS.map((version) => join(directory, `node_modules/node-${version}/bin/node`));
}

/** Whether the smoke test and the test suite pass with this program as `node`. */
function passes(program: string): boolean {
  const env = { ...process.env, PATH: [dirname(program), process.env['PATH'] ?? ''].join(delimiter) };
  const run = (what: string, args: readonly string[]): boolean => {
    const begin = performance.now();
    const { status } = spawnSync(program, args, { env, stdio: 'inherit', timeout: LIMIT_MS });
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    process.stdout.write(
      `matrix: Node ${version}: ${what} ${status === 0 ? 'pass' : 'FAIL'} after ${seconds} s\n`,
    );
    return status === 0;
  };
  const version = execFileSync(program, ['--print', 'process.versions.node'], { encoding: 'utf8' }).trim();
  const smoke = run('the smoke test', ['node_modules/tsx/dist/cli.mjs', 'scripts/smoke.ts']);
  return run('tests', ['node_modules/vitest/vitest.mjs', 'run', '--project', 'short', ...SUITE]) && smoke;
}

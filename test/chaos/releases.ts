import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../postgres/cluster.ts';
import { underLoad, type Outcome } from './load.ts';
import type { Site } from './site.ts';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/dragoman.js');
/** Where the tables of the store are made: a release that has them the same can be beside this one. */
const TABLES = ['src/store/postgres/migrations.ts', 'src/store/shared/tables.ts'];

/**
 * Builds the program as it was when the tables got their present form: the oldest release that this one has to work
 * beside. Gives its commit and its program.
 */
export function buildEarlierRelease(directory: string, wanted?: string): { commit: string; bin: string } {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short', wanted ?? git('log', '-1', '--format=%H', '--', ...TABLES));
  mkdirSync(directory, { recursive: true });
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 2 ** 29 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(directory, 'node_modules'));
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { commit, bin: join(directory, 'bin/dragoman.js') };
}

/** An earlier release and this one on the same database, while it is migrated. */
export function mixReleases(
  cluster: Cluster,
  { commit, bin }: ReturnType<typeof buildEarlierRelease>,
  seed: number,
): Promise<Outcome> {
  return underLoad(cluster, { replicas: 2, seed, jobs: 60, site: { bin } }, async (site, _traffic, note) => {
    await delay(3_000);
    for (let i = 0; i < 5; i++) {
      runMigration(site);
      await delay(500);
    }
    await Promise.all([site.start({ bin: BIN }), site.start({ bin: BIN })]);
    await delay(5_000);
    // The next release adds what this one and the earlier can do without.
    await site.ask('alter table jobs add column later text');
    await site.ask('update store_version set version = version + 1');
    await delay(3_000);
    await site.start({ bin: BIN });
    await site.start();
    // And the one after it takes away what they need.
    await site.ask('update store_version set version = version + 1, oldest_reader = version + 1');
    if (
      await site.start().then(
        () => true,
        () => false,
      )
    )
      note('one began that cannot read the tables');
    for (const old of site.replicas.slice(0, 2)) await site.end(old);
    await delay(3_000);
    return `${commit} and this one`;
  });
}

function runMigration({ url }: Site): void {
  execFileSync(process.execPath, [BIN, 'store', 'migrate', '--store', url], { stdio: 'ignore' });
}

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../postgres/cluster.ts';
import { underLoad, type Outcome } from './load.ts';
import type { Site } from './site.ts';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/dragoman.js');
const MIGRATIONS = 'src/store/postgres/migrations.ts';
/** The files in which the store creates its tables. */
const TABLES = [MIGRATIONS, 'src/store/shared/tables.ts'];

/** Why there is no earlier release; undefined if one can be built. */
export const NO_HISTORY = existsSync(join(ROOT, '.git')) ? undefined : 'there is no history';

/**
 * Builds the last program that was released before the tables got their current form. It must work with the current
 * tables, next to this program. Returns its name and its program.
 * @param wanted another commit, or the directory of a built release
 */
export function buildEarlierRelease(directory: string, wanted?: string): { name: string; bin: string } {
  const given = join(wanted ?? '', 'bin/dragoman.js');
  if (wanted !== undefined && existsSync(given)) return { name: wanted, bin: realpathSync(given) };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim();
  const name = git('rev-parse', '--short', wanted ?? `${git('log', '-1', '--format=%H', '--', ...TABLES)}^`);
  mkdirSync(directory, { recursive: true });
  const archive = execFileSync('git', ['-C', ROOT, 'archive', name], { maxBuffer: 2 ** 29 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  return { name, bin: build(directory) };
}

/** Builds this program as if its next release had one more migration, which adds something this one does not need. */
export function buildNextRelease(directory: string): string {
  mkdirSync(directory, { recursive: true });
  for (const part of ['bin', 'dist', 'man', 'schema', 'scripts', 'src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(directory, part), { recursive: true });
  const path = join(directory, MIGRATIONS);
  const step =
    '{ oldestReader: 1, run: async (kysely) => void (await sql`alter table jobs add later text`.execute(kysely)) }';
  const code = readFileSync(path, 'utf8');
  const changed = code.replace(/(MIGRATIONS: readonly Migration\[\] = \[[^\]]*?),?\s*\]/, `$1, ${step}]`);
  if (changed === code) throw new Error(`there is no list of migrations in ${MIGRATIONS}`);
  writeFileSync(path, changed);
  return build(directory);
}

function build(directory: string): string {
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(directory, 'node_modules'));
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(directory, 'bin/dragoman.js');
}

/** An earlier release and this one, both on this release's tables. */
export function mixReleases(
  cluster: Cluster,
  { name, bin }: ReturnType<typeof buildEarlierRelease>,
  seed: number,
): Promise<Outcome> {
  return underLoad(cluster, { replicas: 2, seed, jobs: 60, site: { bin } }, async (site) => {
    const earlier = [...site.replicas];
    await delay(3_000);
    // This release is deployed in the documented order: the tables first, then the servers.
    migrate(site, BIN);
    await Promise.all([site.start({ bin: BIN }), site.start({ bin: BIN })]);
    await delay(5_000);
    await site.start();
    await delay(3_000);
    for (const one of earlier) await site.end(one);
    await delay(3_000);
    return `${name} and this one`;
  });
}

/**
 * This release and the next one on the same tables: before, during and after the migration, and after
 * obsolete parts are removed.
 */
export function updateRelease(cluster: Cluster, next: string, seed: number): Promise<Outcome> {
  return underLoad(cluster, { replicas: 2, seed, jobs: 60 }, async (site, _traffic, note) => {
    const expectRefusal = async (bin: string, words: string): Promise<void> => {
      const refusal = await site.start({ bin }).then(
        () => 'it began',
        (error: unknown) => String(error),
      );
      if (!refusal.includes(words)) note(`a release that cannot use the tables: ${refusal}`);
    };
    await delay(3_000);
    await expectRefusal(next, 'the tables of the database are older than this version of dragoman');
    migrate(site, next);
    await delay(3_000);
    await Promise.all([site.start({ bin: next }), site.start({ bin: next }), site.start()]);
    await delay(5_000);
    for (const old of site.replicas.filter(({ child }) => !child.spawnargs.includes(next)))
      await site.end(old);
    // A later migration removes something that this release needs.
    await site.ask('update store_version set oldest_reader = version');
    await expectRefusal(BIN, 'a newer version of dragoman has changed the tables of the database');
    await site.start({ bin: next });
    await delay(3_000);
    return 'this one and the next';
  });
}

function migrate({ url }: Site, bin: string): void {
  execFileSync(process.execPath, [bin, 'store', 'migrate', '--store', url], { stdio: 'ignore' });
}

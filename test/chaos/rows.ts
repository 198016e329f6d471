import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../postgres/cluster.ts';
import { abortClients } from './aborts.ts';
import { deleteDuringEnd, huntDeadlocks, revokeKeys, shareCredits } from './credits.ts';
import {
  crashDatabase,
  exhaustConnections,
  failOver,
  fillDirectory,
  fillDisk,
  spoilWire,
} from './databases.ts';
import { ALLOWED, type Outcome } from './load.ts';
import { killProcesses, killReplicas, skewClocks, stopReplica } from './processes.ts';
import { buildEarlierRelease, buildNextRelease, mixReleases, NO_HISTORY, updateRelease } from './releases.ts';

/**
 * The resources of rows. Most rows share a database; those that break it have their own. The caller closes the place.
 */
export interface Place {
  readonly cluster: Cluster;
  /** A directory that the PostgreSQL server can read. */
  readonly root: string;
  /** The commit or directory of the release to run next to this one; undefined: the last one with older tables. */
  readonly earlier: string | undefined;
  close(): Promise<void>;
}

export async function openPlace(earlier?: string): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-chaos-'));
  // The PostgreSQL server has its own user if this runs as root.
  chmodSync(root, 0o755);
  const cluster = await Cluster.start(join(root, 'cluster'), 'deadlock_timeout=100ms');
  const close = async (): Promise<void> => {
    await cluster.remove();
    rmSync(root, { recursive: true, force: true });
  };
  return { cluster, root, earlier, close };
}

/** One failure, and how often to try it. */
export interface ChaosRow {
  readonly name: string;
  /** Statuses that clients may see. */
  readonly allowed: readonly string[];
  /** For `npm run chaos`, and for the tests; 0 to skip it. */
  readonly sizes: { readonly whole: number; readonly short: number };
  /** The reason why the failure cannot be tried here. */
  readonly skipped?: string | undefined;
  readonly run: (place: Place, size: number, seed: number) => Promise<Outcome>;
}

/** Killed replicas break connections. */
const BROKEN = [...ALLOWED, 'broken'];
const DATABASE_BYTES = 400_000_000;
const DIRECTORY_BYTES = 60_000_000;
const NO_DISK = process.getuid?.() === 0 ? undefined : 'only root can make a small disk';

export const chaosRows: readonly ChaosRow[] = [
  {
    name: 'kill -9 of random replicas',
    allowed: BROKEN,
    sizes: { whole: 200, short: 4 },
    run: (place, size, seed) => killReplicas(place.cluster, size, seed),
  },
  {
    name: 'kill -9 within a server',
    allowed: BROKEN,
    sizes: { whole: 50, short: 4 },
    run: (place, size, seed) => killProcesses(place.cluster, size, seed),
  },
  {
    name: 'kill -9 within a server, SQLite',
    allowed: BROKEN,
    sizes: { whole: 50, short: 4 },
    run: (_, size, seed) => inDirectory((directory) => killProcesses({ directory }, size, seed)),
  },
  {
    name: 'kill -9 while clients abort',
    allowed: BROKEN,
    sizes: { whole: 40, short: 3 },
    run: (place, size, seed) => abortClients(place.cluster, size, seed),
  },
  {
    name: 'kill -9 while clients abort, SQLite',
    allowed: BROKEN,
    sizes: { whole: 40, short: 3 },
    run: (_, size, seed) => inDirectory((directory) => abortClients({ directory }, size, seed)),
  },
  {
    name: 'database crashes and restarts',
    allowed: ALLOWED,
    sizes: { whole: 20, short: 3 },
    run: (place, size, seed) => crashDatabase(place.cluster, size, seed),
  },
  {
    name: 'failover to a standby',
    allowed: ALLOWED,
    sizes: { whole: 1, short: 1 },
    run: (place, _, seed) =>
      withCluster(place, [], (own) => failOver(own, join(place.root, 'standby'), seed)),
  },
  {
    name: 'network cut, stalled, answers lost',
    allowed: ALLOWED,
    sizes: { whole: 20, short: 4 },
    run: (place, size, seed) => spoilWire(place.cluster, size, size > 10 ? 30_000 : 5_000, seed),
  },
  {
    name: 'clocks an hour apart',
    allowed: ALLOWED,
    sizes: { whole: 20, short: 3 },
    run: (place, size, seed) => skewClocks(place.cluster, size, seed),
  },
  {
    name: 'a replica stopped and continued',
    allowed: BROKEN,
    // The others take over after a minute in any case.
    sizes: { whole: 90, short: 30 },
    run: (place, size, seed) => stopReplica(place.cluster, size * 1_000, seed),
  },
  {
    name: 'jobs deleted while they end',
    allowed: ALLOWED,
    sizes: { whole: 100, short: 10 },
    run: (place, size, seed) => deleteDuringEnd(place.cluster, size, seed),
  },
  {
    name: 'connections exhausted',
    allowed: ALLOWED,
    sizes: { whole: 500, short: 100 },
    run: (place, size, seed) =>
      withCluster(place, ['max_connections=40'], (own) => exhaustConnections(own, size, seed)),
  },
  {
    name: 'disk of the database full',
    allowed: ALLOWED,
    sizes: { whole: 1, short: 0 },
    skipped: NO_DISK,
    run: (place, _, seed) =>
      withSmallDisk(join(place.root, 'disk'), DATABASE_BYTES, async (directory, fill) => {
        const settings = ['max_wal_size=64MB', 'min_wal_size=32MB'];
        return withClusterIn(join(directory, 'cluster'), settings, (own) => fillDisk(own, fill, seed));
      }),
  },
  {
    name: 'disk of a data directory full',
    allowed: ALLOWED,
    sizes: { whole: 5, short: 1 },
    skipped: NO_DISK,
    run: (place, size, seed) =>
      withSmallDisk(join(place.root, 'disk'), DIRECTORY_BYTES, (directory, fill) =>
        fillDirectory(directory, fill, size, seed),
      ),
  },
  {
    name: 'a key revoked while it is used',
    allowed: ALLOWED,
    sizes: { whole: 50, short: 5 },
    run: (place, size, seed) => revokeKeys(place.cluster, size, seed),
  },
  {
    name: '100 of 100 credits, 4 replicas',
    allowed: [...ALLOWED, '402'],
    sizes: { whole: 10, short: 1 },
    run: (place, size, seed) => shareCredits(place.cluster, size, seed),
  },
  {
    name: 'deadlock hunt, 50 accounts',
    allowed: ALLOWED,
    sizes: { whole: 60, short: 10 },
    run: (place, size, seed) => huntDeadlocks(place.cluster, size * 1_000, seed),
  },
  {
    name: 'old and new release together',
    allowed: ALLOWED,
    sizes: { whole: 1, short: 0 },
    skipped: NO_HISTORY,
    run: (place, _, seed) =>
      mixReleases(place.cluster, buildEarlierRelease(join(place.root, 'earlier'), place.earlier), seed),
  },
  {
    name: 'this release and the next together',
    allowed: ALLOWED,
    sizes: { whole: 1, short: 1 },
    run: (place, _, seed) => updateRelease(place.cluster, buildNextRelease(join(place.root, 'next')), seed),
  },
];

/** Runs a row on its own data directory. */
async function inDirectory(run: (directory: string) => Promise<Outcome>): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-data-'));
  try {
    return await run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function withCluster(
  { root }: Place,
  settings: readonly string[],
  run: (cluster: Cluster) => Promise<Outcome>,
): Promise<Outcome> {
  return withClusterIn(join(root, 'own'), settings, run);
}

async function withClusterIn(
  directory: string,
  settings: readonly string[],
  run: (cluster: Cluster) => Promise<Outcome>,
): Promise<Outcome> {
  const cluster = await Cluster.start(directory, ...settings);
  try {
    return await run(cluster);
  } finally {
    await cluster.remove();
  }
}

/** @param run gets a directory on the disk, and a function that fills the disk and returns one that frees space */
async function withSmallDisk(
  directory: string,
  bytes: number,
  run: (directory: string, fill: () => () => void) => Promise<Outcome>,
): Promise<Outcome> {
  mkdirSync(directory, { mode: 0o755 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', directory]);
  const filler = join(directory, 'filler');
  try {
    return await run(directory, () => {
      fillUp(filler);
      return () => rmSync(filler, { force: true });
    });
  } finally {
    execFileSync('umount', ['--lazy', directory]);
    rmdirSync(directory);
  }
}

/** Writes until the disk is full. */
function fillUp(path: string): void {
  const piece = Buffer.alloc(64 * 1024);
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

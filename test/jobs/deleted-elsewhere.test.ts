import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';

import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { openJobs, type JobsOptions } from '../../src/jobs/open-jobs.ts';
import type { AccountResources } from '../../src/resources/account-resources.ts';
import {
  SOURCE_FILE,
  type Instance,
  type JobStore,
  type Store,
  type StoredFiles,
} from '../../src/store/store.ts';
import {
  audit,
  postgresPlace,
  register,
  sqlitePlace,
  temporaryDirectory,
  type TestPlace,
} from '../store/harness.ts';
import { describeWith } from '../postgres/requirements.ts';
import { addAccount, createJob, noSignal, PUBLIC_URL, until } from './room.ts';

/** Something that waits until it is opened. */
class Gate {
  /** Whether something waits. */
  isReached = false;
  readonly #open: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    this.#open = new Promise((resolve) => (this.open = resolve));
  }

  async pass(): Promise<void> {
    this.isReached = true;
    await this.#open;
  }

  reached(what: string): Promise<true> {
    return until(() => Promise.resolve(this.isReached && (true as const)), what);
  }
}

interface Server {
  readonly directory: string;
  readonly store: Store;
  readonly instance: Instance;
  readonly jobs: Jobs;
  readonly errors: unknown[];
}

interface OwnOptions extends Partial<JobsOptions> {
  /** The store is slow: it takes no progress until this opens. */
  readonly progress?: Gate;
}

type ServerOptions = OwnOptions & { readonly place: TestPlace };

async function openServer({
  place,
  directory = temporaryDirectory(),
  progress,
  ...options
}: ServerOptions): Promise<Server> {
  const store = await place.open();
  const instance = await register(store);
  const recordProgress: JobStore['recordProgress'] = async (...told) => {
    await progress?.pass();
    return instance.jobs.recordProgress(...told);
  };
  const errors: unknown[] = [];
  const silent = (): void => undefined;
  const jobs = await openJobs({
    engine: createPseudoEngine(),
    publicUrl: () => PUBLIC_URL,
    workers: 1,
    log: { info: silent, warn: silent, error: (...entry) => errors.push(entry) },
    ...options,
    directory,
    instance: { ...instance, jobs: { ...instance.jobs, recordProgress } },
  });
  onTestFinished(() => jobs.close(0));
  return { directory, store, instance, jobs, errors };
}

/** Files in a directory, like those in a bucket. */
function folder(root: string): StoredFiles {
  const pathOf = (jobId: string, fileId: string): string => join(root, jobId, fileId);
  return {
    async write(jobId, fileId, path) {
      await mkdir(join(root, jobId), { recursive: true });
      await copyFile(path, pathOf(jobId, fileId));
    },
    async read(jobId, fileId) {
      if (!(await readdir(join(root, jobId)).catch((): string[] => [])).includes(fileId))
        throw new DragomanError('not_found', 'the file does not exist');
      return createReadStream(pathOf(jobId, fileId));
    },
    remove: (jobId) => rm(join(root, jobId), { recursive: true, force: true }),
    removeFile: (jobId, fileId) => rm(pathOf(jobId, fileId), { force: true }),
    sweep: () => Promise.resolve(),
  };
}

/** One text per call; the calls from `from` on wait for the gate, even if interrupted, like paid engines. */
function gatedEngine(gate: Gate, from: number): Engine {
  const pseudo = createPseudoEngine();
  let calls = 0;
  return {
    ...pseudo,
    isPseudo: false,
    batch: { texts: 1, characters: 10_000 },
    async translate(request) {
      if (++calls > from) await gate.pass();
      return pseudo.translate(request, noSignal.signal);
    },
  };
}

const CREDITS = 1_000;
const KEYS = 12;
const content = JSON.stringify(
  Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`key${i}`, `Text number ${i}`])),
);

interface Shared {
  readonly place: TestPlace;
  /** The options of each server. */
  readonly options: () => Partial<JobsOptions>;
}

const SHARED: readonly { readonly name: string; readonly share: () => Promise<Shared> }[] = [
  {
    name: 'a data directory',
    share: async () => {
      const directory = temporaryDirectory();
      return { place: await sqlitePlace(directory), options: () => ({ directory }) };
    },
  },
  {
    name: 'a data directory with files elsewhere',
    share: async () => {
      const files = folder(temporaryDirectory());
      return { place: await sqlitePlace(), options: () => ({ files }) };
    },
  },
];

/** A job at a server that only accepts requests; `other` translates it. */
async function begin({ place, options }: Shared, own: OwnOptions) {
  const accepting = await openServer({ place, ...options(), workers: 0 });
  const translating = await openServer({ place, ...options(), ...own });
  const account = await addAccount(accepting, CREDITS);
  const id = await createJob(accepting, account, { content });
  const remove = (server: Server = accepting): Promise<unknown> =>
    server.jobs.of(account).deleteJob(id, noSignal);
  const settled = async (): Promise<number> => {
    const found = await until(async () => {
      const one = await accepting.store.accounts.find(account);
      return one?.reserved === 0 && one;
    }, 'all is settled');
    await until(async () => (await translating.jobs.counts()).running === 0, 'the unit has ended');
    await audit(place);
    return CREDITS - found.balance;
  };
  return { accepting, translating, id, remove, settled };
}

/** Lets workers start only after the gate opens. */
function lateResources(gate: Gate): AccountResources {
  const resources = { shared: {}, own: () => gate.pass(), answer: () => Promise.resolve({}) };
  return resources as unknown as AccountResources;
}

async function leftIn(...directories: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    directories.map((path) => readdir(path, { recursive: true }).catch(() => [])),
  );
  return found.flat();
}

function deletions(share: () => Promise<Shared>): void {
  it('before its file is read costs nothing', async () => {
    const gate = new Gate();
    const { translating, remove, settled } = await begin(await share(), { resources: lateResources(gate) });
    await gate.reached('the unit begins');
    await remove();
    gate.open();
    expect(await settled()).toBe(0);
    expect(translating.errors).toEqual([]);
  });

  it('while the engine answers costs its answers, and leaves nothing', async () => {
    const gate = new Gate();
    const own = { engine: gatedEngine(gate, KEYS - 1) };
    const { translating, id, remove, settled } = await begin(await share(), own);
    await gate.reached('the last text is sent');
    await remove();
    gate.open();
    expect(await settled()).toBe(KEYS);
    expect(translating.errors).toEqual([]);
    const { directory } = translating;
    await until(
      async () => (await leftIn(join(directory, 'jobs', id), join(directory, 'cache', id))).length === 0,
      'nothing is left',
      5_000,
    );
  });
}

function copies(share: () => Promise<Shared>): void {
  it.each(['deleted', 'expired'])('leaves no copy on any server after it ended and was %s', async (how) => {
    const shared = await share();
    const { accepting, translating, id, remove, settled } = await begin(shared, {});
    expect(await settled()).toBe(KEYS);
    const cache = join(translating.directory, 'cache');
    expect(await readdir(cache)).toEqual([id]);
    if (how === 'deleted') await remove();
    else await accepting.instance.jobs.expire(Date.now() + 1);
    await until(async () => (await readdir(cache)).length === 0, 'the copy is removed', 10_000);
  });
}

function storing(share: () => Promise<Shared>, filesOf: (shared: Shared) => Promise<StoredFiles>): void {
  it.each(['this', 'another'])('while its file is stored, by %s server, leaves no file', async (where) => {
    const gate = new Gate();
    const shared = await share();
    const files = await filesOf(shared);
    const write: StoredFiles['write'] = async (jobId, fileId, path) => {
      if (fileId !== SOURCE_FILE) await gate.pass();
      await files.write(jobId, fileId, path);
    };
    const own = { files: { ...files, write }, progress: new Gate() };
    const { translating, id, remove, settled } = await begin(shared, own);
    await gate.reached('the file is stored');
    await remove(where === 'this' ? translating : undefined);
    own.progress.open();
    gate.open();
    expect(await settled()).toBe(KEYS);
    expect(translating.errors).toEqual([]);
    await expect(files.read(id, SOURCE_FILE)).rejects.toMatchObject({ code: 'not_found' });
  });
}

for (const { name, share } of SHARED)
  describe(`a job deleted by another server on ${name}`, () => {
    deletions(share);
  });

describe('a job deleted by a server with files elsewhere', () => {
  storing(
    () => (SHARED[1] ?? fail()).share(),
    ({ options }) => Promise.resolve(options().files ?? fail()),
  );
});

describeWith(['postgres'], 'a job deleted by another server on PostgreSQL', () => {
  const share = async (): Promise<Shared> => ({ place: await postgresPlace(), options: () => ({}) });
  deletions(share);
  copies(share);
  storing(share, async ({ place }) => (await register(await place.open())).files ?? fail());
});

function fail(): never {
  throw new Error('the test is incomplete');
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { ErrorCode } from '../../src/base/errors.ts';
import { connectService } from '../../src/client/connect.ts';
import { Site } from '../chaos/site.ts';
import { sharedCluster } from '../postgres/cluster.ts';
import { describeWith } from '../postgres/requirements.ts';
import { startBalancer, type Balancer } from '../server/balancer.ts';
import { jobsContract } from '../service/jobs-contract.ts';
import { serviceContract } from '../service/service-contract.ts';

/** The built program: three servers on one database behind a balancer, and one server with several processes. */

const ENGINE = join(import.meta.dirname, '../engines/pseudo-process.ts');
const TSX = import.meta.resolve('tsx');
const ARGV = ['--engine', 'exec', '--engine-command', `${process.execPath} --import ${TSX} ${ENGINE}`];

let site: Site;
let url = '';

/** On this side, all server errors with 400 or 500 have one code. */
function codeOf(code: ErrorCode): ErrorCode {
  if (code === 'unsupported_language' || code === 'unreadable_input') return 'invalid_request';
  return code === 'engine_failed' ? 'service_failed' : code;
}

async function connect(credits: number): ReturnType<typeof connectService> {
  const { key } = await site.newClient(credits);
  return connectService({ env: {}, baseUrl: url, key });
}

function contracts(what: string): void {
  serviceContract(what, {
    codeOf,
    open: async () => {
      const remote = await connect(1_000_000);
      return { service: remote.service, close: () => remote.close() };
    },
  });

  jobsContract(what, {
    codeOf,
    open: async () => {
      const remotes = await Promise.all([1_000_000, 1_000_000, 1].map(connect));
      const [jobs, others, poor] = remotes.map((remote) => remote.jobs);
      if (!jobs || !others || !poor) throw new Error('not all clients are connected');
      const close = async (): Promise<void> => {
        for (const remote of remotes) await remote.close();
      };
      return { jobs, others, poor, close };
    },
  });
}

describeWith(['postgres', 'haproxy'], 'behind a balancer', () => {
  let balancer: Balancer;
  beforeAll(async () => {
    site = await Site.open(await sharedCluster(), 3, { argv: ARGV });
    balancer = await startBalancer(site.replicas.map((replica) => replica.url));
    ({ url } = balancer);
  });
  afterAll(async () => {
    await balancer?.close();
    await site?.close();
  });
  contracts('3 servers on one database');
});

describe('with several processes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-contract-'));
  beforeAll(async () => {
    site = await Site.open({ directory }, 1, { argv: [...ARGV, '--processes', '2'] });
    url = site.replicas[0]?.url ?? '';
  });
  afterAll(async () => {
    await site?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  contracts('2 processes on one directory');
});

import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ErrorCode } from '../../src/base/errors.ts';
import { connectService } from '../../src/client/connect.ts';
import { Site } from '../chaos/site.ts';
import { sharedCluster } from '../postgres/cluster.ts';
import { describeWith } from '../postgres/requirements.ts';
import { startBalancer, type Balancer } from '../server/balancer.ts';
import { jobsContract } from '../service/jobs-contract.ts';
import { serviceContract } from '../service/service-contract.ts';

/** The built program three times on one database, and a balancer before it. */

const ENGINE = join(import.meta.dirname, '../engines/pseudo-process.ts');
const TSX = import.meta.resolve('tsx');

let site: Site;
let balancer: Balancer;

/** What a server answers with 400 or 500 has no other name on this side. */
function codeOf(code: ErrorCode): ErrorCode {
  if (code === 'unsupported_language' || code === 'unreadable_input') return 'invalid_request';
  return code === 'engine_failed' ? 'service_failed' : code;
}

async function connect(credits: number): ReturnType<typeof connectService> {
  const { key } = await site.newClient(credits);
  return connectService({ env: {}, baseUrl: balancer.url, key });
}

describeWith(['postgres', 'haproxy'], 'behind a balancer', () => {
  beforeAll(async () => {
    const command = `${process.execPath} --import ${TSX} ${ENGINE}`;
    site = await Site.open(await sharedCluster(), 3, {
      argv: ['--engine', 'exec', '--engine-command', command],
    });
    balancer = await startBalancer(site.replicas.map(({ url }) => url));
  });
  afterAll(async () => {
    await balancer?.close();
    await site?.close();
  });

  serviceContract('3 servers on one database', {
    codeOf,
    open: async () => {
      const remote = await connect(1_000_000);
      return { service: remote.service, close: () => remote.close() };
    },
  });

  jobsContract('3 servers on one database', {
    codeOf,
    open: async () => {
      const remotes = await Promise.all([1_000_000, 1_000_000, 1].map(connect));
      const [jobs, others, poor] = remotes.map((remote) => remote.jobs);
      if (!jobs || !others || !poor) throw new Error('not all are connected');
      const close = async (): Promise<void> => {
        for (const remote of remotes) await remote.close();
      };
      return { jobs, others, poor, close };
    },
  });
});

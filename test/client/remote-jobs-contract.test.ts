import type { ErrorCode } from '../../src/base/errors.ts';
import { connectService, type RemoteOptions } from '../../src/client/connect.ts';
import { listen } from '../../src/server/http/listener.ts';
import { jobsContract, type JobsSubject } from '../service/jobs-contract.ts';
import { inProcessTransport } from './in-process.ts';
import { openServer, type Served } from './served.ts';

function codeOf(code: ErrorCode): ErrorCode {
  return code === 'unsupported_language' || code === 'unreadable_input' ? 'invalid_request' : code;
}

async function connectAll(
  served: Served,
  options: Omit<RemoteOptions, 'key'>,
  stop: () => Promise<void> = () => Promise.resolve(),
): Promise<JobsSubject> {
  const remotes = await Promise.all(
    [1_000_000, 1_000_000, 1].map(async (credits) =>
      connectService({ env: {}, ...options, key: await served.addKey(credits) }),
    ),
  );
  const [jobs, others, poor] = remotes.map((remote) => remote.jobs);
  if (!jobs || !others || !poor) throw new Error('not all clients are connected');
  return {
    jobs,
    others,
    poor,
    close: async () => {
      for (const remote of remotes) await remote.close();
      await stop();
      await served.close();
    },
  };
}

jobsContract('a server in this process', {
  codeOf,
  open: async () => {
    const served = await openServer();
    return connectAll(served, { baseUrl: 'http://127.0.0.1', transport: inProcessTransport(served.app) });
  },
});

jobsContract('a server behind a socket', {
  codeOf,
  open: async () => {
    const served = await openServer();
    const listener = await listen(served.app, { host: '127.0.0.1', port: 0 });
    return connectAll(served, { baseUrl: listener.url }, () => listener.close(0));
  },
});

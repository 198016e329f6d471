import type { ErrorCode } from '../../src/base/errors.ts';
import { connectService, type RemoteOptions } from '../../src/client/connect.ts';
import { listen } from '../../src/server/http/listener.ts';
import { scriptedEngine } from '../server/harness.ts';
import { serviceContract, type ContractSubject } from '../service/service-contract.ts';
import { inProcessTransport } from './in-process.ts';
import { openServer, type Served } from './served.ts';

/** On this side, all server errors with 400 or 500 have one code. */
function codeOf(code: ErrorCode): ErrorCode {
  if (code === 'unsupported_language' || code === 'unreadable_input') return 'invalid_request';
  return code === 'engine_failed' ? 'service_failed' : code;
}

async function connectTo(
  served: Served,
  options: Omit<RemoteOptions, 'key'>,
  stop: () => Promise<void> = () => Promise.resolve(),
): Promise<ContractSubject> {
  const remote = await connectService({ env: {}, ...options, key: await served.addKey(1_000_000) });
  const close = async (): Promise<void> => {
    await remote.close();
    await stop();
    await served.close();
  };
  return { service: remote.service, close };
}

serviceContract('a server in this process', {
  codeOf,
  open: async () => {
    const served = await openServer(scriptedEngine());
    return connectTo(served, { baseUrl: 'http://127.0.0.1', transport: inProcessTransport(served.app) });
  },
});

serviceContract('a server behind a socket', {
  codeOf,
  open: async () => {
    const served = await openServer(scriptedEngine());
    const listener = await listen(served.app, { host: '127.0.0.1', port: 0 });
    return connectTo(served, { baseUrl: listener.url }, () => listener.close(0));
  },
});

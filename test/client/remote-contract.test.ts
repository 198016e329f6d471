import type { ErrorCode } from '../../src/base/errors.ts';
import { connectService } from '../../src/client/connect.ts';
import { openApp, listenTo, scriptedEngine } from '../server/harness.ts';
import { serviceContract } from '../service/service-contract.ts';
import { inProcessTransport } from './in-process.ts';

/** What a server answers with 400 or 500 has no other name on this side. */
function codeOf(code: ErrorCode): ErrorCode {
  if (code === 'unsupported_language' || code === 'unreadable_input') return 'invalid_request';
  return code === 'engine_failed' ? 'service_failed' : code;
}

serviceContract('a server in this process', {
  codeOf,
  open: async () => {
    const { app, key } = await openApp({ engine: scriptedEngine() });
    return connectService({ baseUrl: 'http://127.0.0.1', key, transport: inProcessTransport(app) });
  },
});

serviceContract('a server behind a socket', {
  codeOf,
  open: async () => {
    const test = await openApp({ engine: scriptedEngine() });
    const { url } = await listenTo(test);
    return connectService({ baseUrl: url, key: test.key, env: {} });
  },
});

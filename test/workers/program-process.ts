import { WorkerClient } from '../../src/workers/client.ts';
import type { TestProtocol } from './test-protocol.ts';

/** A program that uses a worker once, closes it or keeps it busy forever on request, and ends by itself. */
const [, , kind, then] = process.argv;
const client = new WorkerClient<TestProtocol>({
  kind: kind === 'thread' ? 'thread' : 'process',
  script: { name: 'dragoman test', source: '../test/workers/worker-process.ts', bundled: 'no.js' },
  settings: { greeting: 'Hello' },
  heapMegabytes: () => 256,
});
console.log(await client.call({ do: 'greet', name: 'Ada' }, { stallMs: 20_000 }));
if (then === 'hang') {
  void client.call({ do: 'hang' }, { stallMs: 60_000 });
  console.log('hanging');
}
if (then === 'close') {
  await client.close();
  console.log('closed');
}

import { setTimeout as delay } from 'node:timers/promises';

/**
 * Requests a server's health until standard input ends: `server-health.ts URL`. Prints the time of each request in
 * milliseconds.
 */
const [url = ''] = process.argv.slice(2);
const over = new AbortController();
process.stdin.once('end', () => over.abort()).resume();
while (!over.signal.aborted) {
  const asked = performance.now();
  await (await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) })).arrayBuffer();
  process.stdout.write(`${performance.now() - asked}\n`);
  await delay(20);
}

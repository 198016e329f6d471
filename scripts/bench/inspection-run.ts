import { inspectFile } from '../../src/jobs/worker/inspect-file.ts';
import type { BuiltInFormatId } from '../../src/formats/registry.ts';

/** Inspects one file, as the server does with an upload, in a separate process, and reports the cost. */
const [format = '', path = ''] = process.argv.slice(2);
const source = { path, format: format as BuiltInFormatId, filename: 'upload', language: 'en' };
const begin = process.cpuUsage();
const outcome = await inspectFile({ kind: 'inspect', source, sample: false }).then(
  ({ totalKeys }) => `${totalKeys} keys`,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
const { user, system } = process.cpuUsage(begin);
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1000, outcome }));

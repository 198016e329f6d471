import { readFileSync } from 'node:fs';
import { render } from '../../src/formats/render.ts';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { WEIGHED } from './made-documents.ts';

/** Processes one file in one way, in a separate process, and reports the time. */
type Work = (bytes: Uint8Array, path: string) => Promise<number> | number;

async function identity(bytes: Uint8Array, path: string): Promise<number> {
  const file = await openBytes(bytes, path);
  const values = new Map(file.document.slots.map(({ value }, index) => [index, value]));
  const { text } = render(file.format, file.document, values, file.scanOptions);
  return file.encode(text).length;
}

async function changed(bytes: Uint8Array, path: string): Promise<number> {
  const file = await openBytes(bytes, path);
  const values = new Map(file.document.slots.map(({ value }, index) => [index, `¡${value}!`]));
  const { text, rejected } = render(file.format, file.document, values, file.scanOptions);
  if (rejected.size > 0) throw new Error(`${rejected.size} values were refused`);
  return file.encode(text).length;
}

const [name, mode, path = ''] = process.argv.slice(2);
const work: Work = mode === 'identity' ? identity : mode === 'changed' ? changed : await loadReference();
async function loadReference(): Promise<Work> {
  const document = WEIGHED.find((one) => one.name === name);
  if (!document) throw new Error(`no document ${name}`);
  return document.reference.load();
}

const bytes = readFileSync(path);
// Loading a format on first use counts as start-up, not throughput.
if (mode !== 'reference') await identity(Buffer.from(''), path).catch(() => undefined);
const started = performance.now();
await work(bytes, path);
const milliseconds = performance.now() - started;
process.stdout.write(JSON.stringify({ milliseconds }));

import { readFileSync } from 'node:fs';
import type { FormatId } from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';
import { openBytes } from '../../src/pipeline/open-file.ts';

/** Does one thing to one file, in a process of its own, and says how long it took and what memory the process needed. */
type Work = (bytes: Uint8Array, path: string) => Promise<number> | number;

async function identity(bytes: Uint8Array, path: string): Promise<number> {
  const file = await openBytes(bytes, path);
  const values = new Map(file.document.slots.map(({ value }, index) => [index, value]));
  const { document } = render(file.format, file.document, values, file.scanOptions);
  return file.encode(document.text).length;
}

async function changed(bytes: Uint8Array, path: string): Promise<number> {
  const file = await openBytes(bytes, path);
  const values = new Map(file.document.slots.map(({ value }, index) => [index, `¡${value}!`]));
  const { document, rejected } = render(file.format, file.document, values, file.scanOptions);
  if (rejected.size > 0) throw new Error(`${rejected.size} values were refused`);
  return file.encode(document.text).length;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const lines = (bytes: Uint8Array): number => decode(bytes).split(/\r\n|\n|\r/).length;

const REFERENCES: Readonly<Record<FormatId, () => Promise<Work>>> = {
  json: () => Promise.resolve((bytes) => JSON.stringify(JSON.parse(decode(bytes)), null, 2).length),
  yaml: async () => {
    const { parseDocument } = await import('yaml');
    return (bytes) => parseDocument(decode(bytes)).errors.length;
  },
  po: async () => {
    const { po } = await import('gettext-parser');
    return (bytes) => Object.keys(po.parse(Buffer.from(bytes)).translations).length;
  },
  properties: () => Promise.resolve(lines),
  strings: () => Promise.resolve(lines),
  xml: async () => {
    const { create } = await import('xmlbuilder2');
    return (bytes) => create(decode(bytes)).root().node.childNodes.length;
  },
};

const [format, mode, path] = process.argv.slice(2) as [FormatId, string, string];
const work = mode === 'identity' ? identity : mode === 'changed' ? changed : await REFERENCES[format]();
const bytes = readFileSync(path);
// What a format loads when it is first used is start-up, not throughput.
if (mode !== 'reference') await identity(Buffer.from(''), path).catch(() => undefined);
const started = performance.now();
await work(bytes, path);
const milliseconds = performance.now() - started;
process.stdout.write(JSON.stringify({ milliseconds, megabytes: process.resourceUsage().maxRSS / 1024 }));

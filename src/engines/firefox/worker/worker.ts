import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { loadBergamot } from './bergamot.ts';
import type { FromModelWorker, ModelFile, ModelWorkerData, ToModelWorker } from './messages.ts';
import { LoadedModel } from './model.ts';

/** A worker thread with one model set: loads it, then answers batch by batch. Ends with the first thing that goes wrong. */
const { files, memoryMegabytes }: ModelWorkerData = workerData;
const port = parentPort;
if (!port) throw new Error('this script is a worker');

class DamagedFile extends Error {}

/** What the module printed last: it says there why it aborts. */
let lastError = '';

function send(message: FromModelWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  port?.postMessage(message);
}

function note(line: string): void {
  const found = /\bError: (?!Aborted)(.*)/.exec(line)?.[1];
  if (found !== undefined) lastError = found.slice(0, 200);
}

function lose(error: unknown): void {
  const damaged = error instanceof DamagedFile;
  const reason =
    damaged || lastError === '' ? String(error instanceof Error ? error.message : error) : lastError;
  send({
    type: 'lost',
    reason: /allocate memory|out of memory|bad_alloc/i.test(reason) ? 'is out of memory' : reason,
    damaged,
  });
  port?.close();
}

async function read(file: ModelFile): Promise<Uint8Array> {
  const bytes = await readFile(file.path).catch((error: NodeJS.ErrnoException) => {
    throw new DamagedFile(`cannot read ${file.path}: ${error.code ?? error.message}`);
  });
  if (bytes.length === file.bytes && createHash('sha256').update(bytes).digest('hex') === file.sha256)
    return bytes;
  throw new DamagedFile(`${file.path} is not what was installed`);
}

async function load(module: object): Promise<LoadedModel> {
  const [model, shortlist, ...vocabularies] = await Promise.all([
    read(files.model),
    files.shortlist ? read(files.shortlist) : undefined,
    ...files.vocabularies.map(read),
  ]);
  const bergamot = await loadBergamot(module, memoryMegabytes, note);
  return new LoadedModel(bergamot, {
    model,
    shortlist,
    vocabularies: vocabularies.filter((bytes) => bytes !== undefined),
  });
}

let model: LoadedModel | undefined;

async function answer(message: ToModelWorker): Promise<void> {
  if (message.type === 'load') {
    model = await load(message.module);
    send({ type: 'ready' });
  } else if (model) send({ type: 'answer', translations: model.translate(message.texts) });
}

port.on('message', (message: ToModelWorker) => {
  answer(message).catch(lose);
});

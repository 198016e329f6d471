import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DragomanError } from '../../../base/errors.ts';
import { serveCalls } from '../../../workers/serve.ts';
import { loadBergamot } from './bergamot.ts';
import type { ModelFile, ModelProtocol, ModelWorkerData } from './messages.ts';
import { LoadedModel } from './model.ts';

/** What the module printed last: it says there why it aborts. */
let lastError = '';

function note(line: string): void {
  const found = /\bError: (?!Aborted)(.*)/.exec(line)?.[1];
  if (found !== undefined) lastError = found.slice(0, 200);
}

async function read(file: ModelFile): Promise<Uint8Array> {
  const bytes = await readFile(file.path).catch((error: NodeJS.ErrnoException) => {
    throw new DragomanError('unreadable_input', `cannot read ${file.path}: ${error.code ?? error.message}`);
  });
  if (bytes.length === file.bytes && createHash('sha256').update(bytes).digest('hex') === file.sha256)
    return bytes;
  throw new DragomanError('unreadable_input', `${file.path} is not what was installed`);
}

async function load({ files, memoryMegabytes }: ModelWorkerData, module: object): Promise<LoadedModel> {
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

/** The clause that says why the module cannot go on. */
function reasonOf(error: unknown): string {
  const reason = lastError === '' ? String(error instanceof Error ? error.message : error) : lastError;
  return /allocate memory|out of memory|bad_alloc/i.test(reason) ? 'is out of memory' : reason;
}

/**
 * The worker with one model set, which it loads for its first batch. After an error its module is not to be used any
 * more: `unreadable_input` when the model's files are not what was installed, else `engine_failed`.
 */
serveCalls<ModelProtocol>((data) => {
  let model: LoadedModel | undefined;
  return async ({ module, texts }) => {
    try {
      model ??= await load(data, module);
      return model.translate(texts);
    } catch (error) {
      throw error instanceof DragomanError ? error : new DragomanError('engine_failed', reasonOf(error));
    }
  };
});

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DragomanError } from '../../../base/errors.ts';
import { serveCalls } from '../../../workers/serve.ts';
import { loadBergamot, type Bergamot, type BlockingService, type TranslationModel } from './bergamot.ts';
import type { ModelFile, ModelProtocol, ModelText, ModelWorkerData } from './messages.ts';

/** The module's last output, which explains an abort. */
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
  throw new DragomanError('unreadable_input', `${file.path} has changed since it was installed`);
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

/** The clause that explains why the module cannot continue. */
function reasonOf(error: unknown): string {
  const reason = lastError === '' ? String(error instanceof Error ? error.message : error) : lastError;
  return /allocate memory|out of memory|bad_alloc/i.test(reason) ? 'is out of memory' : reason;
}

/** The contents of {@link ModelFiles}. */
interface ModelBytes {
  readonly model: Uint8Array;
  readonly shortlist?: Uint8Array | undefined;
  readonly vocabularies: readonly Uint8Array[];
}

/** The configuration of Firefox: greedy, with the model's multipliers, and with attention kept for tags. */
const CONFIG = `beam-size: 1
normalize: 1.0
word-penalty: 0
cpu-threads: 0
gemm-precision: int8shiftAlphaAll
skip-cost: true
alignment: soft
quiet: true
quiet-translation: true
max-length-break: 128
mini-batch-words: 1024
workspace: 128
max-length-factor: 2.0
`;

/** The memory alignment of each kind of file. */
const MODEL_ALIGNMENT = 256;
const OTHER_ALIGNMENT = 64;

/** A loaded model. After any exception, its module must not be used again. */
class LoadedModel {
  readonly #bergamot: Bergamot;
  readonly #service: BlockingService;
  readonly #model: TranslationModel;

  constructor(bergamot: Bergamot, bytes: ModelBytes) {
    this.#bergamot = bergamot;
    this.#service = new bergamot.BlockingService({ cacheSize: 0 });
    const vocabularies = new bergamot.AlignedMemoryList();
    for (const vocabulary of bytes.vocabularies)
      vocabularies.push_back(this.#copy(vocabulary, OTHER_ALIGNMENT));
    this.#model = new bergamot.TranslationModel(
      CONFIG,
      this.#copy(bytes.model, MODEL_ALIGNMENT),
      // An empty file means no shortlist.
      this.#copy(bytes.shortlist ?? new Uint8Array(), OTHER_ALIGNMENT),
      vocabularies,
      null,
    );
  }

  /** The translation of each text, in order. */
  translate(texts: readonly ModelText[]): string[] {
    const inputs = new this.#bergamot.VectorString();
    const options = new this.#bergamot.VectorResponseOptions();
    for (const { text, html } of texts) {
      inputs.push_back(text);
      options.push_back({ html, alignment: false, qualityScores: false });
    }
    const responses = this.#service.translate(this.#model, inputs, options);
    const translations = texts.map((_, i) => responses.get(i).getTranslatedText());
    for (const handle of [inputs, options, responses]) handle.delete();
    return translations;
  }

  #copy(bytes: Uint8Array, alignment: number): InstanceType<Bergamot['AlignedMemory']> {
    const memory = new this.#bergamot.AlignedMemory(bytes.length, alignment);
    memory.getByteArrayView().set(bytes);
    return memory;
  }
}

/**
 * A worker with one model, which it loads for its first batch. After an error it must not be used again:
 * `unreadable_input` if the model's files changed since installation, otherwise `engine_failed`.
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

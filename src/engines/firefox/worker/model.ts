import type { Bergamot, BlockingService, TranslationModel } from './bergamot.ts';
import type { ModelText } from './messages.ts';

/** The bytes of {@link ModelFiles}. */
export interface ModelBytes {
  readonly model: Uint8Array;
  readonly shortlist?: Uint8Array | undefined;
  readonly vocabularies: readonly Uint8Array[];
}

/** As Firefox runs them: greedy, with the multipliers that the model has, and attention kept for the tags. */
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

/** Where in memory each kind has to begin. */
const MODEL_ALIGNMENT = 256;
const OTHER_ALIGNMENT = 64;

/** A model that is loaded. Whatever it throws, its module is not to be used any more. */
export class LoadedModel {
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
      // An empty one is none.
      this.#copy(bytes.shortlist ?? new Uint8Array(), OTHER_ALIGNMENT),
      vocabularies,
      null,
    );
  }

  /** Of each text its translation, in order. */
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

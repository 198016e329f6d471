import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';

/** Node's types omit WebAssembly; the DOM types declare it. */
type Imports = Readonly<Record<string, object>>;
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object;
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: Imports): Promise<object>;
};

/** The parts of the package's module that are used here. Free handles with `delete`. */
interface Handle {
  delete(): void;
}

interface AlignedMemory extends Handle {
  getByteArrayView(): Int8Array;
}

interface VectorString extends Handle {
  push_back(text: string): void;
}

interface ResponseOptions {
  readonly html: boolean;
  readonly alignment: boolean;
  readonly qualityScores: boolean;
}

interface VectorResponseOptions extends Handle {
  push_back(options: ResponseOptions): void;
}

interface AlignedMemoryList extends Handle {
  push_back(memory: AlignedMemory): void;
}

interface VectorResponse extends Handle {
  get(i: number): { getTranslatedText(): string };
}

export type TranslationModel = Handle;

export interface BlockingService extends Handle {
  translate(model: TranslationModel, texts: VectorString, options: VectorResponseOptions): VectorResponse;
}

export interface Bergamot {
  readonly AlignedMemory: new (bytes: number, alignment: number) => AlignedMemory;
  readonly AlignedMemoryList: new () => AlignedMemoryList;
  readonly VectorString: new () => VectorString;
  readonly VectorResponseOptions: new () => VectorResponseOptions;
  readonly BlockingService: new (options: { readonly cacheSize: number }) => BlockingService;
  readonly TranslationModel: new (
    config: string,
    model: AlignedMemory,
    shortlist: AlignedMemory,
    vocabularies: AlignedMemoryList,
    quality: null,
  ) => TranslationModel;
}

/** The module while Emscripten's script initializes it. */
interface Loading extends Partial<Bergamot> {
  /** The module's own exports, after instantiation. */
  readonly asm?: Readonly<Record<string, (...args: readonly number[]) => number>>;
  readonly wasmMemory: object;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  instantiateWasm(imports: Imports, accept: (instance: object) => void): object;
  onRuntimeInitialized(): void;
}

/** Matrix products for which a browser may supply faster versions; elsewhere the module uses its own. */
const PRODUCTS: Readonly<Record<string, string>> = {
  int8_prepare_a: 'int8PrepareAFallback',
  int8_prepare_b: 'int8PrepareBFallback',
  int8_prepare_b_from_transposed: 'int8PrepareBFromTransposedFallback',
  int8_prepare_b_from_quantized_transposed: 'int8PrepareBFromQuantizedTransposedFallback',
  int8_prepare_bias: 'int8PrepareBiasFallback',
  int8_multiply_and_add_bias: 'int8MultiplyAndAddBiasFallback',
  int8_select_columns_of_b: 'int8SelectColumnsOfBFallback',
};

const PAGES_PER_MEGABYTE = 16;
const INITIAL_MEGABYTES = 16;

const compiled: { module?: Promise<object> } = {};

/** The compiled module, one per process: code optimized in one worker is then optimized for all. */
export function compileBergamot(): Promise<object> {
  compiled.module ??= readModule().then((binary) => WebAssembly.compile(binary));
  return compiled.module;
}

/** The bundle's copy is compressed to a quarter of its size, because it is the largest file of the program. */
async function readModule(): Promise<Uint8Array> {
  const path = fileURLToPath(
    import.meta.resolve('@browsermt/bergamot-translator/worker/bergamot-translator-worker.wasm'),
  );
  const content = await readFile(path);
  return path.endsWith('.br') ? brotliDecompressSync(content) : content;
}

/**
 * Loads the package's WebAssembly module by its path: the package's own worker does not start in Node, because it calls
 * `require` in an ES module. The script gets its `Module` as an argument and accesses nothing else.
 *
 * @param module from {@link compileBergamot}
 * @param memoryMegabytes its memory limit, beyond which it aborts
 * @param onLine receives its output
 */
export function loadBergamot(
  module: object,
  memoryMegabytes: number,
  onLine: (line: string) => void,
): Promise<Bergamot> {
  const script = fileURLToPath(
    import.meta.resolve('@browsermt/bergamot-translator/worker/bergamot-translator-worker.js'),
  );
  return new Promise((resolve, reject) => {
    const loading: Loading = {
      wasmMemory: new WebAssembly.Memory({
        initial: INITIAL_MEGABYTES * PAGES_PER_MEGABYTE,
        maximum: Math.max(memoryMegabytes, INITIAL_MEGABYTES) * PAGES_PER_MEGABYTE,
      }),
      print: onLine,
      printErr: onLine,
      instantiateWasm(imports, accept) {
        const products = Object.entries(PRODUCTS).map(([name, own]) => [
          name,
          (...args: readonly number[]) => loading.asm?.[own]?.(...args),
        ]);
        WebAssembly.instantiate(module, { ...imports, wasm_gemm: Object.fromEntries(products) }).then(
          accept,
          reject,
        );
        return {};
      },
      onRuntimeInitialized() {
        if (isLoaded(loading)) resolve(loading);
        else reject(new Error('the module lacks an expected export'));
      },
    };
    compileFunction(readFileSync(script, 'utf8'), ['Module'], { filename: script })(loading);
  });
}

function isLoaded(loading: Loading): loading is Loading & Bergamot {
  return loading.BlockingService !== undefined && loading.TranslationModel !== undefined;
}

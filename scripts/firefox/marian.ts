import { randomFrom } from './random.ts';

export interface ModelShape {
  /** The number of pieces in the vocabulary, which source and target share. */
  readonly vocabulary: number;
  readonly dimension: number;
  readonly feedForward: number;
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly seed: number;
  /** Added to the score of the end of a sentence, because random weights hardly ever end one. */
  readonly endBias: number;
  /**
   * How much the next word depends on the previous one: with small state weights, a word is repeated forever.
   */
  readonly liveliness: number;
}

interface Item {
  readonly name: string;
  readonly type: number;
  readonly shape: readonly number[];
  readonly data: Buffer;
}

/** Types of Marian's binary format: an int8 matrix followed by its multiplier, 32-bit floats, and text. */
const INT8 = 0x4101;
const FLOAT = 0x0404;
const TEXT = 0x0101;
/** Data at a multiple of this many bytes can be used in place. */
const ALIGNMENT = 256;

/**
 * A student model with random weights in Marian's binary format, like Firefox's models: transformer encoder,
 * SSRU decoder, tied embeddings, int8 weights with the multipliers of their inputs.
 */
export function writeModel(shape: ModelShape): Buffer {
  const weights = new Weights(shape.seed);
  const { vocabulary, dimension, feedForward } = shape;
  weights.matrix('Wemb', vocabulary, dimension);
  weights.multiplier('Wemb');
  weights.multiplier('none');
  for (let layer = 1; layer <= shape.encoderLayers; layer++) {
    weights.attention(`encoder_l${layer}_self`, dimension);
    weights.feedForward(`encoder_l${layer}_ffn`, dimension, feedForward);
  }
  for (let layer = 1; layer <= shape.decoderLayers; layer++) {
    weights.recurrent(`decoder_l${layer}_rnn`, dimension, shape.liveliness);
    weights.attention(`decoder_l${layer}_context`, dimension);
    weights.feedForward(`decoder_l${layer}_ffn`, dimension, feedForward);
  }
  weights.floats('decoder_ff_logit_out_b', [1, vocabulary], (i, random) =>
    i === 0 ? shape.endBias : random * 0.1,
  );
  const yaml = Buffer.from(`${describeModel(shape)}\0`);
  return writeItems([
    ...weights.items,
    { name: 'special:model.yml', type: TEXT, shape: [yaml.length], data: yaml },
  ]);
}

class Weights {
  readonly items: Item[] = [];
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  floats(name: string, shape: readonly number[], value: (i: number, random: number) => number): void {
    const count = shape.reduce((a, b) => a * b, 1);
    const data = Buffer.alloc(count * 4);
    for (let i = 0; i < count; i++) data.writeFloatLE(value(i, this.#random()), i * 4);
    this.items.push({ name, type: FLOAT, shape, data });
  }

  matrix(name: string, rows: number, columns: number, largest = 0.4): void {
    const count = rows * columns;
    const data = Buffer.alloc(count + 4);
    for (let i = 0; i < count; i++) data.writeInt8(Math.round(this.#random() * 100), i);
    data.writeFloatLE(127 / largest, count);
    this.items.push({ name, type: INT8, shape: [rows, columns], data });
  }

  multiplier(name: string): void {
    this.floats(`${name}_QuantMultA`, [1, 1], () => 127 / 4);
  }

  attention(name: string, dimension: number): void {
    for (const part of ['q', 'k', 'v', 'o']) this.#linear(name, `W${part}`, `b${part}`, dimension, dimension);
    this.#normalization(`${name}_Wo`, dimension);
  }

  feedForward(name: string, dimension: number, inner: number): void {
    this.#linear(name, 'W1', 'b1', dimension, inner);
    this.#linear(name, 'W2', 'b2', inner, dimension);
    this.#normalization(`${name}_ffn`, dimension);
  }

  recurrent(name: string, dimension: number, liveliness: number): void {
    for (const part of ['W', 'Wf']) {
      this.matrix(`${name}_${part}`, dimension, dimension, liveliness);
      this.multiplier(`${name}_${part}`);
    }
    this.floats(`${name}_bf`, [1, dimension], (_, random) => random * 0.1);
    this.#normalization(`${name}_ffn`, dimension);
  }

  #linear(name: string, weight: string, bias: string, rows: number, columns: number): void {
    this.matrix(`${name}_${weight}`, rows, columns);
    this.multiplier(`${name}_${weight}`);
    this.floats(`${name}_${bias}`, [1, columns], (_, random) => random * 0.1);
  }

  #normalization(name: string, dimension: number): void {
    this.floats(`${name}_ln_scale`, [1, dimension], () => 1);
    this.floats(`${name}_ln_bias`, [1, dimension], () => 0);
  }
}

function writeItems(items: readonly Item[]): Buffer {
  const padded = items.map((item) => pad(item.data));
  const headers = items.map((item, i) =>
    Buffer.concat(
      [item.name.length + 1, item.type, item.shape.length, padded[i]?.length ?? 0].map((value) =>
        uint64(value),
      ),
    ),
  );
  const names = items.map((item) => Buffer.from(`${item.name}\0`));
  const shapes = items.map((item) => {
    const sizes = Buffer.alloc(4 * item.shape.length);
    for (const [k, size] of item.shape.entries()) sizes.writeInt32LE(size, 4 * k);
    return sizes;
  });
  const head = Buffer.concat([uint64(1), uint64(items.length), ...headers, ...names, ...shapes]);
  const offset = (ALIGNMENT - ((head.length + 8) % ALIGNMENT)) % ALIGNMENT;
  return Buffer.concat([head, uint64(offset), Buffer.alloc(offset), ...padded]);
}

function pad(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc(Math.ceil(data.length / ALIGNMENT) * ALIGNMENT - data.length)]);
}

function uint64(value: number): Buffer {
  const octets = Buffer.alloc(8);
  octets.writeBigUInt64LE(BigInt(value));
  return octets;
}

/** The training options from which the runtime reads the architecture. */
function describeModel(shape: ModelShape): string {
  const options: Readonly<Record<string, string | number | boolean>> = {
    'bert-train-type-embeddings': true,
    'bert-type-vocab-size': 2,
    'dec-cell': 'ssru',
    'dec-cell-base-depth': 2,
    'dec-cell-high-depth': 1,
    'dec-depth': shape.decoderLayers,
    'dim-emb': shape.dimension,
    'dim-rnn': 1024,
    'dim-vocabs': `\n  - ${shape.vocabulary}\n  - ${shape.vocabulary}`,
    'enc-cell': 'gru',
    'enc-cell-depth': 1,
    'enc-depth': shape.encoderLayers,
    'enc-type': 'bidirectional',
    'factors-combine': 'sum',
    'factors-dim-emb': 0,
    'input-types': '\n  []',
    'layer-normalization': false,
    'lemma-dim-emb': 0,
    'output-omit-bias': false,
    'right-left': false,
    skip: false,
    'tied-embeddings': false,
    'tied-embeddings-all': true,
    'tied-embeddings-src': false,
    'transformer-aan-activation': 'swish',
    'transformer-aan-depth': 2,
    'transformer-aan-nogate': false,
    'transformer-decoder-autoreg': 'rnn',
    'transformer-decoder-dim-ffn': 0,
    'transformer-depth-scaling': false,
    'transformer-dim-aan': 2048,
    'transformer-dim-ffn': shape.feedForward,
    'transformer-ffn-activation': 'relu',
    'transformer-ffn-depth': 2,
    'transformer-guided-alignment-layer': 'last',
    'transformer-heads': 8,
    'transformer-no-projection': false,
    'transformer-pool': false,
    'transformer-postprocess': 'dan',
    'transformer-postprocess-emb': 'd',
    'transformer-postprocess-top': '""',
    'transformer-preprocess': '""',
    'transformer-rnn-projection': false,
    'transformer-tied-layers': '\n  []',
    'transformer-train-position-embeddings': false,
    type: 'transformer',
    ulr: false,
    'ulr-dim-emb': 0,
    'ulr-trainable-transformation': false,
    version: 'v1.9.56 random weights',
  };
  return `${Object.entries(options)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n`;
}

/** Kinds of pieces in SentencePiece's ModelProto. */
const NORMAL = 0;
const UNKNOWN = 2;
const CONTROL = 3;

/** A vocabulary of SentencePiece, unigram: `</s>` is 0 and `<unk>` is 1, then the pieces in order. */
export function writeVocabulary(pieces: readonly string[]): Buffer {
  const all = [
    piece('</s>', 0, CONTROL),
    piece('<unk>', 0, UNKNOWN),
    // Long pieces are likelier than their letters, so that words are always split the same way.
    ...pieces.map((text, i) => piece(text, -10 - i / 1000 + Math.min(text.length, 8), NORMAL)),
  ];
  // model_type = UNIGRAM, vocab_size, then unk_id, bos_id (none), eos_id, pad_id (none).
  const trainer = Buffer.concat([
    number(3, 1),
    number(4, all.length),
    number(40, 1),
    number(41, -1),
    number(42, 0),
    number(43, -1),
  ]);
  const normalizer = Buffer.concat([
    bytes(1, Buffer.from('identity')),
    number(3, 1),
    number(4, 1),
    number(5, 1),
  ]);
  return Buffer.concat([...all, bytes(2, trainer), bytes(3, normalizer)]);
}

function piece(text: string, score: number, type: number): Buffer {
  const float = Buffer.alloc(4);
  float.writeFloatLE(score);
  const fields = [bytes(1, Buffer.from(text)), Buffer.concat([varint((2 << 3) | 5), float])];
  if (type !== NORMAL) fields.push(number(3, type));
  return bytes(1, Buffer.concat(fields));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const octets: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    octets.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(octets);
}

/** A text of roughly any length that is designed to keep a reader busy. */
export interface HostileText {
  readonly name: string;
  readonly make: (length: number) => string;
}

/** The same piece repeated: an unclosed opener makes a careless reader start again at each. */
export function repeat(piece: string, { head = '', tail = '' } = {}): HostileText {
  return {
    name: JSON.stringify(`${head}${piece}…${tail}`),
    make: (length) => head + piece.repeat(Math.ceil(length / piece.length)) + tail,
  };
}

/** As many openers as closers, nested. */
export function nest(open: string, close: string, inside = 'word'): HostileText {
  return {
    name: JSON.stringify(`${open}…${inside}${close}…`),
    make: (length) => {
      const depth = Math.ceil(length / (open.length + close.length));
      return open.repeat(depth) + inside + close.repeat(depth);
    },
  };
}

/** Runs of growing length, none of which closes another. */
export function grow(piece: string, separator: string): HostileText {
  return {
    name: `growing ${JSON.stringify(piece + separator)}`,
    make: (length) => {
      const runs: string[] = [];
      for (let size = 0, i = 1; size < length; i++) {
        const run = piece.repeat(i) + separator;
        runs.push(run);
        size += run.length;
      }
      return runs.join('');
    },
  };
}

/** Pieces that all differ: definitions, keys. */
export function count(
  piece: (i: number) => string,
  { head = '', tail = '' }: { readonly head?: string; readonly tail?: string } = {},
): HostileText {
  return {
    name: JSON.stringify(`${head}${piece(1)}${piece(2)}…${tail}`),
    make: (length) => {
      const pieces: string[] = [head];
      for (let size = 0, i = 1; size < length; i++) {
        const next = piece(i);
        pieces.push(next);
        size += next.length;
      }
      pieces.push(tail);
      return pieces.join('');
    },
  };
}

/** Half of one text, and half of another: references and their definitions. */
export function both(first: HostileText, second: HostileText): HostileText {
  return {
    name: `${first.name} then ${second.name}`,
    make: (length) => first.make(length / 2) + second.make(length / 2),
  };
}

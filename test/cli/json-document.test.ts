import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../src/cli/output/output.ts';

function piecesOf(value: unknown): readonly string[] {
  const pieces: string[] = [];
  writeJson(value, (piece) => pieces.push(piece));
  return pieces;
}

describe('JSON in pieces', () => {
  it('equals the output of JSON.stringify', () => {
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(
        fc.jsonValue(),
        fc.constant(undefined),
        fc.date({ noInvalidDate: true }),
        fc.double(),
        fc.string({ unit: 'binary' }),
      ),
      tree: fc.oneof(
        { maxDepth: 5 },
        tie('leaf'),
        fc.array(tie('tree')),
        fc.dictionary(fc.string(), tie('tree'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(piecesOf([value]).join('')).toBe(JSON.stringify([value], null, 2));
      }),
    );
  });

  it('is never one long string, and never splits a text', () => {
    const text = '\u001b##[error]'.repeat(10_000);
    const pieces = piecesOf({ rows: Array.from({ length: 8 }, () => ({ text })) });
    expect(pieces.length).toBeGreaterThan(7);
    expect(pieces.filter((piece) => piece.includes(JSON.stringify(text)))).toHaveLength(8);
  });
});

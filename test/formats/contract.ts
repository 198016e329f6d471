import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { splice } from '../../src/base/span.ts';
import type { Document, Format, Slot } from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';
import { TRICKY_VALUES } from '../../src/plugins/contract/mutation.ts';

/** Random target values: text without control characters that no text format can hold, and without lone surrogates. */
export const targetValues = fc
  .oneof(
    fc.constantFrom(...TRICKY_VALUES),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc
      .array(fc.constantFrom(...TRICKY_VALUES, 'word', ' ', '\n', '"', "'", '\\'), { maxLength: 6 })
      .map((parts) => parts.join('')),
  )
  .filter(
    (value) =>
      !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff\ufeff]/.test(value),
  );

export interface ContractOptions {
  /** Source texts of documents, with all notations that the format allows. */
  readonly documents: fc.Arbitrary<string>;
  /** Called with the output, to read it back with a parser that the format itself does not use. */
  readonly oracle?: (rendered: Document) => void;
  readonly runs?: number;
}

/** The contract of every format, tested with random documents and values. */
export function formatContract(format: Format, { documents, oracle, runs = 300 }: ContractOptions): void {
  describe('contract', () => {
    it('renders unchanged values to the identical text', () => {
      fc.assert(
        fc.property(documents, (source) => {
          const document = format.scan(source);
          // Writing a value removes its mark, which counts as a change.
          const settled = [...document.slots.entries()].filter(
            ([, slot]) => !slot.provisional && !slot.review,
          );
          const values = new Map(settled.map(([index, slot]) => [index, slot.value]));
          expect(render(format, document, values).document.text).toBe(source);
        }),
        { numRuns: runs },
      );
    });

    it('reads the same values again after encoding them', () => {
      fc.assert(
        fc.property(documents, (source) => {
          const document = format.scan(source);
          const edits = document.slots.map((slot) => ({ span: slot.span, text: slot.encode(slot.value) }));
          const again = format.scan(splice(source, edits));
          expect(again.slots.map((slot) => slot.value)).toEqual(document.slots.map((slot) => slot.value));
        }),
        { numRuns: runs },
      );
    });

    it('writes any value exactly, or refuses it, and changes nothing else', () => {
      fc.assert(
        fc.property(
          documents,
          fc.infiniteStream(fc.option(targetValues, { nil: undefined })),
          (source, stream) => {
            const document = format.scan(source);
            const values = new Map<number, string>();
            for (const index of document.slots.keys()) {
              const value = stream.next().value;
              if (value !== undefined) values.set(index, value);
            }
            const { document: rendered, rejected } = render(format, document, values);
            for (const error of rejected.values()) {
              expect(error).toBeInstanceOf(DragomanError);
              expect(error.code, error.message).toBe('unencodable_value');
            }
            for (const [index, slot] of document.slots.entries()) {
              const wanted = rejected.has(index) ? slot.value : (values.get(index) ?? slot.value);
              expect(rendered.slots[index]?.value).toBe(wanted);
            }
            // Companions are edits between the slots; a missing element is inserted with its value.
            if (!document.slots.some((slot) => slot.companions?.length || isAbsent(document, slot))) {
              expect(outside(rendered)).toEqual(outside(document));
            }
            oracle?.(rendered);
          },
        ),
        { numRuns: runs },
      );
    });

    it('accepts any text as a document or refuses it with a DragomanError and its position', () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ maxLength: 200 }), documents.chain(damaged)), (source) => {
          try {
            format.scan(source);
          } catch (error) {
            expect(error).toBeInstanceOf(DragomanError);
            expect((error as DragomanError).at?.line).toBeGreaterThan(0);
          }
        }),
        { numRuns: runs },
      );
    });
  });
}

function isAbsent({ text }: Document, { source, span }: Slot): boolean {
  return source !== undefined && /^(?:\s*\/>)?$/.test(text.slice(span.start, span.end));
}

/** The bytes between the slots. */
function outside(document: Document): readonly string[] {
  let at = 0;
  const parts: string[] = [];
  for (const { span } of document.slots) {
    parts.push(document.text.slice(at, span.start));
    at = span.end;
  }
  return [...parts, document.text.slice(at)];
}

function damaged(source: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(source.length), fc.nat(12), fc.string({ maxLength: 6 }))
    .map(([at, cut, put]) => source.slice(0, at) + put + source.slice(at + cut));
}

import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document, Format, Slot } from '../../src/formats/format.ts';
import { describeFormat, FORMAT_IDS, loadFormat } from '../../src/formats/registry.ts';
import { render, type Scanner } from '../../src/formats/render.ts';
import { SPECIMENS } from '../specimens/specimens.ts';

describe.each(FORMAT_IDS)('rendering %s', (id) => {
  const { text, hostile } = SPECIMENS[id].threeKeys;
  const values = new Map([
    [0, 'first'],
    [1, 'second'],
    [2, 'third'],
  ]);

  /** The format with an incorrect encoder for one of its slots. */
  function withEncoder(format: Format, encode: (slot: Slot, value: string) => string): Scanner<Document> {
    return {
      scan(source, options) {
        const document = format.scan(source, options);
        const slots = document.slots.map((slot, i): Slot => {
          const { key, value, span, syntax } = slot;
          const wanted = (put: string) => (i === 1 ? encode(slot, put) : slot.encode(put));
          return { key, value, span, syntax, encode: wanted };
        });
        return { ...document, entries: [], slots };
      },
    };
  }

  const cases: readonly [string, (slot: Slot, value: string) => string][] = [
    ['adds a key', () => hostile],
    ['writes another value', (slot) => slot.encode('other')],
    ['writes text that does not scan or is not a slot', () => '\0"<\\'],
  ];

  it.each(cases)('finds the one value whose encoder %s', async (_, encode) => {
    const format = await loadFormat(describeFormat(id));
    const scanner = withEncoder(format, encode);
    const { text: written, rejected, document } = render(scanner, scanner.scan(text), values);
    expect([...rejected].map(([index, { code }]) => [index, code])).toEqual([[1, 'integrity']]);
    expect(document.slots.map(({ value }) => value)).toEqual([
      'first',
      expect.stringMatching(/^x?2$/),
      'third',
    ]);
    expect(document.text).toBe(written);
  });

  it('refuses a rendering that swallows a neighbour, and finds the cause', async () => {
    const format = await loadFormat(describeFormat(id));
    const document = format.scan(text);
    const [first, second, third] = document.slots;
    if (!first || !second || !third) throw new Error('three slots');
    // The place of the second value extends to the third.
    const reaching: Slot = {
      ...describeSlot(second),
      span: { start: second.span.start, end: third.span.start },
      encode: (value) => second.encode(value) + text.slice(second.span.end, third.span.start) + 'x',
    };
    const damaged = { ...document, entries: [], slots: [first, reaching, third] };
    const { rejected, text: written } = render(format, damaged, values);
    expect([...rejected.keys()]).toEqual([1]);
    expect(format.scan(written).slots.map(({ value }) => value)).toEqual([
      'first',
      expect.stringMatching(/^x?2$/),
      'third',
    ]);
  });

  it('writes every value as its slot encodes it', async () => {
    const format = await loadFormat(describeFormat(id));
    const document = format.scan(text);
    const expected = splice(
      text,
      document.slots.map((slot, i) => ({ span: slot.span, text: slot.encode(values.get(i) ?? '') })),
    );
    const rendering = render(format, document, values);
    expect(rendering.rejected.size).toBe(0);
    expect(rendering.text).toBe(expected);
    expect(render(format, document, new Map([[0, document.slots[0]?.value ?? '']])).document).toBe(document);
  });
});

function describeSlot({ key, value, span, syntax }: Slot): Omit<Slot, 'encode'> {
  return { key, value, span, syntax };
}

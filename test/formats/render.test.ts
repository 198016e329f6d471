import { describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document, Format, ReadValue, ScanOptions, Slot } from '../../src/formats/format.ts';
import { FORMAT_IDS, loadFormat, type FormatId } from '../../src/formats/registry.ts';
import { render, type Scanner } from '../../src/formats/render.ts';

/** A document of three keys, and what an encoder would write to change a neighbour. */
const DOCUMENTS: Readonly<Record<FormatId, { text: string; hostile: string }>> = {
  json: { text: '{"a": "1", "b": "2", "c": "3"}\n', hostile: '"x", "d": "y"' },
  yaml: { text: 'a: "1"\nb: "2"\nc: "3"\n', hostile: '"x"\nd: "y"' },
  po: {
    text: ['a', 'b', 'c'].map((id, i) => `msgid "${id}"\nmsgstr "${i + 1}"\n`).join('\n'),
    hostile: '"x"\n\nmsgid "d"\nmsgstr "y"',
  },
  properties: { text: 'a=1\nb=2\nc=3\n', hostile: 'x\nd=y' },
  strings: { text: '"a" = "1";\n"b" = "2";\n"c" = "3";\n', hostile: '"x";\n"d" = "y"' },
  xcstrings: {
    text: `{"strings": {${['a', 'b', 'c'].map((key, i) => `"${key}": ${english(`"${i + 1}"`)}`).join(', ')}}}\n`,
    hostile: '"x"}}}}, "d": {"localizations": {"en": {"stringUnit": {"value": "y"',
  },
  xml: {
    text: ['a', 'b', 'c']
      .map((name, i) => `<string name="${name}">${i + 1}</string>`)
      .join('\n')
      .replace(/^[^]*$/, '<resources>$&</resources>\n'),
    hostile: 'x</string><string name="d">y',
  },
  csv: { text: 'key,en\na,1\nb,2\nc,3\n', hostile: 'x\nd,y' },
  xliff: {
    text: ['a', 'b', 'c']
      .map((id, i) => `<trans-unit id="${id}"><source>${id}</source><target>${i + 1}</target></trans-unit>`)
      .join('\n')
      .replace(/^[^]*$/, '<xliff version="1.2"><file original="f"><body>$&</body></file></xliff>\n'),
    hostile:
      '<target>x</target></trans-unit><trans-unit id="d"><source>d</source><target>y</target></trans-unit>',
  },
  qt: {
    text: ['a', 'b', 'c']
      .map((id, i) => `<message><source>${id}</source><translation>${i + 1}</translation></message>`)
      .join('\n')
      .replace(/^[^]*$/, '<TS version="2.1"><context><name>x</name>$&</context></TS>\n'),
    hostile: 'x</translation></message><message><source>d</source><translation>y</translation></message>',
  },
  php: {
    text: "<?php\nreturn ['a' => '1', 'b' => '2', 'c' => '3'];\n",
    hostile: "'x', 'd' => 'y'",
  },
  toml: { text: 'a = "1"\nb = "2"\nc = "3"\n', hostile: '"x"\nd = "y"' },
  ini: { text: 'a = 1\nb = 2\nc = 3\n', hostile: 'x\nd = y' },
  json5: { text: "{ a: '1', b: '2', c: '3', }\n", hostile: "'x', d: 'y'" },
  module: { text: "export default { a: '1', b: '2', c: '3' };\n", hostile: "'x', d: 'y'" },
  fluent: { text: 'a = 1\nb = 2\nc = 3\n', hostile: 'x\nd = y' },
};

function english(value: string): string {
  return `{"localizations": {"en": {"stringUnit": {"value": ${value}}}}}`;
}

describe.each(FORMAT_IDS)('rendering %s', (id) => {
  const { text, hostile } = DOCUMENTS[id];
  const values = new Map([
    [0, 'first'],
    [1, 'second'],
    [2, 'third'],
  ]);

  /** The format with an encoder for one of its slots that is not to be trusted. */
  function withEncoder(format: Format, encode: (slot: Slot, value: string) => string): Scanner<Document> {
    return {
      ...(format.read && {
        read: (source: string, visit: ReadValue, options?: ScanOptions) =>
          format.read?.(source, visit, options),
      }),
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
    ['writes what does not scan or is no slot', () => '\0"<\\'],
  ];

  it.each(cases)('finds the one value whose encoder %s', async (_, encode) => {
    const format = await loadFormat(id);
    const scanner = withEncoder(format, encode);
    const { text: written, rejected, document } = render(scanner, scanner.scan(text), values);
    expect([...rejected].map(([index, { code }]) => [index, code])).toEqual([[1, 'integrity']]);
    expect(document.slots.map(({ value }) => value)).toEqual(['first', '2', 'third']);
    expect(document.text).toBe(written);
  });

  it('refuses a rendering that swallows a neighbour, and finds who did it', async () => {
    const format = await loadFormat(id);
    const document = format.scan(text);
    const [first, second, third] = document.slots;
    if (!first || !second || !third) throw new Error('three slots');
    // The place of the second value reaches up to the third.
    const reaching: Slot = {
      ...describeSlot(second),
      span: { start: second.span.start, end: third.span.start },
      encode: (value) => second.encode(value) + text.slice(second.span.end, third.span.start) + 'x',
    };
    const damaged = { ...document, entries: [], slots: [first, reaching, third] };
    const { rejected, text: written } = render(format, damaged, values);
    expect([...rejected.keys()]).toEqual([1]);
    expect(format.scan(written).slots.map(({ value }) => value)).toEqual(['first', '2', 'third']);
  });

  it('writes its own values', async () => {
    const format = await loadFormat(id);
    const document = format.scan(text);
    const expected = splice(
      text,
      document.slots.map((slot, i) => ({ span: slot.span, text: slot.encode(values.get(i) ?? '') })),
    );
    const rendering = render(format, document, values);
    expect(rendering.rejected.size).toBe(0);
    expect(rendering.text).toBe(expected);
    expect(render(format, document, new Map([[0, '1']])).document).toBe(document);
  });
});

function describeSlot({ key, value, span, syntax }: Slot): Omit<Slot, 'encode'> {
  return { key, value, span, syntax };
}

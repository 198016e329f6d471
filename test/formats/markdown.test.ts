import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import type { Document, Format } from '../../src/formats/format.ts';
import { markdown } from '../../src/formats/markdown/format.ts';
import { parseBody } from '../../src/formats/markdown/parse.ts';
import { constructsWith, type MarkdownEvent } from '../../src/formats/markdown/parts.ts';
import { mdx } from '../../src/formats/mdx/format.ts';
import { render } from '../../src/formats/render.ts';
import { processorTime } from '../processor-time.ts';
import { cmarkGfm } from '../readers/markdown.ts';
import { runs } from '../property-runs.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('markdown', markdown);
goldenCases('mdx', mdx);

const word = fc.constantFrom(
  'word',
  'Größe',
  '漢字',
  'a_b',
  'e.g.',
  '2 * 3',
  '\\*',
  '&amp;',
  '&nbsp;',
  'I',
  'x:y',
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom(
    '`code`',
    '``a`b``',
    '<b>',
    '</b>',
    '<br>',
    '<https://a.b>',
    'www.a.b',
    '[^1]',
    '![alt](i.png)',
  ),
  fc.constantFrom(
    '{{< s a_b >}}',
    '{{< s title="a \\"b\\"" alt="c" >}}',
    '<Badge text="a & b" type="c"/>',
    '{{ x }}',
    ':emoji:',
    '$a_1$',
    '{#id}',
    '[[wiki]]',
    '[r]',
    '[t][r]',
    '[t]: x',
  ),
);
const inline = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: leaf },
      fc.tuple(fc.constantFrom('*', '**', '_', '~~'), leaf).map(([mark, text]) => mark + text + mark),
      fc
        .tuple(
          fc.constantFrom('', '!'),
          leaf,
          fc.constantFrom('(u)', '(<u v> "T")', "(u 'Größe & \\'x\\'')", '(u (a b))', '(u "5")', '[r]', '[]'),
        )
        .map(([mark, text, end]) => `${mark}[${text}]${end}`),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(' '));
const lines = fc
  .tuple(inline, fc.constantFrom('\n', '  \n', '\\\n', '\n  '), fc.option(inline))
  .map(([first, end, second]) => (second === null ? first : first + end + second));
const block = fc.oneof(
  { weight: 3, arbitrary: lines },
  inline.map((text) => `## ${text} ##`),
  inline.map((text) => `${text}\n---`),
  fc.tuple(inline, inline).map(([a, b]) => `| ${a} | b |\n|---|:-:|\n| c | ${b} |`),
  fc.constantFrom(
    '```js\ncode\n```',
    '    code',
    '***',
    '<div>\ntext <b>in</b> html\n</div>',
    '[r]: u "Title"',
  ),
  fc.constantFrom(
    '[^1]: note',
    ':::tip Title\ntext\n:::',
    '!!! note "T"\n\n    text',
    '<!-- c -->',
    'Term\n: text',
  ),
);
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
const nested = fc.oneof(
  { weight: 4, arbitrary: block },
  block.map((text) => `> ${indented(text, '> ')}`),
  block.map((text) => `- ${indented(text, '  ')}`),
  block.map((text) => `1. [ ] ${indented(text, '   ')}`),
);
const documents = fc
  .tuple(
    fc.constantFrom('', '\ufeff', '---\ntitle: Title\ntags: [a]\n---\n', '+++\ndescription = "D"\n+++\n'),
    fc.array(nested, { maxLength: 4 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([front, blocks, newline, end]) => (front + blocks.join('\n\n') + end).replaceAll('\n', newline));

const rendered: Document[] = [];
formatContract(markdown, { documents, oracle: (document) => void rendered.push(document), runs: 60 });

describe('MDX', () => {
  formatContract(mdx, {
    documents: documents.map((text) => text.replace(/<(?!div)[^>]*>|[{}]/g, '')),
    runs: 25,
  });

  it('counts lines from the top of the file if it is not well-formed', () => {
    const at = { line: 7, column: 1 };
    expect(() => mdx.scan('---\ntitle: T\n---\n\n# A\n{b\n')).toThrow(
      expect.objectContaining({ code: 'unreadable_input', at }) as DragomanError,
    );
  });
});

it('a second byte order mark counts as a letter', () => {
  const { slots } = markdown.scan('\ufeff\ufeffab *cd*\n\ne *f*\n');
  expect(slots.map(({ value }) => value)).toEqual(['ab <em>cd</em>', 'e <em>f</em>']);
});

describe('a document that is read leaf by leaf', () => {
  const constructs = constructsWith([]);
  const bodies = documents.map((text) => text.replace(/^\ufeff/, ''));
  const AROUND = /^(?:blockQuote|listOrdered|listUnordered|gfmFootnoteDefinition|table|tableHead|tableBody)$/;
  const wordOf = ([type, { type: name, start, end }]: MarkdownEvent): string =>
    `${type} ${name} ${start.line}:${start.offset}-${end.offset}`;

  it('has the same events as when it is read as a whole', () => {
    fc.assert(
      fc.property(bodies, (source) => {
        const parser = Object.assign(parse({ extensions: [gfm()] }), { gfmFootnotes: [] });
        const whole = postprocess(parser.document().write(preprocess()(source, undefined, true)));
        const read: string[] = [];
        const labels = parseBody(source, constructs, ({ events }) => void read.push(...events.map(wordOf)));
        expect(read).toEqual(whole.filter(([, { type }]) => !AROUND.test(type)).map(wordOf));
        expect(labels).toEqual({ definitions: parser.defined, footnotes: parser.gfmFootnotes });
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ['items', '- a *b*\n'],
    ['quotes', '> a *b*\n\n'],
    ['rows', '| a *b* | c |\n', '| a | b |\n|-|-|\n'],
    ['notes', '[^1]: a *b*\n'],
  ])('keeps the inline content of at most one leaf in memory: %s', (_, piece, head = '') => {
    let most = 0;
    const use = ({ events }: { readonly events: readonly unknown[] }): void => {
      most = Math.max(most, events.length);
    };
    parseBody(head + piece.repeat(100), constructs, use);
    expect(most).toBeLessThan(60);
  });
});

describe('a value that would mean something else in its place', () => {
  it.each([
    ['a definition list after a title', '!!! note "e"\n  t\n', ': more'],
    ['a list item in a row without pipes', 'e|W\n-|-\ne\n', '- more'],
    ['a list item in a table within an item', '- e|W\n  -|-\n  e\n', '- more'],
    ['a backslash in a cell directly before its pipe', 'a|b\n-|-\nc|d|\n', 'e>\\'],
  ])('is escaped: %s', (_, source, value) => {
    const document = markdown.scan(source);
    const last = document.slots.length - 1;
    const { text, rejected } = render(markdown, document, new Map([[last, value]]));
    expect(rejected.size).toBe(0);
    expect(markdown.scan(text).slots.map((slot) => slot.value)).toEqual(
      document.slots.map((slot, i) => (i === last ? value : slot.value)),
    );
  });

  it('is refused if it would close an unclosed comment', () => {
    const document = mdx.scan('a {/<!--/}\n\nb\n');
    expect(render(mdx, document, new Map([[1, 'c --> d']])).rejected.size).toBe(1);
    const other = mdx.scan('<Card title="a"/>\n\nb\n');
    expect(render(mdx, other, new Map(['a <!-- b', 'c --> d'].entries())).rejected.size).toBe(0);
  });

  it('is refused if it would turn the comment behind it into text', () => {
    const document = mdx.scan('a<!--\n\n-->\n');
    expect(document.slots.map(({ value }) => value)).toEqual(['a']);
    const { rejected } = render(mdx, document, new Map([[0, 'c\\']]));
    expect([...rejected.values()].map(({ code }) => code)).toEqual(['unencodable_value']);
  });

  it.each(['e||\n-|\n|-\n', '> e||\n> -|\n> |-\n', '- e||\n  -|\n  |-\n'])(
    'is refused if it would become the header of a table: %j',
    (source) => {
      const write = (value: string): ReturnType<typeof render> =>
        render(markdown, markdown.scan(source), new Map([[0, value]]));
      expect([...write('head').rejected.values()].map(({ code }) => code)).toEqual(['unencodable_value']);
      expect(write('two | cells').text).toBe(source.replace('e||', 'two | cells'));
    },
  );

  it.each([
    ['o[[|t\n-|-\n', 'b]]'],
    ['# a {{<\nt\n', 'b >}}'],
    ['t|b$$\n-|-\n', '$$ a'],
    ['<div>t\n>$$\n$$\n', 'a'],
    ['<n>\nt\n>$$\n\nd\n$$\n', 'a'],
    ['t <n s=\n\n"n\n\n<n @u>" e=\'\'>\n', 'a'],
  ])('is refused or escaped if it would form or break a notation with its neighbour: %j', (source, value) => {
    const document = markdown.scan(source);
    const at = document.slots.findIndex((slot) => slot.value.startsWith('t'));
    const { rejected } = render(markdown, document, new Map([[at, value]]));
    expect(
      [...rejected.values()].map(({ code }) => code).filter((code) => code !== 'unencodable_value'),
    ).toEqual([]);
  });

  it('is not extracted from an XML instruction, even an indented one', () => {
    expect(markdown.scan('- t\n <![CDATA[>text]]>\n').slots.map(({ value }) => value)).toEqual(['t']);
  });
});

/** Words of an engine that keeps all markup: each is replaced with another one of the same letters. */
function translated(document: Document, format: Format = markdown): ReturnType<typeof render> {
  const change = (text: string): string =>
    text.replace(
      /(<[^>]*>|&[^;\s]*;)|(\p{L}{2,})/gu,
      (_, markup?: string, word = '') => markup ?? `${word}${word}`,
    );
  return render(format, document, new Map(document.slots.map(({ value }, i) => [i, change(value)])));
}

const missing = cmarkGfm.missing();

describe('an independent reader', () => {
  it.skipIf(missing !== undefined)('finds the structure of the source in a translation', () => {
    fc.assert(
      fc.property(documents, (source) => {
        // Readers differ in notations that CommonMark does not define. This one finds a table after
        // a task's checkbox, where others find text.
        fc.pre(!/!!!|:::|^[ >]*: |\{\{|\$|\] \|/m.test(source));
        const { text } = translated(markdown.scan(source));
        const [theirs, ours] = structuresOf([source, text]);
        expect(ours).toEqual(theirs);
      }),
      { numRuns: runs(60) },
    );
  });

  const specification = '/usr/share/doc/cmark-gfm/spec.txt.gz';
  it.skipIf(missing !== undefined || !existsSync(specification))(
    'finds the structure of the specification’s examples, whose bytes do not change with unchanged values',
    () => {
      const text = gunzipSync(readFileSync(specification)).toString('utf8');
      const examples = [...text.matchAll(/^`{32} example.*\n([^]*?)^\.\n/gm)].map(([, example = '']) =>
        example.replaceAll('→', '\t'),
      );
      expect(examples.length).toBeGreaterThan(600);
      const differing: unknown[] = [];
      const translations = examples.map((source) => {
        const document = markdown.scan(source);
        const same = render(markdown, document, new Map(document.slots.map(({ value }, i) => [i, value])));
        expect(same.text).toBe(source);
        const { text: other, rejected } = translated(document);
        if (rejected.size > 0)
          differing.push({ source, rejected: [...rejected.values()].map((e) => e.message) });
        return other;
      });
      const structures = structuresOf([...examples, ...translations]).map((one) => JSON.stringify(one));
      for (const [i, source] of examples.entries())
        if (structures[i] !== structures[examples.length + i])
          differing.push({ source, other: translations[i] });
      expect(differing).toEqual([]);
    },
    120_000,
  );
});

function structuresOf(texts: readonly string[]): readonly unknown[] {
  const readings = cmarkGfm.read(texts.map((text) => ({ bytes: Buffer.from(text) })));
  return readings.map((reading, i) => {
    if ('refused' in reading) throw new Error(`cmark-gfm refuses ${texts[i]}`);
    return reading.entries;
  });
}

describe('a document that would take too long', () => {
  it.each([
    ['quotes', '> '.repeat(5_000)],
    ['lists', '- '.repeat(2_000)],
    ['numbers', '1. '.repeat(500)],
    ['indented lists', Array.from({ length: 300 }, (_, i) => `${' '.repeat(2 * i)}- a\n`).join('')],
  ])('is refused with its position: %s', (_, text) => {
    expect(() => markdown.scan(`a\n\n${text}b\n`)).toThrow(
      expect.objectContaining({
        code: 'limit_exceeded',
        at: expect.objectContaining({ line: expect.any(Number) }),
      }) as DragomanError,
    );
  });

  it('is refused with its position: braces of MDX', () => {
    expect(() => mdx.scan(`a\n\n<Card data={${'{"a":'.repeat(300)}1${'}'.repeat(300)}} />\n`)).toThrow(
      expect.objectContaining({
        code: 'limit_exceeded',
        at: expect.objectContaining({ line: 3 }),
      }) as DragomanError,
    );
  });

  it.each([
    ['items', '- item **a** and *b*\n'],
    ['numbers', '1. item **a** and *b*\n'],
    ['items in items', '- item **a**\n  - and *b*\n    - and *c*\n'],
  ])('is not a list whose %s are separate texts', (_, items) => {
    const { slots } = markdown.scan(items.repeat(2_000));
    expect(slots).toHaveLength(2_000 * (items.split('\n').length - 1));
  });

  it.each([
    ['text', 'a **x *y\n'],
    ['numbers that do not begin a list', '2. a **x *y\n'],
    ['lines that are indented', '    - a **x *y\n'],
  ])('may be a single paragraph with thousands of marks: %s', (_, lines) => {
    expect(() => markdown.scan(`p\n${lines.repeat(2_000)}`)).toThrow(/more than 4000 marks of emphasis/);
  });
});

describe('any other document', () => {
  it.each([
    ['brackets', '['],
    ['stars', '*a '],
    ['underscores', '_a __b '],
    ['ticks', '` `` '],
    ['tags', '<a '],
    ['comments', '<!--'],
    ['shortcodes', '{{<'],
    ['raw', '{% raw %} '],
    ['formulas', '$a_'],
    ['emojis', ':a'],
    ['images', '![a'],
    ['fences', '```\n'],
    ['colons', ':::\n'],
    ['markers', '> - 1. '],
  ])('takes time in proportion to its length: %s', (_, piece) => {
    const time = (count: number): number => {
      const text = `a ${piece.repeat(count)}`;
      const started = processorTime();
      try {
        markdown.scan(text);
      } catch (error) {
        expect(error).toBeInstanceOf(DragomanError);
      }
      return processorTime() - started;
    };
    time(200);
    expect(time(2_000)).toBeLessThan(12 * time(500) + 1_000);
  });
});

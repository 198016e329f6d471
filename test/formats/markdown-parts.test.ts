import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { mdxjs } from 'micromark-extension-mdxjs';
import { describe, expect, it } from 'vitest';
import { parseBody } from '../../src/formats/markdown/parse.ts';
import {
  BlockReader,
  constructsWith,
  type Constructs,
  type MarkdownEvent,
} from '../../src/formats/markdown/parts.ts';
import { runs } from '../property-runs.ts';

/**
 * Beginnings and ends of everything that may stay open across an empty line, and constructs that are parsed differently
 * there.
 */
const BLOCKS = [
  'text',
  'text *a',
  'b* text',
  '**a** [r] [^n] ![r][]',
  '[r][R]',
  'x',
  '\ufeffmark',
  'a\\',
  'a  ',
  '\ttext',
  '# a',
  'a\n===',
  '===',
  '---',
  '***',
  '## ',
  'a\n---\nb',
  '```',
  '~~~~',
  '```js\na\n\nb\n```',
  '~~~\na',
  '````',
  '   ```',
  '    code',
  '    code\n\n    more',
  '\tcode',
  '- a',
  '- a\n\n  b',
  '-',
  '- ```\n  a',
  '1. a',
  '1) a',
  '12. a\n\n    b',
  '* - + a',
  '-   a\n\n      code',
  '+ [ ] a',
  '> a',
  '> - a',
  '> ```\n> a',
  '>',
  '> a\nlazy',
  '- a\nlazy',
  '> [q]: u',
  '- [l]: u',
  '> | a |\n> |-|\n> | b |',
  '[r]: u',
  '[r]: u "title"',
  '[r]:\nu\n"title"',
  "[r]: u 'open",
  '[r]: <u',
  '[r]:|\n-|',
  '[r]:',
  '[é]: u\ntext',
  '[^n]: note',
  '[^n]: note\n\n    more',
  '[^n]:\n\n    ```',
  '[^n]: - a',
  '[^m]: [^n] [r]',
  '<div>',
  '</div>',
  '<div>\n*a*',
  '<!--',
  '-->',
  '<!-- a',
  'b -->',
  '<script>',
  '</script>',
  '<pre>',
  '<?',
  '?>',
  '<![CDATA[',
  ']]>',
  '<!X',
  '>',
  '<x>',
  '<textarea>\n\na',
  '<del>*a*</del>',
  '| a | b |\n|---|---|\n| c |',
  '| a |',
  '|-|',
  'a|b\n-|-',
  '| a |\n|-|\n\n| b |',
  '- | a |\n  |-|\n  | b |',
  ':::note',
  ':::',
  '!!! note',
  '    a',
  '   a',
  '  - a',
  '     a',
  ' ',
  '\t',
  '  \n   ',
  '\0',
  '&amp;',
  '`a',
  'b`',
];
const MODULES = [
  "import a from 'a'",
  'import {b} from "b"',
  'export const c = {',
  '}',
  'export const d = `',
  '`',
  'import',
  'export',
  '{',
  '}',
  '{/*',
  '*/}',
  '{a}',
  '{`',
  '`}',
  '<A',
  '/>',
  '<A>',
  '</A>',
  '<A b={',
  '}/>',
  '<A\n\nb',
  '<A/> text',
  '{a} text',
  '- {',
  '> <A',
  '<A b="',
  '"/>',
  '<a.b />',
  '<>',
  '</>',
  'e',
  'i',
];

const specification = '/usr/share/doc/cmark-gfm/spec.txt.gz';
const EXAMPLES = existsSync(specification)
  ? [
      ...gunzipSync(readFileSync(specification))
        .toString('utf8')
        .matchAll(/^`{32} example.*\n([^]*?)^\.\n/gm),
    ].map(([, example = '']) => example.replaceAll('→', '\t').replace(/\n$/, ''))
  : [];

const MARKDOWN = constructsWith([]);
const MDX = constructsWith([mdxjs()]);

const gap = fc.constantFrom('\n\n', '\n\n\n', '\n', '\n \t\n', '\n\n', '\n>\n', '\n  \n');
const joined = (fragments: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...fragments), gap), { minLength: 1, maxLength: 16 }),
      fc.constantFrom('\n', '\n', '\r\n', '\r'),
      fc.constantFrom('', '\ufeff', '[r]: above\n\n'),
    )
    .map(([parts, newline, start]) => start + parts.flat().join('').replaceAll('\n', newline));
const size = fc.constantFrom(1, 1, 10, 40, 200);

const wordOf = ([type, { type: name, start, end }]: MarkdownEvent): string =>
  `${type} ${name} ${start.line}:${start.column}:${start.offset}-${end.line}:${end.column}:${end.offset}`;

/** The result of a reading: its events, or that the document is not MDX. */
interface Reading {
  readonly leaves: readonly string[];
  readonly definitions: ReadonlySet<string>;
  readonly footnotes: ReadonlySet<string>;
}

function readBody(body: string, constructs: Constructs, characters: number): Reading | string {
  const leaves: string[] = [];
  try {
    const labels = parseBody(
      body,
      constructs,
      ({ events, depth }) => void leaves.push(`depth ${depth}`, ...events.map(wordOf)),
      undefined,
      characters,
    );
    return { leaves, definitions: new Set(labels.definitions), footnotes: new Set(labels.footnotes) };
  } catch (error) {
    // If there are several errors, reading in parts finds the one in the first part.
    if (error instanceof Error && 'ruleId' in error) return 'no MDX';
    throw error;
  }
}

describe.each([
  ['Markdown', MARKDOWN, BLOCKS],
  ['MDX', MDX, [...BLOCKS.filter((block) => !/[<{]/.test(block)), ...MODULES]],
] as const)('%s that is read in parts', (name, constructs, fragments) => {
  it('has the same events as when it is read as a whole', () => {
    fc.assert(
      fc.property(joined(fragments), size, (body, characters) => {
        expect(readBody(body, constructs, characters)).toEqual(readBody(body, constructs, Infinity));
      }),
      { numRuns: runs(600) },
    );
  });

  it.skipIf(EXAMPLES.length === 0)('has the same events as consecutive examples of the specification', () => {
    const usable =
      name === 'MDX' ? EXAMPLES.filter((example) => !/[<{]|^(?:im|ex)port/m.test(example)) : EXAMPLES;
    expect(usable.length).toBeGreaterThan(300);
    fc.assert(
      fc.property(joined(usable), size, (body, characters) => {
        expect(readBody(body, constructs, characters)).toEqual(readBody(body, constructs, Infinity));
      }),
      { numRuns: runs(120) },
    );
    for (const between of ['\n\n', '\n\ntext [foo] [^1]\n\n', '\n\n-->?>]]></script></pre>\n\n']) {
      const all = usable.join(between);
      expect(readBody(all, constructs, 100)).toEqual(readBody(all, constructs, Infinity));
    }
  });
});

describe('a part of a document', () => {
  const NONE = { definitions: [], footnotes: [] };
  /** The number of parts of a document, and the beginning of the second. */
  const divide = (body: string, constructs: Constructs): { readonly count: number; readonly end: number } => {
    const document = `${body}\n\n${'end\n\n'.repeat(20)}`;
    const ends: number[] = [];
    new BlockReader(document, constructs, 1).read(NONE, (events) => {
      ends.push(events.at(-1)?.[1].end.offset ?? 0);
    });
    return { count: ends.length, end: ends[0] ?? 0 };
  };
  const expectHeld = (body: string, constructs: Constructs): void => {
    const { count, end } = divide(body, constructs);
    expect(count).toBeGreaterThan(1);
    expect(end).toBeGreaterThan(body.length);
  };

  it.each([
    ['a list', '- a\n\n  b'],
    ['a note', '[^n]: a\n\n    b'],
    ['a fence', '```\na\n\nb\n\nc\n```'],
    ['an HTML comment', '<!-- a\n\nb -->'],
    ['CRLF lines', '```\r\na\r\n\r\nb\r\n```'],
  ])('is not split within %s', (_, body) => {
    expectHeld(body, MARKDOWN);
  });

  it.each([
    ['items', '- a *b*\n'],
    ['numbers', '1. a\n   - b\n'],
    ['spaced items', '* a\n\n  b\n'],
  ])('contains only some of the %s of a long list', (_, item) => {
    expect(divide(item.repeat(50), MARKDOWN).count).toBeGreaterThan(50);
    expect(divide(`> ${item}`.repeat(50), MARKDOWN).count).toBeLessThan(50);
  });

  it.each([
    ['a module', 'export const b = {\n\nc: 1}'],
    ['braces', '{/* a\n\nb */}'],
    ['a tag', '<A\n\nb/>'],
  ])('is not split within %s of MDX', (_, body) => {
    expectHeld(body, MDX);
  });

  it('includes everything after an unclosed notation', () => {
    expect(divide('```', MARKDOWN).count).toBe(1);
    expect(divide('<!--', MARKDOWN).count).toBe(1);
  });

  it('has no more events in a longer document', () => {
    const most = (pieces: number): number => {
      const body = 'a *b* [c]\n\n```\nd\n```\n\n- e\n\n'.repeat(pieces);
      let events = 0;
      new BlockReader(body, MARKDOWN, 1_000).read(NONE, ({ length }) => {
        events = Math.max(events, length);
      });
      return events;
    };
    expect(most(1_000)).toBe(most(100));
  });
});

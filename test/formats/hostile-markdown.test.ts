import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { describeFormat, loadFormat } from '../../src/formats/registry.ts';
import { HOSTILE_MARKDOWN } from '../hostile/markdown.ts';
import { processorTime } from '../processor-time.ts';

const LENGTH = 10_000;
const TIMES = 8;

/** The ratio for eight times the text with a warm parser, with room for a garbage collection. */
const MOST = 4 * TIMES;

/** Below this, the clock is too coarse. */
const LEAST_MS = 40;

const markdown = await loadFormat(describeFormat('markdown'));
const mdx = await loadFormat(describeFormat('mdx'));

/** Processor milliseconds; a refusal counts like a document. */
function timeOf(text: string): number {
  const begin = processorTime();
  try {
    markdown.scan(text);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'limit_exceeded') throw error;
  }
  return processorTime() - begin;
}

describe('a hostile document', () => {
  it.each(HOSTILE_MARKDOWN)('takes time in proportion to its length: $name', ({ make }) => {
    const [short, long] = [make(LENGTH), make(LENGTH * TIMES)];
    timeOf(short);
    const ratio = (): number => timeOf(long) / Math.max(timeOf(short), LEAST_MS);
    // Other work on the machine may disturb one of the measurements.
    expect(Math.min(ratio(), ratio())).toBeLessThan(MOST);
  });

  it.each([
    ['an expression', '', '{.a}', 'limit_exceeded'],
    ['a shortcode', '', '{{< a >}}', 'limit_exceeded'],
    ['an attribute', '', '<A b={{.c}}/>', 'limit_exceeded'],
    ['braces in a comment, between empty lines', '{/*', '}\n\n', 'limit_exceeded'],
    ['braces in a template', '{`', '}\n\n', 'limit_exceeded'],
    ['imports', '', 'import a№ from "b"\n\n', 'limit_exceeded'],
    ['line comments', '{', '//', 'limit_exceeded'],
    ['patterns and divisions', '{', '/a/', 'limit_exceeded'],
    ['comments that are not closed', '{', '/*', 'unreadable_input'],
    ['members', '{a', '.b', 'unreadable_input'],
    ['operators', '{a', '+b', 'unreadable_input'],
  ])('of MDX that repeats %s many times takes only a moment', (_, head, piece, code) => {
    const begin = processorTime();
    const text = Array.from({ length: 200_000 / piece.length }, (_, i) => piece.replace('№', String(i)));
    expect(() => mdx.scan(head + text.join(''))).toThrow(expect.objectContaining({ code }));
    expect(processorTime() - begin).toBeLessThan(4000);
  });

  it.each([
    ['members', '.b'],
    ['calls', '()'],
  ])('of MDX may have an expression with many %s', (_, piece) => {
    const begin = processorTime();
    expect(mdx.scan(`Hello {a${piece.repeat(50_000)} /* b */ /* c */} there\n`).slots).toHaveLength(1);
    expect(processorTime() - begin).toBeLessThan(4000);
  });

  it.each([
    '{a} b',
    '{(a)} b',
    '{/* a */} b',
    '{a // b\n}\n',
    '<A {...b}/>',
    '<A {...b /* c */}/>',
    '{"}"} b',
    '{`${"}"}`} b',
    'import a from "b"\nexport const c = {a}\n\nHi {c}',
  ])('%j is valid MDX', (text) => expect(() => mdx.scan(text)).not.toThrow());

  it.each(['<A {...b, c}/>', '<A {b}/>', '{a b} c', '{a // b}', 'import a from "b"\nconst b = 1\n'])(
    '%j is not valid MDX',
    (text) => expect(() => mdx.scan(text)).toThrow(expect.objectContaining({ code: 'unreadable_input' })),
  );

  it('of MDX may contain large data in its code', () => {
    const data = Array.from({ length: 3000 }, (_, i) => `  { id: ${i}, name: 'Name ${i}' },`).join('\n');
    expect(() => mdx.scan(`export const data = [\n${data}\n];\n\nHello.\n`)).not.toThrow();
  });
});

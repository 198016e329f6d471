import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { loadFormat } from '../../src/formats/registry.ts';
import { HOSTILE_MARKDOWN } from '../hostile/markdown.ts';
import { processorTime } from '../processor-time.ts';

const LENGTH = 10_000;
const TIMES = 8;

/** What a parser that is warm takes for eight times the text, with room for a collection of garbage. */
const MOST = 4 * TIMES;

/** Below this, the clock is too coarse. */
const LEAST_MS = 40;

const markdown = await loadFormat('markdown');
const mdx = await loadFormat('mdx');

/** Milliseconds of the processor; a refusal is as good as a document. */
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
    // Other work of the machine may fall into one of the measurements.
    expect(Math.min(ratio(), ratio())).toBeLessThan(MOST);
  });

  it.each(['{.a}', '{{< a >}}', '<A b={{.c}}/>', '{a}'])(
    'of MDX with %s many times takes a moment',
    (piece) => {
      const begin = processorTime();
      expect(() => mdx.scan(piece.repeat(200_000 / piece.length))).toThrow(
        expect.objectContaining({ code: 'limit_exceeded' }),
      );
      expect(processorTime() - begin).toBeLessThan(1000);
    },
  );

  it('of MDX may hold data in its code', () => {
    const data = Array.from({ length: 3000 }, (_, i) => `  { id: ${i}, name: 'Name ${i}' },`).join('\n');
    expect(() => mdx.scan(`export const data = [\n${data}\n];\n\nHello.\n`)).not.toThrow();
  });
});

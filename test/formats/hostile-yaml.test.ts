import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { yaml } from '../../src/formats/yaml/format.ts';
import { processorTime } from '../processor-time.ts';

function failure(text: string): DragomanError {
  try {
    yaml.scan(text);
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error('the text was read');
}

describe('the YAML format', () => {
  it.each(['[', '{a: ', '- ', '? '])('refuses nesting by %j that would exhaust the stack', (open) => {
    const error = failure(`a: b\nc:\n${open.repeat(10_000)}`);
    expect(error.code).toBe('limit_exceeded');
    expect(error.at?.line).toBe(3);
  });

  it.each([
    ['a: "x" y\nb: "z\n', 1],
    ['a: `x`\nb: | z\n', 1],
    ['a: {b: c}\nd: @x\ne: [f\n', 2],
    ['\ta: b\nc: "d\n', 1],
    ['a: b: c\nd: {e: "f\n', 1],
    // The bracket is closed as soon as the quote is.
    ['a: [\n  b,\n  "c\n]\n', 3],
    ['a: "b\nc: d: e\n', 1],
  ])('names the first of several errors: %j', (text, line) => {
    expect(failure(text)).toMatchObject({ code: 'unreadable_input', at: { line } });
  });

  it('refuses lines indented ever deeper', () => {
    const lines = Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`);
    expect(failure(lines.join('\n'))).toMatchObject({ code: 'limit_exceeded', at: { line: 500 } });
  });

  it.each([
    ['a list', '', '- b\n'],
    ['short pairs', '', 'k: a\n'],
    ['a flow list', 'a: [', 'b,'],
    ['quoted pairs and an anchor', 'a: &a b\n', 'k: "a"\n'],
    ['comments', 'a: &a b\n', '#\n'],
  ])('refuses ten megabytes of %s before building a tree', (_what, head, unit) => {
    const text = head + unit.repeat(Math.floor((10_000_000 - head.length) / unit.length));
    const before = processorTime();
    expect(failure(text)).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringContaining('too much'),
    });
    // Composing them took 4 to 20 seconds.
    expect(processorTime() - before).toBeLessThan(4_000);
  });

  it('reads ten megabytes in one value', () => {
    const words = 'Hello, world: - a, b [c] {d}. '.repeat(333_000);
    for (const value of [`"${words}"`, `'${words}'`, `|\n${`  ${words.slice(0, 30)}\n`.repeat(300_000)}`])
      expect(yaml.scan(`a: ${value}\n`).slots).toHaveLength(1);
  });

  it('never expands aliases', () => {
    const levels = Array.from({ length: 40 }, (_, i) => {
      const items = Array<string>(10).fill(i === 0 ? 'lol' : `*a${i - 1}`);
      return `a${i}: &a${i} [${items.join(', ')}]`;
    });
    expect(yaml.scan(levels.join('\n')).slots).toHaveLength(10);
  });

  it('stops at the first of very many errors', () => {
    expect(failure(`a: [${'"x" '.repeat(200_000)}]`).at).toEqual({ line: 1, column: 9 });
  });

  it('reads long lines in one pass', () => {
    const item = '"text with words", ';
    const time = (count: number): number => {
      const text = `a: [${item.repeat(count)}]\n`;
      const start = processorTime();
      expect(yaml.scan(text).slots).toHaveLength(count);
      return processorTime() - start;
    };
    time(1000);
    expect(time(40_000)).toBeLessThan(Math.max(time(10_000), 50) * 16);
  });
});

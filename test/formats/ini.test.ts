import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../src/formats/format.ts';
import { ini } from '../../src/formats/ini/format.ts';
import { processorTime } from '../processor-time.ts';
import { findDisagreements } from '../readers/disagreement.ts';
import { configparser } from '../readers/ini.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('ini', ini);

const content = fc
  .array(
    fc.constantFrom('a', 'Öffnen', '{n}', ' ', ';', ' ; x', '#', '=', '[', ']', '%s', '\\n', '\\', "'", ':'),
    {
      maxLength: 5,
    },
  )
  .map((pieces) => pieces.join(''));
const value = fc.oneof(
  content,
  content.map((text) => `"${text.replace(/\\$/, '')}"`),
  content.map((text) => `"a \\"${text.replace(/\\$/, '')}\\\\"`),
  content.map((text) => `'${text.replaceAll("'", '')}'`),
  content.map((text) => `"${text.replace(/\\$/, '')}" ; note`),
);
const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom('', ' ', '\t'),
        fc.constantFrom('key', 'KEY_B', 'a.b', 'ö x'),
        fc.constantFrom('=', ' = '),
        value,
      )
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.constantFrom('[s]', ' [t u] ', '[a.b]; note') },
  { weight: 2, arbitrary: fc.constantFrom('', '; note', '# "x" = y', '  ', 'flag') },
);
const documents = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, lineEnd, isClosed]) => lines.join(lineEnd) + (isClosed ? lineEnd : ''));

const written: Document[] = [];
formatContract(ini, { documents, oracle: (rendered) => void written.push(rendered), runs: 200 });

describe.skipIf(configparser.missing() !== undefined)('the output of the contract', () => {
  it('reads the same in Python', () => {
    expect(written.length).toBeGreaterThan(0);
    expect(findDisagreements('ini', written)).toEqual([]);
  });
});

describe('large files', () => {
  it.each([
    ['pairs', (n: number) => 'a = b\n'.repeat(n)],
    ['comments', (n: number) => '; x\n'.repeat(n)],
    ['blanks', (n: number) => `a = ${' '.repeat(n)}x`],
    ['blanks inside a value', (n: number) => `a = x${' '.repeat(n)}y`],
    ['semicolons', (n: number) => `a = x${' ;'.repeat(n)}`],
    ['backslashes', (n: number) => `a = "${'\\'.repeat(n)}`],
    ['blanks after a quoted value', (n: number) => `a = "x"${' '.repeat(n)}y`],
  ])('take linear time: %s', (_, make) => {
    const time = (n: number): number => {
      const text = make(n);
      const start = processorTime();
      ini.scan(text);
      return processorTime() - start;
    };
    time(1000);
    const [few, many] = [Math.min(time(5_000), time(5_000)), Math.min(time(40_000), time(40_000))];
    expect(many).toBeLessThan(Math.max(few, 5) * 8 * 4);
  });
});

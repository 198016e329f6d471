import { describe, expect, it } from 'vitest';
import { FORMAT_IDS } from '../../src/formats/registry.ts';
import { SUBTITLE_FORMATS } from '../../src/formats/subtitles/format.ts';
import { tryWhole } from '../../scripts/fuzz/whole.ts';
import { coverPairs } from './cover.ts';
import { coveringFiles } from './files.ts';
import { FILE_KINDS } from './kinds.ts';

const TRIALS = { seed: 1, locales: ['de', 'pl'] };

describe('valid files with every two variants of two optional parts', () => {
  it.each(FILE_KINDS.map((kind) => [kind.name, kind] as const))(
    '%s: are translated, synchronized, checked and linted, and only texts change',
    async (_, kind) => {
      const problems = await tryWhole(kind, coveringFiles(kind), TRIALS);
      expect(problems.filter((problem) => problem.kind !== 'refused')).toEqual([]);
    },
  );

  it('exist for every format', () => {
    const fuzzed = new Set<string>(FILE_KINDS.map((kind) => kind.fuzzed));
    const all = [...FORMAT_IDS, ...SUBTITLE_FORMATS, 'html', 'email'];
    expect(all.filter((format) => !fuzzed.has(format))).toEqual([]);
  });

  it('are reported if one cannot be translated', async () => {
    const entry = [['  "key№": '], ['"Save"', '"{n, plural, one {Save}}"']];
    const kind = {
      name: 'JSON',
      fuzzed: 'json',
      extension: 'json',
      head: [['{\n']],
      entry,
      tail: '\n}\n',
      between: ',\n',
    } as const;
    const problems = await tryWhole(kind, coveringFiles(kind), TRIALS);
    expect(problems.map(({ detail }) => detail)).toEqual(
      Array(2).fill(expect.stringContaining('has no "other" branch')),
    );
  });

  it('are as few as pairwise coverage allows', () => {
    const sizes = [2, 3, 2, 4, 5, 3];
    const rows = coverPairs(sizes);
    for (const [a, variants] of sizes.entries())
      for (let b = a + 1; b < sizes.length; b++) {
        const pairs = new Set(rows.map((row) => `${row[a]} ${row[b]}`));
        expect(pairs.size).toBe(variants * (sizes[b] ?? 0));
      }
    expect(rows.length).toBeLessThan(30);
  });
});

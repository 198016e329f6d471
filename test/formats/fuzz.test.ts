import { describe, expect, it } from 'vitest';
import { fuzz } from '../../scripts/fuzz/campaign.ts';
import { FUZZED } from '../../scripts/fuzz/documents.ts';
import { minimize } from '../../scripts/fuzz/minimize.ts';
import type { Found } from '../../scripts/fuzz/worker.ts';

/** A beginning of what `npm run fuzz` tries. */
describe('mutated documents', () => {
  it.each(FUZZED)('%s: no crash, no hang, and nothing is written that does not read back', async (fuzzed) => {
    const finds: (Found | undefined)[] = [];
    await fuzz({ fuzzed, trials: 300, seed: 1, onFound: (found) => finds.push(found) });
    expect(finds).toEqual([]);
  });

  it('are made small while they show the problem', async () => {
    const text = `${'word '.repeat(200)}BAD${'\nline'.repeat(200)}`;
    const smallest = await minimize(text, (shorter) => Promise.resolve(shorter.includes('BAD')));
    expect(smallest).toBe('BAD');
  });
});

import { DragomanError } from '../../src/base/errors.ts';
import { describeFormat, loadFormat } from '../../src/formats/registry.ts';
import { mergedFormat, pairMaker, tryMerge } from './merge.ts';
import { isSubtitleFormat, type Fuzzed } from './documents.ts';
import { Caught, Defect, tryEntries } from '../../src/plugins/contract/promises.ts';
import { mutate } from '../../src/plugins/contract/mutation.ts';
import { Random, seedOf } from '../../src/plugins/contract/random.ts';
import { tryEmail, tryHtml, trySubtitles } from './texts.ts';

/**
 * The finding: a sentence about a defect, or the error of a crash. `refused`: a value that its place cannot hold
 * was written, did not read back and was left out. No wrong file results, but a better encoder would have
 * refused the value itself.
 */
export interface Problem {
  readonly kind: 'crash' | 'defect' | 'refused';
  readonly detail: string;
}

export type Trial = (text: string, seed: number) => Promise<Problem | undefined>;

/** The subject of a campaign. */
export interface Attempted {
  readonly fuzzed: Fuzzed;
  /** Whether the texts of one document are inserted into another, as into an existing target file. */
  readonly merges: boolean;
}

/** Makes the document of a trial. */
type Maker = (campaign: number, trial: number) => string;

/** @param documents the documents whose parts it combines into new documents */
export async function makerOf({ fuzzed, merges }: Attempted, documents: readonly string[]): Promise<Maker> {
  const format = merges ? await mergedFormat(fuzzed) : undefined;
  const make = format ? pairMaker(format, documents) : (random: Random) => mutate(documents, random);
  return (campaign, trial) => make(new Random(seedOf(campaign, trial)));
}

/** Returns a function that tries documents. The values that it writes into them depend only on the seed. */
export async function trialOf(attempted: Attempted): Promise<Trial> {
  const run = await runnerOf(attempted);
  return async (text, seed) => {
    try {
      await run(text, new Random(seed));
      return undefined;
    } catch (error) {
      // Impossible operations are refused with a reason: only a result that does not read back is a defect.
      if (error instanceof DragomanError && error.code !== 'integrity') return undefined;
      if (error instanceof Caught) return { kind: 'refused', detail: error.message };
      if (error instanceof Defect || error instanceof DragomanError)
        return { kind: 'defect', detail: error.message };
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { kind: 'crash', detail };
    }
  };
}

async function runnerOf({ fuzzed, merges }: Attempted): Promise<(text: string, random: Random) => unknown> {
  if (fuzzed === 'html') return tryHtml;
  if (fuzzed === 'email') return tryEmail;
  if (isSubtitleFormat(fuzzed)) return (text, random) => trySubtitles(fuzzed, text, random);
  const merged = merges ? await mergedFormat(fuzzed) : undefined;
  if (merged) return (text, random) => tryMerge(merged, text, random);
  const format = await loadFormat(describeFormat(fuzzed));
  return (text, random) => tryEntries(format, text, random);
}

import { DragomanError } from '../../src/base/errors.ts';
import { loadFormat } from '../../src/formats/registry.ts';
import { isSubtitleFormat, type Fuzzed } from './documents.ts';
import { Caught, Defect, tryEntries } from '../../src/plugins/contract/entries.ts';
import { mutate } from '../../src/plugins/contract/mutation.ts';
import { Random, seedOf } from '../../src/plugins/contract/random.ts';
import { tryEmail, tryHtml, trySubtitles } from './texts.ts';

/**
 * What was found: a defect by its sentence, a crash by its error. `refused`: a value that its place cannot hold was written,
 * did not read back and was left out. Nobody gets a wrong file, but a better encoder would have refused it itself.
 */
export interface Problem {
  readonly kind: 'crash' | 'defect' | 'refused';
  readonly detail: string;
}

export type Trial = (text: string, seed: number) => Promise<Problem | undefined>;

/** The document of a trial. */
export function documentOf(documents: readonly string[], campaign: number, trial: number): string {
  return mutate(documents, new Random(seedOf(campaign, trial)));
}

/** Everything that is tried with one document. What is written into it depends on the seed alone. */
export async function trialOf(fuzzed: Fuzzed): Promise<Trial> {
  const run = await runnerOf(fuzzed);
  return async (text, seed) => {
    try {
      await run(text, new Random(seed));
      return undefined;
    } catch (error) {
      // What cannot be done is refused, with a reason: only a result that does not read back is a defect.
      if (error instanceof DragomanError && error.code !== 'integrity') return undefined;
      if (error instanceof Caught) return { kind: 'refused', detail: error.message };
      if (error instanceof Defect || error instanceof DragomanError)
        return { kind: 'defect', detail: error.message };
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { kind: 'crash', detail };
    }
  };
}

async function runnerOf(fuzzed: Fuzzed): Promise<(text: string, random: Random) => unknown> {
  if (fuzzed === 'html') return tryHtml;
  if (fuzzed === 'email') return tryEmail;
  if (isSubtitleFormat(fuzzed)) return (text, random) => trySubtitles(fuzzed, text, random);
  const format = await loadFormat(fuzzed);
  return (text, random) => tryEntries(format, text, random);
}

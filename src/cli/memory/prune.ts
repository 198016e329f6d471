import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { PruneChoice } from '../../memory/stored-memory.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { addLanguageOptions, sourceOf, targetsOf, type LanguageOptions } from '../language-options.ts';
import { oneLine } from '../terminal.ts';
import { addProjectOption, learnedProject, nothingLearned, type ProjectFlag } from './learned-project.ts';
import { addMemoryFileOption, type MemoryFlags } from './location.ts';
import { withKnownMemory } from './open.ts';
import { countOf } from './stats.ts';

interface Options extends MemoryFlags, LanguageOptions, ProjectFlag {
  readonly unusedFor?: number;
  readonly keep?: number;
  readonly engine?: string;
  readonly origin?: MemoryOrigin;
  readonly dryRun?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export const prune: CommandModule<Options> = {
  configure(command) {
    command
      .addOption(
        new Option('--unused-for <days>', 'translations that were not used for this many days').argParser(
          wholeNumber,
        ),
      )
      .addOption(
        new Option('--keep <n>', 'all but the n most recently used ones of each target language').argParser(
          wholeNumber,
        ),
      )
      .option('--engine <name>', 'translations of this engine');
    addProjectOption(command, 'what was learned from');
    addLanguageOptions(command);
    command
      .addOption(
        new Option(
          '--origin <who>',
          'whose translations; those of humans are removed only with --origin human or --project',
        ).choices(['human', 'machine']),
      )
      .option('--dry-run', 'only count');
    addMemoryFileOption(command);
    addExamples(command, [
      ['dragoman memory prune --unused-for 180', "engines' translations that were not used for half a year"],
      ['dragoman memory prune --engine apertium -t es --dry-run', 'how many Spanish ones one engine made'],
      ['dragoman memory prune --project', "what was learned from humans' edits in this project"],
      ['dragoman memory prune --origin human -s en -t de', "humans' translations from English into German"],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const choices = choicesOf(options);
    const { dryRun = false, project: flag } = options;
    const pruned = await withKnownMemory(options, terminal, async (memory): Promise<Pruned> => {
      const project = flag === undefined ? undefined : await learnedProject(flag, memory, terminal);
      if (flag !== undefined && project === undefined) return { entries: 0 };
      let entries = 0;
      for (const choice of choices) entries += await memory.prune({ ...choice, project });
      return { entries, project };
    });
    const { entries, project } = pruned ?? { entries: 0 };
    if (output.json) {
      output.document({
        ...{ removed: dryRun ? 0 : entries, entries },
        ...(flag !== undefined && { project: project ?? null }),
      });
      return OK;
    }
    if (flag !== undefined && project === undefined) output.message(nothingLearned(flag));
    const learned = project === undefined ? '' : ` that had been learned from ${oneLine(project)}`;
    output.result(`${countOf(entries)}${learned} ${dryRun ? 'would be removed' : 'removed'}`);
    return OK;
  },
};

interface Pruned {
  readonly entries: number;
  /** The root of the one that was named. */
  readonly project?: string | undefined;
}

/** One for each target language. */
function choicesOf(options: Options): readonly PruneChoice[] {
  const { unusedFor, keep, engine, origin, dryRun, project } = options;
  const source = sourceOf(options);
  const targets = targetsOf(options);
  if ([unusedFor, keep, engine, origin, source, targets, project].every((choice) => choice === undefined)) {
    throw new DragomanError('usage', 'no option selects what to remove', {
      hint: 'Select with --unused-for, --keep, --engine, --project, --origin, --source or --target.',
    });
  }
  const unusedSince = unusedFor === undefined ? undefined : new Date(Date.now() - unusedFor * DAY_MS);
  return (targets ?? [undefined]).map((target) => ({
    ...{ source, target, origin, engine, unusedSince, mostEntries: keep, dryRun },
  }));
}

function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number of at most seven digits.');
}

import { nameContext } from '../../memory/exchange/context-name.ts';
import type { WrongEntry } from '../../memory/stored-memory.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { addMemoryFileOption, type MemoryFlags } from './location.ts';
import { withKnownMemory } from './open.ts';
import { shorten } from './skips.ts';
import { countOf } from './stats.ts';

interface Options extends MemoryFlags {
  readonly dryRun?: boolean;
}

/** More of them are listed with `--verbose` only. */
const LISTED = 20;

export const repair: CommandModule<Options> = {
  configure(command) {
    command.option('--dry-run', 'only list');
    addMemoryFileOption(command);
    addExamples(command, [
      ['dragoman memory repair --dry-run', 'translations that were learned for a text that had changed'],
      ['dragoman memory repair --verbose', 'remove them, and list them all'],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const { dryRun = false } = options;
    const most = output.options.verbose ? Infinity : LISTED;
    const listed: WrongEntry[] = [];
    let found = 0;
    const removed = await withKnownMemory(options, terminal, (memory) =>
      memory.repair({
        dryRun,
        onFound: (entry) => {
          found++;
          if (listed.length < most) listed.push(entry);
        },
      }),
    );
    if (output.json) {
      output.document({
        ...{ removed: dryRun ? 0 : (removed ?? 0), entries: found },
        wrong: listed.map(documentOf),
      });
      return OK;
    }
    for (const entry of listed) output.result(lineOf(entry));
    if (found > listed.length) output.message(`… and ${found - listed.length} more; --verbose lists all`);
    output.result(`${countOf(removed ?? 0)} ${dryRun ? 'would be removed' : 'removed'}`);
    return OK;
  },
};

function lineOf({ pair, context, segments, translations, earlier }: WrongEntry): string {
  const [text, translation, before] = [segments, translations, earlier].map(textOf);
  return `${pair.source} → ${pair.target}  ${shorten(nameContext(context))}: "${text}" has the translation of "${before}": "${translation}"`;
}

function documentOf({ pair, context, project, segments, translations, earlier }: WrongEntry): object {
  return {
    ...pair,
    context: nameContext(context),
    project: project ?? null,
    text: textOf(segments),
    translation: textOf(translations),
    earlier: textOf(earlier),
  };
}

function textOf(segments: readonly string[]): string {
  return shorten(segments.join(' | '));
}

import { InvalidArgumentError } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { nameContext } from '../../memory/exchange/context-name.ts';
import type { MemoryStats, PairStats, PruneChoice, WrongEntry } from '../../memory/stored-memory.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';
import type { CommandGroup, CommandModule } from '../output/command.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { addLanguageOptions, type LanguageOptions, sourceOf, targetsOf } from '../options/language.ts';
import { addMemoryFileOption, type MemoryFlags } from '../options/memory.ts';
import { digits, sizeOf } from '../terminal/table.ts';
import { oneLine } from '../terminal/terminal.ts';
import {
  addProjectOption,
  countOf,
  learnedProject,
  noLearnedProject,
  type ProjectFlag,
  requireMemoryPath,
  withKnownMemory,
} from '../execution/open-memory.ts';
import { addOriginOption } from './memory/exchange-format.ts';
import { shorten } from './memory/skips.ts';

/** Commands about the content of the translation memory, and its import and export. */
export const memory: CommandGroup = {
  examples: [
    ['dragoman memory stats', 'the path of the translation memory, and its contents'],
    [
      'dragoman memory prune --unused-for 365',
      'remove engine translations that have not been used for a year',
    ],
    ['dragoman memory import locales -s en', 'import the translations of an existing project'],
    ['dragoman memory export memory.tmx', 'for other translation tools, or for a colleague'],
  ],

  commands: [
    {
      name: 'stats',
      summary: 'show the contents by language pair, origin and engine',
      load: () => statsCommand,
    },
    {
      name: 'prune',
      summary: 'remove translations from the memory, such as unused ones',
      load: () => pruneCommand,
    },
    {
      name: 'repair',
      summary: 'remove invalid engine translations, and edits stored for the wrong source',
      load: () => repairCommand,
    },
    {
      name: 'import',
      summary: 'import translations from TMX, PO, CSV and localization files',
      load: async () => (await import('./memory/import.ts')).importTranslations,
    },
    {
      name: 'export',
      summary: 'write translations from the memory as TMX, PO or CSV',
      load: async () => (await import('./memory/export.ts')).exportTranslations,
    },
  ],
};

const EMPTY: MemoryStats = { entries: 0, messages: 0, bytes: 0, pairs: [], projects: [] };

const statsCommand: CommandModule<MemoryFlags> = {
  examples: [
    ['dragoman memory stats', 'entries by language pair, who wrote them, and the size of the file'],
    ['dragoman memory stats --memory team.db --json', 'another memory, as JSON'],
  ],
  configure: addMemoryFileOption,

  async run(_args, flags, { terminal, output }) {
    const path = await requireMemoryPath(flags, terminal);
    const found = (await withKnownMemory(flags, terminal, (memory) => memory.stats())) ?? EMPTY;
    const { entries, messages, bytes, oldestUse, newestUse, pairs, projects } = found;
    const uses = {
      oldest_use: oldestUse?.toISOString() ?? null,
      newest_use: newestUse?.toISOString() ?? null,
    };
    return output.answer({ path, bytes, entries, messages, pairs, projects, ...uses }, () => {
      output.message(`${path}: ${countOf(entries)}, ${sizeOf(bytes)}`);
      if (oldestUse && newestUse) {
        const [oldest, newest] = [dayOf(oldestUse), dayOf(newestUse)];
        output.message(`last used ${oldest === newest ? `on ${newest}` : `between ${oldest} and ${newest}`}`);
      }
      output.table(pairs.map(rowOf));
      for (const one of projects) output.result(oneLine(`${countOf(one.entries)} learned from ${one.root}`));
    });
  },
};

function rowOf({ source, target, entries, human, machine, engines }: PairStats): readonly string[] {
  const by = engines.map(({ engine, entries: count }) => `${engine} ${digits(count)}`).join(', ');
  return [
    `${source} → ${target}`,
    countOf(entries),
    `${digits(human)} human`,
    `${digits(machine)} machine`,
    by === '' ? '' : `(${by})`,
  ];
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

interface PruneFlags extends MemoryFlags, LanguageOptions, ProjectFlag, DryRunFlags {
  readonly unusedFor?: number;
  readonly keep?: number;
  readonly engine?: string;
  readonly origin?: MemoryOrigin;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const pruneCommand: CommandModule<PruneFlags> = {
  examples: [
    ['dragoman memory prune --unused-for 180', 'engine translations that have not been used for half a year'],
    [
      'dragoman memory prune --engine apertium -t es --dry-run',
      'count the Spanish translations of one engine',
    ],
    ['dragoman memory prune --project', 'translations learned from human edits in this project'],
    ['dragoman memory prune --origin human -s en -t de', 'human translations from English into German'],
  ],
  configure(command) {
    command
      .option('--unused-for <days>', 'translations not used for this many days', wholeNumber)
      .option('--keep <n>', 'all but the n most recently used ones of each target language', wholeNumber)
      .option('--engine <name>', 'translations of this engine');
    addProjectOption(command, 'translations learned from');
    addLanguageOptions(command);
    addOriginOption(
      command,
      'who made the translations; human ones are removed only with --origin human or --project',
    );
    addDryRunOption(command, 'only count them');
    addMemoryFileOption(command);
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
    const named = flag !== undefined && { project: project ?? null };
    return output.answer({ removed: dryRun ? 0 : entries, entries, ...named }, () => {
      if (flag !== undefined && project === undefined) output.message(noLearnedProject(flag));
      const learned = project === undefined ? '' : ` that had been learned from ${oneLine(project)}`;
      output.result(`${countOf(entries)}${learned} ${dryRun ? 'would be removed' : 'removed'}`);
    });
  },
};

interface Pruned {
  readonly entries: number;
  /** The root of the named project. */
  readonly project?: string | undefined;
}

/** One choice per target language. */
function choicesOf(options: PruneFlags): readonly PruneChoice[] {
  const { unusedFor, keep, engine, origin, dryRun, project } = options;
  const source = sourceOf(options);
  const targets = targetsOf(options);
  if ([unusedFor, keep, engine, origin, source, targets, project].every((choice) => choice === undefined)) {
    throw new DragomanError('usage', 'no translations selected', {
      hint: 'Select with --unused-for, --keep, --engine, --project, --origin, --source or --target.',
    });
  }
  const unusedSince = unusedFor === undefined ? undefined : new Date(Date.now() - unusedFor * DAY_MS);
  return (targets ?? [undefined]).map((target) => ({
    source,
    target,
    origin,
    engine,
    unusedSince,
    mostEntries: keep,
    dryRun,
  }));
}

function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of at most seven digits.');
}

/** Longer lists need `--verbose`. */
const LISTED = 20;

const repairCommand: CommandModule<MemoryFlags & DryRunFlags> = {
  examples: [
    ['dragoman memory repair --dry-run', 'translations that were learned for a text that had changed'],
    ['dragoman memory repair --verbose', 'remove them, and list them all'],
  ],
  configure(command) {
    addDryRunOption(command, 'only list them');
    addMemoryFileOption(command);
  },

  async run(_args, options, { terminal, output }) {
    const { dryRun = false } = options;
    const most = output.options.verbose ? Infinity : LISTED;
    const listed: WrongEntry[] = [];
    let found = 0;
    const onFound = (entry: WrongEntry): void => {
      found++;
      if (listed.length < most) listed.push(entry);
    };
    const removed =
      (await withKnownMemory(options, terminal, (memory) => memory.repair({ dryRun, onFound }))) ?? 0;
    const counts = { removed: dryRun ? 0 : removed, entries: found };
    return output.answer({ ...counts, wrong: listed.map(documentOf) }, () => {
      for (const entry of listed) output.result(lineOf(entry));
      if (found > listed.length) output.message(`… and ${found - listed.length} more; --verbose lists all`);
      output.result(`${countOf(removed)} ${dryRun ? 'would be removed' : 'removed'}`);
    });
  },
};

function lineOf({ pair, context, segments, translations, earlier, reason }: WrongEntry): string {
  const [text, translation, before] = [segments, translations, earlier].map(textOf);
  if (reason !== undefined) return `${pair.source} → ${pair.target}  "${text}": ${reason}: "${translation}"`;
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

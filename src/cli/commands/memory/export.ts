import { resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { throwIfAborted } from '../../../base/interruption.ts';
import { VERSION } from '../../../base/version.ts';
import type { LanguagePair } from '../../../engines/engine.ts';
import type { ExportOptions } from '../../../memory/exchange/exchange.ts';
import type { EntryChoice, StoredEntry, StoredMemory } from '../../../memory/stored-memory.ts';
import type { MemoryOrigin } from '../../../pipeline/memory.ts';
import { addDryRunOption, type DryRunFlags } from '../../options/dry-run.ts';
import type { CommandModule } from '../../output/command.ts';
import { OK } from '../../output/exit-code.ts';
import { requireNew, writeOutput } from '../../documents/destinations.ts';
import { addLanguageOptions, type LanguageOptions, sourceOf, targetsOf } from '../../options/language.ts';
import { addMemoryFileOption, type MemoryFlags } from '../../options/memory.ts';
import { requireContent } from '../../output/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { addFormatOption, addOriginOption, type MemoryFormat, formatOfName } from './exchange-format.ts';
import {
  addProjectOption,
  countOf,
  learnedProject,
  noLearnedProject,
  type ProjectFlag,
  withKnownMemory,
} from '../../execution/open-memory.ts';
import { SkipCounter } from './skips.ts';

interface ExportFlags extends MemoryFlags, LanguageOptions, ProjectFlag, DryRunFlags {
  readonly format?: MemoryFormat;
  readonly origin?: MemoryOrigin;
  readonly force?: boolean;
}

export const exportTranslations: CommandModule<ExportFlags> = {
  examples: [
    ['dragoman memory export memory.tmx', 'everything that applies to all projects, without loss'],
    ['dragoman memory export edits.tmx --project', 'translations learned from human edits in this project'],
    ['dragoman memory export es.csv -s en -t es --origin human', 'for a spreadsheet'],
    ['dragoman memory export - --format po -s en -t fr | less', 'for reading'],
  ],
  configure(command) {
    command.argument('<file>', 'output file; - for standard output');
    addLanguageOptions(command);
    addFormatOption(command);
    addOriginOption(command, 'who made the translations; default: all');
    addProjectOption(command, 'instead of translations for all projects, those learned from');
    command.option('--force', 'replace an existing file');
    addDryRunOption(command, 'only count them');
    addMemoryFileOption(command);
  },

  async run([file = ''], options, { terminal, output }) {
    const toStdout = file === '-';
    if (toStdout && output.json) {
      throw new DragomanError('usage', 'translations and a JSON document cannot both go to standard output', {
        hint: 'Name a file for the translations.',
      });
    }
    const format = options.format ?? (toStdout ? 'tmx' : formatOfName(file));
    if (!format) {
      throw new DragomanError('usage', `${file} does not have an extension that names the format`, {
        hint: 'Use .tmx, .po or .csv, or name the format with --format.',
      });
    }
    const path = resolve(terminal.cwd, file);
    if (!toStdout) requireNew([path], options);
    const skips = new SkipCounter(output.options);
    const done = await withKnownMemory(options, terminal, async (memory): Promise<Exported> => {
      const choice = await choiceOf(memory, options, terminal);
      const { pairs: chosen, entries: there } = await countPairs(memory, choice, options);
      const all =
        options.project === undefined && (await countPairs(memory, { origin: options.origin }, options));
      const learned = all ? all.entries - there : 0;
      if (there === 0) return { entries: 0, learned };
      const counter = { count: 0 };
      const source = counted(entriesOf(memory, chosen, choice), counter, terminal);
      const texts = await write(format, source, chosen, {
        version: VERSION,
        onSkip: (skip) => skips.add(skip),
      });
      if (options.dryRun) for await (const _ of texts);
      else if (toStdout) await print(texts, terminal);
      else await writeOutput(path, texts, { isNew: options.force !== true });
      return { entries: counter.count, learned };
    });
    const { entries, learned } = done ?? { entries: 0, learned: 0 };
    const others =
      learned > 0 ? `skipped: ${learned} that only apply to the projects they were learned from` : undefined;
    if (entries === 0) {
      throw new DragomanError('not_found', 'the memory has no such translations', {
        hint: others && `${others}. Name one of these with --project.`,
      });
    }
    const written = entries - skips.total;
    if (output.json)
      output.document({
        ...(options.dryRun && { dry_run: true }),
        file,
        entries: written,
        left_out_learned: learned,
        ...skips.document(),
      });
    else {
      skips.tell(output);
      if (others !== undefined) output.message(`${others} (--project)`);
      const what = options.dryRun ? 'would be written' : 'written';
      output.message(`${countOf(written)} ${what}${toStdout ? '' : ` to ${file}`}`);
    }
    return OK;
  },
};

/**
 * Selects the translations for all projects, or those of one: exported files contain no project paths, because these
 * are private.
 */
async function choiceOf(
  memory: StoredMemory,
  { origin, project: flag }: ExportFlags,
  terminal: Terminal,
): Promise<EntryChoice> {
  if (flag === undefined) return { origin, project: null };
  const project = await learnedProject(flag, memory, terminal);
  if (project === undefined) throw new DragomanError('not_found', noLearnedProject(flag));
  return { origin, project };
}

interface Exported {
  readonly entries: number;
  /** The number of entries omitted because they were learned from a project. */
  readonly learned: number;
}

/** The requested language pairs that exist, with their numbers of entries. */
async function countPairs(
  memory: StoredMemory,
  choice: EntryChoice,
  options: ExportFlags,
): Promise<{ readonly pairs: readonly LanguagePair[]; readonly entries: number }> {
  const source = sourceOf(options);
  const targets = targetsOf(options);
  const { pairs } = await memory.stats(choice);
  const wanted = pairs.filter(
    (pair) => (source ?? pair.source) === pair.source && (targets?.includes(pair.target) ?? true),
  );
  return {
    pairs: wanted.map((pair) => ({ source: pair.source, target: pair.target })),
    entries: wanted.reduce((sum, { entries }) => sum + entries, 0),
  };
}

async function* entriesOf(
  memory: StoredMemory,
  pairs: readonly LanguagePair[],
  choice: EntryChoice,
): AsyncGenerator<StoredEntry> {
  for (const pair of pairs) yield* memory.entries({ ...choice, ...pair });
}

async function* counted(
  entries: AsyncIterable<StoredEntry>,
  counter: { count: number },
  { signal }: Terminal,
): AsyncGenerator<StoredEntry> {
  for await (const entry of entries) {
    throwIfAborted(signal, 'the export was interrupted');
    counter.count++;
    yield entry;
  }
}

async function write(
  format: MemoryFormat,
  entries: AsyncIterable<StoredEntry>,
  pairs: readonly LanguagePair[],
  options: ExportOptions,
): Promise<AsyncIterable<string>> {
  if (format === 'tmx') {
    const { writeTmx } = await import('../../../memory/exchange/tmx-writer.ts');
    const [source, ...others] = new Set(pairs.map((pair) => pair.source));
    return writeTmx(entries, { ...options, source: others.length === 0 ? source : undefined });
  }
  const pair = requireOne(pairs, format);
  if (format === 'po') {
    const { writePo } = await import('../../../memory/exchange/po-writer.ts');
    return writePo(entries, { ...options, pair });
  }
  const { writeCsv } = await import('../../../memory/exchange/csv-writer.ts');
  return writeCsv(entries, { ...options, pair });
}

function requireOne(pairs: readonly LanguagePair[], format: MemoryFormat): LanguagePair {
  const [pair, ...others] = pairs;
  if (pair && others.length === 0) return pair;
  const names = pairs.map(({ source, target }) => `${source} → ${target}`);
  throw new DragomanError('usage', `a ${format.toUpperCase()} file is for one pair of languages`, {
    hint: `Choose one with --source and --target: ${names.slice(0, 20).join(', ')}.`,
  });
}

async function print(texts: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  const { stdout } = terminal;
  for await (const text of texts) {
    requireContent(text, terminal);
    await new Promise<void>((resolve, reject) => {
      stdout.write(text, (cause) => {
        if (!cause) resolve();
        else reject(new DragomanError('unwritable_output', 'cannot write to standard output', { cause }));
      });
    });
  }
}

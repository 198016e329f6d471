import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { userDirectories } from '../../base/user-directories.ts';
import { readExchange } from '../../exchange/formats.ts';
import { type ImportedText, importFiles, type ImportReport } from '../../exchange/import-files.ts';
import { withProjectResources } from '../execution/translation-resources.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { addMemoryOption, type MemoryFlags } from '../options/memory.ts';
import type { LanguageOptions } from '../options/language.ts';
import { openOneWithTargets } from '../options/project.ts';
import { repeatable } from '../options/repeatable.ts';
import type { CommandModule } from '../output/command.ts';
import { OK, PARTIAL } from '../output/exit-code.ts';
import type { Output } from '../output/output.ts';
import { pluralize } from '../terminal/table.ts';

interface ImportFlags extends MemoryFlags, DryRunFlags, Pick<LanguageOptions, 'source'> {
  readonly as: string;
  readonly trustStates?: boolean;
  readonly project?: readonly string[];
}

export const importTexts: CommandModule<ImportFlags> = {
  examples: [
    ['dragoman import es.xlf --as maria', 'texts that Maria translated; they need a review'],
    ['dragoman import es.xlf --trust-states', 'from a reviewer: reviewed and final texts are approved'],
    ['dragoman import es.xlsx fr.xlsx --dry-run', 'what would change'],
  ],
  configure(command) {
    command.argument('<file...>', 'files that dragoman export or the review page wrote');
    command
      .option(
        '--as <name>',
        'who translated, for dragoman.lock: at most 40 letters, digits, ".", "_", "-"',
        nameOf,
        'translator',
      )
      .option('--trust-states', 'accept approvals in the files; default: every new text needs a review')
      .option('-s, --source <code>', 'the source language, if the project does not declare it')
      .option(
        '--project <path>',
        'a directory or file of the project; default: this directory (repeatable)',
        repeatable,
      );
    addDryRunOption(command, 'only list the texts');
    addMemoryOption(command);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const paths = args.map((path) => resolve(terminal.cwd, path));
    const files = await Promise.all(paths.map(async (path) => ({ path, ...(await readExchange(path)) })));
    const { project: places = [], ...languages } = flags;
    const project = await openOneWithTargets(places, languages, context, '--project');
    const report = await withProjectResources(
      flags,
      [project],
      context,
      (resourcesOf) =>
        importFiles(project, files, {
          name: flags.as,
          trustsStates: flags.trustStates === true,
          isDry: flags.dryRun,
          memory: resourcesOf(project).memory,
          signal: terminal.signal,
          ...userDirectories(terminal.env),
        }),
      { isMemoryOnly: true },
    );
    if (output.json) output.document({ root: project.root, ...documentOf(report, flags) });
    else print(report, flags, output);
    return report.texts.every(({ kind }) => kind === 'saved') ? OK : PARTIAL;
  },
};

function nameOf(name: string): string {
  // Accepts only names that the lock can store.
  if (/^[\w.-]{1,40}$/.test(name)) return name;
  throw new InvalidArgumentError('Use at most 40 letters, digits, ".", "_" and "-".');
}

/** The maximum number of printed texts with problems. */
const MOST_LISTED = 20;

function print({ texts, ...counts }: ImportReport, flags: ImportFlags, output: Output): void {
  const saved = texts.filter(({ kind }) => kind === 'saved');
  const others = texts.filter(({ kind }) => kind !== 'saved');
  if (flags.dryRun) for (const text of saved) output.result(lineOf(text, output));
  for (const text of others.slice(0, MOST_LISTED)) output.problem(lineOf(text, output));
  if (others.length > MOST_LISTED)
    output.problem(
      `and ${pluralize(others.length - MOST_LISTED, 'more text')} with problems; --json lists all`,
    );
  const { unchanged, untranslated, untrusted } = counts;
  const parts = [
    `${pluralize(saved.length, 'text')} ${flags.dryRun ? 'would be imported' : 'imported'}`,
    ...(others.length > 0 ? [`${pluralize(others.length, 'text')} not imported`] : []),
    ...(unchanged > 0 ? [`${pluralize(unchanged, 'text')} unchanged`] : []),
    ...(untranslated > 0 ? [`${pluralize(untranslated, 'text')} without a translation`] : []),
  ];
  output.success(parts.join(', '));
  if (untrusted > 0)
    output.message(`${pluralize(untrusted, 'approval')} ignored; --trust-states accepts them`);
}

function lineOf({ path, place: { at, name }, kind, row, reasons }: ImportedText, output: Output): string {
  const place = `${output.shown(path)}:${name ?? `${at?.line ?? 1}:${at?.column ?? 1}`}`;
  const text = row && `${row.name} (${row.locale})`;
  const parts = [place, kind === 'saved' ? undefined : kind, text, reasons.join('; ')];
  return parts.filter((part) => part !== undefined && part !== '').join(': ');
}

function documentOf(report: ImportReport, { dryRun = false }: ImportFlags): object {
  const { texts, unchanged, untranslated, untrusted } = report;
  return {
    dry_run: dryRun,
    unchanged,
    untranslated,
    ignored_approvals: untrusted,
    texts: texts.map(({ path, place: { at, name }, kind, row, reasons }) => ({
      file: path,
      line: name === undefined ? (at?.line ?? null) : null,
      column: name === undefined ? (at?.column ?? null) : null,
      place: name ?? null,
      language_code: row?.locale ?? null,
      key: row?.key ?? null,
      result: kind,
      reasons,
    })),
  };
}

import { resolve } from 'node:path';
import { Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { userDirectories } from '../../base/user-directories.ts';
import { VERSION } from '../../base/version.ts';
import { EXCHANGE_FORMATS, EXTENSIONS, type ExchangeFormat, writeExchange } from '../../exchange/formats.ts';
import { unitsOf } from '../../exchange/row-units.ts';
import type { ExchangeUnit } from '../../exchange/unit.ts';
import { CHOSEN_STATES, type RowChoice, chosenRows } from '../../project/review/chosen-rows.ts';
import { projectId } from '../../project/review/project-id.ts';
import type { TextRow } from '../../project/review/row.ts';
import type { Project } from '../../project/state/project.ts';
import { requireNew, writeOutput } from '../documents/destinations.ts';
import type { LanguageOptions } from '../options/language.ts';
import { addProjectOptions, openOneWithTargets } from '../options/project.ts';
import { repeatable, repeatableOf } from '../options/repeatable.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { OK, PARTIAL } from '../output/exit-code.ts';
import { pluralize } from '../terminal/table.ts';

interface ExportFlags extends LanguageOptions, RowChoice {
  readonly format: ExchangeFormat;
  readonly output?: string;
  readonly force?: boolean;
}

export const exportTexts: CommandModule<ExportFlags> = {
  examples: [
    ['dragoman export -t es -o es.xlf', 'all Spanish texts as XLIFF 2'],
    [
      'dragoman export -t es --format xlsx -o es.xlsx --state initial',
      'missing translations, for a spreadsheet',
    ],
    [
      'dragoman export -t fr --format po -o fr.po --state needs-review',
      'texts that need a review, for Poedit',
    ],
  ],
  configure(command) {
    addProjectOptions(command);
    command
      .addOption(
        new Option('--format <format>', 'the format of the file').choices(EXCHANGE_FORMATS).default('xliff2'),
      )
      .option('-o, --output <file>', 'output file, or - for standard output (the default)')
      .option('--force', 'replace an existing file')
      .option(
        '--state <state>',
        'only texts in this state, or that need a review (repeatable)',
        repeatableOf(CHOSEN_STATES),
      )
      .option('--in <glob>', 'only texts whose source or translation file matches (repeatable)', repeatable)
      .option('--since <ref>', 'only texts of files that changed since a git branch, tag or commit');
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const { format, output: file = '-' } = flags;
    const isPrinted = file === '-';
    if (isPrinted && output.json) {
      throw new DragomanError('usage', 'texts and a JSON document cannot both go to standard output', {
        hint: `Name a file for the texts: -o texts.${EXTENSIONS[format]}.`,
      });
    }
    if (isPrinted && format === 'xlsx' && terminal.stdout.isTTY) {
      throw new DragomanError('usage', 'a terminal cannot show a workbook', {
        hint: 'Name a file for it: -o texts.xlsx.',
      });
    }
    const path = resolve(terminal.cwd, file);
    if (!isPrinted) requireNew([path], flags);
    const { project, target } = await openOne(args, flags, context);
    const rows = await selectedRows(project, target, flags, context);
    if (rows.length === 0) {
      throw new DragomanError('not_found', `no text in ${target} matches`, {
        hint: 'Compare --state, --in and --since with dragoman status --json --keys.',
      });
    }
    const skipped: { readonly unit: ExchangeUnit; readonly reason: string }[] = [];
    const id = await projectId(project);
    const content = await writeExchange(
      {
        source: project.source,
        target,
        units: rows.flatMap((row) => unitsOf(row, id)),
        version: VERSION,
        onSkip: (unit, reason) => void skipped.push({ unit, reason }),
      },
      format,
    );
    const bytes = content instanceof Uint8Array ? content : Buffer.from([...content].join(''));
    if (isPrinted) output.content(bytes);
    else await writeOutput(path, bytes, { isNew: flags.force !== true });
    for (const { unit, reason } of skipped)
      output.problem(`${output.shown(resolve(project.root, unit.file))}: skipped ${unit.key}: ${reason}`);
    const texts = rows.length;
    if (output.json) {
      output.document({
        file: path,
        format,
        source_lang: project.source,
        target_lang: target,
        texts,
        bytes: bytes.length,
        skipped: skipped.map(({ unit, reason }) => ({ file: unit.file, key: unit.key, reason })),
      });
    } else
      output.success(`${pluralize(texts, 'text')} in ${target}${isPrinted ? '' : `, written to ${file}`}`);
    return skipped.length === 0 ? OK : PARTIAL;
  },
};

/** A file holds one project and one language. */
async function openOne(
  args: readonly string[],
  flags: ExportFlags,
  context: CommandContext,
): Promise<{ readonly project: Project; readonly target: string }> {
  const project = await openOneWithTargets(args, flags, context);
  const [target, ...more] = project.targets;
  if (target === undefined || more.length > 0) {
    throw new DragomanError('usage', 'a file for translators has one target language', {
      hint: `Name it with --target: ${project.targets.slice(0, 20).join(', ')}.`,
    });
  }
  return { project, target };
}

async function selectedRows(
  project: Project,
  target: string,
  flags: ExportFlags,
  { terminal: { env, signal }, output }: CommandContext,
): Promise<readonly TextRow[]> {
  const rows: TextRow[] = [];
  const chosen = chosenRows(project, flags, {
    locales: [target],
    env,
    signal,
    ...userDirectories(env),
  });
  for await (const row of chosen) rows.push(row);
  output.detail(`${pluralize(rows.length, 'text')} selected`);
  return rows;
}

import { join } from 'node:path';
import { Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { userDirectories } from '../../base/user-directories.ts';
import { compileGlob } from '../../project/config/glob.ts';
import { type Decision, MAX_NOTE, noteOf, type Verdict } from '../../project/state/decision.ts';
import { escapePath } from '../../project/state/lock-line.ts';
import { reviewProject, type ReviewReport } from '../../project/review/review.ts';
import { withProjectResources } from '../execution/translation-resources.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import type { LanguageOptions } from '../options/language.ts';
import { addMemoryOption, type MemoryFlags } from '../options/memory.ts';
import { addProjectOptions, openWithTargets } from '../options/project.ts';
import { repeatable } from '../options/repeatable.ts';
import type { CommandGroup, CommandModule, HelpTexts } from '../output/command.ts';
import { MISUSED, OK, PARTIAL } from '../output/exit-code.ts';
import { nameOfKey } from '../output/findings.ts';
import type { Output } from '../output/output.ts';
import { printAttributes } from '../project/sync-report.ts';
import { pluralize } from '../terminal/table.ts';

interface ReviewFlags extends LanguageOptions, MemoryFlags, DryRunFlags {
  readonly key?: readonly string[];
  readonly in?: readonly string[];
  readonly all?: boolean;
  readonly final?: boolean;
  readonly note?: string;
  readonly as: 'person' | 'agent';
}

/** Reviews translations: on a page, or with one command per decision in scripts. */
export const review: CommandGroup = {
  examples: [
    ['dragoman review -t es', 'on a page in the browser'],
    ['dragoman review --to es.html -t es', 'as a file for a translator'],
    ['dragoman review approve --all', 'adopt: accept all current translations'],
    ["dragoman review approve --key 'menu.*' -t es", 'the Spanish texts of a menu'],
    ["dragoman review reject --key menu.open -t es --note 'too formal'", 'with the reason'],
  ],

  commands: [
    {
      name: 'page',
      summary: 'show a page in the browser, or write it as one file for a translator',
      isDefault: true,
      load: async () => (await import('./review/page.ts')).pageCommand,
    },
    {
      name: 'approve',
      summary: 'approve current translations, which then count as human',
      load: () =>
        commandFor('reviewed', 'approved', [
          ['dragoman review approve --all', 'adopt: accept all current translations'],
          ["dragoman review approve --key 'menu.*' -t es --final", 'the Spanish texts of a menu, as final'],
        ]),
    },
    {
      name: 'reject',
      summary: 'reject translations; they stay until sync --retranslate replaces them',
      load: () =>
        commandFor('rejected', 'rejected', [
          ["dragoman review reject --key menu.open -t es --note 'too formal'", 'with the reason'],
          ["dragoman review reject --in 'locales/es/*.json' --key 'legal.*'", 'texts of some files'],
        ]),
    },
    {
      name: 'needs',
      summary: 'ask for a review, and withdraw an approval',
      load: () =>
        commandFor('needs-review', 'marked for review', [
          ["dragoman review needs --key 'legal.*'", 'in all languages'],
          ['dragoman review needs --all -t fr --dry-run', 'list what would be marked'],
        ]),
    },
  ],
};

function commandFor(
  verdict: Verdict,
  done: string,
  examples: HelpTexts['examples'],
): CommandModule<ReviewFlags> {
  return {
    examples,
    configure(command) {
      addProjectOptions(command);
      command
        .option('--key <glob>', 'texts whose keys match when joined by dots (repeatable)', repeatable)
        .option('--in <glob>', 'texts whose source or translation file matches (repeatable)', repeatable)
        .option('--all', 'all texts that have a translation')
        .option('--note <text>', `the reason, at most ${MAX_NOTE} characters; kept in dragoman.lock`)
        .addOption(
          new Option('--as <who>', 'who decided: an agent’s approval does not count as a person’s')
            .choices(['person', 'agent'])
            .default('person'),
        );
      if (verdict === 'reviewed') command.option('--final', 'approve as final, not only as reviewed');
      addDryRunOption(command, 'only list the texts');
      addMemoryOption(command);
    },

    async run(args, flags, context) {
      const { terminal, output } = context;
      if (!flags.all && !flags.key && !flags.in)
        throw new DragomanError('usage', 'no texts are selected', {
          hint: "Name some with --key 'menu.*' or --in 'locales/es/*.json', or take all with --all.",
        });
      const globs = flags.in?.map((pattern) => compileGlob(pattern));
      const projects = await openWithTargets(args, flags, context);
      const decision = decisionOf(flags.final ? 'final' : verdict, flags);
      const reports = await withProjectResources(
        flags,
        projects,
        context,
        async (resourcesOf) => {
          const all: ReviewReport[] = [];
          for (const project of projects)
            all.push(
              await reviewProject(project, {
                decision,
                keys: flags.key,
                includes: globs && ((path) => globs.some((glob) => glob.matches(path))),
                isDry: flags.dryRun,
                memory: resourcesOf(project).memory,
                signal: terminal.signal,
                ...userDirectories(terminal.env),
              }),
            );
          return all;
        },
        { isMemoryOnly: true },
      );
      if (output.json) output.document(documentOf(reports, flags));
      else for (const report of reports) print(report, done, flags, output);
      if (reports.every(({ texts, unchanged, missing }) => texts.length + unchanged + missing === 0)) {
        output.problem(
          'no text matches: compare --key and --in with the output of dragoman status --json --keys',
        );
        return MISUSED;
      }
      const isWhole = reports.every(({ texts }) => texts.every(({ refusal }) => refusal === undefined));
      return isWhole ? OK : PARTIAL;
    },
  };
}

function decisionOf(verdict: Verdict, { as, note: text }: ReviewFlags): Decision {
  const note = noteOf(text);
  if (note === undefined) return { verdict, by: as };
  if (note.length > MAX_NOTE)
    throw new DragomanError('usage', `the note has more than ${MAX_NOTE} characters`);
  return { verdict, by: as, note: escapePath(note) };
}

/** The maximum number of refusals listed per project. */
const MOST_LISTED = 20;

function print(
  { root, texts, ...report }: ReviewReport,
  done: string,
  flags: ReviewFlags,
  output: Output,
): void {
  const refused = texts.filter(({ refusal }) => refusal !== undefined);
  const decided = texts.filter(({ refusal }) => refusal === undefined);
  const placeOf = ({ file, line, column }: (typeof texts)[number]): string =>
    `${output.shown(join(root, file))}:${line}:${column}`;
  if (flags.dryRun)
    for (const text of decided) output.result(`${placeOf(text)}: ${nameOfKey(text)} (${text.locale})`);
  for (const text of refused.slice(0, MOST_LISTED))
    output.problem(
      `${placeOf(text)}: not ${done}: ${nameOfKey(text)} (${text.locale}): ${text.refusal ?? ''}`,
    );
  if (refused.length > MOST_LISTED)
    output.problem(
      `and ${pluralize(refused.length - MOST_LISTED, 'more text')} with errors; --json lists all`,
    );
  const { unchanged, missing } = report;
  const others = [
    ...(refused.length > 0 ? [`${pluralize(refused.length, 'text')} refused`] : []),
    ...(unchanged > 0 ? [`${pluralize(unchanged, 'text')} unchanged`] : []),
    ...(missing > 0 ? [`${pluralize(missing, 'text')} without a translation`] : []),
  ];
  const verb = flags.dryRun ? `would be ${done}` : done;
  output.success([`${pluralize(decided.length, 'text')} ${verb}`, ...others].join(', '));
  printAttributes({ root, attributes: report.attributes }, output);
}

function documentOf(reports: readonly ReviewReport[], { dryRun = false }: ReviewFlags): object {
  return {
    dry_run: dryRun,
    projects: reports.map(({ root, texts, unchanged, missing }) => ({
      root,
      unchanged,
      missing,
      texts: texts.map(({ locale, key, file, line, column, refusal }) => ({
        language_code: locale,
        key,
        file,
        line,
        column,
        refused: refusal ?? null,
      })),
    })),
  };
}

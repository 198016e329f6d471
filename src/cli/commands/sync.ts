import { Option } from 'commander';
import { describe, DragomanError } from '../../base/errors.ts';
import { userDirectories } from '../../base/user-directories.ts';
import type { Project } from '../../project/state/project.ts';
import type { SyncReport } from '../../project/plan/report.ts';
import type { Survey } from '../../project/plan/survey.ts';
import { checkProject, type CheckOptions } from '../../project/plan/check.ts';
import { RunAmounts } from '../../project/sync/run-progress.ts';
import { syncProject } from '../../project/sync/sync.ts';
import type { SyncOptions } from '../../project/sync/sync-run.ts';
import { GarbageCollection } from '../execution/garbage.ts';
import { addResourceOptions, withProjectResources } from '../execution/translation-resources.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import {
  CHECK_FAILED,
  type ExitCode,
  exitCodeOfFailures,
  INTERRUPTED,
  MISUSED,
  OK,
  PARTIAL,
  UNANSWERED,
} from '../output/exit-code.ts';
import { findProjectGlossary } from '../options/glossary.ts';
import { wholeNumber } from '../options/engine.ts';
import { markRare } from '../output/help.ts';
import { reportToGithub } from '../project/github-report.ts';
import { printIgnored } from '../project/ignored-files.ts';
import type { LanguageOptions } from '../options/language.ts';
import {
  addProjectOptions,
  openSelected,
  passedOverDocument,
  reportLeftAlone,
  requireTargetLanguages,
} from '../options/project.ts';
import { addReportOption, withReportPage, type ReportOptions } from '../project/report-page/report-option.ts';
import type { ReportPage } from '../project/report-page/report-page.ts';
import { addServiceOptions } from '../options/service.ts';
import { chooseSyncEngine, type SyncEngine, type SyncEngineFlags } from '../execution/sync-engine.ts';
import {
  adviseOnExtra,
  adviseOnMarks,
  codesOfFailures,
  hasDrift,
  hasFailures,
  printDrift,
  printSync,
  translatedIn,
} from '../project/sync-report.ts';
import { printRemainder, printSpent, spentDocument, withRemainder } from '../project/sync-price.ts';
import { remainderDocument, projectsDocument } from '../project/sync-documents.ts';
import { addPriceOption, amountOption } from '../options/prices.ts';
import { keepTranslating, type WatchedRun } from './sync/keep-translating.ts';
import { digits } from '../terminal/table.ts';
import { checkAll, surveySync, type ConfiguredProjects } from './sync/dry-run.ts';
import { SelectedKeys } from './sync/selected-keys.ts';
import { repeatable } from '../options/repeatable.ts';

interface SyncFlags extends LanguageOptions, ReportOptions, SyncEngineFlags {
  readonly frozen?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly retranslate?: boolean;
  readonly fixTerms?: boolean;
  /** True removes only keys that dragoman translated. Commander also parses a path after `--prune` as its value. */
  readonly prune?: string | true;
  readonly yes?: boolean;
  readonly toUtf8?: boolean;
  readonly markForReview?: boolean;
  readonly key?: readonly string[];
}

export const sync: CommandModule<SyncFlags> = {
  annotatesErrors: true,
  examples: [
    ['dragoman sync locales -s en -t es,fr', 'translate new and changed texts of a directory'],
    ['dragoman sync --dry-run --price 20/1M', 'show what would be translated, and its price'],
    ['dragoman sync --report out.html', 'see source and translations side by side in a browser'],
  ],
  configure(command) {
    addProjectOptions(command);
    command
      .option('--frozen', 'write nothing; exit with 8 if anything is missing, stale or extra')
      .option('--dry-run', 'only print what would be done, and what a service would charge')
      .addOption(
        new Option('--via <how>', 'what to send to a service: single texts, or whole files as jobs').choices([
          'strings',
          'jobs',
        ]),
      )
      .option('--max-credits <n>', 'stop before a service charges more than n credits', wholeNumber)
      .option('--max-cost <amount>', 'stop before engines cost more than this, by --price', amountOption)
      .option('--watch', 'keep running, and translate whenever a source changes')
      .option('--retranslate', 'retranslate what dragoman translated before')
      .option('--fix-terms', 'retranslate what dragoman translated without a glossary term')
      .option(
        '--prune [all]',
        'remove keys that are not in the source, if dragoman translated them; all: remove all of them',
      )
      .option(
        '--mark-for-review',
        'mark new translations for review, where the format has a mark (PO: fuzzy)',
      )
      .option('--to-utf8', 'convert PO files to UTF-8 if their charset cannot hold the translation')
      .option('--yes', 'let --prune remove more than a fifth of a file')
      .option('--key <glob>', 'only keys that match when joined by dots (repeatable)', repeatable);
    markRare(
      command,
      '--via',
      '--max-cost',
      '--mark-for-review',
      '--to-utf8',
      '--yes',
      '--key',
      '--fix-terms',
    );
    addReportOption(command);
    addServiceOptions(command);
    addPriceOption(command);
    addResourceOptions(command);
  },

  async run(given, flags, context) {
    const selected = new SelectedKeys(flags.key);
    const exitCode = await runSync(given, flags, selected, context);
    return selected.report(context.output) || exitCode === INTERRUPTED ? exitCode : MISUSED;
  },
};

async function runSync(
  given: readonly string[],
  flags: SyncFlags,
  selected: SelectedKeys,
  context: CommandContext,
): Promise<ExitCode> {
  checkFlags(flags, context);
  const { prune, paths } = readPruning(flags.prune, given);
  const projects = await openSelected(paths, flags, context);
  requireTargetLanguages(projects);
  reportEarlierState(projects, flags, context);
  if (flags.watch) reportLeftAlone(projects, context);
  const exitCode = await workOn({ projects, paths, prune }, flags, selected, context);
  // Printed last, so that the skipped files do not hide errors.
  if (!flags.watch) reportLeftAlone(projects, context);
  return exitCode;
}

interface SyncWork {
  readonly projects: readonly Project[];
  readonly paths: readonly string[];
  readonly prune: CheckOptions['prune'];
}

async function workOn(
  { projects, paths, prune }: SyncWork,
  flags: SyncFlags,
  selected: SelectedKeys,
  context: CommandContext,
): Promise<ExitCode> {
  const options: RunOptions = {
    signal: context.terminal.signal,
    ...userDirectories(context.terminal.env),
    force: flags.retranslate,
    fixTerms: flags.fixTerms,
    prune,
    yes: flags.yes,
    toUtf8: flags.toUtf8,
    markForReview: flags.markForReview,
    keys: flags.key,
    ...(flags.key && {
      onCompared: (survey: Survey, root: string) => selected.note(root, survey, context.output),
    }),
  };
  if (flags.fixTerms) await requireGlossary(projects, flags, context);
  if (flags.frozen) {
    return withReportPage(flags, 'frozen', projects, context, (page) =>
      gate(projects, options, context, page),
    );
  }
  const engine = await chooseSyncEngine(flags, projects, context);
  if (flags.dryRun) {
    return withProjectResources(
      flags,
      projects,
      context,
      (resourcesOf) =>
        withReportPage(flags, 'dry-run', projects, context, (page) =>
          surveySync({ projects, resourcesOf }, options, engine, context, page),
        ),
      { isReading: true },
    );
  }
  if (!flags.watch) return translate(projects, options, engine, flags, context);
  const run: WatchedRun = {
    first: projects,
    open: () => openSelected(paths, flags, context),
    translate: async (found, budget) => {
      const chosen = await chooseSyncEngine({ ...flags, ...budget }, found, context);
      await translate(found, options, chosen, flags, context);
      return chosen;
    },
  };
  return keepTranslating(run, flags, context);
}

/** @throws DragomanError `usage` if no project has a glossary */
async function requireGlossary(
  projects: readonly Project[],
  flags: SyncFlags,
  { terminal }: CommandContext,
): Promise<void> {
  for (const project of projects) if (await findProjectGlossary(flags, terminal, project)) return;
  throw new DragomanError('usage', '--fix-terms requires a glossary', {
    hint: 'Write glossary.csv beside the configuration, or name a file with --glossary.',
  });
}

type RunOptions = CheckOptions & Pick<SyncOptions, 'toUtf8' | 'yes'>;

/** The value of `--prune` is optional, so anything after it except `all` is a path. */
function readPruning(
  prune: SyncFlags['prune'],
  paths: readonly string[],
): { readonly prune: CheckOptions['prune']; readonly paths: readonly string[] } {
  if (prune === undefined || prune === 'all') return { prune, paths };
  return { prune: 'ours', paths: prune === true ? paths : [prune, ...paths] };
}

/** Announces what will happen to files of earlier versions. */
function reportEarlierState(
  projects: readonly Project[],
  { frozen, dryRun }: SyncFlags,
  { output }: CommandContext,
): void {
  if (frozen || dryRun) return;
  for (const project of projects) {
    for (const { path } of project.earlierLocks) {
      output.message(`${path} was written by an earlier version and moves into ${project.lockPath}`);
    }
  }
}

function checkFlags(
  { frozen, dryRun, retranslate, fixTerms, via, prune, yes, watch, maxCredits, maxCost }: SyncFlags,
  { output }: CommandContext,
): void {
  const usage = (message: string): DragomanError => new DragomanError('usage', message);
  if (frozen && (dryRun || retranslate || fixTerms || prune || maxCredits !== undefined || maxCost)) {
    throw usage(
      '--frozen writes nothing: it cannot be combined with --dry-run, --retranslate, --fix-terms, --prune, --max-credits or --max-cost',
    );
  }
  // An engine that ignores the glossary would get the same texts at every change.
  if (watch && fixTerms) throw usage('--fix-terms is for one run: it cannot be combined with --watch');
  if (via === 'jobs' && fixTerms)
    throw usage('--fix-terms does not work with --via jobs, which translates without the glossary');
  if (yes && prune === undefined) throw usage('--yes requires --prune');
  if (watch && (frozen || dryRun)) throw usage('--watch cannot be combined with --frozen or --dry-run');
  if (watch && output.json) throw usage('--watch never ends, but --json prints one document at the end');
}

/** `--frozen`, which needs neither an engine nor a service. */
async function gate(
  projects: readonly Project[],
  options: CheckOptions,
  context: CommandContext,
  page: ReportPage | undefined,
): Promise<ExitCode> {
  const { output } = context;
  const reports = await checkAll({ projects, resourcesOf: () => ({}) }, options, page);
  const unwritten = await page?.finish(projects, reports);
  const done = { ...projectsDocument(reports, output), ...passedOverDocument(projects) };
  if (output.json && !unwritten) output.document(done);
  if (!output.json) for (const report of reports) printDrift(report, output);
  adviseOnExtra(reports, output);
  const drifted = reports.some(hasDrift);
  output.message(drifted ? 'the files are not up to date: run dragoman sync' : 'up to date');
  await reportToGithub({ title: 'dragoman sync --frozen', passed: !drifted, reports, isGate: true }, context);
  if (unwritten) return output.failure(unwritten, done);
  return drifted ? CHECK_FAILED : OK;
}

async function translate(
  projects: readonly Project[],
  options: RunOptions,
  engine: SyncEngine,
  flags: SyncFlags,
  context: CommandContext,
): Promise<ExitCode> {
  return withProjectResources(flags, projects, context, (resourcesOf) =>
    withReportPage(flags, 'sync', projects, context, async (page) => {
      const equipped = { projects, resourcesOf };
      try {
        const reports = await syncAll(equipped, options, engine, flags, context, page);
        return await tell(equipped, reports, options, engine, context, page);
      } finally {
        await engine.close();
      }
    }),
  );
}

async function syncAll(
  { projects, resourcesOf }: ConfiguredProjects,
  options: RunOptions,
  engine: SyncEngine,
  flags: SyncFlags,
  context: CommandContext,
  page: ReportPage | undefined,
): Promise<readonly SyncReport[]> {
  const { terminal, output } = context;
  const reports: SyncReport[] = [];
  const progress = output.progress();
  const amounts = new RunAmounts(projects);
  const garbage = new GarbageCollection();
  let language = 1;
  try {
    for (const project of projects) {
      if (terminal.signal.aborted || reports.some(({ stopped }) => stopped)) break;
      const concurrency = flags.concurrency ?? engine.concurrency ?? project.configuration.concurrency;
      reports.push(
        await syncProject(project, {
          ...options,
          ...resourcesOf(project),
          markForReview: options.markForReview ?? project.configuration.markForReview,
          engine: () => engine.open(),
          fileTranslator: engine.files,
          concurrency,
          onProgress: (step) => {
            if (step.at !== language) garbage.collect();
            language = step.at;
            progress.show({ ...step, unit: 'keys' });
          },
          amounts,
          onKeys: page?.listenerFor(project, projects.length > 1),
        }),
      );
    }
  } finally {
    await progress.stop();
  }
  return reports;
}

function keptText(reports: readonly SyncReport[]): string {
  const works = reports.flatMap((report) => report.work ?? []);
  if (works.length === 0) return 'finished work is kept, and jobs continue at the service: run it again';
  const kept = works.reduce((sum, one) => sum + one.kept, 0);
  return `${digits(kept)} of ${digits(works.at(-1)?.wanted ?? 0)} keys are kept: run the command again`;
}

async function tell(
  { projects, resourcesOf }: ConfiguredProjects,
  reports: readonly SyncReport[],
  options: RunOptions,
  engine: SyncEngine,
  context: CommandContext,
  page: ReportPage | undefined,
): Promise<ExitCode> {
  const { terminal, output } = context;
  const {
    pricing,
    spending: { currency },
  } = engine;
  const unwritten = await page?.finish(projects, reports);
  const done = {
    ...projectsDocument(reports, output),
    ...passedOverDocument(projects),
    ...spentDocument(engine),
  };
  if (!output.json) for (const report of reports) printSync(report, output);
  adviseOnMarks(projects, reports, options.markForReview, output);
  await printIgnored(reports, context);
  printSpent(engine, output);
  const stopped = reports.map((report) => report.stopped).find((error) => error);
  const passed = !stopped && !terminal.signal.aborted && !reports.some(hasFailures);
  await reportToGithub({ title: 'dragoman sync', passed, reports, isGate: false }, context);
  if (stopped && !terminal.signal.aborted) {
    const left: SyncReport[] = [];
    for (const project of projects) {
      left.push(await checkProject(project, { ...options, ...resourcesOf(project), pricing }));
    }
    if (!output.json) printRemainder(left, stopped, currency, output);
    if (unwritten) output.problem(describe(unwritten));
    const reason = await withRemainder(stopped, left, engine);
    const exitCode = output.failure(reason, { ...done, remaining: remainderDocument(left, currency) });
    return exitCode === UNANSWERED && translatedIn(reports) > 0 ? PARTIAL : exitCode;
  }
  if (unwritten && !terminal.signal.aborted) return output.failure(unwritten, done);
  if (unwritten) output.problem(describe(unwritten));
  if (output.json) output.document(done);
  if (terminal.signal.aborted) {
    output.problem(`interrupted: ${keptText(reports)}`);
    return INTERRUPTED;
  }
  if (!reports.some(hasFailures)) return OK;
  const codes = reports.flatMap(codesOfFailures);
  return codes.length === 0 ? PARTIAL : exitCodeOfFailures(translatedIn(reports), codes);
}

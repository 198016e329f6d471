import { join } from 'node:path';
import { findingName, lintLanguage, lintSources, sortGraded } from '../../project/lint/lint.ts';
import { type Finding, atLeast, RULES } from '../../project/lint/finding.ts';
import {
  countUnreadable,
  type LanguageReport,
  percentDone,
  sumCoverage,
  type SyncReport,
} from '../../project/plan/report.ts';
import type { Project } from '../../project/state/project.ts';
import { userDirectories } from '../../base/user-directories.ts';
import { checkProject } from '../../project/plan/check.ts';
import { annotationCommand } from '../output/annotation.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { CHECK_FAILED, OK } from '../output/exit-code.ts';
import {
  addReportFormatOption,
  addSeverityOption,
  countFindings,
  findingDocument,
  annotationOf,
  nameOfKey,
  printFinding,
  reportFormatOf,
  sarifLog,
  type ReportedFinding,
  type ReportFormatFlags,
  type SeverityOptions,
  type ReportedRules,
} from '../output/findings.ts';
import {
  addGlossaryOption,
  findProjectGlossary,
  locateProjectGlossary,
  type GlossaryFlags,
} from '../options/glossary.ts';
import { reportToGithub } from '../project/github-report.ts';
import type { LanguageOptions } from '../options/language.ts';
import { repeatable } from '../options/repeatable.ts';
import type { Output } from '../output/output.ts';
import { addProjectOptions, openWithTargets, passedOverDocument } from '../options/project.ts';
import {
  adviseOnExtra,
  adviseOnMissing,
  DRIFT_RULES,
  behindSourceFindings,
  driftFindings,
  FILE_RULES,
  hasDrift,
  printDrift,
  RuleLimit,
} from '../project/sync-report.ts';
import { projectsDocument } from '../project/sync-documents.ts';
import { pluralize, digits } from '../terminal/table.ts';
import { Option, type Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { TranslationState } from '../../formats/format.ts';
import { compileGlob, type Glob } from '../../project/config/glob.ts';
import type { KeysListener } from '../../project/plan/key-list.ts';
import { reaches, type TextState } from '../../project/plan/text-state.ts';

interface CheckFlags
  extends RequireFlags, LanguageOptions, GlossaryFlags, SeverityOptions, ReportFormatFlags {
  readonly changedSince?: string;
  readonly all?: boolean;
}

export const check: CommandModule<CheckFlags> = {
  annotatesErrors: true,
  examples: [
    ['dragoman check', 'a CI gate: exits with 8 if anything is left to do'],
    ['dragoman check locales -t es --json', 'one language of one directory, as JSON'],
    ['dragoman check --require reviewed', 'also fail if a translation is not approved'],
    ['dragoman check --output-format sarif > check.sarif', 'for code scanning'],
    ['dragoman check --changed-since origin/main', 'in a large repository, only what a branch changed'],
  ],
  configure(command) {
    addProjectOptions(command);
    command.option('--changed-since <ref>', 'only files that changed since a git branch, tag or commit');
    command.option('--all', 'list all findings; default: at most 20 per rule');
    addRequireOptions(command);
    addGlossaryOption(command);
    addSeverityOption(command);
    addReportFormatOption(command);
  },

  async run(args, flags, context) {
    const { terminal, output } = context;
    const { signal } = terminal;
    const findings: (Finding & { readonly root: string })[] = [];
    const reports: SyncReport[] = [];
    const required = new RequiredState(flags);
    const projects = await openWithTargets(args, flags, context);
    for (const opened of projects) {
      const glossary = await findProjectGlossary(flags, terminal, opened);
      const project = await limit(opened, flags, context);
      const linted: Finding[] = [];
      const report = await checkProject(project, {
        signal,
        ...userDirectories(terminal.env),
        onKeys: required.listenerFor(project.root),
        onLanguage: async (workspace, locale) => {
          const inSources = locale === project.targets[0] ? await lintSources(workspace) : [];
          for (const one of inSources) linted.push(one);
          for (const one of await lintLanguage(workspace, locale, { signal, glossary })) linted.push(one);
        },
      });
      reports.push(report);
      for (const finding of atLeast(sortGraded(linted, project.configuration), flags.severity))
        findings.push({ ...finding, root: project.root });
    }
    const states = required.findings;
    const failed = findings.length + states.length > 0 || reports.some(hasDrift);
    const checked = { projects, reports, findings, states };
    const format = reportFormatOf(flags, output);
    if (format === 'text') printText(checked, failed, flags, output);
    else if (format === 'json') output.document(documentOf(checked));
    else {
      const all = reportedFindings(checked, terminal.cwd);
      if (format === 'sarif')
        output.document(sarifLog(all, { ...RULES, ...DRIFT_RULES, ...FILE_RULES, ...STATE_RULES }));
      else for (const finding of all) output.command(annotationCommand(annotationOf(finding)));
    }
    // In GitHub's format, the result already consists of annotations.
    if (format !== 'github') {
      const outcome = { title: 'dragoman check', passed: !failed, findings, reports, isGate: true };
      await reportToGithub(outcome, context);
    }
    return failed ? CHECK_FAILED : OK;
  },
};

/** The part of a project selected by `--changed-since`. */
async function limit(
  project: Project,
  flags: CheckFlags,
  { terminal, output }: CommandContext,
): Promise<Project> {
  const { changedSince: ref } = flags;
  if (ref === undefined) return project;
  const { limitToChanges } = await import('../../project/plan/changes.ts');
  const glossary = await locateProjectGlossary(flags, terminal, project);
  const { env, signal } = terminal;
  const limited = await limitToChanges(project, ref, { env, signal, shared: glossary && [glossary.value] });
  const [kept, all] = [limited.resources.length, project.resources.length];
  if (kept === 0) output.message(`nothing to check: no localization file has changed since ${ref}`);
  else
    output.message(
      `checking ${kept} of ${pluralize(all, 'source')}: the others have not changed since ${ref}`,
    );
  return limited;
}

interface Checked {
  readonly projects: readonly Project[];
  readonly reports: readonly SyncReport[];
  readonly findings: readonly (Finding & { readonly root: string })[];
  readonly states: readonly StateFinding[];
}

/** The maximum number of findings of a rule listed without `--all`. */
const MOST_LISTED = 20;

function printText(
  { reports, findings, states }: Checked,
  failed: boolean,
  { all = false }: CheckFlags,
  output: Output,
): void {
  const limit = new RuleLimit(all ? Infinity : MOST_LISTED);
  for (const report of reports) printDrift(report, output, limit);
  for (const { root, ...finding } of [...findings, ...states])
    if (limit.admits(finding.rule))
      printFinding({ ...finding, file: output.shown(join(root, finding.file)) }, output);
  limit.report(output);
  printLanguages(reports, findings, states, output);
  adviseOnMissing(reports, output);
  adviseOnExtra(reports, output);
  if (findings.some(({ isOwn }) => isOwn))
    output.message('dragoman sync --fix-terms retranslates texts that it translated without a glossary term');
  if (failed) output.message('check failed');
  else output.success('check passed');
}

/** Prints one line per language over all projects: its progress and its findings. */
function printLanguages(
  reports: readonly SyncReport[],
  findings: readonly Finding[],
  states: readonly StateFinding[],
  output: Output,
): void {
  const languages = reports.flatMap((report) => report.languages);
  const sources = reports.map(({ source }) => source);
  for (const locale of new Set([...sources, ...languages.map((language) => language.locale)])) {
    const own = languages.filter((language) => language.locale === locale);
    const found = findings.filter((finding) => finding.locale === locale);
    const behind = states.filter((state) => state.locale === locale).length;
    const short = behind > 0 ? [`${pluralize(behind, 'text')} short of the required state`] : [];
    const summary = [...driftCounts(own), ...short, ...(found.length > 0 ? [countFindings(found)] : [])].join(
      ', ',
    );
    if (own.length > 0) output.message(`${locale}: ${[...doneOf(own), summary || 'no findings'].join(', ')}`);
    else if (summary) output.message(`${locale} (source): ${summary}`);
  }
}

/** `87 % of 30 keys translated`; nothing if no file could be read. */
function doneOf(languages: readonly LanguageReport[]): readonly string[] {
  const coverage = sumCoverage(languages.map((language) => language.coverage));
  const isPart = languages.some(({ files }) => countUnreadable(files) > 0);
  const percent = percentDone(coverage, 0);
  if (percent === undefined) return isPart ? [] : ['no keys'];
  return [`${percent} % of ${pluralize(coverage.keys, isPart ? 'readable key' : 'key')} translated`];
}

/** `3 missing`, `1 page behind` */
function driftCounts(languages: readonly LanguageReport[]): readonly string[] {
  const files = languages.flatMap((language) => language.files);
  const drift = files.flatMap((file) => file.drift);
  const broken = countUnreadable(files);
  const behind = files.filter(({ error, isBehind }) => isBehind && !error).length;
  return [
    ...(broken > 0 ? [pluralize(broken, 'unreadable file')] : []),
    ...(behind > 0 ? [`${pluralize(behind, 'page')} behind`] : []),
    ...Object.keys(DRIFT_RULES).flatMap((rule) => {
      const number = drift.filter(({ kind }) => kind === rule).length;
      return number > 0 ? `${digits(number)} ${rule}` : [];
    }),
  ];
}

function documentOf({ projects, reports, findings, states }: Checked): object {
  return {
    ...projectsDocument(reports, { json: true }),
    findings: findingDocument([...findings, ...states]),
    ...passedOverDocument(projects),
  };
}

/** Unfinished keys and findings in one list, with files relative to a directory. */
function reportedFindings(
  { reports, findings, states }: Checked,
  directory: string,
): readonly ReportedFinding[] {
  const unfinished = [behindSourceFindings, driftFindings].flatMap((findingsOf) =>
    reports.flatMap(({ root, languages }) =>
      languages.flatMap(({ locale, files }) =>
        files.flatMap((file) => findingsOf(locale, file).map((finding) => ({ root, ...finding }))),
      ),
    ),
  );
  return [...unfinished, ...findings, ...states].map(({ root, ...rest }) => ({
    ...rest,
    file: findingName(directory, join(root, rest.file)),
  }));
}

interface RequireFlags {
  readonly require?: TranslationState;
  readonly in?: readonly string[];
}

/** `--require` and `--in`: the gate on reviews. */
function addRequireOptions(command: Command): void {
  command
    .addOption(
      new Option('--require <state>', 'fail if a translation has not reached this state').choices([
        'translated',
        'reviewed',
        'final',
      ]),
    )
    .option('--in <glob>', 'with --require, only in files that match (repeatable)', repeatable);
}

const STATE_RULES = {
  state: { severity: 'error', text: 'The translation has not reached the state that --require names.' },
} as const satisfies ReportedRules;

/** A finding with its project's root, to which its file is relative. */
type StateFinding = ReportedFinding & { readonly root: string; readonly locale: string };

/** Why a text lacks the required state. A text that fails verification cannot be approved. */
function reasonOf({ needsReview }: TextState, faults: readonly string[]): string {
  const reason =
    needsReview === undefined || needsReview === 'lint' ? '' : `, needs a review: ${needsReview}`;
  if (faults.length === 0) return reason;
  return `${reason}, fails verification: ${faults.join('; ')}; correct it, then approve it`;
}

/** Texts below the required state. Missing texts are reported as missing instead. */
class RequiredState {
  readonly findings: StateFinding[] = [];
  readonly #required: TranslationState | undefined;
  readonly #globs: readonly Glob[] | undefined;

  /** @throws DragomanError `usage` for `--in` without `--require`, and for an invalid pattern */
  constructor({ require, in: patterns }: RequireFlags) {
    if (patterns && require === undefined)
      throw new DragomanError('usage', '--in requires --require', {
        hint: 'Add --require reviewed, or name the files as arguments.',
      });
    this.#required = require;
    this.#globs = patterns?.map((pattern) => compileGlob(pattern));
  }

  /** Undefined if nothing is required, so that clean files need not be opened. */
  listenerFor(root: string): KeysListener | undefined {
    const required = this.#required;
    if (required === undefined) return undefined;
    return ({ locale, report: { source, target }, keys }) => {
      const isIn = this.#globs?.some((glob) => glob.matches(source) || glob.matches(target)) ?? true;
      for (const { key, state, status, faults, targetPlace, sourcePlace } of isIn ? keys : []) {
        const isMissing = status === 'missing' || status === 'pending';
        if (!state || isMissing || reaches(state, required)) continue;
        const file = targetPlace ? target : source;
        const { line, column } = targetPlace ?? sourcePlace ?? { line: 1, column: 1 };
        const reason = reasonOf(state, faults);
        const message = `${nameOfKey({ key })} is ${state.state}, not ${required}${reason} (${locale})`;
        const { severity } = STATE_RULES.state;
        this.findings.push({ rule: 'state', severity, root, file, line, column, locale, key, message });
      }
      return Promise.resolve();
    };
  }
}

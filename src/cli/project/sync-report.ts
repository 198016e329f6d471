import { join } from 'node:path';
import { COPY } from '../../engines/copy.ts';
import { AUTO_ENGINE } from '../../engines/registry.ts';
import {
  describeNote,
  type Drift,
  type DriftKind,
  type FileReport,
  type LanguageReport,
  type Note,
  type SyncReport,
} from '../../project/plan/report.ts';
import { ATTRIBUTES_NAME, LOCK_ATTRIBUTES } from '../../project/state/lock-attributes.ts';
import { LOCK_NAME } from '../../project/state/lock.ts';
import type { Project } from '../../project/state/project.ts';
import { missingTermText } from '../../pipeline/terms/terms.ts';
import { describe, DragomanError, type ErrorCode, traitsOf, type Concern } from '../../base/errors.ts';
import { type ExitCode, OK } from '../output/exit-code.ts';
import {
  failureText,
  keyText,
  nameOfKey,
  type ReportedFinding,
  type ReportedRules,
} from '../output/findings.ts';
import type { Output } from '../output/output.ts';
import { pluralize, countTable, type CountRow } from '../terminal/table.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Whether some requested translation is missing. */
export function hasFailures({ languages }: SyncReport): boolean {
  return languages.some(
    ({ changes, error, files }) =>
      changes.failed > 0 || error !== undefined || files.some((file) => file.error),
  );
}

/** One error code per failure; undefined unless a request failed. */
export function codesOfFailures({ languages }: SyncReport): readonly (ErrorCode | undefined)[] {
  return languages
    .flatMap(({ error, files }) => [error, ...files.flatMap((file) => [file.error, ...file.failures])])
    .flatMap((failure) => (failure ? [failure.code] : []));
}

/** The number of keys that got a translation, new or from the memory. */
export function translatedIn(reports: readonly SyncReport[]): number {
  return reports
    .flatMap(({ languages }) => languages)
    .reduce((sum, { changes }) => sum + changes.translated + changes.reused, 0);
}

/** Whether files differ from what their sources require. An outdated translation by a person is a note, not drift. */
export function hasDrift({ languages }: SyncReport): boolean {
  return languages.some(({ coverage, error, files }) => {
    const { missing, stale, extra } = coverage;
    const isBehind = files.some((file) => file.error ?? file.isBehind);
    return missing + stale + extra > 0 || error !== undefined || isBehind;
  });
}

/** Prints failures and notes of a sync on stderr, and its table on stdout. */
export function printSync(report: SyncReport, output: Output): void {
  printFileErrors(report, output);
  printNotes(report, output);
  printLanguageErrors(report, output);
  for (const { locale, files } of report.languages)
    for (const file of files) printFile(locale, file, report, output);
  const rows = report.languages.map((language): CountRow => {
    const { locale, changes, coverage, error, files } = language;
    const { translated, reused, kept, failed, pruned } = changes;
    const cells = [translated, reused, kept, failed, pruned, coverage.unmatched, extraKeys(language)];
    const isIdle = cells.every((number) => number === 0);
    const unusable = isIdle ? files.find((file) => file.error)?.error : undefined;
    const reason = error && translated + reused === 0 ? error : unusable;
    const note = reason && REASONS[traitsOf(reason).concerns];
    // An interrupted run may not have reached this language.
    const isLeft = report.interrupted && coverage.missing + coverage.stale > 0;
    const idle = isLeft ? REASONS.interruption : 'nothing to do';
    return { label: locale, cells, note: note ?? (isIdle ? idle : undefined) };
  });
  const titles = ['language', 'translated', 'reused', 'kept', 'failed', 'removed', 'unmatched', 'extra'];
  for (const line of countTable(titles, rows, output.width)) output.result(line);
  const engines = new Set(report.languages.flatMap((language) => [...(language.engines?.keys() ?? [])]));
  // Copied texts are reported per language instead.
  engines.delete(COPY);
  // Stored answers of an earlier run may name `auto` instead of the engine that it chose.
  if (engines.size > 1) engines.delete(AUTO_ENGINE);
  if (engines.size > 0) output.message(`translated by ${[...engines].join(', ')}`);
  const written = report.languages.flatMap(({ files }) => files.filter((file) => file.written)).length;
  if (written > 0) output.success(`${pluralize(written, 'file')} written`);
  else if ((report.prunedFiles ?? []).length > 0)
    output.success(`${pluralize(report.prunedFiles?.length ?? 0, 'file')} removed`);
  else if (report.lockWritten) output.message(`no translations changed; updated ${LOCK_NAME}`);
  else {
    const isUnfinished = report.interrupted || hasFailures(report);
    const done = translatedIn([report]) > 0 ? 'no translations changed' : 'everything is up to date';
    output.message(isUnfinished ? 'nothing was written' : done);
  }
  printAttributes(report, output);
  adviseOnExtra([report], output);
}

/** Reports once that git will merge the lock, or how to enable that. */
export function printAttributes(
  { root, attributes }: Pick<SyncReport, 'root' | 'attributes'>,
  output: Output,
): void {
  const path = output.shown(join(root, ATTRIBUTES_NAME));
  if (attributes === 'written')
    output.message(`Added "${LOCK_ATTRIBUTES}" to ${path}, so that git merges the lock.`);
  if (attributes === 'kept')
    output.message(
      `${path} was left unchanged. Add "${LOCK_ATTRIBUTES}" to it, so that git merges the lock.`,
    );
}

/** Prints unsupported languages, and how to install support for them. */
export function printLanguageErrors({ languages }: SyncReport, output: Output): void {
  for (const { locale, error } of languages) {
    if (error) output.problem(`${locale}: ${describe(error)}`);
    if (error?.hint !== undefined) output.problem(`  ${error.hint}`);
  }
}

/** The number of keys that the source lacks and that remain after a sync. */
function extraKeys({ coverage, changes }: LanguageReport): number {
  return Math.max(0, coverage.extra - changes.pruned);
}

/** Names the command that completes or updates translations, if any are missing or stale. */
export function adviseOnMissing(reports: readonly SyncReport[], output: Output): void {
  const languages = reports.flatMap((report) => report.languages);
  if (languages.some(({ coverage: { missing, stale } }) => missing + stale > 0))
    output.message('dragoman sync translates missing and stale texts');
  else if (languages.some(({ files }) => files.some(({ isBehind }) => isBehind)))
    output.message('dragoman sync updates translations to match their sources');
}

/** Names the commands that remove extra keys, if there are any. */
export function adviseOnExtra(reports: readonly SyncReport[], output: Output): void {
  if (!reports.some(({ languages }) => languages.some((language) => extraKeys(language) > 0))) return;
  output.message(
    'extra keys are not in the source: dragoman sync --prune removes those that dragoman translated, --prune all removes all of them',
  );
}

/** Reports once which new translations could not be marked although the settings request it. */
export function adviseOnMarks(
  projects: readonly Project[],
  reports: readonly SyncReport[],
  isWanted: boolean | undefined,
  output: Output,
): void {
  const titles = new Set<string>();
  for (const [i, { languages }] of reports.entries()) {
    const { configuration, resources = [] }: Partial<Project> = projects[i] ?? {};
    if ((isWanted ?? configuration?.markForReview) !== true) continue;
    const formats = new Map(resources.map(({ source, format }) => [source, format]));
    for (const { source, changes } of languages.flatMap(({ files }) => files)) {
      const format = formats.get(source);
      if (changes.translated > 0 && format && !format.reviewMark) titles.add(format.title);
    }
  }
  if (titles.size > 0)
    output.message(`${[...titles].join(', ')} cannot mark translations for review: written without a mark`);
}

/** Why nothing was translated into a language, in a word or two; the full error is above the table. */
const REASONS: Readonly<Record<Concern, string>> = {
  languages: 'no engine',
  engine: 'the engine failed',
  service: 'the service failed',
  account: 'the account does not allow it',
  interruption: 'interrupted',
  command: 'not possible',
  document: 'not readable',
  rendering: 'not writable',
  request: 'refused',
  output: 'not writable',
  program: 'failed',
};

/** Reports each unusable file once, with its languages: an unreadable source affects all of them. */
export function printFileErrors({ languages }: SyncReport, output: Output): void {
  const found = new Map<string, { readonly locales: string[]; readonly hint: string | undefined }>();
  for (const { locale, files } of languages) {
    for (const { error } of files) {
      if (!error) continue;
      const known = found.get(describe(error));
      if (known) known.locales.push(locale);
      else found.set(describe(error), { locales: [locale], hint: error.hint });
    }
  }
  for (const [problem, { locales, hint }] of found) {
    output.problem(`${problem} (${locales.join(', ')})`);
    if (hint !== undefined) output.problem(`  ${hint}`);
  }
}

/** Lists skipped work and the reasons, none of which ends a run. */
export function printNotes(
  { root, languages, removedSources = [], prunedFiles = [] }: SyncReport,
  output: Output,
): void {
  const shown = (name: string): string => output.shown(join(root, name));
  for (const target of prunedFiles) output.message(`${shown(target)}: removed, because its source is gone`);
  for (const { source, target } of removedSources)
    output.message(
      `${shown(target)}: its source ${shown(source)} is gone. sync --prune removes it unless a person changed it; --prune all removes it in any case.`,
    );
  const alike = new Map<string, { readonly file: string; readonly note: Note }[]>();
  for (const { locale, files } of languages)
    for (const { target, notes = [] } of files)
      for (const note of notes) {
        const one = { file: `${shown(target)} (${locale})`, note };
        addTo(alike, note.text, one);
      }
  for (const [text, all] of alike) {
    if (all.length <= LISTED_NOTES || output.options.verbose) {
      for (const { file, note } of all) output.message(`${file}: ${describeNote(note)}`);
      continue;
    }
    const [{ file, note } = { file: '', note: { text } }] = all;
    const example = note.place === undefined ? file : `${file}, ${note.place}`;
    output.message(
      `${pluralize(new Set(all.map((one) => one.file)).size, 'translation')}: ${text} (for example ${example}). --verbose lists all.`,
    );
  }
}

/** If there are more notes with the same text, the rest are counted. */
const LISTED_NOTES = 5;

function printFile(locale: string, file: FileReport, { root }: SyncReport, output: Output): void {
  const shown = (name: string): string => output.shown(join(root, name));
  if (file.convertedFrom !== undefined)
    output.message(`${shown(file.target)}: converted from ${file.convertedFrom} to UTF-8`);
  if (file.listedIn !== undefined)
    output.message(`${shown(file.listedIn)}: added the language of ${shown(file.target)}`);
  for (const failure of file.failures) {
    const { file: name, line, column } = failure;
    output.problem(`${shown(name)}:${line}:${column}: ${failureText(failure, locale)}`);
  }
  for (const { file: name, line, column, ...term } of file.terms) {
    const place = `${shown(name)}:${line}:${column}`;
    output.problem(`${place}: ${nameOfKey(term)} (${locale}): ${missingTermText(term)}`);
  }
  let isNamed = false;
  const drafts = file.drift.filter(({ kind }) => kind === 'review').length;
  for (const { file: name, line, column, ...drift } of file.drift) {
    const { kind } = drift;
    const place = `${shown(name)}:${line}:${column}`;
    if (kind === 'outdated') {
      output.message(
        `${place}: the source of ${nameOfKey(drift)} has changed; its ${locale} translation was kept`,
      );
    }
    if (kind === 'no-text') output.message(`${place}: ${driftText(drift, locale)}`);
    // A file under review may have thousands of these notes.
    if (kind === 'review' && !isNamed) {
      isNamed = true;
      const others = drafts > 1 ? `; ${pluralize(drafts - 1, 'other')} below it as well` : '';
      output.message(`${place}: ${driftText(drift, locale)}${others}`);
    }
  }
}

/** Findings about a whole key. `text` is for logs with rules; `words` follow the key. */
export const DRIFT_RULES = {
  missing: { severity: 'error', text: 'The key has no translation.', words: 'has no translation' },
  stale: {
    severity: 'error',
    text: 'The translation is of an older source.',
    words: 'was translated from an older source',
  },
  extra: { severity: 'error', text: 'The key is not in the source.', words: 'is not in the source' },
  outdated: {
    severity: 'warning',
    text: 'The source has changed. A translation that dragoman did not write was kept.',
    words: 'has an outdated translation, kept because dragoman did not write it',
  },
  review: {
    severity: 'warning',
    text: 'A translation that dragoman did not write is marked for review, and was kept.',
    words: 'is marked for review, and kept because dragoman did not write it',
  },
  'no-text': {
    severity: 'warning',
    text: 'The translation is not a string. It was kept.',
    words: 'is not a string, and was kept',
  },
  'rare-form': {
    severity: 'warning',
    text: 'A plural lacks a form that only large, compact or fractional numbers select.',
    words: 'lacks a plural form that only large, compact or fractional numbers select',
  },
} as const satisfies Readonly<Record<DriftKind, ReportedRules[string] & { readonly words: string }>>;

function driftText({ kind, ...key }: Pick<Drift, 'kind' | 'key' | 'text'>, locale: string): string {
  return `${nameOfKey(key)} ${DRIFT_RULES[kind].words} (${locale})`;
}

/** The unfinished keys of a file, with its name in the project. */
export function driftFindings(locale: string, { drift }: FileReport): readonly ReportedFinding[] {
  return drift.map((one) => {
    const { kind, key, file, line, column } = one;
    const { severity } = DRIFT_RULES[kind];
    return { rule: kind, severity, file, line, column, locale, key, message: driftText(one, locale) };
  });
}

/** Findings about a file as a whole. */
export const FILE_RULES = {
  behind: {
    severity: 'error',
    text: 'The code or markup of a page differs from its source, or the page is missing.',
  },
} as const;

/** The finding for a file whose code or markup differs from its source; empty for other files. */
export function behindSourceFindings(locale: string, report: FileReport): readonly ReportedFinding[] {
  if (!report.isBehind) return [];
  const { severity } = FILE_RULES.behind;
  const message = `code or markup differs from ${report.source} (${locale})`;
  return [{ rule: 'behind', severity, file: report.target, line: 1, column: 1, locale, message }];
}

/** Lists a limited number of findings per rule, and counts the others. */
export class RuleLimit {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  admits(rule: string): boolean {
    const before = this.#counts.get(rule) ?? 0;
    this.#counts.set(rule, before + 1);
    return before < this.#most;
  }

  report(output: Output): void {
    for (const [rule, found] of this.#counts) {
      const others = found - this.#most;
      if (others > 0) output.message(`${rule}: ${pluralize(others, 'more finding')}. --all lists them.`);
    }
  }
}

/** Prints the findings of `--frozen` and `check` on stdout, one line per key. */
export function printDrift(report: SyncReport, output: Output, limit?: RuleLimit): void {
  printFileErrors(report, output);
  printNotes(report, output);
  for (const { locale, error, files } of report.languages) {
    if (error) output.problem(`${locale}: ${describe(error)}`);
    for (const file of files) {
      for (const { rule, severity, message } of file.error ? [] : behindSourceFindings(locale, file))
        output.finding(output.shown(join(report.root, file.target)), severity, `${rule}: ${message}`);
      for (const { rule, severity, file: name, line, column, message } of driftFindings(locale, file)) {
        if (limit?.admits(rule) === false) continue;
        const place = `${output.shown(join(report.root, name))}:${line}:${column}`;
        const text = `${rule}: ${message}`;
        if (severity === 'warning') output.warning(text, place);
        else output.finding(place, severity, text);
      }
    }
  }
}

/** The exit code for the first unreadable file of a run that writes nothing; 0 if all are readable. */
export function exitCodeOf(reports: readonly SyncReport[]): ExitCode {
  for (const { languages, sources } of reports) {
    const errors = languages.flatMap(({ files }) => files.flatMap(({ error }) => error ?? []));
    for (const keys of sources?.values() ?? []) if (keys instanceof DragomanError) errors.push(keys);
    if (errors[0]) return traitsOf(errors[0]).exitCode;
  }
  return OK;
}

/** Prints similar translations in the memory (`status --similar`). */
export function printSimilar({ root, languages }: SyncReport, output: Output): void {
  for (const { locale, memory } of languages) {
    for (const { file, line, column, key, similarity, source, translation } of memory?.similar ?? []) {
      const percent = Math.floor(100 * similarity);
      output.result(
        `${output.shown(join(root, file))}:${line}:${column}: ${keyText(key)} (${locale}): ${percent} % like ${quote(source)}: ${quote(translation)}`,
      );
    }
  }
}

/** Texts may contain line breaks and quotes. */
function quote(text: string): string {
  return JSON.stringify(text);
}

import { Option, type Command } from 'commander';
import { RULES, SEVERITIES, type Finding, type Severity } from '../../project/lint/finding.ts';
import type { KeyFailure } from '../../project/plan/report.ts';
import type { Annotation } from './annotation.ts';
import { inGroup } from './help.ts';
import type { Output } from './output.ts';
import { oneLine } from '../terminal/terminal.ts';
import { VERSION } from '../../base/version.ts';
import { digits, pluralize } from '../terminal/table.ts';

/** Output formats of findings. */
const REPORT_FORMATS = ['text', 'json', 'sarif', 'github'] as const;

export interface ReportFormatFlags {
  readonly outputFormat?: (typeof REPORT_FORMATS)[number];
}

/** `--output-format` */
export function addReportFormatOption(command: Command): void {
  const option = new Option('--output-format <format>', 'how findings are printed; default: text');
  inGroup(command, 'Output', () => command.addOption(option.choices(REPORT_FORMATS)));
}

/** The requested format, including `--json`. */
export function reportFormatOf(
  { outputFormat }: ReportFormatFlags,
  { json }: Output,
): (typeof REPORT_FORMATS)[number] {
  return outputFormat ?? (json ? 'json' : 'text');
}

/** A report about a position in a file: a finding of `lint`, or of another rule. */
export type ReportedFinding = Omit<Finding, 'rule'> & { readonly rule: string };

/** Rules and their descriptions. */
export type ReportedRules<Rule extends string = string> = Readonly<
  Record<Rule, { readonly severity: Severity; readonly text: string }>
>;

/** Adds the option for the lowest severity that is reported and makes a command fail. */
export function addSeverityOption(command: Command): void {
  command.addOption(
    new Option(
      '--severity <level>',
      'report findings of this level or worse; any of them makes the exit code 8',
    )
      .choices(SEVERITIES)
      .default('warning'),
  );
}

export interface SeverityOptions {
  readonly severity: Severity;
}

/** `file:line:column: severity: rule: message (key)`, which editors recognize. */
export function printFinding(finding: ReportedFinding, output: Output): void {
  const { file, line, column, severity, rule } = finding;
  output.finding(`${oneLine(file)}:${line}:${column}`, severity, `${rule}: ${findingText(finding)}`);
}

/** The fault, followed by its text, or by its key in the file's notation. */
export function findingText({
  message,
  keyName,
  text,
}: Pick<Finding, 'message' | 'keyName' | 'text'>): string {
  const name = text === undefined ? keyName : nameOfKey({ key: [], text });
  return oneLine(name === undefined || name === '' ? message : `${message} (${name})`);
}

/** `3 findings (1 error, 2 warnings)` */
export function countFindings(findings: readonly Finding[]): string {
  const counts = SEVERITIES.flatMap((level) => {
    const number = findings.filter(({ severity }) => severity === level).length;
    if (number === 0) return [];
    return level === 'info' ? `${digits(number)} for information` : pluralize(number, level);
  });
  return `${pluralize(findings.length, 'finding')} (${counts.join(', ')})`;
}

/** The result for a key that a sync could not translate. */
export function failureText({ reason, isExtra, ...key }: KeyFailure, locale: string): string {
  return `${nameOfKey(key)} was not ${isExtra ? 'removed' : `translated into ${locale}`}: ${reason}`;
}

/** The length at which a text used as a name is cut. */
const MOST_NAMED = 60;

/** A key's name for people: its text if the format generates the key. */
export function nameOfKey({
  key,
  text,
}: {
  readonly key: readonly string[];
  readonly text?: string | undefined;
}): string {
  if (text === undefined) return keyText(key);
  const characters = Array.from(oneLine(text));
  const isShort = characters.length <= MOST_NAMED;
  return `"${isShort ? characters.join('') : `${characters.slice(0, MOST_NAMED - 1).join('')}…`}"`;
}

/** A key as people write it. PO entries without a context have an empty first segment. */
export function keyText(key: readonly string[]): string {
  return oneLine(key.filter((segment) => segment !== '').join('.'));
}

/** The findings for `--json`, with the reports' field names. */
export function findingDocument(findings: readonly ReportedFinding[]): unknown {
  return findings.map(({ rule, severity, file, line, column, locale, key, keyName, message }) => ({
    rule,
    severity,
    file,
    line,
    column,
    language_code: locale ?? null,
    key: key ?? null,
    key_name: keyName ?? null,
    message,
  }));
}

/** A SARIF 2.1.0 log, for code scanning. */
export function sarifLog(findings: readonly ReportedFinding[], rules: ReportedRules = RULES): unknown {
  const names = Object.keys(rules);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'dragoman',
            version: VERSION,
            rules: Object.entries(rules).map(([id, { severity, text }]) => ({
              id,
              shortDescription: { text },
              defaultConfiguration: { level: SARIF_LEVELS[severity] },
            })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: names.indexOf(finding.rule),
          level: SARIF_LEVELS[finding.severity],
          message: { text: findingText(finding) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: finding.file.split('/').map(encodeURIComponent).join('/') },
                region: { startLine: finding.line, startColumn: finding.column },
              },
            },
          ],
        })),
      },
    ],
  };
}

/** A finding as an annotation, which GitHub shows at the line of a pull request. */
export function annotationOf(finding: ReportedFinding): Annotation {
  const { file, line, column, rule, severity } = finding;
  return { level: GITHUB_LEVELS[severity], file, line, column, title: rule, message: findingText(finding) };
}

const SARIF_LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

export const GITHUB_LEVELS: Readonly<Record<Severity, Annotation['level']>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

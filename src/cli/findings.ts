import { RULES, type Finding } from '../project/lint/finding.ts';
import { escapeData, escapeProperty } from './github/annotation.ts';
import { oneLine } from './terminal.ts';
import { VERSION } from './version.ts';

/** Forms in which findings are printed. */
export const REPORT_FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** `file:line:column: rule: message (key)`: what editors and people can jump to. */
export function findingLine({ file, line, column, rule, key, message }: Finding): string {
  const place = `${oneLine(file)}:${line}:${column}`;
  return `${place}: ${rule}: ${oneLine(message)}${key && key.length > 0 ? ` (${keyText(key)})` : ''}`;
}

/** A key as people write it; PO entries without context have an empty first segment. */
export function keyText(key: readonly string[]): string {
  return oneLine(key.filter((segment) => segment !== '').join('.'));
}

/** The findings for `--json`, with the field names of the reports. */
export function findingDocument(findings: readonly Finding[]): unknown {
  return findings.map(({ rule, file, line, column, locale, key, message }) => ({
    rule,
    file,
    line,
    column,
    language_code: locale ?? null,
    key: key ?? null,
    message,
  }));
}

/** A SARIF 2.1.0 log, for code scanning. */
export function sarifLog(findings: readonly Finding[]): unknown {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'dragoman',
            version: VERSION,
            rules: Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: findings.map(({ rule, file, line, column, key, message }) => ({
          ruleId: rule,
          ruleIndex: Object.keys(RULES).indexOf(rule),
          level: 'error',
          message: { text: key ? `${message} (${keyText(key)})` : message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  };
}

/** Workflow commands that GitHub shows beside the lines of a pull request. */
export function githubAnnotation({ file, line, column, rule, key, message }: Finding): string {
  const properties = { file, line: String(line), col: String(column), title: rule };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::error ${list.join(',')}::${escapeData(key ? `${message} (${keyText(key)})` : message)}`;
}

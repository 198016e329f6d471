import type { Configuration } from '../config/configuration.ts';
import { RULES, SEVERITIES, type Finding, type Severity } from './finding.ts';

/** The findings with the severities that a configuration gives their rules, without those it switches off. */
export function gradeFindings(
  findings: readonly Finding[],
  { lint }: Pick<Configuration, 'lint'>,
): readonly Finding[] {
  const rules = lint?.rules;
  if (!rules) return findings;
  return findings.flatMap((finding) => {
    const severity = rules[finding.rule] ?? RULES[finding.rule].severity;
    return severity === 'off' ? [] : [{ ...finding, severity }];
  });
}

/** The findings of a severity and of worse ones. */
export function atLeast<T extends Finding>(findings: readonly T[], level: Severity): readonly T[] {
  const last = SEVERITIES.indexOf(level);
  return findings.filter(({ severity }) => SEVERITIES.indexOf(severity) <= last);
}

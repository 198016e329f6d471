import { excessOf } from '../../text/length-limit.ts';
import { verify } from '../../text/verify.ts';
import { branchRuleOf, type Finding, type RowForm, type Row } from '../protocol.ts';
import { wording } from './wording.ts';

/**
 * Findings about a translation while it is typed, by the rules that apply when it is saved. An unchanged text keeps the
 * findings that were sent with it, because verification is stricter than a review of a person's text.
 */
export function checkForm(row: Row, form: RowForm, value: string): readonly Finding[] {
  if (value.trim() === '' && form.source.trim() !== '')
    return [{ message: wording.emptyTranslation, isError: true }];
  const { syntax, branches, accepted = [form.source] } = form;
  const rule = branches && branchRuleOf(branches);
  const findings: Finding[] =
    value === form.translation
      ? [...form.findings]
      : verify(accepted, value, { syntax, locale: row.locale, rule }).map(({ detail: message }) => ({
          message,
          isError: true,
        }));
  const warn = (message: string | undefined): void => {
    if (message !== undefined && !findings.some((one) => one.message === message))
      findings.push({ message, isError: false });
  };
  warn(row.limit && excessOf(value, row.limit, syntax));
  warn(checkEnds(form.source, value));
  return findings;
}

/** Spaces at the ends are easily lost, and programs use them to join texts. */
function checkEnds(source: string, value: string): string | undefined {
  const endsOf = (text: string): string => `${/^\s*/.exec(text)?.[0]}|${/\s*$/.exec(text)?.[0]}`;
  return endsOf(source) === endsOf(value) ? undefined : wording.spacesAtEnds;
}

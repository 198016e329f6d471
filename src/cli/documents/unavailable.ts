import { describe, type DragomanError } from '../../base/errors.ts';
import type { Output } from '../output.ts';

/** Says on standard error what could get the pairs that no engine has, each way once. */
export function printHints(errors: readonly DragomanError[], output: Output): void {
  for (const hint of new Set(errors.flatMap((error) => error.hint ?? []))) output.problem(`  ${hint}`);
}

/** A text of a document that could not be translated. */
interface FailedText {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** What keeps its source text, on standard error. */
export function printFailures(
  { name }: { readonly name: string },
  target: string | undefined,
  failures: readonly FailedText[],
  output: Output,
): void {
  const language = target === undefined ? '' : ` (${target})`;
  for (const { line, column, reason } of failures)
    output.problem(`${name}:${line}:${column}:${language} keeps its source text: ${reason}`);
}

/** A document that no engine can translate, on standard error. */
export function printUnavailable(name: string, target: string, error: DragomanError, output: Output): void {
  output.problem(`${name} was not translated into ${target}: ${describe(error)}`);
  printHints([error], output);
}

/** The same for `--json`. */
export function unavailableDocument({ code, message, hint }: DragomanError): object {
  return { error: { code, message, hint: hint ?? null } };
}

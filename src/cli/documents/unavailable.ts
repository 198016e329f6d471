import { describe, type DragomanError } from '../../base/errors.ts';
import type { Output } from '../output.ts';

/** Says on standard error what could get the pairs that no engine has, each way once. */
export function printHints(errors: readonly DragomanError[], output: Output): void {
  for (const hint of new Set(errors.flatMap((error) => error.hint ?? []))) output.problem(`  ${hint}`);
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

import { type ErrorCode, type ExitCode, traitsOf } from '../../base/errors.ts';

export type { ExitCode } from '../../base/errors.ts';

export const OK = 0;
/** The command line is wrong. */
export const MISUSED = 2;
/** Some translations failed, for example because no engine supports the language; the rest is saved. */
export const PARTIAL = 7;
/** Lint has findings, or `--frozen` found drift. */
export const CHECK_FAILED = 8;
/** Stopped by a signal; finished work is saved. */
export const INTERRUPTED = 130;

/** Network or server failures; also used if engines returned nothing at all. */
export const UNANSWERED = 6;

/**
 * The exit code of a run that could not translate everything: unanswered if no engine returned anything, otherwise
 * partial.
 *
 * @param codes the errors of failed requests, if known
 */
export function exitCodeOfFailures(translated: number, codes: readonly (ErrorCode | undefined)[]): ExitCode {
  if (codes.length === 0) return OK;
  const isOfEngine = (code: ErrorCode | undefined): boolean => {
    const concerns = code && traitsOf({ code }).concerns;
    return concerns === 'engine' || concerns === 'service';
  };
  return translated === 0 && codes.every(isOfEngine) ? UNANSWERED : PARTIAL;
}

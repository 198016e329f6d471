import { type ErrorCode, type ExitCode, traitsOf } from '../../base/errors.ts';

export type { ExitCode } from '../../base/errors.ts';

export const OK = 0;
/** A mistake in the command line. */
export const MISUSED = 2;
/** Some translations failed, also those whose languages no engine supports; the rest is saved. */
export const PARTIAL = 7;
/** Lint findings, or drift found by `--frozen`. */
export const CHECK_FAILED = 8;
/** Stopped by a signal; finished work is saved. */
export const INTERRUPTED = 130;

/** Network or server: also where engines gave nothing at all. */
export const UNANSWERED = 6;

/**
 * How a run ends that could not translate everything: as unanswered where nothing came of any engine, else in part.
 *
 * @param codes of what failed: what became of its request, where that is known
 */
export function exitCodeOfFailures(translated: number, codes: readonly (ErrorCode | undefined)[]): ExitCode {
  if (codes.length === 0) return OK;
  const isOfEngine = (code: ErrorCode | undefined): boolean => {
    const concerns = code && traitsOf({ code }).concerns;
    return concerns === 'engine' || concerns === 'service';
  };
  return translated === 0 && codes.every(isOfEngine) ? UNANSWERED : PARTIAL;
}

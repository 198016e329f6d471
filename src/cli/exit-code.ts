export type { ExitCode } from '../base/errors.ts';

export const OK = 0;
/** Some translations failed, the rest is saved. So is what no engine has the languages for. */
export const PARTIAL = 7;
/** Lint findings, or drift found by `--frozen`. */
export const CHECK_FAILED = 8;
/** Stopped by a signal: what is done is saved. */
export const INTERRUPTED = 130;

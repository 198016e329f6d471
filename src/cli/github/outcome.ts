import type { Finding } from '../../project/lint/finding.ts';
import type { SyncReport } from '../../project/plan/report.ts';

/** What a command reports about a repository. */
export interface CommandOutcome {
  /** `dragoman check`. */
  readonly title: string;
  readonly passed: boolean;
  /** Findings, with what their files are relative to. */
  readonly findings?: readonly (Finding & { readonly root: string })[] | undefined;
  readonly reports?: readonly SyncReport[] | undefined;
  /** Whether keys that are not as their source wants them are problems: a gate says yes, a sync has just seen to it. */
  readonly isGate: boolean;
}

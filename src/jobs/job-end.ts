import type { JobEnd, UnitRow } from '../store/job-units.ts';
import type { JobRow } from '../store/jobs.ts';
import { countUnion } from './key-set.ts';

/**
 * What becomes of a job whose units have all ended: `completed` when every key has every language, `failed` when no
 * language has a file, `partial` otherwise. A key is translated when every requested language has it, and failed when
 * one has not.
 */
export function judgeJob(job: Pick<JobRow, 'total_keys'>, units: readonly UnitRow[]): JobEnd {
  const total = job.total_keys;
  const lost = units.filter(({ status }) => status === 'failed');
  const failed =
    lost.length > 0
      ? total
      : countUnion(
          units.map(({ failed_keys }) => failed_keys),
          total,
        );
  const counts = { translated_keys: total - failed, failed_keys: failed };
  if (lost.length === 0) {
    return { ...counts, status: failed === 0 ? 'completed' : 'partial', error_message: null };
  }
  if (lost.length < units.length) return { ...counts, status: 'partial', error_message: null };
  const reasons = new Set(lost.map(({ error_message }) => error_message ?? 'unknown'));
  const [reason] = reasons;
  return { ...counts, status: 'failed', error_message: `nothing could be translated: ${reason}` };
}

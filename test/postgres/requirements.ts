import { describe } from 'vitest';
import { hasBalancer } from '../server/balancer.ts';
import { hasPostgres } from './cluster.ts';

const PROGRAMS = {
  postgres: hasPostgres ? undefined : 'PostgreSQL 15 or newer (Debian: postgresql)',
  haproxy: hasBalancer ? undefined : 'haproxy (Debian: haproxy)',
} as const;

/**
 * Tests that need system programs. If one is missing, the names of these tests say that they were skipped, and
 * why.
 */
export function describeWith(
  programs: readonly (keyof typeof PROGRAMS)[],
  name: string,
  tests: () => void,
): void {
  const missing = programs.map((program) => PROGRAMS[program]).filter((program) => program !== undefined);
  const reason = missing.length === 0 ? '' : ` (skipped: needs ${missing.join(' and ')})`;
  describe.skipIf(missing.length > 0)(name + reason, () => {
    tests();
  });
}

/** One line for each program that this machine lacks, naming the tests of databases and balancers that are skipped. */
export const MISSING: readonly string[] = Object.values(PROGRAMS)
  .filter((program) => program !== undefined)
  .map((program) => `the tests that need ${program} are skipped: it is not installed`);

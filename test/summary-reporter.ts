import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with one line for scripts: `N passed, N failed`. Before that line, it prints the tests that passed only at
 * the second attempt, with their first failure, and the number of skipped tests.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state, errors: failures } = test.result();
        counts[state === 'pending' ? 'skipped' : state]++;
        if (test.diagnostic()?.flaky) {
          process.stdout.write(
            `\npassed when run again: ${module.relativeModuleId} > ${test.fullName}\n${failures?.[0]?.stack ?? ''}\n`,
          );
        }
      }
    }
    const skipped = counts.skipped > 0 ? `${counts.skipped} skipped\n` : '';
    process.stdout.write(`\n${skipped}${counts.passed} passed, ${counts.failed} failed\n`);
  }
}

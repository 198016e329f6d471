import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that scripts can read: `N passed, N failed`. What was skipped is told before it. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state]++;
      }
    }
    const skipped = counts.skipped > 0 ? `${counts.skipped} skipped\n` : '';
    process.stdout.write(`\n${skipped}${counts.passed} passed, ${counts.failed} failed\n`);
  }
}

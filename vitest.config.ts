import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Real child processes run in several files: more workers than cores only makes them wait for each other.
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});

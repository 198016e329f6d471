import { defineConfig } from 'vitest/config';
import { builtWorkers } from './test/built-workers.ts';

/**
 * The tests of `npm run test:long`: they kill processes, attack the program, open browsers, wait for time limits,
 * repeat an action thousands of times, start the program hundreds of times, or need a separate heap.
 */
const LONG = [
  'test/crash/**/*.test.ts',
  'test/attack/*.test.ts',
  'test/{memory,store}/processes.test.ts',
  'test/store/postgres.test.ts',
  'test/jobs/{crash,deleted-elsewhere,fairness,restart,sharing,upload-bounds,workers}.test.ts',
  'test/workers/{blocking-program,contract}.test.ts',
  'test/webhooks/kill.test.ts',
  'test/server/{hostile-*,aborted,database-crash,s3,work-directory}.test.ts',
  'test/engines/**/{adversarial,hosted-adversarial,hostile-strings}.test.ts',
  'test/engines/exec.test.ts',
  'test/formats/{fuzz,hostile-markdown,hostile-yaml,po-format-flags}.test.ts',
  'test/text/linear.test.ts',
  'test/{formats,frameworks}/linear.test.ts',
  'test/combinations/*.test.ts',
  'test/exchange/{other-programs,projects}.test.ts',
  'test/cli/reading.test.ts',
  'test/cli/checkout/*.test.ts',
  'test/cli/{boolean-keys,encodings,garbage,gates,memory-projects,ownership,source-language}.test.ts',
  'test/cli/{damaged-answers,newcomer,nonsense-answers,piped-progress,pipeline,report-browser,service-engine,signals}.test.ts',
  'test/server/docs.test.ts',
  'test/server/specification/{balancer,postgres,processes}.test.ts',
  'test/server/processes/*.test.ts',
  'test/client/replicas-contract.test.ts',
  'test/docs/{commands,server,service}.test.ts',
  'test/examples/*.test.ts',
  'test/git/{documented-settings,hostile-checkouts}.test.ts',
  'test/hostile/once-slow.test.ts',
  'test/project/{catalogue-linear,one-state}.test.ts',
  'test/review/browser/*.test.ts',
  'test/scripts/new.test.ts',
];

/** Files of properties, which `npm test` tries with fewer examples: see `test/property-runs.ts`. */
const PROPERTIES = [
  'test/documents/{email,html-properties,html-references,markdown-links,slot-ids,target}.test.ts',
  'test/documents/{subtitle-speakers,subtitles-adversary}.test.ts',
  'test/engines/apertium.test.ts',
  'test/formats/{email,fixtures,fluent,markdown,markdown-parts,subtitles-conversion,yaml-edits,yaml-simple}.test.ts',
  'test/project/{glob,po-catalogues,subtitles,sync-service}.test.ts',
  'test/store/metering.test.ts',
  'test/text/{align,properties}.test.ts',
];

export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Only four files at once keep two cores busy, because many wait for child processes, databases and time limits.
    maxWorkers: 4,
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      {
        extends: true,
        plugins: [builtWorkers],
        test: {
          name: 'short',
          // Files share a worker and the modules in it: loading the program anew for each took a third of the time.
          // Each file therefore restores everything that it mocks or spies on.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: LONG,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: [...LONG, ...PROPERTIES], env: { PROPERTY_RUNS: 'all' } },
      },
    ],
    setupFiles: ['test/setup.ts'],
    // Many times the duration of the slowest test on a quiet machine, so that no test fails on a busy one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // In CI, a test that fails runs once more, and the summary names it with its first failure.
    // A property that has found a counterexample does not run again.
    retry: process.env['CI'] ? { count: 1, condition: /^(?!Property failed)/ } : 0,
  },
});

import { expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readDocument } from '../docs/document.ts';

interface Job {
  readonly container: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly { readonly run?: string }[];
}

const jobOf = (workflow: string, job: string): Job =>
  (parse(readDocument(`.github/workflows/${workflow}.yml`)) as { jobs: Record<string, Job> }).jobs[job]!;

const commandsOf = ({ steps }: Job): readonly string[] => steps.flatMap(({ run }) => run ?? []);

it('CI tests every supported line of Node with the steps of .ci/run', () => {
  const job = jobOf('test', 'test');
  const lines = job.strategy?.matrix.node ?? [];
  expect(lines).toEqual([20, 22, 24]);
  expect(packageJson.engines.node).toMatch(new RegExp(`^>=${lines[0]}\\.`));
  expect(commandsOf(job)).toEqual(['.ci/run']);
});

it('the release workflow publishes the tested package, with provenance and without a stored token', () => {
  const job = jobOf('release', 'publish');
  expect(commandsOf(job).slice(-2)).toEqual(['.ci/run', 'npm publish --provenance --access public']);
  expect(job.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(readDocument('.github/workflows/release.yml')).not.toContain('secrets.');
});

it('workflows pin third-party actions by commit', () => {
  for (const workflow of ['test', 'release']) {
    const text = readDocument(`.github/workflows/${workflow}.yml`);
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d/);
  }
});

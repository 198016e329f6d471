import { spawnSync } from 'node:child_process';

/** The other reader is Python's. */
export const hasOtherReader = spawnSync('python3', ['--version']).status === 0;

/** The tags of pages according to an independent HTML reader, which shares no code with the program. */
export function readTags(pages: readonly string[], attributes: boolean): readonly unknown[] {
  const script = new URL('./html_tags.py', import.meta.url).pathname;
  const run = spawnSync('python3', [script], {
    input: JSON.stringify({ pages, attributes }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 60_000,
  });
  if (run.status !== 0) throw new Error(`python3 failed: ${run.stderr}`);
  const tags: unknown[] = JSON.parse(run.stdout);
  return tags;
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { countingService, numberedTexts } from '../cli/counting-service.ts';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { startService } from '../cli/service.ts';
import { journalOf, start } from './program.ts';

const service = startService();
const text = (root: string, name: string): string => readFileSync(join(root, name), 'utf8');

/** The charge according to the account's summary. */
async function charged(env: Readonly<Record<string, string>>): Promise<number> {
  const { stdout } = await service.run(['account', '--json'], { env });
  return Number((JSON.parse(stdout) as Record<string, unknown>)['credits_used']);
}

/** The texts in the journal: their batches are finished. */
function journalled(root: string): ReadonlySet<string> {
  const path = journalOf(root);
  if (!existsSync(path)) return new Set();
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const segments = lines.flatMap(
    (line) => (JSON.parse(line) as { segments?: [string, string][] }).segments ?? [],
  );
  return new Set(segments.map(([, translation]) => translation.replace(/^de:/, '')));
}

/** A thread started from source text that never reports ready. */
const SLOW_THREAD = `
const threads = require('node:worker_threads');
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(options.eval ? 'setInterval(() => undefined, 1000)' : file, options);
  }
};
require('node:module').syncBuiltinESMExports();
`;

describe('a sync against a service that is killed', () => {
  it('does not pay again for texts of a finished batch', async () => {
    const root = numberedTexts(3000);
    const fake = await countingService(() => 'answer', 15);
    const argv = ['sync', root, '-s', 'en', '-t', 'de'];
    let killed = 0;
    for (;;) {
      const before = journalled(root);
      const sentBefore = fake.sent.length;
      const batches = fake.batches();
      const running = start(argv, root, fake.env);
      // Kills the run in the middle, after a different number of batches each time.
      const timer = setInterval(() => {
        if (fake.batches() - batches >= 5 + killed) running.child.kill('SIGKILL');
      }, 2);
      const { signal, code, stderr } = await running.ended;
      clearInterval(timer);
      expect(fake.sent.slice(sentBefore).filter((sent) => before.has(sent))).toEqual([]);
      if (signal === null) {
        expect(code, stderr).toBe(0);
        break;
      }
      killed++;
      expect(killed).toBeLessThan(40);
    }
    expect(killed).toBeGreaterThan(1);
    // Texts sent twice were pending when the process was killed: 4 requests at most.
    expect(fake.sent.length - 3000).toBeLessThanOrEqual(killed * 400);
    expect(JSON.parse(text(root, 'de.json'))).toMatchObject({ k2999: 'de:Text number 2999' });
    expect((await dragoman(['check', root])).exitCode).toBe(0);
  });

  it('saves pending answers when it is interrupted', async () => {
    const root = numberedTexts(1000);
    const fake = await countingService(() => 'answer', 150);
    const argv = ['sync', root, '-s', 'en', '-t', 'de'];
    const running = start(argv, root, fake.env);
    await vi.waitFor(() => expect(fake.batches()).toBeGreaterThanOrEqual(2), {
      timeout: 20_000,
      interval: 5,
    });
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    const kept = journalled(root).size;
    expect(kept, `code ${code}: ${stderr}`).toBeGreaterThan(0);
    expect(stderr).toContain(`interrupted: ${kept} of 1,000 keys are kept: run the command again\n`);
    expect(code).toBe(130);
    expect(fake.sent.length).toBeLessThan(1000);
    expect(journalled(root).size).toBe(fake.sent.length);
    const rest = await start(argv, root, fake.env).ended;
    expect(rest.code, rest.stderr).toBe(0);
    expect(fake.sent).toHaveLength(1000);
  });

  it('saves pending answers even before the signal thread has started', async () => {
    const root = numberedTexts(1000);
    const fake = await countingService(() => 'answer', 150);
    const slow = join(temporaryDirectory(), 'slow-thread.cjs');
    writeFileSync(slow, SLOW_THREAD);
    const env = { ...fake.env, NODE_OPTIONS: `--require ${slow}` };
    const running = start(['sync', root, '-s', 'en', '-t', 'de'], root, env);
    await vi.waitFor(() => expect(fake.batches()).toBeGreaterThanOrEqual(1), {
      timeout: 20_000,
      interval: 5,
    });
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(130);
    expect(journalled(root).size).toBe(fake.sent.length);
  });

  it('does not pay for a job twice', async () => {
    const root = numberedTexts(400);
    writeFileSync(
      join(root, 'dragoman.config.json'),
      '{"source": "en", "targets": ["de", "fr", "es", "it"]}',
    );
    const argv = ['create', '--email', 'user@example.org', '--name', 'N', '--credits', '10000'];
    const env = { DRAGOMAN_API_KEY: await service.keys(argv) };
    const remote = { DRAGOMAN_BASE_URL: service.url, ...env };
    const running = start(['sync', root, '--via', 'jobs'], root, remote);
    const journal = journalOf(root);
    const timer = setInterval(() => {
      if (existsSync(journal) && readFileSync(journal, 'utf8').includes('"id"'))
        running.child.kill('SIGKILL');
    }, 2);
    const { signal } = await running.ended;
    clearInterval(timer);
    expect(signal).toBe('SIGKILL');
    expect(await charged(env)).toBe(1600);
    const { code, stderr } = await start(['sync', root, '--via', 'jobs'], root, remote).ended;
    expect(code, stderr).toBe(0);
    expect(await charged(env)).toBe(1600);
    expect(text(root, 'it.json')).not.toContain('Text number 7"');
    expect(readdirSync(root).filter((name) => name.startsWith('.dragoman'))).toEqual([]);
  });
});

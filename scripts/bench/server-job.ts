import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { supportedLanguages } from '../../src/languages/catalog.ts';
import { makeDocument } from './made-documents.ts';
import { printRow } from './measure.ts';
import { createKey, startServer } from './server-process.ts';

const BYTES = 9_990_000;
const LANGUAGES = 50;
const CREDITS = 1e9;

interface JobRun {
  readonly seconds: number;
  readonly peakMemory: number;
}

/** A file of 10 MB into many languages against one, each in a server of its own. */
export async function benchJob(directory: string): Promise<void> {
  const document = makeDocument('json', BYTES);
  const codes = supportedLanguages()
    .map(({ code }) => code)
    .filter((code) => code !== 'en')
    .slice(0, LANGUAGES);
  const one = await runJob(directory, document, codes.slice(0, 1));
  const many = await runJob(directory, document, codes);
  printRow(
    'server     job of 10 MB, 1 language',
    `${one.seconds.toFixed(1)} s  ${megabytes(one.peakMemory)}`,
  );
  const ratio = many.seconds / one.seconds;
  const what = `server     job of 10 MB, ${codes.length} languages`;
  printRow(what, `${many.seconds.toFixed(1)} s  ${ratio.toFixed(1)} x`, {
    text: '<= 40 x',
    met: ratio <= 40,
  });
  printRow('server     memory of its processes then, at most', megabytes(many.peakMemory), {
    text: '< 500 MB',
    met: many.peakMemory < 500e6,
  });
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function runJob(directory: string, document: string, codes: readonly string[]): Promise<JobRun> {
  const data = join(directory, `job-${codes.length}`);
  const key = createKey(data, CREDITS);
  const args = ['--data-dir', data, '--port', '0', '--engine', 'pseudo', '--rate-limit', '0'];
  const server = await startServer(directory, ['bin/dragoman.js', 'serve', ...args]);
  let peakMemory = 0;
  const sampler = setInterval(() => (peakMemory = Math.max(peakMemory, server.memory())), 100);
  try {
    const started = performance.now();
    const body = new FormData();
    body.set('source_language', 'en');
    body.set('target_languages', codes.join());
    body.set('file', new File([document], 'messages.json'));
    const headers = { 'X-API-KEY': key };
    const created = await fetch(`${server.url}/v2/translate/i18n`, { method: 'POST', body, headers });
    const { job_id } = (await created.json()) as { readonly job_id?: string };
    if (created.status !== 201) throw new Error(`the job was answered with ${created.status}`);
    for (;;) {
      const answer = await fetch(`${server.url}/v2/translate/i18n/jobs/${job_id}/status`, { headers });
      const { status } = (await answer.json()) as { readonly status: string };
      if (status === 'completed') break;
      if (status !== 'pending' && status !== 'processing') throw new Error(`the job ended as ${status}`);
      await delay(100);
    }
    return { seconds: (performance.now() - started) / 1000, peakMemory };
  } finally {
    clearInterval(sampler);
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

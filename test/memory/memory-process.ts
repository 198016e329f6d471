import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';

/**
 * A process that works on a memory until it is killed: `TASK FILE NAME`. It prints `ready`, and starts when
 * it gets a line. It reports stored entries immediately, one line each.
 */
const [task = '', file = '', name = ''] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (line: string): number => writeSync(1, `${line}\n`);
const pair = { source: 'en', target: 'es' };

/** Endless small batches, as a sync stores them, of texts that several processes share. */
async function store(): Promise<void> {
  const memory = await openTranslationMemory(file);
  say('ready');
  await lines.next();
  for (let round = 0; ; round++) {
    const texts = Array.from({ length: 20 }, (_, i) => `The ${round * 20 + i}th sentence`);
    const entries = texts.map((text) => ({
      segments: [text],
      placeholders: [],
      category: '',
      context: name,
      translations: [`${text} by ${name}`],
      origin: 'machine' as const,
      engine: name,
    }));
    await memory.store(entries, pair);
    say(`stored ${round}`);
    if (task === 'rounds' && round === 19) break;
  }
  await memory.close();
  say('closed');
  process.stdin.destroy();
}

/** Opens the memory at the same moment as other processes. */
async function open(): Promise<void> {
  say('ready');
  await lines.next();
  const memory = await openTranslationMemory(file);
  await memory.close();
  say('closed');
  process.stdin.destroy();
}

await (task === 'open' ? open() : store());

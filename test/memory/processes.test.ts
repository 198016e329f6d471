import { join } from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it } from 'vitest';
import { EN_ES, entriesIn, messageOf, openMemory, temporaryDirectory } from './harness.ts';
import { processesOf } from '../sqlite/worked-process.ts';

/** Real processes on one memory, killed without warning. */

const start = processesOf(join(import.meta.dirname, 'memory-process.ts'));

describe('processes on one memory', () => {
  it('lose nothing stored when killed, and leave it intact', async () => {
    const file = join(temporaryDirectory(), 'memory.db');
    const rounds = new Map<string, number>();
    for (let round = 0; round < 4; round++) {
      const names = [`a${round}`, `b${round}`];
      const both = await Promise.all(names.map((name) => start('store', file, name)));
      for (const one of both) one.begin();
      for (const [i, one] of both.entries()) {
        await one.said(3 + 7 * round + 5 * i);
        one.kill();
        await one.ended;
        rounds.set(names[i] ?? '', one.lines.length);
        expect(one.lines.at(-1)).toBe(`stored ${one.lines.length - 1}`);
      }
    }
    const memory = await openMemory(file);
    const contexts = new Map<string, number>();
    for (const { context, translations, segments } of await entriesIn(memory)) {
      expect(translations).toEqual([`${segments[0]} by ${context}`]);
      contexts.set(context, (contexts.get(context) ?? 0) + 1);
    }
    for (const [name, count] of rounds) {
      // One round may have been stored but not reported; no round is stored in part.
      expect([count * 20, (count + 1) * 20], name).toContain(contexts.get(name));
    }
    const raw = new Sqlite(file);
    expect(raw.prepare('pragma integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    raw.close();
    // The index for similar texts is complete, too.
    const { messages } = await memory.stats();
    for (let i = 0; i < messages; i += 17) {
      const [similar] = await memory.findSimilar(messageOf(`The ${i}th sentence!`), EN_ES, { most: 1 });
      expect(similar?.source).toBe(`The ${i}th sentence`);
    }
  });

  it('store at the same time, without losing entries', async () => {
    const file = join(temporaryDirectory(), 'memory.db');
    const all = await Promise.all(['a', 'b', 'c'].map((name) => start('rounds', file, name)));
    for (const one of all) one.begin();
    await Promise.all(all.map(({ ended }) => ended));
    for (const { lines } of all) expect(lines.at(-1)).toBe('closed');
    const stats = await (await openMemory(file)).stats();
    expect(stats).toMatchObject({ entries: 3 * 400, messages: 400 });
    expect(stats.pairs[0]?.engines.map(({ entries }) => entries)).toEqual([400, 400, 400]);
  });

  it('can create the same memory at the same moment', async () => {
    const file = join(temporaryDirectory(), 'new', 'memory.db');
    const all = await Promise.all(Array.from({ length: 4 }, () => start('open', file)));
    for (const one of all) one.begin();
    await Promise.all(all.map(({ ended }) => ended));
    expect(all.map(({ lines }) => lines)).toEqual(Array.from({ length: 4 }, () => ['closed']));
    expect(await (await openMemory(file)).stats()).toMatchObject({ entries: 0 });
  });
});

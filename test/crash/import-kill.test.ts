import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import type { MemoryStats } from '../../src/memory/stored-memory.ts';
import { temporaryDirectory } from '../cli/harness.ts';
import { start } from './program.ts';

const UNITS = 20_000;

/** Waits until a condition holds, or the process has ended. */
async function until(isSo: () => boolean, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  void ended.then(() => over.abort());
  while (!over.signal.aborted && !isSo()) await wait(1);
}

describe('an import that is killed', () => {
  it('does not lose stored entries, and continues where it stopped', async () => {
    const cwd = temporaryDirectory();
    const units = Array.from(
      { length: UNITS },
      (_, i) =>
        `<tu><tuv xml:lang="en"><seg>Text ${i} of many</seg></tuv><tuv xml:lang="es"><seg>Texto ${i} de muchos</seg></tuv></tu>\n`,
    );
    writeFileSync(
      join(cwd, 'big.tmx'),
      `<tmx version="1.4"><header srclang="en"/><body>${units.join('')}</body></tmx>`,
    );
    const database = join(cwd, 'memory.db');
    const argv = ['memory', 'import', 'big.tmx', '--memory', database];
    const statsOf = async (): Promise<MemoryStats> => {
      const memory = await openTranslationMemory(database);
      const stats = await memory.stats();
      await memory.close();
      return stats;
    };
    const written = (): number =>
      [database, `${database}-wal`].reduce(
        (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
    let stored = 0;
    for (let round = 0; round < 2; round++) {
      const before = written();
      const { child, ended } = start(argv, cwd);
      // Kills the first import in its first transaction, and later imports in later transactions.
      await until(() => written() > before + round * 1_000_000, ended);
      child.kill('SIGKILL');
      await ended;
      if (!existsSync(database)) continue;
      const { entries } = await statsOf();
      expect(entries).toBeGreaterThanOrEqual(stored);
      stored = entries;
    }
    const { code, stderr } = await start(argv, cwd).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(await statsOf()).toMatchObject({ entries: UNITS, messages: UNITS });

    // A killed export does not change the existing file.
    const out = join(cwd, 'out.csv');
    writeFileSync(out, 'before');
    const replacing = ['memory', 'export', 'out.csv', '--memory', database, '--force'];
    const exporting = start(replacing, cwd);
    await until(
      () => (statSync(join(cwd, '.out.csv.dragoman-tmp'), { throwIfNoEntry: false })?.size ?? 0) > 0,
      exporting.ended,
    );
    exporting.child.kill('SIGKILL');
    await exporting.ended;
    const left = readFileSync(out, 'utf8');
    expect((await start(replacing, cwd).ended).code).toBe(0);
    const whole = readFileSync(out, 'utf8');
    expect(whole.split('\r\n')).toHaveLength(UNITS + 2);
    expect(left === 'before' || left === whole).toBe(true);
    expect(existsSync(join(cwd, '.out.csv.dragoman-tmp'))).toBe(false);

    // The next run removes leftovers of a new file.
    const creating = ['memory', 'export', 'new.csv', '--memory', database];
    const created = start(creating, cwd);
    const begun = (): readonly string[] => readdirSync(cwd).filter((name) => name.endsWith('.dragoman-tmp'));
    await until(() => begun().length > 0, created.ended);
    created.child.kill('SIGKILL');
    await created.ended;
    expect(begun()).toEqual([`.new.csv.${created.child.pid}.1.dragoman-tmp`]);
    expect((await start(creating, cwd).ended).code).toBe(0);
    expect(begun()).toEqual([]);
  });
});

import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it } from 'vitest';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import { HOSTILE_DATABASES, journalOf, leaveLog } from '../hostile/databases.ts';
import { EN_ES, entryOf, messageOf, openMemory, temporaryDirectory } from './harness.ts';

async function writeMemory(): Promise<string> {
  const path = join(temporaryDirectory(), 'memory.db');
  const memory = await openTranslationMemory(path);
  await memory.store([entryOf('Save', 'Guardar')], EN_ES);
  await memory.close();
  // A copy, because this process keeps the file open until its statements are garbage-collected.
  const copy = join(temporaryDirectory(), 'memory.db');
  copyFileSync(path, copy);
  return copy;
}

describe('a memory prepared by an attacker', () => {
  it.each(HOSTILE_DATABASES)('is refused with $name', async ({ prepare, refusal }) => {
    const path = await writeMemory();
    prepare(path);
    await expect(openTranslationMemory(path)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(refusal),
      hint: expect.stringMatching(/delete it|begun/),
    });
    // The file was not changed, and is refused again.
    await expect(openTranslationMemory(path)).rejects.toMatchObject({ code: 'unreadable_input' });
  });

  it('is refused with a journal that would make SQLite delete a file', async () => {
    const path = await writeMemory();
    const victim = join(temporaryDirectory(), 'thesis.txt');
    writeFileSync(victim, 'Chapter 1\n');
    leaveLog(path);
    writeFileSync(`${path}-journal`, journalOf(readFileSync(path), victim));
    await expect(openTranslationMemory(path)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/memory\.db-journal names another file/),
    });
    expect(readFileSync(victim, 'utf8')).toBe('Chapter 1\n');
    expect(existsSync(`${path}-journal`)).toBe(true);
  });

  it('is accepted with the journal of an interrupted transaction', async () => {
    const path = await writeMemory();
    leaveLog(path);
    const whole = readFileSync(path);
    writeFileSync(`${path}-journal`, journalOf(whole));
    writeFileSync(path, Buffer.concat([whole.subarray(0, 4_096), Buffer.alloc(whole.length - 4_096, 0xa5)]));
    const memory = await openMemory(path);
    expect(await memory.find([messageOf('Save')], EN_ES)).toMatchObject([{ translations: ['Guardar'] }]);
    expect(readdirSync(join(path, '..'))).not.toContain('memory.db-journal');
  });

  it('is accepted after a person ran ANALYZE', async () => {
    const path = await writeMemory();
    const connection = new Sqlite(path);
    connection.exec('analyze');
    connection.close();
    const memory = await openMemory(path);
    expect(await memory.find([messageOf('Save')], EN_ES)).toMatchObject([{ translations: ['Guardar'] }]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeAtomically } from '../../src/base/atomic-file.ts';

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'dragoman-new-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Left by a process that has ended. */
const dead = spawnSync(process.execPath, ['--version']).pid;

describe('a file that a killed process began to create', () => {
  it.each([true, false])('is removed by the next run that writes the file (isNew: %s)', async (isNew) => {
    const root = directory();
    writeFileSync(join(root, `.fr.json.${dead}.1.dragoman-tmp`), 'half');
    writeFileSync(join(root, `.fr.json.${dead}.27.dragoman-tmp`), 'half');
    await writeAtomically(join(root, 'fr.json'), '{}', { isNew });
    expect(readdirSync(root)).toEqual(['fr.json']);
  });

  it('is removed even if every process has the same id, as in containers', async () => {
    const root = directory();
    const left = join(root, `.fr.json.${process.pid}.999999.dragoman-tmp`);
    writeFileSync(left, 'half');
    utimesSync(left, 1, 1);
    await writeAtomically(join(root, 'fr.json'), '{}', { isNew: true });
    expect(readdirSync(root)).toEqual(['fr.json']);
  });

  it.each([
    ['if it belongs to a running process', `.fr.json.${process.ppid}.1.dragoman-tmp`],
    ['if it belongs to this process', `.fr.json.${process.pid}.999999.dragoman-tmp`],
    ['if it belongs to another output', `.de.json.${dead}.1.dragoman-tmp`],
    ['if it belongs to another output with a longer name', `.fr.json.old.${dead}.1.dragoman-tmp`],
    ['if another program wrote it', `.fr.json.${dead}.tmp`],
  ])('is kept %s', async (_, name) => {
    const root = directory();
    writeFileSync(join(root, name), 'half');
    await writeAtomically(join(root, 'fr.json'), '{}', { isNew: true });
    expect(readdirSync(root)).toEqual([name, 'fr.json']);
  });

  it('is created without following links', async () => {
    const root = directory();
    const name = `.fr.json.${dead}.1.dragoman-tmp`;
    writeFileSync(join(root, 'precious'), 'kept');
    symlinkSync('precious', join(root, name));
    await writeAtomically(join(root, 'fr.json'), '{}', { isNew: true });
    expect(readdirSync(root).sort()).toEqual([name, 'fr.json', 'precious']);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfProcess } from '../src/base/process-life.ts';
import { makeOwnDirectory, removeAbandoned } from './memory-directory.ts';

describe.skipIf(!existsSync('/proc/self/ns/pid'))('memory directories of test runs', () => {
  let memory: string;
  beforeEach(() => {
    memory = mkdtempSync(join(tmpdir(), 'memory-'));
  });
  afterEach(() => rmSync(memory, { recursive: true }));

  /** Makes the directory of another run: of another process, or of an earlier process with the same id. */
  function directoryOf(pid: number, started: string): string {
    const own = makeOwnDirectory(memory);
    rmSync(own, { recursive: true });
    const name = basename(own).replace(/-\d+-\d+-(\w+)$/, `-${pid}-${started}-$1`);
    mkdirSync(join(memory, name));
    writeFileSync(join(memory, name, 'file'), 'x');
    return name;
  }

  it('are removed after their run was killed, and stay while it lives', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const name = directoryOf(pid, startOfProcess(pid));
    const own = basename(makeOwnDirectory(memory));
    removeAbandoned(memory);
    expect(readdirSync(memory).sort()).toEqual([name, own].sort());
    child.kill('SIGKILL');
    await once(child, 'exit');
    removeAbandoned(memory);
    expect(readdirSync(memory)).toEqual([own]);
  });

  it('are removed when another process has the id of their run', () => {
    directoryOf(process.pid, '1');
    removeAbandoned(memory);
    expect(readdirSync(memory)).toEqual([]);
  });

  it('stay if they are not known to be abandoned', () => {
    const other = makeOwnDirectory(memory);
    rmSync(other, { recursive: true });
    const [, namespace = ''] = /^dragoman-tests-(\d+)-/.exec(basename(other)) ?? [];
    const names = ['dragoman-tests-abcdef', `dragoman-tests-${namespace}1-1-1-abcdef`, 'of-others'];
    for (const name of names) mkdirSync(join(memory, name));
    removeAbandoned(memory);
    expect(readdirSync(memory).sort()).toEqual(names.sort());
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { acquireSyncLock, removeStaleSyncLocks } from '../../src/project/state/sync-lock.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

describe('sync lock', () => {
  it('admits one process at a time', async () => {
    const project = new ProjectDirectory();
    const path = join(project.path, '.dragoman-sync');
    const entered = await Promise.allSettled(Array.from({ length: 20 }, () => acquireSyncLock(path)));
    const releases = entered.flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : []));
    expect(releases).toHaveLength(1);
    expect(entered.find((entry) => entry.status === 'rejected')?.reason).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(`process ${process.pid}`),
      hint: expect.stringContaining(path),
    });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await releases[0]?.();
    expect(readdirSync(project.path)).toEqual([]);
    await (
      await acquireSyncLock(path)
    )();
  });

  it('takes over from a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const path = join(new ProjectDirectory().path, 'sync lock');
    writeFileSync(path, JSON.stringify({ pid: child.pid, host: hostname(), started: '1' }));
    const entered = await Promise.allSettled(Array.from({ length: 5 }, () => acquireSyncLock(path)));
    expect(entered.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('takes over from invalid content', async () => {
    const path = join(new ProjectDirectory().path, 'sync lock');
    writeFileSync(path, '{"pid":');
    await (
      await acquireSyncLock(path)
    )();
    expect(existsSync(path)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'does not mistake another process with the same pid for the holder',
    async () => {
      const path = join(new ProjectDirectory().path, 'sync lock');
      writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), started: '1' }));
      const release = await acquireSyncLock(path);
      await release();
      expect(existsSync(path)).toBe(false);
    },
  );

  it('trusts the lock of another machine', async () => {
    const path = join(new ProjectDirectory().path, 'sync lock');
    writeFileSync(path, JSON.stringify({ pid: 1, host: 'elsewhere', started: '1' }));
    await expect(acquireSyncLock(path)).rejects.toMatchObject({
      message: expect.stringContaining('elsewhere'),
    });
    expect(existsSync(path)).toBe(true);
  });

  it('removes only the leftovers of dead processes', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const project = new ProjectDirectory();
    const dead = JSON.stringify({ pid: child.pid, host: hostname(), started: '1' });
    const path = join(project.path, '.dragoman-sync');
    project.write('.dragoman-sync', dead);
    project.write('.dragoman-sync.0123abcd', dead);
    project.write(`.dragoman-sync.${child.pid}.0123abcd`, '');
    project.write(`.dragoman-sync.${process.pid}.0123abcd`, '');
    project.write('.dragoman-sync.json', 'mine');
    await removeStaleSyncLocks(path);
    expect(project.list()).toEqual([`.dragoman-sync.${process.pid}.0123abcd`, '.dragoman-sync.json']);
  });

  it.each(['.dragoman-sync', '.dragoman-sync.1.0123abcd', '.dragoman-sync.0123abcd'])(
    'keeps a directory %s unchanged',
    async (name) => {
      const project = new ProjectDirectory();
      project.json('en.json', { a: 'A' });
      project.write(`${name}/mine`, 'mine');
      const list = (): readonly string[] =>
        readdirSync(project.path, { recursive: true, encoding: 'utf8' }).sort();
      const before = list();
      const engine = new RecordingEngine();
      const sync = project.sync(engine, { targets: ['es'] });
      if (name === '.dragoman-sync') {
        await expect(sync).rejects.toMatchObject({
          code: 'configuration',
          message: `${join(project.path, name)} is a directory, but sync needs a file of that name`,
        });
        expect(list()).toEqual(before);
      } else {
        await sync;
        expect(list()).toEqual(expect.arrayContaining([...before]));
      }
    },
  );

  it('excludes a second sync while one runs, but not a check', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'A' });
    const engine = new RecordingEngine();
    let second: unknown;
    engine.before = async () => {
      engine.before = () => undefined;
      second = await project
        .sync(new RecordingEngine(), { targets: ['es'] })
        .catch((error: unknown) => error);
      await project.check({ targets: ['es'] });
    };
    await project.sync(engine, { targets: ['es'] });
    expect(second).toMatchObject({ code: 'configuration', message: expect.stringContaining('another sync') });
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json']);
  });

  it('makes a sync wait while a review is being saved, and continue from its result', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'A', b: 'B' });
    project.json('es.json', { a: 'es:A' });
    const release = await acquireSyncLock(join(project.path, '.dragoman-sync'));
    const sync = project.sync(new RecordingEngine(), { targets: ['es'] });
    await vi.waitFor(() => expect(project.list().filter((name) => name.includes('-sync'))).not.toEqual([]));
    project.json('es.json', { a: 'saved' });
    await release();
    const { languages } = await sync;
    expect(languages[0]?.error).toBeUndefined();
    expect(project.readJson('es.json')).toMatchObject({ a: 'saved', b: 'es:B' });
  });
});

import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPending, temporaryPath } from '../../src/base/atomic-file.ts';

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'dragoman-pending-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('a file that is written piece by piece', () => {
  it('replaces the destination only when it is complete', async () => {
    const root = directory();
    const path = join(root, 'page.html');
    writeFileSync(path, 'old');
    chmodSync(path, 0o640);
    const file = await openPending(path);
    await file.write('one ');
    await file.write('twö ');
    expect(readFileSync(path, 'utf8')).toBe('old');
    await file.write('three');
    await file.commit();
    expect(readFileSync(path, 'utf8')).toBe('one twö three');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(root)).toEqual(['page.html']);
  });

  it('leaves nothing when discarded, and replaces leftovers of a killed process', async () => {
    const root = directory();
    const path = join(root, 'page.html');
    writeFileSync(temporaryPath(path), 'half');
    const file = await openPending(path);
    await file.write('new');
    await file.discard();
    expect(readdirSync(root)).toEqual([]);
  });

  it('replaces the file that a link points to', async () => {
    const root = directory();
    writeFileSync(join(root, 'real.html'), 'old');
    symlinkSync('real.html', join(root, 'link.html'));
    const file = await openPending(join(root, 'link.html'));
    await file.write('new');
    await file.commit();
    expect(readFileSync(join(root, 'real.html'), 'utf8')).toBe('new');
    expect(readdirSync(root).sort()).toEqual(['link.html', 'real.html']);
  });

  it('reports where it cannot be written', async () => {
    const root = directory();
    await expect(openPending(join(root, 'none', 'page.html'))).rejects.toMatchObject({
      code: 'unwritable_output',
      message: expect.stringContaining('none/page.html') as string,
    });
    const path = join(root, 'page.html');
    writeFileSync(path, 'old', { mode: 0o444 });
    await expect(openPending(path)).rejects.toMatchObject({ code: 'unwritable_output' });
    chmodSync(path, 0o644);
    const file = await openPending(path);
    rmSync(root, { recursive: true });
    await expect(file.commit()).rejects.toMatchObject({ code: 'unwritable_output' });
  });
});

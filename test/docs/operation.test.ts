import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { Cluster, postgresProgram } from '../postgres/cluster.ts';
import { describeWith } from '../postgres/requirements.ts';
import { ask } from '../postgres/store.ts';
import { BIN } from '../server/served.ts';
import { blocksOf, readDocument } from './document.ts';

const block = blocksOf(readDocument('docs/operation.md')).find(({ text }) => text.includes('pg_restore'));

describeWith(['postgres'], 'the backup of a database', () => {
  it('contains everything if it is created and restored as the chapter describes', async () => {
    const root = mkdtempSync(join(tmpdir(), 'dragoman-operation-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
    // The user of PostgreSQL needs access to its directory.
    chmodSync(root, 0o755);
    const cluster = await Cluster.start(join(root, 'cluster'));
    onTestFinished(() => cluster.remove());
    await ask(cluster.url(), 'create database live');
    const store = new URL(cluster.url());
    store.pathname = '/live';
    const env = {
      PATH: [dirname(postgresProgram('pg_dump')), process.env['PATH']].join(delimiter),
      HOME: root,
      DRAGOMAN_STORE: store.href,
      PGHOST: '127.0.0.1',
      PGPORT: String(cluster.port),
      PGUSER: 'dragoman',
    };
    const dragoman = async (url: string, ...args: readonly string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...args, '--store', url], { env });
      return stdout;
    };
    await dragoman(store.href, 'store', 'migrate');
    await dragoman(store.href, 'keys', 'create', '--email', 'ada@example.org', '--credits', '1000');
    const before = await dragoman(store.href, 'keys', 'list', '--json');
    expect(before).toContain('ada@example.org');

    writeFileSync(join(root, 'backup.sh'), block?.text ?? '');
    await promisify(execFile)('sh', ['-eu', 'backup.sh'], { cwd: root, env });
    const restored = new URL(store);
    restored.pathname = '/restored';
    expect(await dragoman(restored.href, 'keys', 'list', '--json')).toBe(before);
    expect(await dragoman(restored.href, 'store', 'migrate', '--json')).toMatch(
      /"from": ?(\d+),\s*"to": ?\1\b/,
    );
  });
});

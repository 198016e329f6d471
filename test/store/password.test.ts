import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dragoman } from '../cli/harness.ts';
import { Cluster, hasPostgres } from '../postgres/cluster.ts';
import { ask } from '../postgres/store.ts';

const PASSWORD = 's3cret';

describe.skipIf(!hasPostgres)('a database that requires a password', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-password-'));
  let cluster: Cluster;

  beforeAll(async () => {
    // PostgreSQL runs as its own user.
    chmodSync(directory, 0o755);
    cluster = await Cluster.start(join(directory, 'cluster'));
    await ask(cluster.url(), `alter role dragoman password '${PASSWORD}'`);
    const rules = 'host all all 127.0.0.1/32 scram-sha-256\n';
    writeFileSync(join(directory, 'cluster', 'data', 'pg_hba.conf'), rules);
    await ask(cluster.url(), 'select pg_reload_conf()');
  }, 60_000);

  afterAll(async () => {
    await cluster.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const migrate = (env: Readonly<Record<string, string>>): ReturnType<typeof dragoman> =>
    dragoman(['store', 'migrate', '--store', cluster.url()], { env });

  it('without a password reports where to set it', async () => {
    const { exitCode, stderr } = await migrate({ PGPASSFILE: join(directory, 'missing') });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'error: the database requires a password, but none was given\n' +
        '  Put it into PGPASSWORD, or into a file of mode 0600 that PGPASSFILE names.\n',
    );
  });

  it('uses PGPASSFILE, without a warning', async () => {
    const file = join(directory, 'pgpass');
    writeFileSync(file, `127.0.0.1:${cluster.port}:*:dragoman:${PASSWORD}\n`, { mode: 0o600 });
    const was = process.env['PGPASSFILE'];
    process.env['PGPASSFILE'] = file;
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    try {
      expect((await migrate({})).exitCode).toBe(0);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', note);
      if (was === undefined) delete process.env['PGPASSFILE'];
      else process.env['PGPASSFILE'] = was;
    }
    expect(warnings).toEqual([]);
  });

  it('uses PGPASSWORD, and refuses a wrong one', async () => {
    expect((await migrate({ PGPASSWORD: PASSWORD })).exitCode).toBe(0);
    const { exitCode, stderr } = await migrate({ PGPASSWORD: 'wrong' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('password authentication failed for user "dragoman"');
  });
});

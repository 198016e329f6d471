import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { spellInFile } from '../../src/formats/registry.ts';
import { openFile } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import {
  accountOf,
  addAccount,
  checkBooks,
  createJob,
  download,
  ended,
  noSignal,
  openRoom,
  until,
  writeUpload,
  type Room,
} from './room.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const JOBS = 20;
const TARGETS = ['fr', 'de', 'pt-BR'];
const KILLS = 15;

/**
 * The bundled child process: it starts quickly, and its workers use the same script as in the released
 * program.
 */
let bundle: string;
let directory: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  await mkdir(join(ROOT, 'node_modules', '.cache'), { recursive: true });
  // Below node_modules, so that unbundled packages are found.
  bundle = await mkdtemp(join(ROOT, 'node_modules', '.cache', 'dragoman-crash-'));
  const external = ['libsql', 'eld', 'cld3-asm'];
  await build({
    input: {
      child: join(ROOT, 'test/jobs/crash-child.ts'),
      'job-worker': join(ROOT, 'src/jobs/worker/worker.ts'),
    },
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: { mainFields: ['module', 'main'] },
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
    output: { dir: bundle, chunkFileNames: 'chunks/[name]-[hash].js' },
  });
  await writeFile(join(bundle, 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(bundle, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
});

/** Starts the child, and resolves when it is ready and its engine got this many requests: one per unit. */
async function start(asked: number, delayMs: number): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(bundle, 'child.js'), directory, String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const gone = new Promise<void>((settle) => {
    child.once('exit', () => settle());
  });
  await new Promise<void>((settle, reject) => {
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
      if (said.includes('ready') && said.split('asked').length > asked) settle();
    });
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
  return async () => {
    child.kill('SIGKILL');
    await gone;
  };
}

/** Opens the directory without a worker, so nothing runs. */
const visit = (): Promise<Room> => openRoom({ directory, workers: 0 });

const contentOf = (i: number): string =>
  `{\n  "title": "Title of ${i}",\n  "body": "Body of {file} ${i}",\n  "same": "Same text"\n}\n`;

describe('a killed process', () => {
  it(`loses nothing: ${JOBS} jobs end exactly once, despite ${KILLS} kills`, async () => {
    directory = await mkdtemp(join(tmpdir(), 'dragoman-crash-'));
    const before = await visit();
    const account = await addAccount(before, 1_000);
    const ids: string[] = [];
    for (let i = 0; i < JOBS; i++) {
      ids.push(
        await createJob(before, account, {
          filename: `f${i}.json`,
          content: contentOf(i),
          targets: TARGETS.join(','),
          webhook: 'https://hooks.example/',
        }),
      );
    }
    await before.leave();
    for (let i = 0; i < KILLS; i++) {
      // Two workers: at the fifth unit's request, three have ended.
      const kill = await start(i % 6, 30);
      // Real processes run in real time, so no clock can be injected.
      await new Promise((settle) => setTimeout(settle, (i * 37) % 70));
      await kill();
    }

    const after = await visit();
    const units = await after.database.sql.selectFrom('job_units').select(['attempts', 'status']).execute();
    await after.leave();
    // Otherwise the kills hit no work, and show nothing.
    expect(units.filter(({ status }) => status === 'done').length).toBeGreaterThan(5);
    expect(units.filter(({ status, attempts }) => status !== 'done' && attempts > 0).length).toBeGreaterThan(
      5,
    );

    const room = await openRoom({ directory });
    for (const [i, id] of ids.entries()) {
      const job = await ended(room, account, id);
      expect(job).toMatchObject({ status: 'completed', total_keys: 3, translated_keys: 3 });
      const { path } = await writeUpload(room, `f${i}.json`, contentOf(i));
      for (const locale of TARGETS) {
        const file = await openFile(path, { locale: 'en' });
        const spelling = spellInFile(locale, file.format);
        const context = { engine: createPseudoEngine(), source: 'en', ...noSignal };
        const expected = await translateFile(file, { locale, spelling }, context);
        expect(await download(room.jobs.of(account), id, locale)).toEqual(Buffer.from(expected.bytes));
      }
    }
    const charges = await room.database.sql
      .selectFrom('ledger')
      .select(['amount', 'reference'])
      .where('operation', '=', 'i18n')
      .execute();
    expect(charges.length).toBe(JOBS * TARGETS.length);
    expect(charges.every(({ amount }) => amount === -3)).toBe(true);
    expect(await accountOf(room, account)).toMatchObject({ balance: 1_000 - JOBS * 9, reserved: 0 });
    const calls = await room.database.sql.selectFrom('webhook_deliveries').select('job_id').execute();
    expect(calls.map(({ job_id }) => job_id).sort()).toEqual(ids.toSorted());
    await checkBooks(room);
    await room.leave();

    const later = await openRoom({ directory, workers: 0, now: () => Date.now() + 11 * 60_000 });
    for (const id of ids) {
      const { translated_files } = await ended(later, account, id);
      const names = [...translated_files.map((file) => file.id), 'source'];
      expect((await readdir(join(directory, 'jobs', id))).sort()).toEqual(names.toSorted());
    }
    await later.close();
  }, 60_000);

  it('is taken over by another living process', async () => {
    directory = await mkdtemp(join(tmpdir(), 'dragoman-crash-'));
    const before = await visit();
    const account = await addAccount(before, 100);
    const id = await createJob(before, account, { targets: TARGETS.join(',') });
    await before.leave();
    const kill = await start(1, 60_000);
    const room = await openRoom({ directory, limits: { lookMs: 100 } });
    await until(async () => {
      const units = await room.database.sql.selectFrom('job_units').select('status').execute();
      return units.filter(({ status }) => status === 'done').length === 1;
    }, 'what the other has not begun is done');
    expect((await room.jobs.of(account).jobStatus(id, noSignal)).completed_at).toBeNull();
    await kill();
    expect(await ended(room, account, id)).toMatchObject({ status: 'completed', translated_keys: 2 });
    expect((await accountOf(room, account)).balance).toBe(94);
    await checkBooks(room);
    expect(await readFile(join(directory, 'jobs', id, 'source'), 'utf8')).toContain('Hello');
    await room.close();
  }, 60_000);
});

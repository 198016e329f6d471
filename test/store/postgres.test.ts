import { sql as query } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Liveness } from '../../src/store/postgres/instance.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { isShortage, type StoreNews } from '../../src/store/store.ts';
import { Wire } from '../chaos/wire.ts';
import { until } from '../jobs/room.ts';
import { describeWith } from '../postgres/requirements.ts';
import { ask, makeStore } from '../postgres/store.ts';
import { accountWith, audit, postgresPlace, register, reservationOf } from './harness.ts';

/** Tests of behaviour that only a remote database has. */

const QUICK: Liveness = { beatMs: 100, deadMs: 600, silentMs: 1_500 };

async function open(liveness?: Liveness) {
  const url = await makeStore();
  const place = await postgresPlace(url, liveness);
  /** Ends connections of this store, like an operator or a network failure. */
  const cut = (statements: string) =>
    ask(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and query like '%${statements}%'
         and application_name = current_setting('application_name')`,
    );
  return { url, cut, ...place, store: await place.open() };
}

describeWith(['postgres'], 'the store in PostgreSQL', () => {
  it('charges answered requests once, no matter how often its connections are cut', async () => {
    const { store, cut, ...place } = await open();
    const instance = await register(store);
    const { id } = await accountWith(store, 1_000_000);
    let charged = 0;
    const traffic = { isOver: false };
    const clients = Array.from({ length: 16 }, async () => {
      while (!traffic.isOver) {
        const answer = await instance.metering.reserve(id, 2);
        if (isShortage(answer)) throw new Error('the account of the test is too small');
        await answer.settle(1, { operation: 'translate', reference: 'x', successful: true });
        charged++;
      }
    });
    for (let i = 0; i < 12; i++) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await cut('instance_lanes');
    }
    traffic.isOver = true;
    await Promise.all(clients);
    await audit(place);
    expect(await store.accounts.find(id)).toMatchObject({
      balance: 1_000_000 - charged,
      reserved: 0,
      requestsSuccessful: charged,
    });
    expect(charged).toBeGreaterThan(100);
  });

  it('continues when a connection ends between two statements of a transaction', async () => {
    const { url, database } = await open();
    let times = 0;
    await database.write(async (sql) => {
      const { rows } = await query<{ pid: number }>`select pg_backend_pid() as pid`.execute(sql);
      if (times++ === 0) {
        await ask(url, `select pg_terminate_backend(${rows[0]?.pid})`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await query`select 1`.execute(sql);
    });
    expect(times).toBe(2);
  });

  it.each(['53100', '57P03', '58030', '25P03', 'XX000'])(
    'reports that it is unavailable when the server says %s',
    async (code) => {
      const { database } = await open();
      const asked = query
        .raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)
        .execute(database.sql);
      await expect(asked).rejects.toMatchObject({ code: 'store_unavailable' });
    },
  );

  it('blocks a process that was declared dead until it has registered again', async () => {
    const { store, url, ...place } = await open();
    const [alive, dead] = [await register(store), await register(await place.open())];
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await dead.metering.reserve(id, 4));
    await place.bury(dead.id);
    const earlier = dead.id;
    const isReady = (): Promise<boolean> =>
      dead.ready().then(
        () => true,
        () => false,
      );
    expect(await alive.reap()).toEqual([earlier]);
    await audit(place);
    const late = reservation.settle(4, { operation: 'translate', reference: 'x', successful: true });
    await expect(late).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await store.accounts.find(id)).toMatchObject({ balance: 10, reserved: 0 });
    await until(isReady, 'it is registered again');
    expect(dead.id).not.toBe(earlier);
    reservationOf(await dead.metering.reserve(id, 10));
    expect((await ask(url, 'select id from instances')).length).toBe(2);
  });

  it('takes over from a process that stopped in the middle of a transaction', async () => {
    const { store, url, database, ...place } = await open();
    const [alive, stopped] = [await register(store), await register(await place.open())];
    const { id } = await accountWith(store, 10);
    await place.bury(stopped.id);
    const found: (readonly string[])[] = [];
    const stood = database.write(
      async (sql) => {
        await database.coordination.requireRegistered(sql, stopped.id);
        await query`select 1 from accounts where id = ${id} for no key update`.execute(sql);
        found.push(await alive.reap());
      },
      { once: true },
    );
    await expect(stood).rejects.toMatchObject({ code: 'store_unavailable' });
    // The locks of the stopped process do not block the others.
    expect(found).toEqual([[stopped.id]]);
    reservationOf(await alive.metering.reserve(id, 10));
    expect((await ask(url, 'select id from instances')).length).toBe(1);
  });

  it('refunds requests that ended while the database was unavailable', async () => {
    const { url, ...place } = await open();
    const wire = await Wire.open(Number(new URL(url).port));
    onTestFinished(() => wire.close());
    const through = new URL(url);
    through.port = String(wire.port);
    const remote = await openPostgresStore({ url: through.href });
    onTestFinished(() => remote.close());
    const { metering } = await register(remote);
    const { id } = await accountWith(place.store, 100);
    const held = await Promise.all(
      Array.from({ length: 9 }, async () => reservationOf(await metering.reserve(id, 2))),
    );
    wire.refuse(true);
    const direct = Array.from({ length: 4 }, (_, i) =>
      metering.charge(id, 1, { operation: 'translate', reference: `direct ${i}`, successful: true }).then(
        () => false,
        async () => {
          await metering.countRequest(id, false);
          return true;
        },
      ),
    );
    // Some settlements are sent, so that their results are unknown; the others wait behind them, for as long
    // as requests wait.
    const settled = await Promise.all(
      held.map(async (reservation, i) => {
        await new Promise((resolve) => setTimeout(resolve, i * 50));
        const charge = reservation.settle(1, { operation: 'translate', reference: `${i}`, successful: true });
        const isRefused = await Promise.race([
          charge.then(
            () => false,
            () => true,
          ),
          new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 14_000)),
        ]);
        if (isRefused === true)
          await reservation.settle(0, { operation: 'translate', reference: `${i}`, successful: false });
        return { charge, isRefused };
      }),
    );
    wire.refuse(false);
    const ofDirect = (await Promise.all(direct)).filter(Boolean).length;
    const refused = settled.filter(({ isRefused }) => isRefused === true).length + ofDirect;
    expect(refused).toBeGreaterThan(ofDirect);
    expect(ofDirect).toBeGreaterThan(0);
    await Promise.all(settled.flatMap(({ charge, isRefused }) => (isRefused === true ? [] : [charge])));
    // A charge made after its request was refused is repaid.
    await until(
      async () => {
        const { balance, reserved } = (await place.store.accounts.find(id)) ?? {};
        return reserved === 0 && balance === 100 - held.length - direct.length + refused;
      },
      'nothing is reserved and only what was not refused is paid',
      20_000,
    );
    // Every request is counted once, even if its charge was repaid.
    const successful = held.length + direct.length - refused;
    const counts = async (): Promise<unknown> => {
      const [row] = await ask(url, 'select requests_successful, requests_failed from accounts');
      return Object.values(row ?? {}).map(Number);
    };
    await expect.poll(counts, { timeout: 20_000 }).toEqual([successful, refused]);
    await audit(place);
  });

  it('refuses a charge that the database refuses, and releases its reservation', async () => {
    const { store, url } = await open();
    const { metering } = await register(store);
    const { id } = await accountWith(store, 10);
    const reservation = reservationOf(await metering.reserve(id, 4));
    // Simulates a full disk.
    await ask(
      url,
      `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception using errcode = '53100'; end $$;
       create trigger refuse before insert on ledger execute function refuse();
       create trigger refuse before update on holds execute function refuse()`,
    );
    const entry = { operation: 'translate', reference: 'x', successful: true };
    const began = performance.now();
    await expect(reservation.settle(4, entry)).rejects.toMatchObject({ code: 'store_unavailable' });
    await reservation.settle(0, { ...entry, successful: false });
    expect(performance.now() - began).toBeLessThan(40_000);
    // In separate transactions: a shared one could deadlock with a transaction of the store.
    await ask(url, 'drop trigger refuse on ledger');
    await ask(url, 'drop trigger refuse on holds');
    // A charge that arrived after its request was refused is repaid.
    await until(async () => {
      const { balance, reserved } = (await store.accounts.find(id)) ?? {};
      return balance === 10 && reserved === 0;
    }, 'nothing is reserved and nothing paid');
  });

  it('does not consider a living process dead', async () => {
    const { store, ...place } = await open(QUICK);
    const instance = await register(store);
    const other = await register(await place.open());
    const ids = [instance.id, other.id];
    for (let i = 0; i < 10; i++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(await instance.reap()).toEqual([]);
      expect(instance.now() % 1).toBe(0);
    }
    expect([instance.id, other.id]).toEqual(ids);
    expect(Math.abs(instance.now() - Date.now())).toBeLessThan(5_000);
    await other.close();
    expect(await instance.registered()).toEqual(new Set([instance.id]));
  });

  it('stays unregistered once closed, no matter how often it sends a heartbeat', async () => {
    const { store, ...place } = await open({ ...QUICK, beatMs: 1 });
    const instance = await register(store);
    for (let i = 0; i < 10; i++) {
      const other = await register(await place.open());
      await other.close();
      expect(await instance.registered()).toEqual(new Set([instance.id]));
    }
  });

  it('wakes the other servers, even those whose connection was cut', async () => {
    const { store, cut, ...place } = await open(QUICK);
    const [instance, other] = [await register(store), await register(await place.open())];
    const heard: StoreNews[] = [];
    other.onNews((news) => heard.push(news));
    const { id } = await accountWith(store, 100);
    const insert = (jobId: string) =>
      instance.jobs.insert({
        id: jobId,
        accountId: id,
        filename: 'a.json',
        fileType: 'json' as const,
        sourceLanguage: 'en',
        targetLanguages: ['fr'],
        totalKeys: 1,
        bytes: 1,
        webhookUrl: undefined,
        now: 1,
      });
    await insert('a');
    await until(() => Promise.resolve(heard.includes('units')), 'the other hears of a job');
    await instance.jobs.delete(id, 'a', 2);
    await until(() => Promise.resolve(heard.includes('deleted a')), 'the other hears of its end');
    heard.length = 0;
    await cut('update instances set beat_at');
    await until(() => Promise.resolve(heard.includes('units')), 'the other looks for itself');
    heard.length = 0;
    await until(() => insert(`b${Math.random()}`).then(() => heard.includes('units')), 'it hears again');
    expect(heard).toContain('units');
  });

  it('recognizes a job that it created when its answer was lost', async () => {
    const { store } = await open();
    const instance = await register(store);
    const { id } = await accountWith(store, 10);
    const job = {
      id: 'a',
      accountId: id,
      filename: 'a.json',
      fileType: 'json' as const,
      sourceLanguage: 'en',
      targetLanguages: ['fr'],
      totalKeys: 4,
      bytes: 1,
      webhookUrl: undefined,
      now: 1,
    } as const;
    expect(await instance.jobs.insert(job)).toBeUndefined();
    expect(await instance.jobs.insert(job)).toBeUndefined();
    expect(await store.accounts.find(id)).toMatchObject({ reserved: 4 });
    const claim = await instance.jobs.claimUnit(1);
    if (!claim) throw new Error('there is nothing to claim');
    const end = { translatedKeys: 4, failedKeys: null, errorMessage: null, file: { id: 'f', size: 1 } };
    const judged = { status: 'completed', translated_keys: 4, failed_keys: 0, error_message: null } as const;
    const ending = { claim, end, judge: () => judged, now: 2 };
    expect(await instance.jobs.endUnit(ending)).toBe('job ended');
    expect(await instance.jobs.endUnit(ending)).toBe('job ended');
    expect(await instance.jobs.endUnit({ ...ending, end: { ...end, file: { id: 'g', size: 1 } } })).toBe(
      'lost',
    );
    expect(await store.accounts.find(id)).toMatchObject({ balance: 6, reserved: 0 });
  });

  it('does not abort transactions when many write to many accounts', async () => {
    const { store, url, ...place } = await open();
    const instances = [
      await register(store),
      await register(await place.open()),
      await register(await place.open()),
    ];
    const accounts: string[] = [];
    for (let i = 0; i < 20; i++) accounts.push((await accountWith(store, 1_000, `a${i}@example.org`)).id);
    const deadlocks = async (): Promise<number> => {
      const [row] = await ask<{ deadlocks: string }>(
        url,
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      return Number(row?.deadlocks);
    };
    const before = await deadlocks();
    await Promise.all(
      Array.from({ length: 24 }, async (_, turn) => {
        const { metering, jobs } = instances[turn % 3]!;
        const chosen = accounts.toSorted(() => Math.random() - 0.5).slice(0, 5);
        await Promise.all(
          chosen.map(async (id) => {
            const held = reservationOf(await metering.reserve(id, 3));
            const jobId = `${turn} ${id}`;
            await jobs.insert({
              id: jobId,
              accountId: id,
              filename: 'a.json',
              fileType: 'json' as const,
              sourceLanguage: 'en',
              targetLanguages: ['fr', 'de'],
              totalKeys: 1,
              bytes: 1,
              webhookUrl: undefined,
              now: 1,
            });
            const claim = await jobs.claimUnit(1);
            if (claim) await jobs.giveBackUnit(claim, 1);
            await held.settle(2, { operation: 'translate', reference: 'x', successful: true });
            await jobs.delete(id, jobId, 1);
          }),
        );
      }),
    );
    await audit(place);
    expect(await deadlocks()).toBe(before);
    expect((await store.accounts.list()).reduce((sum, { reserved }) => sum + reserved, 0)).toBe(0);
  });
});

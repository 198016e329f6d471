import type pg from 'pg';
import { DragomanError } from '../../base/errors.ts';
import {
  admissionsOf,
  type Admission,
  type Charge,
  type CountedRequest,
  type FoundKey,
  type HeldCredits,
  type Lateness,
  type MeteringCalls,
  type Settlement,
} from '../shared/metering.ts';
import type { Shortage } from '../store.ts';
import { type PostgresConnections, query, unavailable } from './connections.ts';
import { Lanes, type LaneAnswers, type LaneOptions } from './lanes.ts';

/** Two in parallel, because each waits for the disk. */
const SETTLING = ['settle 1', 'settle 2'];
const RESERVING = ['reserve'];

/** The names of connections that number their batches. */
export const NUMBERED_LANES: readonly string[] = [...RESERVING, ...SETTLING];

export interface MeteringOptions {
  readonly connections: PostgresConnections;
  readonly instanceId: string;
  /** Length of the window in which a key's requests are counted, in milliseconds; undefined disables counting. */
  readonly windowMs: number | undefined;
  /** The clock for the windows; undefined for the database's. */
  readonly windowNow: (() => number) | undefined;
  readonly onLost: () => void;
}

/** A request waits 10 seconds for the database; the rest is for sending and answering its batch. */
const PATIENCE_MS = 9_500;

/** A call of the settling connections. `isUndone`: undoes an earlier call, whose request is no longer counted. */
type SettlingCall = Omit<Settlement, 'successful'> & {
  readonly successful: boolean | undefined;
  readonly isUndone?: boolean;
};

type Batch<Call> = Parameters<LaneOptions<Call, unknown>['perform']>[1];

/** The metering of one registration. Another registration cannot settle its reservations. */
export class LaneMetering implements MeteringCalls {
  readonly #admits: Lanes<string, Admission | undefined>;
  readonly #reserves: Lanes<HeldCredits, Shortage | undefined>;
  readonly #settles: Lanes<SettlingCall | undefined, boolean>;

  constructor(options: MeteringOptions) {
    const { connections, instanceId, onLost } = options;
    const shared = { connections, onLost };
    this.#admits = new Lanes<string, Admission | undefined>({
      ...shared,
      names: ['admit'],
      isDurable: false,
      perform: (client, { calls }) => admit(client, calls, options),
    });
    this.#reserves = new Lanes<HeldCredits, Shortage | undefined>({
      ...shared,
      names: RESERVING,
      isDurable: false,
      perform: (client, batch) => reserve(client, instanceId, batch),
    });
    this.#settles = new Lanes<SettlingCall | undefined, boolean>({
      ...shared,
      names: SETTLING,
      isDurable: true,
      perform: async (client, batch) => {
        const answers = await settle(client, instanceId, batch);
        // The database lost reservations, so the process's own records are wrong.
        if (answers?.some((answer) => answer instanceof Error)) onLost();
        return answers;
      },
    });
  }

  get isEnded(): boolean {
    return this.#settles.isClosed;
  }

  readonly lateness: Lateness = {
    patienceMs: PATIENCE_MS,
    refuse: () => unavailable('the request waited for 10 seconds'),
    undo: (done) => this.#settles.ask({ ...done, charge: -done.charge, isUndone: true }),
  };

  admit(hash: string): Promise<Admission | undefined> {
    return this.#admits.ask(hash);
  }

  reserve(wanted: HeldCredits): Promise<Shortage | undefined> {
    return this.#reserves.ask(wanted);
  }

  async settle(settlement: Settlement): Promise<void> {
    await this.#settles.ask(settlement);
  }

  charge([accountId, charge, operation, reference, successful]: Charge): Promise<boolean> {
    return this.#settles.ask({ accountId, amount: 0, charge, operation, reference, successful });
  }

  async count({ accountId, successful }: CountedRequest): Promise<void> {
    await this.#settles.ask({
      accountId,
      successful,
      amount: 0,
      charge: 0,
      operation: '',
      reference: '',
    });
  }

  /** Resolves after a write to the database's disk. */
  async probe(): Promise<void> {
    await this.#settles.ask(undefined);
  }

  /** Executes waiting calls, and closes the connections. */
  async close(): Promise<void> {
    await Promise.all([this.#admits.close(), this.#reserves.close(), this.#settles.close()]);
  }

  /** Closes immediately, because the process is no longer registered. */
  async abandon(): Promise<void> {
    await Promise.all([this.#admits.abandon(), this.#reserves.abandon(), this.#settles.abandon()]);
  }
}

/** Milliseconds since the epoch, by the database's clock. */
export const DATABASE_NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/**
 * Every query in this file is a single statement that first locks rows in the order of their accounts, so that replicas
 * never deadlock. Balances are written relative to the locked row, because PostgreSQL checks the table's constraint
 * first against the row as of the statement's start. A window that begins more than its length in the future was
 * started before the clock was set back.
 */
const ADMIT = {
  name: 'admit',
  text: `
    with asked as (
      select hash, count(*) as requests from unnest($1::text[]) as given (hash) group by hash
    ), clock as (
      select coalesce($3::bigint, ${DATABASE_NOW}) as now
    ), found as (
      select hash, keys.id, account_id,
        revoked_at is not null or coalesce(expires_at <= ${DATABASE_NOW}, false) as is_revoked, max_concurrency,
        balance - reserved as spendable, requests
      from asked join keys using (hash) join accounts on accounts.id = account_id
    ), counted as (
      insert into rate_windows (key_id, started_at, requests)
      select id, now, requests from found, clock where not is_revoked and $2::bigint is not null order by id
      on conflict (key_id) do update set
        started_at = case when ${isOver()} then excluded.started_at else rate_windows.started_at end,
        requests = excluded.requests + case when ${isOver()} then 0 else rate_windows.requests end
      returning key_id, started_at, requests
    )
    select coalesce(json_agg(json_build_array(hash, id, account_id, is_revoked, max_concurrency, spendable, started_at,
      counted.requests - found.requests)), '[]') as found
    from found left join counted on key_id = id`,
};

function isOver(): string {
  return `(rate_windows.started_at <= excluded.started_at - $2::bigint
    or rate_windows.started_at > excluded.started_at + $2::bigint)`;
}

async function admit(
  client: pg.Client,
  hashes: readonly string[],
  { windowMs, windowNow }: MeteringOptions,
): Promise<LaneAnswers<Admission | undefined>> {
  // PostgreSQL texts cannot contain this character, and no key contains it.
  const askable = hashes.filter((hash) => !hash.includes('\0'));
  const values = [askable, windowMs ?? null, windowNow?.() ?? null];
  const [row] = await query<{ readonly found: readonly FoundKey[] }>(client, { ...ADMIT, values });
  return admissionsOf(hashes, row?.found ?? []);
}

/** Executes only the batch with the next number: see `Lanes`. */
const LANE = `lane as (
  select batch, answer from instance_lanes where instance_id = $1 and lane = $2 for update
), turn as (
  select 1 from lane where batch = $3::bigint - 1
)`;

function keepAnswer(answer: string): string {
  return `answered as (
    select ${answer} as answer from turn
  ), kept as (
    update instance_lanes set batch = $3::bigint, answer = answered.answer from answered
    where instance_id = $1 and lane = $2
  )
  select batch, coalesce((select answered.answer from answered), lane.answer) as answer from lane`;
}

/** In the order of each account's calls. If a call does not fit, later calls still may. */
const RESERVE = {
  name: 'reserve',
  text: `
    with recursive ${LANE}, wanted as (
      select account_id, amount, place, row_number() over (partition by account_id order by place) as turn
      from unnest($4::text[], $5::bigint[]) with ordinality as given (account_id, amount, place)
      where exists (select from turn)
    ), locked as (
      select id, balance, reserved, balance - reserved as spendable from accounts
      where id in (select account_id from wanted) order by id for no key update
    ), decided as (
      select account_id, place, turn, amount, amount <= spendable as fits,
        case when amount <= spendable then spendable - amount else spendable end as spendable
      from wanted join locked on id = account_id where turn = 1
      union all
      select wanted.account_id, wanted.place, wanted.turn, wanted.amount, wanted.amount <= spendable,
        case when wanted.amount <= spendable then spendable - wanted.amount else spendable end
      from decided join wanted on wanted.account_id = decided.account_id and wanted.turn = decided.turn + 1
    ), taken as (
      select account_id, sum(amount)::bigint as amount from decided where fits group by account_id
    ), reserved as (
      update accounts set balance = locked.balance, reserved = locked.reserved + taken.amount
      from taken join locked on locked.id = account_id where accounts.id = account_id
    ), held as (
      insert into holds (instance_id, account_id, amount)
      select $1, account_id, amount from taken where amount > 0 order by account_id
      on conflict (instance_id, account_id) do update set amount = holds.amount + excluded.amount
    ), ${keepAnswer(`(
      select coalesce(jsonb_object_agg(place, case when fits then -1 else spendable end), '{}') from decided)`)}`,
};

interface LaneRow<Answer> {
  /** The number of the previous batch. */
  readonly batch: number;
  readonly answer: Answer;
}

async function performOnce<Answer>(
  client: pg.Client,
  statement: pg.QueryConfig,
  number: number,
): Promise<Answer | undefined> {
  const [row] = await query<LaneRow<Answer>>(client, statement);
  // The database crashed and lost answered batches with their reservations.
  if (!row || row.batch < number - 1) return undefined;
  return row.answer;
}

async function reserve(
  client: pg.Client,
  instanceId: string,
  { lane, number, calls }: Batch<HeldCredits>,
): Promise<LaneAnswers<Shortage | undefined> | undefined> {
  const values = [
    instanceId,
    lane,
    number,
    calls.map(({ accountId }) => accountId),
    calls.map(({ amount }) => amount),
  ];
  // By index of the call: the remaining credits, or -1 if the amount was reserved.
  const answer = await performOnce<Readonly<Record<string, number>>>(client, { ...RESERVE, values }, number);
  return (
    answer &&
    calls.map((_, i) => {
      const remaining = answer[String(i + 1)];
      if (remaining === undefined) return new DragomanError('not_found', 'there is no such account');
      return remaining < 0 ? undefined : { remaining };
    })
  );
}

/**
 * Charges nothing to accounts whose credits this process does not hold. Charges without a hold are only made to
 * accounts that can pay all of them.
 */
const SETTLE = {
  name: 'settle',
  text: `
    with ${LANE}, given as (
      select *, charge > amount as is_direct
      from unnest($4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::int[], $10::int[])
        with ordinality as given (account_id, amount, charge, operation, reference, successful, failed, place)
      where exists (select from turn)
    ), sums as (
      select account_id, is_direct, sum(amount)::bigint as amount, sum(charge)::bigint as charge,
        sum(successful) as successful, sum(failed) as failed
      from given group by account_id, is_direct
    ), locked as (
      select id, balance, reserved from accounts
      where id in (select account_id from given) order by id for no key update
    ), wanted as (
      select sums.*, balance - reserved as spendable from sums join locked on account_id = id
    ), released as (
      update holds set amount = holds.amount - wanted.amount from wanted
      where instance_id = $1 and holds.account_id = wanted.account_id and holds.amount >= wanted.amount
        and wanted.amount > 0
      returning holds.account_id
    ), good as (
      select * from wanted
      where case when is_direct then charge <= spendable
        else amount = 0 or account_id in (select account_id from released) end
    ), done as (
      select account_id, sum(amount)::bigint as amount, sum(charge)::bigint as charge,
        sum(successful)::bigint as successful, sum(failed)::bigint as failed
      from good group by account_id
    ), charged as (
      update accounts set reserved = locked.reserved - amount, balance = locked.balance - charge,
        requests_successful = requests_successful + successful, requests_failed = requests_failed + failed
      from done join locked on locked.id = account_id where accounts.id = account_id
    ), entries as (
      insert into ledger (account_id, amount, operation, reference, created_at)
      select account_id, -given.charge, operation, reference, ${DATABASE_NOW}
      from given join good using (account_id, is_direct) where given.charge <> 0 order by place
    ), ${keepAnswer(`(
      select coalesce(jsonb_agg(jsonb_build_array(account_id, is_direct)), '[]') from sums
      where (account_id, is_direct) not in (select account_id, is_direct from good))`)}`,
};

/** A refused account, either for charges without a hold or for settlements. */
type Refused = readonly [accountId: string, isDirect: boolean];

async function settle(
  client: pg.Client,
  instanceId: string,
  { lane, number, calls }: Batch<SettlingCall | undefined>,
): Promise<LaneAnswers<boolean> | undefined> {
  const given = calls.filter((call) => call !== undefined);
  const values = [
    instanceId,
    lane,
    number,
    given.map(({ accountId }) => accountId),
    given.map(({ amount }) => amount),
    given.map(({ charge }) => charge),
    given.map(({ operation }) => operation),
    given.map(({ reference }) => reference),
    given.map((call) => countOf(call, true)),
    given.map((call) => countOf(call, false)),
  ];
  const refused = await performOnce<readonly Refused[]>(client, { ...SETTLE, values }, number);
  return refused && calls.map((call) => (call ? answerOf(call, refused) : true));
}

/** The numbers of successful and failed requests that a call adds to its account. */
function countOf({ successful, isUndone = false }: SettlingCall, isCounted: boolean): number {
  if (successful !== isCounted) return 0;
  return isUndone ? -1 : 1;
}

function answerOf(
  { accountId, amount, charge }: SettlingCall,
  refused: readonly Refused[],
): boolean | DragomanError {
  const wasDirect = charge > amount;
  const isRefused = refused.some(([id, isDirect]) => id === accountId && isDirect === wasDirect);
  return isRefused && !wasDirect ? givenBack() : !isRefused;
}

/**
 * The error for a settlement whose hold was released because the process was declared dead during a database outage.
 * Nothing was charged, and the request may be sent again.
 */
function givenBack(): DragomanError {
  return unavailable('the credits of the request were released during the outage');
}

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../../src/store/open-store.ts';
import { isShortage } from '../../src/store/store.ts';

/**
 * A process that works on a store until it is killed: `TASK DIRECTORY ACCOUNT`. It prints `ready`, and starts
 * when it gets a line. It reports its answers immediately, one line each.
 */
const [task = '', directory = '', accountId = ''] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();
const say = (line: string): number => writeSync(1, `${line}\n`);

/** Up to 8 requests at once, forever: some succeed, some fail, some are never settled. */
async function spend(): Promise<void> {
  const store = await openStore({ directory });
  const instance = await store.register();
  const { metering } = instance;
  let number = 0;
  const client = async (): Promise<never> => {
    for (;;) {
      const reference = `${instance.id} ${number++}`;
      const answer = await metering.reserve(accountId, 1 + (number % 5));
      if (isShortage(answer)) throw new Error('the account of the test is too small');
      if (number % 17 === 0) continue;
      const charge = number % (answer.amount + 1);
      await answer.settle(charge, { operation: 'translate', reference, successful: charge > 0 });
      say(`settled ${charge} ${reference}`);
    }
  };
  say('ready');
  await lines.next();
  await Promise.all(Array.from({ length: 8 }, client));
}

/** Registers and closes repeatedly, with credits reserved in between. */
async function churn(): Promise<void> {
  const store = await openStore({ directory });
  say('ready');
  await lines.next();
  for (;;) {
    const instance = await store.register();
    say('registered');
    const { metering } = instance;
    await Promise.all([metering.reserve(accountId, 1), metering.reserve(accountId, 2)]);
    await instance.reap();
    await instance.close();
    say('closed');
  }
}

/** 100 requests for 1 credit each at once. */
async function burst(): Promise<void> {
  const store = await openStore({ directory });
  const instance = await store.register();
  const { metering } = instance;
  say('ready');
  await lines.next();
  const served = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const answer = await metering.reserve(accountId, 1);
      if (isShortage(answer)) return 0;
      await answer.settle(1, { operation: 'translate', reference: `request ${i}`, successful: true });
      return 1;
    }),
  );
  await instance.close();
  await store.close();
  say(`served ${served.reduce((sum: number, one) => sum + one, 0)}`);
}

/** Opens new stores at moments that all processes know. */
async function open(): Promise<void> {
  say('ready');
  const { value } = await lines.next();
  const start = Number(value);
  for (let i = 0; i < 15; i++) {
    while (Date.now() < start + i * 40);
    const store = await openStore({ directory: join(directory, `store${i}`) });
    const instance = await store.register();
    await instance.close();
    await store.close();
  }
  say('opened');
}

const tasks: Readonly<Record<string, () => Promise<void>>> = { spend, churn, burst, open };
tasks[task]?.()
  .catch((error: unknown) => say(`failed ${String(error)}`))
  .finally(() => input.close());

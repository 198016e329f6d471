import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { comesTrue } from '../chaos/site.ts';
import type { Client } from '../server/specification/client.ts';
import type { AttackRow, Trial } from './row.ts';

/** Uploads that try to exhaust the process that reads them, and clients that try to get work for free. */

/** Environment variables of servers, with names of all kinds. */
const SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'PGPASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'DRAGOMAN_WEBHOOK_SECRET',
    'DEEPL_API_KEY',
    'DATABASE_URL',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'LANGFUSE',
    'PATH_TO_SECRET',
  ].map((name) => [name, `secret-of-${name}`]),
);

const readOf = (pid: string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

/** The child processes of a process, started from any of its threads. */
function childrenOf(pid: string): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readOf(pid, `task/${task}/children`).split(' ').filter(Boolean),
  );
}

/** Records each text that it has answered, one request after the other. */
const ENGINE = `
let last = Promise.resolve();
require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const {id, texts} = JSON.parse(line);
  const log = (name, lines) => require('node:fs').appendFileSync(process.env.ATTACK_LOG + name, lines);
  log('asked', texts.length + '\\n');
  last = last.then(() => new Promise((resolve) => setTimeout(resolve, 700))).then(() => {
    log('answered', texts.map((text) => text + '\\n').join(''));
    console.log(JSON.stringify({id, translations: texts.map((text) => text + ' fr')}));
  });
});`;

const KEYS = 400;

export const jobRows: readonly AttackRow[] = [
  {
    attack: `${Object.keys(SECRETS).length} secrets in the environment of a server whose workers read strangers' files`,
    expected: 'no worker gets any of them',
    skipped: process.platform === 'linux' ? undefined : 'only Linux shows the environment of a process',
    async run(trial) {
      const server = await trial.room.serve([], { env: SECRETS });
      const client = await server.newClient();
      const id = await client.createJob();
      const isOver = async (): Promise<boolean> => (await client.status(id))['completed_at'] !== null;
      trial.holds('the job ends', await comesTrue(isOver, 20_000));
      for (const secret of Object.values(SECRETS))
        trial.holds(`the server has ${secret}`, readOf(String(server.pid), 'environ').includes(secret));
      const children = childrenOf(String(server.pid));
      const workers = children.filter((pid) => readOf(pid, 'cmdline').includes('worker'));
      trial.holds(
        'there are workers',
        workers.length > 0,
        children.map((pid) => readOf(pid, 'cmdline')),
      );
      for (const pid of children)
        trial.lacks(`the environment of ${readOf(pid, 'cmdline')}`, readOf(pid, 'environ'), /secret/i);
      return `${workers.length} workers, ${children.length} children`;
    },
  },
  {
    attack: 'jobs that are deleted before they start, while an engine answers, and after their end',
    expected: "the engine's answers are charged once; no file and no reservation is left",
    run: deleteJobs,
  },
];

async function deleteJobs(trial: Trial): Promise<string> {
  const { room } = trial;
  const home = room.checkout({ 'engine.cjs': ENGINE, 'log-asked': '', 'log-answered': '' });
  const engine = [
    '--engine',
    'exec',
    '--engine-command',
    `"${process.execPath}" "${join(home, 'engine.cjs')}"`,
  ];
  const log = join(home, 'log-');
  const server = await room.serve(['--rate-limit', '0'], {
    engine,
    env: { ATTACK_LOG: log },
  });
  const linesOf = (name: string): readonly string[] =>
    readFileSync(`${log}${name}`, 'utf8').split('\n').filter(Boolean);
  const client = await server.newClient(KEYS * 10);
  const create = (name: string, keys = KEYS): Promise<string> => {
    const texts = Array.from({ length: keys }, (_, i) => [`k${i}`, `${name} number ${i}`]);
    return client.createJob({ content: JSON.stringify(Object.fromEntries(texts)) });
  };
  const remove = async (id: string): Promise<void> => {
    const { status } = await client.remove(id);
    trial.holds('the job is deleted', status === 200 || status === 204, status);
  };
  const running = await create('Running');
  trial.holds(
    'the engine is called',
    await comesTrue(() => Promise.resolve(linesOf('asked').length > 0), 20_000),
  );
  const waiting = await create('Waiting');
  await remove(waiting);
  await remove(running);
  await remove(await create('Uploaded'));
  const over = await create('Over', 3);
  const isOver = async (): Promise<boolean> => (await client.status(over))['completed_at'] !== null;
  trial.holds('a later job ends', await comesTrue(isOver, 60_000));
  await remove(over);
  trial.holds('all credits are released', await comesTrue(() => isAtRest(client, linesOf), 20_000), {
    summary: await client.summary(),
    answered: linesOf('answered').length,
  });
  await delay(1_500);

  const answered = linesOf('answered');
  const { credits_used: used, credits_remaining: left } = await client.summary();
  trial.equals('the charged credits', used, answered.length);
  trial.equals('the remaining credits', left, KEYS * 10 - answered.length);
  trial.equals('the texts that the engine answered twice', answered.length - new Set(answered).size, 0);
  trial.holds('the running job was not completed', answered.length < KEYS + 3, answered.length);
  trial.lacks('the answered texts', answered.join('\n'), 'Waiting');
  for (const id of [running, waiting, over]) {
    trial.equals(
      'the status of a deleted job',
      (await client.get(`/v2/translate/i18n/jobs/${id}/status`)).status,
      404,
    );
    trial.equals('the status of its file', (await client.download(id)).status, 404);
    trial.equals('the status of a second deletion', (await client.remove(id)).status, 404);
  }
  const files = ['jobs', 'uploads'].flatMap((name) => {
    const path = join(server.directory, name);
    return existsSync(path) ? readdirSync(path) : [];
  });
  trial.equals('the files that are left', files, []);
  return `${answered.length} texts answered and charged`;
}

/** Nothing is reserved if used and remaining credits add up to the granted ones. */
async function isAtRest(client: Client, linesOf: (name: string) => readonly string[]): Promise<boolean> {
  const { credits_used: used, credits_remaining: left } = await client.summary();
  return Number(used) + Number(left) === KEYS * 10 && Number(used) === linesOf('answered').length;
}

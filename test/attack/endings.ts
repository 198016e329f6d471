import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { webhook } from '../../src/contract/examples.ts';
import { comesTrue } from '../chaos/site.ts';
import { unpackedArchive } from '../git/hostile-checkouts.ts';
import { isRunning } from '../running-process.ts';
import { BIN, end, forEach, type Room } from './room.ts';
import type { AttackRow, Trial } from './row.ts';
import { SECRET, send } from './webhooks.ts';

/** Programs that keep running when the command that started them ends. */

const PAIR = ['-s', 'en', '-t', 'fr'];

/** A program that ignores signals and the end of its input. */
interface Stubborn {
  readonly directory: string;
  readonly path: string;
  /** The process ids of the program and of its child. */
  pids(): readonly string[];
}

function stubborn(room: Room, name: string, { startsAnother = true } = {}): Stubborn {
  const directory = room.directory(0o777);
  const [path, log] = [join(directory, name), join(directory, 'pids')];
  const stay =
    "for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); setTimeout(process.exit, 90000);";
  const other = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], {stdio: 'ignore'})`;
  writeFileSync(
    path,
    `#!${process.execPath}
    ${stay}
    process.stdin.resume();
    const pids = [process.pid${startsAnother ? `, ${other}.pid` : ''}];
    require('node:fs').appendFileSync(${JSON.stringify(log)}, pids.join(' ') + ' ');`,
  );
  chmodSync(path, 0o755);
  return {
    directory,
    path,
    pids: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split(' ') : []),
  };
}

interface Started {
  readonly program: Stubborn;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Makes the command start the program; returns the command's output. */
  readonly provoke?: (said: string) => Promise<unknown>;
}

/** Git and Apertium's programs are started directly. */
function installed(room: Room, name: string): Pick<Started, 'program' | 'env'> {
  const program = stubborn(room, name, { startsAnother: false });
  return { program, env: { PATH: `${program.directory}:${process.env['PATH'] ?? ''}` } };
}

/** Every way in which a command starts a program. */
const STARTS: Readonly<Record<string, (room: Room) => Started>> = {
  'the program of a format': (room) => {
    const program = stubborn(room, 'format');
    const cwd = room.checkout({ '.git/HEAD': '', 'en.pairs': 'a="x"\n' });
    return { program, cwd, argv: ['lint', 'en.pairs', '--format-command', `pairs="${program.path}"`] };
  },
  'the program of an engine': (room) => {
    const program = stubborn(room, 'engine');
    const cwd = room.checkout({ '.git/HEAD': '', 'en.json': '{"a": "One"}' });
    const engine = ['--engine', 'exec', '--engine-command', `"${program.path}"`];
    return { program, cwd, argv: ['sync', ...PAIR, ...engine] };
  },
  'a pipeline of programs': (room) => {
    const program = stubborn(room, 'engine');
    const cwd = room.checkout({});
    const engine = ['--engine', 'exec', '--engine-command', `cat | "${program.path}" | cat`];
    return { program, cwd, argv: ['translate', 'One', ...PAIR, ...engine] };
  },
  git: (room) => ({
    ...installed(room, 'git'),
    cwd: unpackedArchive(room.directory()).directory,
    argv: ['check', '--changed-since', 'main'],
  }),
  Apertium: (room) => ({ ...installed(room, 'apertium'), cwd: room.checkout({}), argv: ['doctor'] }),
  'the command of webhooks listen': (room) => {
    const program = stubborn(room, 'command');
    const argv = ['webhooks', 'listen', '--port', '0', '--exec', `"${program.path}"`];
    const provoke = (said: string): Promise<unknown> =>
      send(Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]), JSON.stringify(webhook));
    return { program, cwd: room.checkout({}), argv, env: { DRAGOMAN_WEBHOOK_SECRET: SECRET }, provoke };
  },
};

/** Signals, each this many milliseconds after the program has started. */
const ENDINGS = [
  ['SIGTERM', 0],
  ['SIGTERM', 1_000],
  ['SIGINT', 1_000],
  ['SIGKILL', 0],
] as const;

const MOST_MS = 10_000;
const GONE_MS = 3_000;

export const endingRows: readonly AttackRow[] = [
  {
    attack: `programs that ignore signals, started in ${Object.keys(STARTS).length} ways by a command that gets SIGTERM, SIGINT or SIGKILL`,
    expected: 'the command ends within seconds, together with the programs and their children',
    async run(trial) {
      const tried = Object.entries(STARTS).flatMap(([what, start]) =>
        ENDINGS.map(([signal, afterMs]) => ({ what, start, signal, afterMs })),
      );
      await forEach(tried, async ({ what, start, signal, afterMs }) => {
        await endBeside(trial, `${what}, ${signal} after ${afterMs} ms`, start(trial.room), signal, afterMs);
      });
      return `${tried.length} endings`;
    },
  },
];

async function endBeside(
  trial: Trial,
  name: string,
  { program, argv, cwd, env = {}, provoke }: Started,
  signal: (typeof ENDINGS)[number][0],
  afterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: trial.room.directory(0o777),
      DRAGOMAN_MEMORY: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  trial.room.onClose(() => end(child, 'SIGKILL').then(() => undefined));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said += part.toString()));
  if (provoke) {
    await comesTrue(() => Promise.resolve(/listening on /.test(said)), 20_000);
    void provoke(said);
  }
  const isStarted = await comesTrue(() => Promise.resolve(program.pids().length > 0), 20_000);
  trial.holds(`${name}: the program is started`, isStarted, said);
  await delay(afterMs);
  trial.holds(
    `${name}: the command waits for it`,
    child.exitCode === null && child.signalCode === null,
    said,
  );
  const began = performance.now();
  await end(child, signal);
  const ms = Math.round(performance.now() - began);
  trial.holds(`${name}: the command ends`, ms < MOST_MS, { ms, said });
  const left = (): readonly string[] => program.pids().filter(isRunning);
  trial.holds(
    `${name}: no process is left`,
    await comesTrue(() => Promise.resolve(left().length === 0), GONE_MS),
    {
      ms,
      left: left(),
    },
  );
  for (const pid of left()) process.kill(Number(pid), 'SIGKILL');
}

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { comesTrue } from '../chaos/site.ts';
import { isRoot, snapshot, STRANGER, type Room, type Server } from './room.ts';
import type { AttackRow } from './row.ts';

/** Another user of the machine on which a server or command runs. */

const SECRET_TEXT = 'A text that nobody else reads 5c1f';
const NOT_ROOT = isRoot ? undefined : 'only root can become another user';

/** A data directory with an account, its secrets, and a finished job; its server is stopped. */
async function filled(
  room: Room,
): Promise<{ readonly directory: string; readonly secrets: readonly string[] }> {
  const server: Server = await room.serve([]);
  const client = await server.newClient();
  const id = await client.createJob({ content: JSON.stringify({ a: SECRET_TEXT }) });
  await comesTrue(async () => (await client.status(id))['completed_at'] !== null, 20_000);
  const secret = await room.run(
    ['keys', 'webhook-secret', '--data-dir', server.directory, '--email', client.email],
    { cwd: server.directory },
  );
  await server.stop();
  return {
    directory: server.directory,
    secrets: [client.key, secret.stdout.trim(), SECRET_TEXT, 'user1@example.org'],
  };
}

/** The content of all files that an unprivileged user can read below a directory. */
async function readableBy(room: Room, uid: number, directory: string): Promise<string> {
  const program = ['sh', '-c', 'find . -type f -exec cat {} + 2>/dev/null; true'];
  return (await room.run([], { cwd: directory, uid, program })).stdout;
}

export const operatorRows: readonly AttackRow[] = [
  {
    attack: 'another user reads a data directory, a home and a copy of a store',
    expected: 'no key, secret or text is readable',
    skipped: NOT_ROOT,
    async run(trial) {
      const { room } = trial;
      const { directory, secrets } = await filled(room);
      const home = room.directory();
      const project = room.checkout({ '.git/HEAD': '', 'en.json': JSON.stringify({ a: SECRET_TEXT }) });
      const env = { HOME: home, DRAGOMAN_MEMORY: '' };
      const copy = join(room.directory(), 'copy');
      const copied = await room.run(['store', 'copy', '--from', directory, '--to', copy], { cwd: directory });
      trial.equals('the exit code of store copy', copied.code, 0);
      const [key = ''] = secrets;
      const server = await room.serve([], { directory });
      const login = await room.run(['login', '--base-url', server.url, '--profile', 'work'], {
        cwd: home,
        env,
        stdin: key,
      });
      trial.equals('the exit code of login', login.code, 0);
      const sync = await room.run(
        ['sync', '-s', 'en', '-t', 'fr', '--engine', 'exec', '--engine-command', 'exit 1'],
        { cwd: project, env },
      );
      trial.holds('sync has ended', sync.code !== null);
      const listen = await room.run(['webhooks', 'listen', '--port', '0', '--timeout', '1'], {
        cwd: home,
        env: { ...env, DRAGOMAN_WEBHOOK_SECRET: secrets[1] ?? '' },
      });
      trial.holds('listen has ended', listen.code === 6, listen);
      for (const [name, place] of [
        ['the data directory', directory],
        ['the copy', copy],
        ['the home', home],
      ] as const) {
        const own = (readdirSync(place, { recursive: true }) as string[]).length;
        trial.holds(`${name} has files`, own > 0, own);
        const read = await readableBy(room, STRANGER, place);
        for (const secret of secrets)
          trial.lacks(`the data that another user can read in ${name}`, read, secret);
        trial.lacks(`the data that another user can read in ${name}`, read, 'PRIVATE KEY');
      }
      const control = await readableBy(room, STRANGER, project);
      trial.matches('the data that another user can read in a project', control, new RegExp(SECRET_TEXT));
      return 'three directories';
    },
  },
  {
    attack: 'a store is copied to a directory that another user has prepared',
    expected: "the copy is refused, and the other user's files contain nothing",
    skipped: NOT_ROOT,
    async run(trial) {
      const { room } = trial;
      const { directory, secrets } = await filled(room);
      const theirs = room.directory(0o777);
      chownSync(theirs, STRANGER, STRANGER);
      const make: Readonly<Record<string, (to: string) => void>> = {
        "the other user's database": (to) => own(join(to, 'dragoman.db'), true),
        "the other user's log": (to) => own(join(to, 'dragoman.db-wal'), true),
        'a link for the database': (to) => symlinkSync(join(theirs, 'database'), join(to, 'dragoman.db')),
        'a link for the jobs': (to) => symlinkSync(theirs, join(to, 'jobs')),
        "the other user's directory": (to) => chownSync(to, STRANGER, STRANGER),
        'a directory that everybody can write to': (to) => chmodSync(to, 0o777),
      };
      for (const [what, prepare] of Object.entries(make)) {
        const to = room.directory();
        prepare(to);
        const { code, stderr } = await room.run(['store', 'copy', '--from', directory, '--to', to], {
          cwd: directory,
        });
        trial.equals(`the exit code with ${what}`, code, 2);
        trial.matches(`the message with ${what}`, stderr, /another user|other users|is a link/);
        const read = (await readableBy(room, STRANGER, to)) + (await readableBy(room, STRANGER, theirs));
        for (const secret of secrets)
          trial.lacks(`the data that the other user can read after ${what}`, read, secret);
      }
      trial.equals("the content of the other user's directory", snapshot(theirs), {});
      return `${Object.keys(make).length} places refused`;
    },
  },
  {
    attack:
      'copies to a store that is not empty, from a store in use, and with damaged files or files of another kind',
    expected: 'exit code 2 or 1 with the reason; both stores stay unchanged',
    async run(trial) {
      const { room } = trial;
      const { directory } = await filled(room);
      const other = await filled(room);
      const before = [Object.keys(snapshot(directory)), Object.keys(snapshot(other.directory))];
      const full = await room.run(['store', 'copy', '--from', directory, '--to', other.directory], {
        cwd: directory,
      });
      trial.equals('the exit code over a full store', full.code, 2);
      const server = await room.serve([], { directory });
      const used = await room.run(
        ['store', 'copy', '--from', directory, '--to', join(room.directory(), 'x')],
        { cwd: directory },
      );
      trial.equals('the exit code of a store in use', used.code, 2);
      await server.stop();
      const job = readdirSync(join(directory, 'jobs'))[0] ?? '';
      const file = readdirSync(join(directory, 'jobs', job)).find((name) => name !== 'source') ?? '';
      writeFileSync(join(directory, 'jobs', job, file), 'other');
      const to = join(room.directory(), 'copy');
      const damaged = await room.run(['store', 'copy', '--from', directory, '--to', to], { cwd: directory });
      trial.holds('a file of another size is a failure', damaged.code === 1, damaged);
      const broken = room.checkout({ 'dragoman.db': 'SQLite format 3\0 and nothing more' });
      const strange = await room.run(['store', 'copy', '--from', broken, '--to', to], { cwd: directory });
      trial.holds(
        'a file that is not a database is a failure',
        strange.code !== 0 && strange.code !== null,
        strange,
      );
      trial.lacks('the message', strange.stderr, /\n\s+at /);
      const names = [Object.keys(snapshot(directory)), Object.keys(snapshot(other.directory))];
      trial.equals('the files of both stores', names.map(stable), before.map(stable));
      trial.holds('no account is in the failed copy', !existsSync(to) || !lstatSync(to).isSymbolicLink());
      return '4 copies refused';
    },
  },
];

/** SQLite creates and removes its logs and locks at any time. */
function stable(names: readonly string[]): readonly string[] {
  return names.filter((name) => !/-wal$|-shm$|^instances/.test(name));
}

/** A file of another user, writable by everybody. */
function own(path: string, isWritable: boolean): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '');
  chmodSync(path, isWritable ? 0o666 : 0o600);
  chownSync(path, STRANGER, STRANGER);
}

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { webhook } from '../../src/contract/examples.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';
import { comesTrue } from '../chaos/site.ts';
import { openReceiver, status } from '../webhooks/receiver.ts';
import { BIN, end, type Room } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** Webhooks: addresses that a server can be made to call, and forged calls to a receiver. */

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const WRONG = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
/** A public address that is never contacted, because the hook prevents it. */
const PUBLIC = '93.184.215.14';

const INSIDE: readonly string[] = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '169.254.169.254',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '168.63.129.16',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
];

interface Listening {
  readonly port: number;
  readonly output: () => string;
  readonly stop: () => Promise<number | null>;
}

async function listen(room: Room, argv: readonly string[]): Promise<Listening> {
  const home = room.directory();
  const child = spawn(process.execPath, [BIN, 'webhooks', 'listen', '--port', '0', ...argv], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, DRAGOMAN_WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  room.onClose(() => end(child, 'SIGKILL').then(() => undefined));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  await comesTrue(() => Promise.resolve(/listening on /.test(output)), 20_000);
  const port = Number(/listening on https:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  return { port, output: () => output, stop: () => end(child, 'SIGTERM') };
}

interface Sent {
  readonly id?: string;
  readonly at?: number;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Sends a body with a signature; returns the status, or 0 if the connection is cut. */
export function send(
  port: number,
  body: string | Buffer,
  { id = 'msg_1', at = Date.now(), secret = SECRET, headers, method = 'POST' }: Sent = {},
): Promise<number> {
  const timestamp = Math.floor(at / 1000);
  const signature = signWebhook(secret, { id, timestamp, body });
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        rejectUnauthorized: false,
        agent: false,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
          ...headers,
        },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

const body = (more: object = {}, job: object = {}): string =>
  JSON.stringify({ ...webhook, ...more, job: { ...webhook.job, ...job } });

export const webhookRows: readonly AttackRow[] = [
  {
    attack: `jobs whose webhook leads to an internal address, in ${INSIDE.length} spellings, with credentials, other schemes, or port 0`,
    expected: 'status 400 when the job is created; no connection',
    async run(trial) {
      const server = await trial.site.server();
      const client = await server.newClient();
      const receiver = await openReceiver(status(200));
      trial.room.onClose(receiver.close);
      const inside = INSIDE.map((host) => `https://${host}:${receiver.port}/hook`);
      const others = [
        'http://example.org/',
        'file:///etc/passwd',
        'ftp://127.0.0.1/',
        'javascript:alert(1)',
        'https://a:b@example.org/',
        'https://example.org:0/',
        'https://',
        '//127.0.0.1/',
        'https:/\\127.0.0.1/',
        'gopher://127.0.0.1/',
        `https://example.org/${'x'.repeat(3_000)}`,
      ];
      for (const webhook_url of [...inside, ...others])
        trial.equals(
          `the status for ${webhook_url.slice(0, 60)}`,
          (await client.upload({ webhook_url })).status,
          400,
        );
      trial.equals('the number of connections', receiver.connections(), 0);
      return `${inside.length + others.length} refused`;
    },
  },
  {
    attack:
      'a name that resolves to a public address when it is checked, and to an internal one when it is called',
    expected: 'the server connects only to addresses that it has checked',
    run: rebind,
  },
  {
    attack:
      'webhooks listen: forged, unsigned, old and future signatures, replays, other methods, 2 MB, no TLS',
    expected: 'only a new event runs the command',
    async run(trial) {
      const { room } = trial;
      const log = join(room.directory(), 'log');
      const { port, output, stop } = await listen(room, ['--exec', `cat >> '${log}'; echo >> '${log}'`]);
      const now = Date.now();
      const fake = { 'webhook-signature': 'v1,AAAA' };
      const refused: readonly (readonly [string, Promise<number>, number])[] = [
        ['another secret', send(port, body(), { secret: WRONG }), 401],
        ['a made-up signature', send(port, body(), { headers: fake }), 401],
        [
          'another version',
          send(port, body(), {
            headers: {
              'webhook-signature': signWebhook(SECRET, {
                id: 'msg_1',
                timestamp: Math.floor(now / 1000),
                body: body(),
              }).replace('v1', 'v2'),
            },
          }),
          401,
        ],
        ['another id', send(port, body(), { headers: { 'webhook-id': 'msg_2' } }), 401],
        [
          'another time',
          send(port, body(), { headers: { 'webhook-timestamp': String(Math.floor(now / 1000) - 9) } }),
          401,
        ],
        ['no signature', send(port, body(), { headers: { 'webhook-signature': '' } }), 401],
        ['an old time', send(port, body(), { at: now - 301_000 }), 401],
        ['a future time', send(port, body(), { at: now + 302_000 }), 401],
        ['an invalid time', send(port, body(), { headers: { 'webhook-timestamp': '1e99' } }), 401],
        ['GET', send(port, '', { method: 'GET' }), 405],
        ['2 MB', send(port, 'x'.repeat(2_000_000)), 413],
        ['no JSON', send(port, '{'), 400],
        ['brackets', send(port, '['.repeat(100_000)), 400],
        ['another event', send(port, body({ event: 'x' })), 400],
        ['__proto__', send(port, '{"__proto__": {"event": "i18n_translation.completed"}}'), 400],
      ];
      for (const [what, answer, expected] of refused)
        trial.equals(`the status of ${what}`, await answer, expected);
      trial.holds(
        'plain HTTP gets no answer',
        await fetch(`http://127.0.0.1:${port}/`).then(
          () => false,
          () => true,
        ),
      );
      trial.holds('no command was run', !existsSync(log));
      trial.equals('the status of an event', await send(port, body(), { at: now }), 204);
      await comesTrue(() => Promise.resolve(existsSync(log)), 10_000);
      for (let i = 0; i < 5; i++)
        trial.equals('the status of a replay', await send(port, body(), { at: now }), 204);
      await stop();
      trial.equals('the number of commands run', readFileSync(log, 'utf8').trim().split('\n').length, 1);
      trial.lacks('the output', output(), SECRET);
      return `${refused.length} refused, 5 replays`;
    },
  },
  {
    attack: 'webhooks listen --exec: payloads with shell commands, terminal escapes and workflow commands',
    expected: 'the command gets them as data, and the terminal shows them as escapes',
    async run(trial) {
      const { room } = trial;
      const trap = room.trap();
      const log = join(room.directory(), 'log');
      const { port, output, stop } = await listen(room, [
        '--exec',
        `cat > /dev/null; printf '%s|%s|%s\\n' "$DRAGOMAN_JOB_ID" "$DRAGOMAN_JOB_STATUS" "$DRAGOMAN_WEBHOOK_SECRET" >> '${log}'`,
      ]);
      const evil = [
        `$(${trap.command})`,
        `\`${trap.command}\``,
        `'; ${trap.command}; '`,
        `"; ${trap.command} #`,
        `| ${trap.command}`,
        `\n${trap.command}\n`,
      ];
      for (const [i, text] of evil.entries()) {
        trial.equals(
          'the response to an invalid job id',
          await send(port, body({ job_id: text }), { id: `id_${i}` }),
          400,
        );
        trial.equals(
          'the response to an unknown status',
          await send(port, body({ status: text }), { id: `status_${i}` }),
          400,
        );
        const answer = await send(
          port,
          body({}, { original_filename: text, error_message: text, source_language: text }),
          { id: `name_${i}` },
        );
        trial.equals('the response to a malicious name', answer, 204);
      }
      const signs = '\u001b[2J\u001b]0;x\u0007\r\u202e\n::error::x\n##[error]x';
      trial.equals(
        'the response to escapes',
        await send(port, body({}, { original_filename: signs, error_message: signs }), { id: 'signs' }),
        204,
      );
      const lines = (): readonly string[] =>
        existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      await comesTrue(() => Promise.resolve(lines().length === evil.length + 1), 20_000);
      await stop();
      trial.equals(
        'the data that the command got',
        [...new Set(lines())],
        [`${webhook.job_id}|${webhook.status}|`],
      );
      trial.equals('the number of commands run', lines().length, evil.length + 1);
      trial.holds('no program of a payload was run', !trap.sprung());
      trial.lacks('the output', output(), /[\u001b\u0007\u202e]/);
      trial.lacks('the output', output(), /^\s*::error/m);
      return `${evil.length * 3 + 1} payloads`;
    },
  },
];

async function rebind(trial: Trial): Promise<string> {
  const { room } = trial;
  const receiver = await openReceiver(status(200));
  room.onClose(receiver.close);
  const names = {
    'flip.example': [[PUBLIC], ['127.0.0.1']],
    'late.example': [[PUBLIC], [PUBLIC], ['127.0.0.1']],
    'mixed.example': [[PUBLIC, '127.0.0.1']],
    'absent.example': [[], ['127.0.0.1']],
    'six.example': [[PUBLIC], ['::ffff:127.0.0.1']],
  };
  const hook = pathToFileURL(join(import.meta.dirname, 'resolver-hook.mjs')).href;
  const start = async (more: readonly string[]) => {
    const log = join(room.directory(), 'log');
    writeFileSync(log, '');
    const env = { NODE_OPTIONS: `--import ${hook}`, ATTACK_ANSWERS: JSON.stringify(names), ATTACK_LOG: log };
    const server = await room.serve(['--rate-limit', '0', ...more], { env });
    return { client: await server.newClient(), log: () => readFileSync(log, 'utf8').trim().split('\n') };
  };
  const { client, log } = await start([]);
  const ids = new Map<string, string>();
  for (const name of Object.keys(names)) {
    const answer = await client.upload({ webhook_url: `https://${name}:${receiver.port}/` });
    trial.equals(`the status of a job for ${name}`, answer.status, name === 'mixed.example' ? 400 : 201);
    if (answer.status === 201) ids.set(name, String(answer.object(201)['job_id']));
  }
  for (const [name, id] of ids) {
    const attempts = async (): Promise<number> =>
      ((await client.status(id))['webhook'] as { attempts?: number } | undefined)?.attempts ?? 0;
    trial.holds(`${name} is called`, await comesTrue(async () => (await attempts()) > 0, 20_000));
  }
  const connected = log().filter((line) => line.startsWith('connect'));
  trial.equals('the addresses that were connected to', [...new Set(connected)], [`connect ${PUBLIC}`]);
  trial.equals('the connections that came', receiver.connections(), 0);
  const armed = await start(['--webhook-allow-private']);
  await armed.client.createJob({ webhook_url: `https://flip.example:${receiver.port}/` });
  await armed.client.createJob({ webhook_url: `https://flip.example:${receiver.port}/` });
  trial.holds(
    'the name leads to an internal address if that is allowed',
    await comesTrue(() => Promise.resolve(receiver.connections() > 0), 20_000),
  );
  return `${ids.size} names, ${connected.length} connections to checked addresses`;
}

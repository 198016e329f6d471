import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { comesTrue } from '../chaos/site.ts';
import { exchangeBytes, parseAnswer } from '../server/harness.ts';
import type { Client, Form } from '../server/specification/client.ts';
import type { AttackRow, Trial } from './row.ts';

/** Malicious clients of a server that attack it, or each other. */

const MESSAGE = JSON.stringify({ text: 'Hello', source: 'en', target: 'fr' });

async function requireHealth(trial: Trial, client: Client): Promise<void> {
  trial.equals('the health', (await client.send('/health')).status, 200);
  trial.equals('the status of a text', (await client.translate()).status, 200);
}

function bomb(first: string, next: (i: number) => string): string {
  return [first, ...Array.from({ length: 12 }, (_, i) => next(i + 1))].join('\n');
}
const ten = (text: string): string => Array<string>(10).fill(text).join(', ');

/** Files that are much more expensive to read than to send. */
export const BOMBS: Readonly<Record<string, string>> = {
  'aliases.yaml': bomb(`a0: &a0 [${ten('word')}]`, (i) => `a${i}: &a${i} [${ten(`*a${i - 1}`)}]`),
  'merges.yaml': bomb('a0: &a0 {k: word}', (i) => `a${i}: &a${i}\n  <<: [${ten(`*a${i - 1}`)}]`),
  'flows.yaml': '['.repeat(50_000),
  'blocks.yaml': Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  'entities.xml': `<?xml version="1.0"?>\n<!DOCTYPE resources [\n${bomb('<!ENTITY e0 "word">', (i) => `<!ENTITY e${i} "${`&e${i - 1};`.repeat(10)}">`)}\n]>\n<resources><string name="a">&e12;</string></resources>`,
  'external.xml':
    '<?xml version="1.0"?>\n<!DOCTYPE resources [<!ENTITY s SYSTEM "file:///etc/passwd">]>\n<resources><string name="a">Hello &s;</string></resources>',
  'deep.xml': '<a>'.repeat(100_000),
  'deep.xlf': `<xliff version="1.2">${'<g id="1">'.repeat(50_000)}`,
  'deep.json': '['.repeat(100_000),
  'objects.json': `${'{"a":'.repeat(5_000)}"b"${'}'.repeat(5_000)}`,
  'deep.json5': '{a:'.repeat(50_000),
  'deep.php': `<?php return ${'['.repeat(50_000)}`,
  'deep.js': `export default ${'{a:'.repeat(50_000)}`,
  'deep.toml': `a = ${'['.repeat(50_000)}`,
  'tables.toml': `[${'a.'.repeat(50_000)}a]\nb = "c"`,
  'deep.ftl': `a = ${'{ "'.repeat(50_000)}`,
  'icu.json': JSON.stringify({ a: '{n, plural, other {'.repeat(5_000) }),
  'tags.json': JSON.stringify({ a: '<b>'.repeat(20_000) }),
  'prototype.json':
    '{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "Hello"}}, "toString": "Hello"}',
  'prototype.yaml': '__proto__:\n  polluted: Hello\nconstructor: Hello\n',
  'quotes.po': `msgid "${'\\"'.repeat(100_000)}`,
  'escapes.properties': `a=${'\\\n'.repeat(100_000)}`,
  'cells.csv': `"${'""'.repeat(100_000)}`,
};

export const serverRows: readonly AttackRow[] = [
  {
    attack: 'malformed requests: smuggled lengths, two hosts, deep and long bodies, wrong encodings, CONNECT',
    expected: 'each gets one JSON error; the server continues',
    async run(trial) {
      const server = await trial.site.server();
      const client = await server.newClient();
      const port = Number(new URL(server.url).port);
      const head = (more = '', line = 'POST /v2/translate HTTP/1.1'): string =>
        `${line}\r\nHost: localhost\r\nX-API-KEY: ${client.key}\r\nContent-Type: application/json\r\n${more}\r\n`;
      const sized = (body: string | Buffer, more = ''): Buffer =>
        Buffer.concat([
          Buffer.from(head(`Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${more}`)),
          Buffer.from(body),
        ]);
      const requests: Readonly<Record<string, readonly [string | Buffer, number]>> = {
        'a length and chunks': [head('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n') + MESSAGE, 400],
        'two lengths': [head('Content-Length: 3\r\nContent-Length: 4\r\n') + MESSAGE, 400],
        'chunks with a length': [`${head('Transfer-Encoding: chunked, identity\r\n')}0\r\n\r\n`, 400],
        'a name with a blank': [head('Content-Length : 3\r\n') + MESSAGE, 400],
        'a bare line feed': [`GET /health HTTP/1.1\nHost: a\n\n`, 400],
        'a folded header': [head('X-A: b\r\n c\r\n'), 400],
        'no host': ['GET /health HTTP/1.1\r\n\r\n', 400],
        'two hosts': ['GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
        "another's host": ['GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421],
        CONNECT: ['CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
        TRACE: ['TRACE /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 405],
        'a header of 100 KB': [head(`X-Long: ${'x'.repeat(100_000)}\r\n`), 431],
        'half a surrogate': [sized('{"text":"\\ud83d","source":"en","target":"fr"}'), 400],
        'bytes that are not UTF-8': [sized(Buffer.from([0x7b, 0xc3, 0x28, 0x7d])), 400],
        'brackets 1,000,000 deep': [sized('['.repeat(1_000_000)), 400],
        'a million values': [sized(`{"texts":[${'1,'.repeat(1_000_000)}1]}`), 400],
        'a compressed body': [sized(MESSAGE, 'Content-Encoding: gzip\r\n'), 415],
        'prototype keys': [sized('{"__proto__":{"text":"Hello"},"source":"en","target":"fr"}'), 400],
        'a path that leads out': [
          head('Connection: close\r\n', 'GET /docs/../../../../etc/passwd HTTP/1.1'),
          404,
        ],
        'an encoded path that leads out': [
          head('Connection: close\r\n', 'GET /%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1'),
          404,
        ],
        'a job id that is a path': [
          head('Connection: close\r\n', 'GET /v2/translate/i18n/jobs/..%2f..%2fx/status HTTP/1.1'),
          404,
        ],
      };
      for (const [what, [bytes, status]] of Object.entries(requests)) {
        const raw = await exchangeBytes(port, bytes);
        const answer = parseAnswer(raw);
        trial.equals(`the status of ${what}`, answer.status, status);
        trial.equals(`the answers to ${what}`, raw.match(/HTTP\/1\.1 \d/g)?.length, 1);
        trial.lacks(`the answer to ${what}`, raw, /\n\s+at |root:/);
      }
      await requireHealth(trial, client);
      return `${Object.keys(requests).length} requests`;
    },
  },
  {
    attack: '200 connections that send a byte a second, and 200 that only read slowly',
    expected: 'others are answered within a second',
    async run(trial) {
      const server = await trial.site.server();
      const client = await server.newClient();
      const port = Number(new URL(server.url).port);
      const sockets = Array.from({ length: 400 }, (_, i) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          `${i % 2 === 0 ? 'POST /v2/translate' : 'GET /docs'} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${client.key}\r\n${i % 2 === 0 ? 'Content-Length: 1000\r\n\r\n' : '\r\n'}`,
        );
        if (i % 2 === 1) socket.pause();
        return socket;
      });
      const timer = setInterval(
        () => sockets.forEach((socket, i) => i % 2 === 0 && socket.write(' ')),
        1_000,
      );
      const times: number[] = [];
      for (let i = 0; i < 10; i++) {
        const began = performance.now();
        trial.equals('the status of a text', (await client.translate()).status, 200);
        times.push(performance.now() - began);
      }
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      const median = times.toSorted((a, b) => a - b)[5] ?? Infinity;
      trial.holds('half of the texts take less than a second', median < 1_000, times);
      return `${Math.round(median)} ms for a text`;
    },
  },
  {
    attack: `${Object.keys(BOMBS).length} malicious uploads: aliases, entities, nesting, prototype keys`,
    expected: 'each is refused, or translated without the intended effect; memory is bounded',
    async run(trial) {
      const server = await trial.site.server();
      const client = await server.newClient();
      const before = await residentMegabytes(client);
      let refused = 0;
      const ids: string[] = [];
      for (const [filename, content] of Object.entries(BOMBS)) {
        const answer = await client.upload({ filename, content });
        trial.holds(
          `${filename} is answered with 400 or 201`,
          answer.status === 400 || answer.status === 201,
          answer.status,
        );
        if (answer.status === 400) refused++;
        else ids.push(String(answer.object(201)['job_id']));
      }
      for (const id of ids) {
        const isOver = async (): Promise<boolean> => (await client.status(id))['completed_at'] !== null;
        trial.holds('the job ends', await comesTrue(isOver, 30_000));
        const { text } = await client.download(id);
        trial.lacks('the translation', text, 'root:');
      }
      const grown = (await residentMegabytes(client)) - before;
      trial.holds('the server has not grown by 300 MB', grown < 300, grown);
      await requireHealth(trial, client);
      return `${refused} refused, ${ids.length} translated`;
    },
  },
  {
    attack: 'uploads with paths as names, one byte more than 10 MiB, 51 languages, or other types',
    expected: 'names are never used as paths; the other uploads are refused',
    async run(trial) {
      const server = await trial.site.server();
      const client = await server.newClient();
      for (const filename of [
        '../../../../evil.json',
        '..\\..\\evil.json',
        '/tmp/evil.json',
        'C:\\evil.json',
        'a\u0000b/evil.json',
        '%2e%2e%2fevil.json',
      ]) {
        const answer = await client.upload({ filename, content: '{"a": "Hello"}' });
        if (answer.status !== 201) continue;
        const name = String((await client.status(String(answer.object(201)['job_id'])))['original_filename']);
        trial.holds(`${filename} becomes a name`, !/[/\\\u0000]/.test(name) && !name.startsWith('.'), name);
      }
      const forms: Readonly<Record<string, readonly [Form, number]>> = {
        'too large': [{ content: new Uint8Array((10 << 20) + 1).fill(0x20) }, 413],
        'too many languages': [
          { target_languages: Array.from({ length: 51 }, (_, i) => `x-${i}`).join() },
          400,
        ],
        'a language that is a path': [{ target_languages: '../../x' }, 400],
        'a program': [{ filename: 'a.exe' }, 400],
        'no extension': [{ filename: 'passwd' }, 400],
        empty: [{ content: '' }, 400],
      };
      for (const [what, [form, status]] of Object.entries(forms))
        trial.equals(`the status of ${what}`, (await client.upload(form)).status, status);
      await requireHealth(trial, client);
      return `${Object.keys(forms).length} refused`;
    },
  },
  {
    attack:
      "requests for another account's jobs, files and cursors; revoked keys, and keys in another letter case or place",
    expected: '404, 400 or 403, and no data of the other account',
    async run(trial) {
      const server = await trial.site.server();
      const [anna, eve] = [await server.newClient(), await server.newClient()];
      const id = await anna.createJob({ content: '{"a":"Hello"}' });
      await anna.createJob({ content: '{"a":"Hello"}' });
      for (const answer of [
        await eve.get(`/v2/translate/i18n/jobs/${id}/status`),
        await eve.download(id),
        await eve.remove(id),
        await eve.get(`/v2/translate/i18n/jobs/${id.toUpperCase()}/status`),
      ])
        trial.equals("the status of another account's job", answer.status, 404);
      trial.equals("the other's list", (await eve.get('/v2/translate/i18n/jobs')).json, []);
      const page = await anna.get('/v2/translate/i18n/jobs?limit=1');
      const cursor = /cursor=([^&>]+)/.exec(String(page.headers['link']))?.[1] ?? '';
      trial.holds('there is a cursor', cursor !== '', page.headers);
      const stolen = await eve.get(`/v2/translate/i18n/jobs?limit=1&cursor=${cursor}`);
      trial.holds(
        "another's cursor gives nothing",
        stolen.status === 400 || stolen.text === '[]',
        stolen.text,
      );
      for (const other of ['1', '0', '-1', '9999999999999999999', "' or 1=1 --", '__proto__', '%00'])
        trial.equals(
          `the status of the cursor ${other}`,
          (await eve.get(`/v2/translate/i18n/jobs?cursor=${encodeURIComponent(other)}`)).status,
          400,
        );
      for (const key of [
        '',
        'x',
        anna.key.slice(0, -1),
        anna.key.toUpperCase(),
        `${anna.key} x`,
        "' or 1=1 --",
        'a'.repeat(10_000),
      ]) {
        const { status } = await anna.with({ key }).translate();
        trial.equals(`the status of the key ${key.slice(0, 12)}…`, status, key.length > 9_000 ? status : 403);
      }
      const reset = await trial.room.run(
        ['keys', 'revoke', '--data-dir', server.directory, '--email', eve.email],
        { cwd: server.directory },
      );
      trial.equals('the exit code of keys revoke', reset.code, 0);
      trial.equals('the status of a revoked key', (await eve.translate()).status, 403);
      trial.lacks('the log', server.log(), anna.key);
      trial.equals("the owner's job", (await anna.get(`/v2/translate/i18n/jobs/${id}/status`)).status, 200);
      return 'nothing given';
    },
  },
  {
    attack:
      'the terms and translations of one account, requested by another account from two servers on one directory',
    expected: 'neither the other account nor its engine gets any of them',
    run: askForOthers,
  },
];

async function residentMegabytes(client: Client): Promise<number> {
  const { text } = await client.send('/metrics');
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1] ?? NaN) / (1 << 20);
}

/** Answers each text with a number and the account's term, and records its requests. */
const COUNTING = `
const {appendFileSync} = require('node:fs'); let n = 0;
require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  appendFileSync(process.env.ATTACK_LOG, line + '\\n');
  const {id, texts} = JSON.parse(line);
  console.log(JSON.stringify({id, translations: texts.map((text) => (line.includes('ANNAS-TERM') ? text.replace('door', 'ANNAS-TERM') : text) + ' ' + process.pid + '-' + n++)}));
});`;

async function askForOthers(trial: Trial): Promise<string> {
  const { room } = trial;
  const cwd = room.checkout({
    'engine.cjs': COUNTING,
    'glossary.csv': 'term,fr\ndoor,ANNAS-TERM\n',
    log: '',
  });
  const engine = [
    '--engine',
    'exec',
    '--engine-command',
    `"${process.execPath}" "${join(cwd, 'engine.cjs')}"`,
  ];
  const options = { engine, env: { ATTACK_LOG: join(cwd, 'log') } };
  const first = await room.serve(['--rate-limit', '0'], options);
  const second = await room.serve(['--rate-limit', '0'], { ...options, directory: first.directory });
  const [anna, eve] = [await first.newClient(), await first.newClient()];
  const place = ['--data-dir', first.directory, '--email', anna.email];
  for (const argv of [
    ['glossary', join(cwd, 'glossary.csv')],
    ['memory', 'on'],
  ])
    trial.equals(
      `the exit code of keys ${argv[0]}`,
      (await room.run(['keys', ...argv, ...place], { cwd })).code,
      0,
    );
  const log = (): string => readFileSync(join(cwd, 'log'), 'utf8');
  const text = 'Open the door';
  const answer = async (client: Client): Promise<string> =>
    /"translation":"([^"]*)"/.exec((await client.translate({ text })).text)?.[1] ?? '';
  const own = await answer(anna);
  trial.matches("the engine's requests for the account", log(), /ANNAS-TERM/);
  trial.matches("the account's answer", own, /^Open the ANNAS-TERM \d+-\d+$/);
  // Answers are stored after they are sent.
  const isKept = async (): Promise<boolean> =>
    (await answer(anna.with({ url: second.url }))) === (await answer(anna));
  trial.holds("both servers return the account's stored translation", await comesTrue(isKept, 10_000));
  const kept = await answer(anna);
  for (const { url } of [first, second]) {
    const before = log().length;
    const other = await answer(eve.with({ url }));
    trial.holds(
      'another account gets a different answer',
      other !== '' && other !== own && other !== kept,
      other,
    );
    const client = eve.with({ url });
    const id = await client.createJob({ content: JSON.stringify({ a: text }) });
    await comesTrue(async () => (await client.status(id))['completed_at'] !== null, 20_000);
    const file = (await client.download(id)).text;
    trial.matches("another account's file", file, /Open the door \d/);
    trial.lacks("another account's file", file, kept);
    trial.lacks("the engine's requests for the other", log().slice(before), 'ANNAS-TERM');
  }
  trial.lacks('the logs', first.log() + second.log(), 'ANNAS-TERM');
  return 'two servers, texts and jobs';
}

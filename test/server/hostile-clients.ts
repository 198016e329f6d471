import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CREATE, encodeForm, type Client, type Form } from './specification/client.ts';

/**
 * Clients that try to hold resources that all accounts share. Each continues until its signal aborts, and counts its
 * answers by status.
 */
interface HostileClient {
  readonly attack: string;
  /** The credits of the attacker's account. */
  readonly credits: number;
  readonly begin: (client: Client, signal: AbortSignal) => Promise<ReadonlyMap<number, number>>;
}

const BYTES = 10_000_000;
const REFUSED_MS = 2_000;
const MIB = 1024 * 1024;

/** Different sentences, cut to this size. */
function sentences(bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let i = 0; size < bytes; i++) {
    const sentence = `This is sentence ${i} of a text that never ends. `;
    parts.push(sentence);
    size += sentence.length;
  }
  return parts.join('').slice(0, bytes);
}

const filled = (head: string, unit: string, tail = ''): string =>
  head + unit.repeat(Math.floor((BYTES - head.length - tail.length) / unit.length)) + tail;

class Statuses extends Map<number, number> {
  note(status: number): void {
    this.set(status, (this.get(status) ?? 0) + 1);
  }
}

/** Repeats an action until the signal aborts, `atOnce` times concurrently. */
async function flood(
  atOnce: number,
  signal: AbortSignal,
  once: (i: number) => Promise<number>,
): Promise<Statuses> {
  const statuses = new Statuses();
  let last = 0;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const status = await once(last++).catch(() => 0);
      statuses.note(status);
      // A refused client retries, but without keeping the machine busy itself.
      if (status !== 200 && status !== 201) await delay(REFUSED_MS, undefined, { signal }).catch(() => 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return statuses;
}

/** Sends a request over each of its connections again as soon as it is answered, and reopens closed ones. */
const RELENTLESS = `
const { parentPort, workerData: { host, port, request, atOnce } } = require('node:worker_threads');
const statuses = new Map();
let isOver = false;
const open = () => {
  if (isOver) return;
  const socket = require('node:net').connect(port, host, () => socket.write(request));
  socket.on('data', (chunk) => {
    for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\\/1\\.1 (\\d{3})/g)) {
      statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1);
      if (!isOver && socket.writable) socket.write(request);
    }
  });
  socket.on('error', () => undefined).on('close', () => setImmediate(open));
};
for (let i = 0; i < atOnce; i++) open();
parentPort.on('message', () => { isOver = true; parentPort.postMessage(statuses); process.exit(); });`;

interface RawRequest {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

function relentless(
  attack: string,
  made: () => RawRequest | Promise<RawRequest>,
  { credits = 1_000_000_000, atOnce = 16 } = {},
): HostileClient {
  return {
    attack,
    credits,
    begin: async ({ url, key }, signal) => {
      const { path, type, body } = await made();
      const { hostname: host, port } = new URL(url);
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
      const workerData = {
        host,
        port: Number(port),
        request: Buffer.concat([Buffer.from(head), body]),
        atOnce,
      };
      const thread = new Worker(RELENTLESS, { eval: true, workerData });
      signal.addEventListener('abort', () => thread.postMessage('end', []), { once: true });
      const [statuses] = (await once(thread, 'message')) as [ReadonlyMap<number, number>];
      return statuses;
    },
  };
}

function uploads(
  attack: string,
  forms: readonly (() => Form)[],
  { credits = 1_000_000_000, atOnce = 3 } = {},
): HostileClient {
  return {
    attack,
    credits,
    begin: async (client, signal) => {
      // Encoded in advance, so that the attacker's work does not slow down the measurement.
      const made = await Promise.all(forms.map((form) => encoded(form())));
      return flood(atOnce, signal, async (i) => {
        const { type, body } = made[i % made.length] ?? { type: '', body: Buffer.alloc(0) };
        const sent = { method: 'POST', headers: { 'Content-Type': type }, body };
        return (await client.send(CREATE, sent)).status;
      });
    },
  };
}

const LANGUAGES = 'fr,de,es';

function encoded({ content = '', filename }: Form): ReturnType<typeof encodeForm> {
  const form = new FormData();
  form.append('source_language', 'en');
  form.append('target_languages', LANGUAGES);
  form.append('file', new Blob([content]), filename);
  return encodeForm(form);
}

const oneKey = (extension: string, head: string, tail: string) => (): Form => ({
  filename: `one.${extension}`,
  content: head + sentences(BYTES - head.length - tail.length) + tail,
});

const yaml =
  (head: string, unit: string, tail = '') =>
  (): Form => ({ filename: 'list.yaml', content: filled(head, unit, tail) });

/** Sends a body as raw bytes, slowly at its end, and returns the status of the answer; 0 without one. */
async function trickle(client: Client, bytes: number, everyMs: number, signal: AbortSignal): Promise<number> {
  const { hostname, port } = new URL(client.url);
  const head = `POST /v2/translate/batch HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${client.key}\r\nContent-Type: application/json\r\nContent-Length: ${8 * MIB}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const drip = setInterval(() => socket.write(' '), everyMs);
  try {
    return await new Promise<number>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]));
      });
      socket.on('error', () => resolve(0)).on('close', () => resolve(0));
      socket.write(head);
      socket.write(Buffer.alloc(bytes, 0x20));
    });
  } finally {
    clearInterval(drip);
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function requests(
  attack: string,
  atOnce: number,
  path: string,
  body: () => object,
  credits = 1_000_000_000,
): HostileClient {
  return {
    attack,
    credits,
    begin: async (client, signal) => {
      const text = JSON.stringify(body());
      return flood(atOnce, signal, async () => (await client.post(path, text)).status);
    },
  };
}

const pair = { source: 'en', target: 'fr' };
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');

export const hostileClients: readonly HostileClient[] = [
  uploads('jobs of 10 MB with one key', [
    oneKey('json', '{"a":"', '"}'),
    oneKey('properties', 'a=', '\n'),
    oneKey('xml', '<resources><string name="a">', '</string></resources>'),
  ]),
  uploads('jobs of 10 MB with one key full of placeholders and tags', [
    () => ({
      filename: 'one.json',
      content: filled('{"a":"', 'Hello <b>{name}</b>, and so on. ', '"}'),
    }),
  ]),
  uploads('YAML lists of 10 MB', [
    yaml('a:\n', ' - b\n'),
    yaml('a: [', 'b,', 'b]\n'),
    yaml('a: &a b\n', 'k: "a"\n'),
  ]),
  uploads('lists of 10 MB that are within the limits', [
    yaml('a: &a b\n', 'key: "some value of ten words"\n'),
    () => ({
      filename: 'list.json',
      content: filled('{"a":[', '"a",', '"b"]}'),
    }),
    () => ({
      filename: 'list.xml',
      content: filled('<resources><string name="k">a', '<b/>a', '</string></resources>'),
    }),
  ]),
  uploads('uploads of 10 MB without credits', [yaml('a:\n', ' - b\n')], { credits: 0, atOnce: 8 }),
  {
    attack: 'bodies of 8 MiB that never end',
    credits: 1_000_000,
    begin: (client, signal) => flood(33, signal, () => trickle(client, 8 * MIB - 10_000, 1_000, signal)),
  },
  {
    attack: 'bodies that come in drops',
    credits: 1_000_000,
    begin: (client, signal) => flood(100, signal, () => trickle(client, 1_000, 500, signal)),
  },
  requests('batches of 8 MiB', 16, '/v2/translate/batch', () => ({
    texts: Array.from({ length: 100 }, (_, i) => `${i} ${'Hello world. '.repeat(380)}`),
    padding: 'x'.repeat(7 * MIB),
    ...pair,
  })),
  requests('subtitles of 4 MiB', 8, '/v2/translate/subtitles', () => ({
    format: 'srt',
    content: Array.from(
      { length: 60_000 },
      (_, i) => `${i + 1}\n${clock(i * 1_000)} --> ${clock(i * 1_000 + 900)}\nHello number ${i}.\n`,
    ).join('\n'),
    ...pair,
  })),
  relentless('texts without a pause', () => ({
    path: '/v2/translate',
    type: 'application/json',
    body: Buffer.from(JSON.stringify({ text: 'Hello world', ...pair })),
  })),
  relentless('uploads of 10 MB without a pause', async () => {
    const { type, body } = await encoded(yaml('a: &a b\n', 'key: "some value of ten words"\n')());
    return { path: CREATE, type, body };
  }),
];

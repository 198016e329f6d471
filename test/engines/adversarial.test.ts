import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { createApertiumEngine } from '../../src/engines/apertium/apertium.ts';
import { isProgram } from '../../src/engines/apertium/modes.ts';
import { createChainEngine } from '../../src/engines/chain.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { adversarialSuite, type Attacked, type Damage } from './adversarial.ts';
import { shout } from './servers/vendor-server.ts';

const relay = fileURLToPath(new URL('../../fixtures/engines/relay.mjs', import.meta.url));

const hasApertium =
  (await isProgram('apertium-wblank-mode', process.env)) && (await isProgram('bash', process.env));

const capitals = (text: string): string => shout(text, /(?!)/);

interface Relayed {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers each piece of the data from the relay. */
async function listen(end: string, answer: (piece: string) => string): Promise<Relayed> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const pieces = (pending + chunk).split(end);
      pending = pieces.pop() ?? '';
      for (const piece of pieces) socket.write(answer(piece) + end);
    });
    // A killed program resets its connection.
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A program that relays its requests to this process, which can damage the answers in any way. */
async function openProgram(): Promise<Attacked> {
  let damage: Damage = (text) => text;
  const relayed = await listen('\n', (line) => {
    const { id, texts } = JSON.parse(line) as { id: number; texts: string[] };
    return JSON.stringify({ id, translations: texts.map((text) => damage(capitals(text))) });
  });
  const execCommand = [process.execPath, relay].map((part) => JSON.stringify(part)).join(' ');
  const engine = createExecEngine({ execCommand: `${execCommand} ${relayed.port}` });
  return {
    engine,
    attack: (next) => {
      damage = next;
    },
    close: async () => {
      await engine.close();
      await relayed.close();
    },
  };
}

/** An Apertium pipeline whose only stage runs in this process. Blanks are damaged in the form of elements. */
async function openApertium(): Promise<Attacked> {
  let damage: Damage = (text) => text;
  const damageRecord = (stream: string): string => {
    const [, body = '', gap = ''] = /^([^]*?)(\n?)$/.exec(stream) ?? [];
    return body === '' ? gap : fromElements(damage(toElements(body))) + gap;
  };
  // In a frame, the number of each record precedes it.
  const relayed = await listen('\0', (frame) =>
    frame
      .split(/(\[\d+-\d+\])/)
      .map((part, i) => (i % 2 === 1 ? part : damageRecord(part)))
      .join(''),
  );
  const data = mkdtempSync(join(tmpdir(), 'apertium-attacked-'));
  mkdirSync(join(data, 'modes'));
  writeFileSync(join(data, 'modes', 'eng-spa.mode'), `${relay} ${relayed.port}`);
  const engine = createApertiumEngine({ env: { ...process.env, APERTIUM_DATADIR: data }, timeoutMs: 5_000 });
  // The engine probes the mode once to see whether it works at all.
  expect(await engine.supports('en', 'es')).toBe(true);
  return {
    engine,
    attack: (next) => {
      damage = next;
    },
    close: async () => {
      await engine.close();
      await relayed.close();
      rmSync(data, { recursive: true });
    },
  };
}

/** Writes words in capitals and blanks as elements; leaves escapes unchanged. */
function toElements(stream: string): string {
  return stream.replace(
    /\[\[t:x:(\d+)\]\]|(\[\[\/\]\])|\[b(\d+-\d+)\]|(\\.)|[^[\\]+/gsu,
    (all, open?: string, close?: string, blank?: string, escaped?: string) => {
      if (open !== undefined) return `<t id="${open}">`;
      if (close !== undefined) return '</t>';
      return blank === undefined ? (escaped ?? all.toUpperCase()) : `<b id="${blank}"/>`;
    },
  );
}

function fromElements(text: string): string {
  return text
    .replace(/<t id="(\d+)">/g, '[[t:x:$1]]')
    .replaceAll('</t>', '[[/]]')
    .replace(/<b id="(\d+-\d+)"\/>/g, '[b$1]');
}

/** Two damaged engines: a chain must apply the same checks to the second as to the first. */
async function openChain(): Promise<Attacked> {
  let damage: Damage = (text) => text;
  const member = (id: string): Engine => ({
    ...createPseudoEngine(),
    id,
    translate: ({ texts }) => Promise.resolve(texts.map((text) => ({ translation: damage(capitals(text)) }))),
  });
  const engine = await createChainEngine({
    rules: { '*': ['first', 'second'] },
    open: (id) => Promise.resolve(member(id)),
  });
  return {
    engine,
    attack: (next) => {
      damage = next;
    },
    close: () => engine.close(),
  };
}

adversarialSuite('exec', { open: openProgram, losesLines: true });
describe.skipIf(!hasApertium)('with Apertium installed', () => {
  // Lines are sent one by one.
  adversarialSuite('apertium', { open: openApertium, losesLines: false });
});
adversarialSuite('chain', { open: openChain, losesLines: true });

import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createChainEngine } from '../../src/engines/chain.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';
import { createPseudoEngine } from '../../src/engines/pseudo.ts';
import { adversarialSuite, type Attacked, type Damage } from './adversarial.ts';
import { shout } from './servers/vendor-server.ts';

const relay = fileURLToPath(new URL('../../fixtures/engines/relay.mjs', import.meta.url));

const capitals = (text: string): string => shout(text, /(?!)/);

/** A program whose answers are made here, so that they can be damaged in any way. */
async function openProgram(): Promise<Attacked> {
  let damage: Damage = (text) => text;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    createInterface({ input: socket }).on('line', (line) => {
      const { id, texts } = JSON.parse(line) as { id: number; texts: string[] };
      const translations = texts.map((text) => damage(capitals(text)));
      socket.write(`${JSON.stringify({ id, translations })}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const execCommand = [process.execPath, relay].map((part) => JSON.stringify(part)).join(' ');
  const engine = createExecEngine({ execCommand: `${execCommand} ${port}` });
  return {
    engine,
    attack: (next) => {
      damage = next;
    },
    close: async () => {
      await engine.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Two engines, both of them damaged: a chain must not take from the second what it did not take from the first. */
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
adversarialSuite('chain', { open: openChain, losesLines: true });

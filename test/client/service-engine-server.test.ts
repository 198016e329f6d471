import { describe, expect, it, onTestFinished } from 'vitest';
import type { DragomanError } from '../../src/base/errors.ts';
import type { Transport, TransportResponse } from '../../src/base/http/transport.ts';
import { createUndiciTransport } from '../../src/base/http/undici-transport.ts';
import { connectService, type RemoteOptions } from '../../src/client/connect.ts';
import { createServiceEngine } from '../../src/client/service-engine.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { createEngine } from '../../src/engines/registry.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { listen } from '../../src/server/http/listener.ts';
import { hideAccountErrors } from '../../src/server/operations/account-errors.ts';
import { tokenize, writeTagged } from '../../src/text/tagged.ts';
import { adversarialSuite, type Damage } from '../engines/adversarial.ts';
import { engineContract } from '../engines/contract.ts';
import { openServer } from './served.ts';

const never = new AbortController().signal;

/** Translates into capitals. */
const capitals: Engine = {
  ...createPseudoEngine(),
  translate: ({ texts }) =>
    Promise.resolve(
      texts.map((text) => {
        const tokens = tokenize(text) ?? [];
        const capital = tokens.map((token) =>
          token.type === 'words' ? { ...token, text: token.text.toUpperCase() } : token,
        );
        return { translation: writeTagged(capital) };
      }),
    ),
};

interface Running {
  readonly url: string;
  /** Opens an engine with an account of this many credits at the server. The engine closes its connection. */
  connect(credits: number, options?: Partial<RemoteOptions>): Promise<Engine>;
  close(): Promise<void>;
}

/** The whole server behind a socket. */
async function startServer(engine?: Engine): Promise<Running> {
  const served = await openServer(engine);
  const listener = await listen(served.app, { host: '127.0.0.1', port: 0 });
  return {
    url: listener.url,
    connect: async (credits, options = {}) =>
      openEngine({ baseUrl: listener.url, key: await served.addKey(credits), ...options }),
    close: async () => {
      await listener.close(0);
      await served.close();
    },
  };
}

async function openEngine(options: RemoteOptions): Promise<Engine> {
  const connection = await connectService({ env: {}, ...options });
  const engine = createServiceEngine(connection.service);
  const close = async (): Promise<void> => {
    await engine.close();
    await connection.close();
  };
  return { ...engine, close };
}

/** The same engine, closing its server as well. */
function ending(engine: Engine, server: Running): Engine {
  return { ...engine, close: async () => engine.close().then(() => server.close()) };
}

engineContract('the service engine, against a server', async () => {
  const server = await startServer();
  return ending(await server.connect(1_000_000), server);
});

/** The engine of a server in front of another one. */
engineContract('the service engine, against a server in front of a server', async () => {
  const server = await startServer();
  const log = { debug: silent, info: silent, warn: silent, error: silent, close: () => Promise.resolve() };
  const front = await startServer(hideAccountErrors(await server.connect(1_000_000), log));
  return ending(ending(await front.connect(1_000_000), front), server);
});

function silent(): void {}

adversarialSuite('the service engine', {
  losesLines: true,
  open: async () => {
    const server = await startServer(capitals);
    let damage: Damage | undefined;
    const { transport, end } = damaging(server.url, (translation) => damage?.(translation) ?? translation);
    const engine = await server.connect(1_000_000, { transport });
    return {
      engine,
      attack: (next) => {
        damage = next;
      },
      close: async () => {
        await engine.close();
        await end();
        await server.close();
      },
    };
  },
});

/** The network, with something in between that changes translations. */
function damaging(origin: string, damage: Damage): { transport: Transport; end: () => Promise<void> } {
  const inner = createUndiciTransport({ origin, connections: 4, connectTimeoutMs: 5_000 });
  const transport: Transport = {
    send: async (request) => {
      const response = await inner.send(request);
      return request.path.endsWith('/batch')
        ? { ...response, body: damagedBody(response, damage) }
        : response;
    },
    close: () => Promise.resolve(),
  };
  return { transport, end: () => inner.close() };
}

async function* damagedBody({ body }: TransportResponse, damage: Damage): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const change = (key: string, value: unknown): unknown =>
    key === 'translation' && typeof value === 'string' ? damage(value) : value;
  yield Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString(), change)));
}

describe('a chain that begins with a service', () => {
  const texts = ['One house', 'Two <x id="1"/> houses', 'Three houses'];

  /** Opens `service,pseudo` and returns the results of the texts and the reported problems. */
  async function ask(service: () => Promise<Engine>): Promise<{
    readonly outcomes: readonly EngineOutcome[];
    readonly troubles: readonly string[];
  }> {
    const troubles: string[] = [];
    const onTrouble = (id: string, { code }: DragomanError): void => void troubles.push(`${id}: ${code}`);
    const chain = await createEngine('service,pseudo', { service, onTrouble });
    onTestFinished(() => chain.close());
    const outcomes = await chain.translate({ source: 'en', target: 'fr', texts }, never);
    return { outcomes, troubles };
  }

  const engines = (outcomes: readonly EngineOutcome[]): unknown[] =>
    outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : outcome.engine));

  async function start(engine?: Engine): Promise<Running> {
    const server = await startServer(engine);
    onTestFinished(() => server.close());
    return server;
  }

  it('uses the translations of the service', async () => {
    const server = await start(capitals);
    const { outcomes, troubles } = await ask(() => server.connect(10));
    expect(outcomes).toEqual([
      { translation: 'ONE HOUSE', engine: 'service' },
      { translation: 'TWO <x id="1"/> HOUSES', engine: 'service' },
      { translation: 'THREE HOUSES', engine: 'service' },
    ]);
    expect(troubles).toEqual([]);
  });

  it('continues with the next engine if the service is unreachable', async () => {
    const server = await startServer();
    const engine = await server.connect(10, { timeoutMs: 200 });
    await server.close();
    const { outcomes, troubles } = await ask(() => Promise.resolve(engine));
    expect(engines(outcomes)).toEqual(['pseudo', 'pseudo', 'pseudo']);
    expect(troubles).toEqual(['service: unreachable']);
  });

  it('continues with the next engine if the account has no credits left', async () => {
    const server = await start(capitals);
    const { outcomes, troubles } = await ask(() => server.connect(2));
    expect(engines(outcomes)).toEqual(['pseudo', 'pseudo', 'pseudo']);
    expect(troubles).toEqual(['service: insufficient_credits']);
  });

  it('continues with the next engine if the key is rejected', async () => {
    const server = await start();
    const { outcomes, troubles } = await ask(() => openEngine({ baseUrl: server.url, key: 'another-key' }));
    expect(engines(outcomes)).toEqual(['pseudo', 'pseudo', 'pseudo']);
    expect(troubles).toEqual(['service: unauthenticated']);
  });

  it('sends the next engine only the texts that the service did not translate', async () => {
    const reluctant: Engine = {
      ...capitals,
      translate: async (request, signal) =>
        (await capitals.translate(request, signal)).map((outcome, i) =>
          request.texts[i]?.startsWith('Three') ? { failure: 'no such number' } : outcome,
        ),
    };
    const server = await start(reluctant);
    const { outcomes, troubles } = await ask(() => server.connect(10));
    expect(engines(outcomes)).toEqual(['service', 'service', 'pseudo']);
    expect(troubles).toEqual([]);
  });

  it('skips the service for pairs that it does not support', async () => {
    const few: Engine = {
      ...capitals,
      status: () =>
        Promise.resolve({
          id: 'few',
          ready: true,
          detail: 'few',
          pairs: [{ source: 'en', target: 'de' }],
        }),
    };
    const server = await start(few);
    const { outcomes, troubles } = await ask(() => server.connect(10));
    expect(engines(outcomes)).toEqual(['pseudo', 'pseudo', 'pseudo']);
    expect(troubles).toEqual([]);
  });

  it('sends a value that does not verify to the next engine', async () => {
    const server = await start(capitals);
    const { transport, end } = damaging(server.url, (translation) => `${translation} {extra}`);
    onTestFinished(end);
    const service = (): Promise<Engine> => server.connect(10, { transport });
    const chain = await createEngine('service,pseudo', { service });
    onTestFinished(() => chain.close());
    const units = [{ value: 'Hello {name}', syntax: 'plain' as const }];
    const context = { engine: chain, source: 'en', target: 'fr', signal: never };
    expect(await translateUnits(units, context)).toMatchObject([
      { value: expect.stringContaining('{name}'), engine: 'pseudo' },
    ]);
  });
});

describe('the status of a service', () => {
  it('describes the service and its state', async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const engine = await server.connect(1);
    onTestFinished(() => engine.close());
    expect(await engine.status()).toMatchObject({
      id: 'service',
      ready: true,
      detail: expect.stringContaining('healthy'),
    });
  });

  it('explains why it cannot translate, instead of failing', async () => {
    const engine = await openEngine({ baseUrl: 'http://127.0.0.1:9', key: 'k', timeoutMs: 200 });
    onTestFinished(() => engine.close());
    expect(await engine.status()).toMatchObject({
      ready: false,
      detail: expect.stringContaining('127.0.0.1:9'),
      pairs: [],
    });
    await expect(engine.status(AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  });
});

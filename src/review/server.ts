import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Context } from 'hono';
import * as v from 'valibot';
import { DragomanError } from '../base/errors.ts';
import { listenOn } from '../base/listen.ts';
import {
  isOwnConnection,
  pagePolicy,
  requireOwnHost,
  requireSession,
  SAFE_HEADERS,
  Sessions,
} from './guards.ts';
import { addedTermSchema, answersSchema, sessionSchema, type RowSource } from './protocol.ts';

export interface ReviewServerOptions {
  readonly source: RowSource;
  /** The page, whose script and style have the nonce. */
  readonly page: (nonce: string) => string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Called for every failed request. */
  readonly onError: (error: unknown) => void;
}

export interface ReviewServer {
  /** The address to open, with the token in the fragment, which browsers do not send. */
  readonly url: string;
  /**
   * An address for starting a browser. Other users may see the arguments of processes, so its code can be exchanged
   * only once, within a minute, and by programs of this user.
   */
  startingUrl(): string;
  /** Ends all connections, and resolves when they are closed. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Enough for 1,000 answers of several thousand characters each. */
const MAX_BODY = 16 * 1024 * 1024;
const MAX_SMALL_BODY = 4 * 1024;
/** More than a glossary accepts, so that a term that is too long gets a proper error. */
const MAX_TERM_BODY = 64 * 1024;

/**
 * Serves the review page to browsers of this computer.
 *
 * @throws DragomanError `usage` if the server cannot listen on the port
 */
export async function serveReview(options: ReviewServerOptions): Promise<ReviewServer> {
  const sessions = new Sessions();
  let host = '';
  const app = createReviewApp(options, sessions, () => host);
  const server = createServer({
    requestTimeout: 60_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 * 1024,
  });
  const respond = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // `respond` answers every error itself.
  server.on('request', (incoming, outgoing) => void respond(incoming, outgoing));
  server.maxConnections = 100;
  host = `${HOST}:${await listenOn(server, HOST, options.port)}`;
  return {
    url: `http://${host}/#token=${sessions.token}`,
    startingUrl: () => `http://${host}/#token=${sessions.makeCode()}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param host the host with its port */
function createReviewApp(
  { source, page, onError }: ReviewServerOptions,
  sessions: Sessions,
  host: () => string,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) context.header(name, value);
  });
  app.use(requireOwnHost(host));
  app.get('/', (context) => {
    const nonce = randomBytes(16).toString('hex');
    return context.html(page(nonce), 200, { 'content-security-policy': pagePolicy(nonce) });
  });
  const small = limited(MAX_SMALL_BODY);
  app.post('/session', small, async (context) => {
    const { token } = await bodyOf(context, sessionSchema);
    const session =
      sessions.exchange(token) ??
      ((await isOwnConnection(context.env.incoming.socket)) ? sessions.exchangeCode(token) : undefined);
    return session === undefined
      ? context.json({ error: 'the token is not valid' }, 403)
      : context.json({ session });
  });
  app.use(requireSession(sessions));
  app.get('/rows', async (context) => context.json(await source.rows(context.req.query('locale'))));
  app.post('/answers', limited(MAX_BODY), async (context) => {
    const { answers } = await bodyOf(context, answersSchema);
    return context.json({ results: await source.save(answers) });
  });
  app.post('/terms', limited(MAX_TERM_BODY), async (context) => {
    const added = await source.addTerm?.(await bodyOf(context, addedTermSchema));
    return added ? context.json(added) : context.json({ error: 'there is no glossary' }, 404);
  });
  app.get('/context', async (context) => {
    const found = await source.context(context.req.query('id') ?? '');
    return found ? context.json(found) : context.json({ error: 'the project has no such text' }, 404);
  });
  app.get('/screenshot', async (context) => {
    const picture = await source.screenshot(context.req.query('name') ?? '');
    if (!picture) return context.json({ error: 'no such picture' }, 404);
    const bytes = await picture.arrayBuffer();
    return context.body(bytes, 200, { 'content-type': picture.type, 'content-security-policy': 'sandbox' });
  });
  app.get('/changes', async (context) => {
    const since = Number(context.req.query('since'));
    if (!Number.isSafeInteger(since) || since < 0 || !source.changes)
      return context.json({ error: 'since must be the number from an earlier response' }, 400);
    return context.json(await source.changes(since, context.req.raw.signal));
  });
  app.notFound((context) => context.json({ error: 'there is no such path' }, 404));
  app.onError((error, context) => {
    if (error instanceof InvalidBody) return context.json({ error: 'the body is not valid' }, 400);
    onError(error);
    const reason =
      error instanceof DragomanError ? error.message : 'an error occurred; the terminal shows it';
    return context.json({ error: reason }, 500);
  });
  return app;
}

class InvalidBody extends Error {}

function limited(maxSize: number): ReturnType<typeof bodyLimit> {
  return bodyLimit({ maxSize, onError: (context) => context.json({ error: 'the body is too large' }, 413) });
}

async function bodyOf<S extends v.GenericSchema>(context: Context, schema: S): Promise<v.InferOutput<S>> {
  const isJson = context.req.header('content-type')?.split(';', 1)[0]?.trim() === 'application/json';
  const value: unknown = isJson ? await context.req.json().catch(() => undefined) : undefined;
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new InvalidBody();
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

/** The lower bound: the same framework and server, doing nothing but parsing and writing JSON. */
const app = new Hono();
app.post('/v2/translate', async (context) => {
  const { text, source, target } = await context.req.json<Record<string, string>>();
  return context.json({ translations: { text, translation: text, source, target }, details: {} });
});

const server = createServer((request, response) => void getRequestListener(app.fetch)(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(`listening on http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

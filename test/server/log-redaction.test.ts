import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type Operation, type OperationId } from '../../src/contract/operations.ts';
import { exchangeBytes } from './harness.ts';
import { BIN, serve, type ServedProcess } from './served.ts';

/** The word that the client puts wherever it can. */
const MARK = 'Xyzzymark';
const FAIL = `${MARK} FAIL`;

/** An engine that repeats its request when it fails, and that a certain text kills. */
const ENGINE = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, texts } = JSON.parse(line);
  if (texts.some((text) => text.includes('CRASH'))) { console.error(texts.join()); process.exit(1); }
  const failed = texts.some((text) => text.includes('FAIL'));
  console.log(JSON.stringify(failed ? { id, error: texts.join() } : { id, translations: texts }));
}`;

const languages = { source: 'en', target: 'fr' };

/** Bodies that succeed, or fail if they contain FAIL or CRASH. */
function bodiesOf(word: string): Partial<Record<OperationId, object>> {
  const subtitles = `1\n00:00:01,000 --> 00:00:02,000\n${word}\n`;
  return {
    translate: { text: word, ...languages },
    translateBatch: { texts: [word, 'Hello'], ...languages },
    translateHtml: { html: `<p>${word}</p>`, ...languages },
    translateEmail: { subject: word, email_body: `<p>${word}</p>`, ...languages },
    translateSubtitles: { format: 'srt', content: subtitles, ...languages },
    detectLanguage: { text: word },
    translateV1: { text: word, ...languages },
    detectLanguageV1: { text: word },
  };
}

describe('the log of a server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-redaction-'));
  const email = `${MARK}@example.org`;
  const statuses = new Map<string, Set<number>>();
  let server: ServedProcess;
  let key = '';
  let secret = '';

  const dragoman = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [BIN, ...args, '--data-dir', directory], {
      encoding: 'utf8',
      stdio: 'pipe',
    });

  beforeAll(async () => {
    key = dragoman('keys', 'create', '--email', email, '--name', MARK, '--credits', '100000').trim();
    secret = dragoman('keys', 'webhook-secret', '--email', email).trim();
    const engine = join(directory, 'engine.mjs');
    writeFileSync(engine, ENGINE);
    server = await serve(
      [
        ['--data-dir', directory, '--rate-limit', '0', '--log-level', 'debug', '--metrics'],
        ['--engine', 'exec', '--engine-command', `${process.execPath} ${engine}`, '--webhook-allow-private'],
      ].flat(),
      directory,
    );
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  interface Sent {
    readonly body?: string | FormData;
    readonly headers?: Readonly<Record<string, string>>;
  }

  async function ask(id: OperationId, { body, headers: own }: Sent): Promise<Response> {
    const { method, path }: Operation = operations[id];
    const address = `${server.url}${path}?${MARK}=${MARK}`;
    const headers = { 'X-API-KEY': key, 'X-Request-Id': `${MARK} ${MARK}`, Referer: MARK, ...own };
    const answer = await fetch(address, { method, ...(body !== undefined && { body }), headers });
    const seen = statuses.get(id) ?? new Set<number>();
    statuses.set(id, seen.add(answer.status));
    return answer;
  }

  async function send(
    id: OperationId,
    body: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<void> {
    await (await ask(id, { ...(body !== undefined && { body }), headers })).text();
  }

  async function useEveryOperation(): Promise<void> {
    const json = { 'content-type': 'application/json' };
    for (const word of [MARK, FAIL, `${MARK} CRASH`]) {
      for (const [id, body] of Object.entries(bodiesOf(word))) {
        await send(id as OperationId, JSON.stringify(body), json);
      }
    }
    for (const id of Object.keys(operations) as OperationId[]) {
      const { carries }: Operation = operations[id];
      const body = carries === 'json' ? `{"text": "${MARK}` : undefined;
      await send(id, body, json);
      await send(id, body, { ...json, 'X-API-KEY': MARK });
      await send(id, body && JSON.stringify({ [MARK]: MARK, target: MARK, source: MARK }), json);
    }
    await send('translate', JSON.stringify({ text: MARK, source: 'en', target: MARK }), json);
    await send('translate', MARK, { 'content-type': `text/${MARK}` });
  }

  async function useJobs(): Promise<void> {
    const create = async (content: string, name: string, webhook?: string): Promise<string> => {
      const body = new FormData();
      body.set('file', new File([content], name));
      body.set('target_languages', 'fr');
      body.set('source_language', 'en');
      if (webhook !== undefined) body.set('webhook_url', webhook);
      const answer = (await (await ask('createJob', { body })).json()) as { job_id?: string };
      return answer.job_id ?? '';
    };
    await create(`{"${MARK}": `, `${MARK}.json`);
    await create(MARK, `${MARK}.${MARK}`);
    await create(`{"${MARK}": "${MARK}"}`, `${MARK}.json`);
    await create('{}', 'a.json', `http://${MARK}.test/${MARK}`);
    // Nobody listens there: the call is tried and fails, which is logged.
    const hook = `https://127.0.0.1:9/${MARK}?${MARK}`;
    const id = await create(`{"${MARK}": "${MARK}", "b": "${FAIL}"}`, `${MARK}.json`, hook);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const { path }: Operation = operations.jobStatus;
    const statusOf = async (): Promise<string> => {
      const answer = await fetch(server.url + path.replace('{job_id}', id), {
        headers: { 'X-API-KEY': key },
      });
      return ((await answer.json()) as { status: string }).status;
    };
    while (['pending', 'processing'].includes(await statusOf())) await new Promise((r) => setTimeout(r, 20));
    while (!server.log().includes('webhook failed')) await new Promise((r) => setTimeout(r, 20));
  }

  /** Every answer is described in the OpenAPI document. */
  async function expectDescribed(): Promise<void> {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: object }>>;
    };
    expect(statuses.size).toBe(Object.keys(operations).length);
    for (const [id, seen] of statuses) {
      const { method, path }: Operation = operations[id as OperationId];
      const described = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
      expect(described, id).toEqual(expect.arrayContaining([...seen].map(String)));
    }
  }

  it('records the work but nothing of the request', async () => {
    await useEveryOperation();
    await useJobs();
    const port = Number(new URL(server.url).port);
    const unknown = `GET /v3/nothing?${MARK} HTTP/1.1\r\nHost: localhost\r\nCookie: ${MARK}\r\nConnection: close\r\n\r\n`;
    await exchangeBytes(port, unknown);
    await exchangeBytes(port, `${MARK} ${MARK}\r\n\r\n`);
    await exchangeBytes(
      port,
      `GET /health?${MARK} HTTP/1.1\r\nHost: ${MARK}\r\nCookie: ${MARK}\r\nConnection: close\r\n\r\n`,
    );
    await expectDescribed();
    const metrics = await (await fetch(`${server.url}/metrics?${MARK}`)).text();
    expect(await server.stop()).toBe(0);

    const log = server.log();
    const [ready = '', ...lines] = log.trimEnd().split('\n');
    expect(ready).toMatch(/^dragoman listening on http:/);
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    // Every operation appears by its template, both failed and successful.
    const routes = new Set(records.map(({ route }) => route));
    for (const { method, path } of Object.values<Operation>(operations))
      expect(routes).toContain(`${method} ${path}`);
    const unmatched = records.filter(({ route }) => route === 'unmatched');
    expect(unmatched.map(({ path }) => path)).toEqual(['/v3/nothing']);
    expect(records.filter(({ path }) => path !== undefined)).toEqual(unmatched);
    expect([...(statuses.get('translate') ?? [])].sort((a, b) => a - b)).toEqual([200, 400, 403, 415, 500]);
    expect(records.some(({ err }) => (err as { code?: string } | undefined)?.code === 'engine_failed')).toBe(
      true,
    );
    const names = new Set(records.flatMap((record) => Object.keys(record)));
    expect([...names].filter((name) => ['text', 'headers', 'body', 'query'].includes(name))).toEqual([]);

    for (const [what, text] of Object.entries({ log, metrics })) {
      expect(text.toLowerCase(), what).not.toContain(MARK.toLowerCase());
      expect(text, what).not.toContain(key);
      expect(text, what).not.toContain(secret.slice('whsec_'.length));
    }
    expect(metrics).toContain('route="unmatched",status="404"');
    expect(metrics).toContain('dragoman_webhook_attempts_total{result="retrying"}');
    expect(metrics).toContain('dragoman_credits_charged_total{operation="translateBatch"}');
    expect(metrics).toContain('dragoman_credits_charged_total{operation="i18n"} 1\n');
  });
});

import { request } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GlossaryFile } from '../../src/project/glossary/glossary-file.ts';
import { Screenshots } from '../../src/project/review/screenshots.ts';
import { ProjectSource } from '../../src/review/project-source.ts';
import {
  type Answer,
  type ReviewChanges,
  type Pack,
  type Result,
  SESSION_HEADER,
} from '../../src/review/protocol.ts';
import { serveReview } from '../../src/review/server.ts';
import { ProjectDirectory, RecordingEngine } from '../project/project-directory.ts';

const APP = {
  'locales/en.json': '{"save": "Save", "open": "Open {{name}}"}\n',
  'locales/es.json': '{"save": "Guardar",  "open": "Abrir {{name}}"}\n',
  'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
};

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

class Page {
  readonly directory = new ProjectDirectory(APP);
  readonly errors: unknown[] = [];
  readonly stop = new AbortController();
  origin = '';
  token = '';
  session = '';
  close: () => Promise<void> = () => Promise.resolve();

  static open(): Promise<Page> {
    return new Page().open();
  }

  async open(): Promise<this> {
    const project = await this.directory.open({ source: 'en', targets: ['es'] });
    const source = new ProjectSource(project, {
      id: 'p',
      version: 'test',
      env: process.env,
      screenshots: new Screenshots(join(this.directory.path, 'shots'), this.directory.path),
      terms: new GlossaryFile(join(this.directory.path, 'glossary.csv')),
      cacheDirectory: this.directory.cache,
      stateDirectory: this.directory.state,
      signal: this.stop.signal,
      pause: 10,
      longestWait: 5_000,
    });
    const server = await serveReview({
      source,
      page: (nonce) => `<script nonce="${nonce}"></script>`,
      port: 0,
      onError: (error) => this.errors.push(error),
    });
    onTestFinished(() => server.close());
    this.close = () => server.close();
    const { origin, hash } = new URL(server.url);
    this.origin = origin;
    this.token = hash.slice('#token='.length);
    return this;
  }

  async enter(): Promise<this> {
    const { text } = await this.ask('POST', '/session', { body: { token: this.token } });
    this.session = JSON.parse(text).session;
    return this;
  }

  ask(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
      const asked = request(
        this.origin + path,
        {
          method,
          headers: {
            ...(this.session !== '' && { [SESSION_HEADER]: this.session }),
            ...(method === 'POST' && { origin: this.origin, 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
          answer.on('error', reject);
        },
      );
      asked.on('error', reject).end(sent);
    });
  }

  async rows(): Promise<Pack> {
    return JSON.parse((await this.ask('GET', '/rows?locale=es')).text) as Pack;
  }

  async save(...answers: readonly Answer[]): Promise<readonly Result[]> {
    const { text } = await this.ask('POST', '/answers', { body: { answers } });
    return (JSON.parse(text) as { results: readonly Result[] }).results;
  }

  async changes(since = 0): Promise<ReviewChanges> {
    return JSON.parse((await this.ask('GET', `/changes?since=${since}`)).text) as ReviewChanges;
  }
}

function answerTo({ rows }: Pack, key: string, answer: Partial<Answer>): Answer {
  const row = rows.find((one) => one.key === key);
  const forms = row?.forms ?? [];
  return {
    id: row?.id ?? '',
    sourceHashes: forms.map(({ sourceHash }) => sourceHash),
    bases: forms.map(({ base }) => base),
    ...answer,
  };
}

function numberOf(result: Result | undefined): number | undefined {
  return result?.kind === 'saved' ? result.number : undefined;
}

describe('the server of the review page', () => {
  it('serves a page that may run only its own script, and serves nothing to others', async () => {
    const page = await Page.open();
    const { status, headers, text } = await page.ask('GET', '/');
    const nonce = /nonce="(\w+)"/.exec(text)?.[1] ?? '';
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`script-src 'nonce-${nonce}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['set-cookie']).toBeUndefined();
    expect((await page.ask('GET', '/')).text).not.toContain(nonce);
  });

  it("serves the folder's pictures with their own types, and no other file", async () => {
    const page = await (await Page.open()).enter();
    const png = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
    page.directory.write('shots/open.png', '<script>');
    writeFileSync(join(page.directory.path, 'shots/save.png'), png);
    const [row] = (await page.rows()).rows;
    const { text } = await page.ask('GET', `/context?id=${row?.id}`);
    expect(JSON.parse(text)).toEqual({ screenshots: ['save.png'] });
    const { status, headers } = await page.ask('GET', '/screenshot?name=save.png');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
    for (const name of ['open.png', '../locales/en.json', '..%2Fshots%2Fsave.png', ''])
      expect((await page.ask('GET', `/screenshot?name=${name}`)).status, name).toBe(404);
    expect((await page.ask('GET', '/context?id=x')).status).toBe(404);
  });

  it('exchanges its token once for the session that every other request needs', async () => {
    const page = await Page.open();
    expect((await page.ask('GET', '/rows')).status).toBe(401);
    const wrong = { body: { token: page.token.replace(/^./, '') } };
    expect((await page.ask('POST', '/session', wrong)).status).toBe(403);
    await page.enter();
    expect(page.session).toMatch(/^[\w-]{43}$/);
    expect((await page.ask('POST', '/session', { body: { token: page.token } })).status).toBe(403);
    expect((await page.rows()).rows).toHaveLength(2);
    for (const [method, path] of [
      ['GET', '/rows'],
      ['POST', '/answers'],
      ['POST', '/terms'],
      ['GET', '/changes?since=0'],
      ['GET', '/context?id=x'],
      ['GET', '/screenshot?name=a.png'],
    ] as const)
      expect((await page.ask(method, path, { headers: { [SESSION_HEADER]: 'x' } })).status).toBe(401);
  });

  it.each([
    ['another host, as after DNS rebinding', 'GET', '/rows', { host: 'evil.example:80' }, 421],
    ['its host without the port', 'GET', '/', { host: '127.0.0.1' }, 421],
    ['localhost', 'GET', '/', { host: 'localhost' }, 421],
    ['another origin', 'POST', '/answers', { origin: 'https://evil.example' }, 403],
    ['another host for a new term', 'POST', '/terms', { host: 'evil.example:80' }, 421],
    ['another origin for a new term', 'POST', '/terms', { origin: 'https://evil.example' }, 403],
    ['the origin null', 'POST', '/answers', { origin: 'null' }, 403],
    ['another origin, even if they only read', 'GET', '/rows', { origin: 'https://evil.example' }, 403],
    ['another site', 'GET', '/', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('refuses requests with %s', async (_name, method, path, headers, status) => {
    const page = await (await Page.open()).enter();
    expect((await page.ask(method, path, { headers })).status).toBe(status);
  });

  it('refuses bodies that are too large or violate the protocol', async () => {
    const page = await (await Page.open()).enter();
    const post = async (body: unknown, headers = {}): Promise<number> =>
      (await page.ask('POST', '/answers', { body, headers })).status;
    expect(await post('{')).toBe(400);
    expect(await post({ answers: [] })).toBe(400);
    expect(await post({ answers: [{ id: 1 }] })).toBe(400);
    expect((await page.ask('POST', '/terms', { body: { id: 'x', term: 1, translation: '' } })).status).toBe(
      400,
    );
    const huge = { id: 'x', term: 'x'.repeat(70_000), translation: 'y' };
    expect((await page.ask('POST', '/terms', { body: huge })).status).toBe(413);
    expect(await post('{"answers": []}', { 'content-type': 'text/plain' })).toBe(400);
    expect((await page.ask('POST', '/session', { body: { token: 'x'.repeat(5_000) } })).status).toBe(413);
    expect((await page.ask('GET', '/changes?since=x')).status).toBe(400);
    expect((await page.ask('DELETE', '/rows', { headers: { origin: page.origin } })).status).toBe(404);
    expect(page.errors).toEqual([]);
  });

  it('saves answers into the files before it acknowledges them', async () => {
    const page = await (await Page.open()).enter();
    const pack = await page.rows();
    expect(pack).toMatchObject({
      source: 'en',
      locales: ['es'],
      files: [{ path: 'locales/en.json', format: 'json', framework: 'i18next' }],
    });
    const results = await page.save(
      answerTo(pack, 'save', { values: ['Grabar'], verdict: 'reviewed' }),
      answerTo(pack, 'open', { values: ['Abrir'] }),
    );
    expect(results).toMatchObject([
      { kind: 'saved', row: { state: 'reviewed', file: 0 } },
      { kind: 'refused', reasons: ['{{name}} is missing'] },
    ]);
    expect(page.directory.read('locales/es.json')).toBe('{"save": "Grabar",  "open": "Abrir {{name}}"}\n');
    expect(page.directory.read('dragoman.lock')).toContain('reviewed:person');
    expect(await page.save(answerTo(pack, 'save', { values: ['Salvar'] }))).toMatchObject([
      { kind: 'conflict', row: { forms: [{ translation: 'Grabar' }] } },
    ]);
  });

  it('adds a term to the glossary, and sends the context that the row has with it', async () => {
    const page = await (await Page.open()).enter();
    const row = (await page.rows()).rows.find(({ key }) => key === 'open');
    const add = async (term: string, translation: string, id = row?.id): Promise<unknown> =>
      JSON.parse((await page.ask('POST', '/terms', { body: { id, term, translation } })).text);
    expect(await add('open', 'abrir')).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^the project has no glossary: .* Create it\./),
    });
    page.directory.write('glossary.csv', 'term,es\r\nhome,inicio\r\n');
    const term = { term: 'open', translations: ['abrir'], isCaseSensitive: false };
    expect(await add(' open ', 'abrir')).toMatchObject({ kind: 'added', context: { terms: [term] } });
    expect(page.directory.read('glossary.csv')).toBe('term,es\r\nhome,inicio\r\nopen,abrir\r\n');
    expect(await add('open', 'abrir')).toMatchObject({ kind: 'added' });
    expect(await add('Open', 'abre')).toEqual({
      kind: 'refused',
      reason: 'the glossary has "open" with the translation abrir. Change it in the glossary file.',
    });
    expect(await add('close', 'x'.repeat(501))).toMatchObject({ kind: 'refused' });
    expect(await add('close', 'cerrar', 'x')).toMatchObject({ kind: 'refused' });
    expect(page.directory.read('glossary.csv')).toBe('term,es\r\nhome,inicio\r\nopen,abrir\r\n');
    expect(page.errors).toEqual([]);
  });

  it('undoes answers exactly, one after the other, unless somebody changed the text since', async () => {
    const page = await (await Page.open()).enter();
    const files = (): readonly string[] =>
      ['locales/es.json', 'dragoman.lock'].map((name) => page.directory.read(name));
    const pack = await page.rows();
    await page.save(answerTo(pack, 'open', { verdict: 'rejected' }));
    const [first] = await page.save(answerTo(pack, 'save', { values: ['Gr\u00e1balo'] }));
    const before = files();
    const rowOf = (result: Result | undefined): Pack => ({
      ...pack,
      rows: result && 'row' in result ? [result.row] : [],
    });
    const [second] = await page.save(
      answerTo(rowOf(first), 'save', { values: ['Salvar'], verdict: 'final' }),
    );
    expect(second).toMatchObject({ kind: 'saved', row: { state: 'final' } });
    const undo = (result: Result | undefined): Answer =>
      answerTo(rowOf(result), 'save', { undo: numberOf(result) });
    const [undone, twice] = await page.save(undo(second), undo(second));
    expect(undone).toEqual(first);
    expect(twice).toEqual(undone);
    expect(await page.save(undo(second))).toEqual([undone]);
    expect(files()).toEqual(before);
    const [again] = await page.save(undo(undone));
    expect(again).toMatchObject({ kind: 'saved', row: { forms: [{ translation: 'Guardar' }] } });
    expect(page.directory.read('locales/es.json')).toBe(APP['locales/es.json']);
    expect(page.directory.read('dragoman.lock')).not.toContain('/save');
    expect(await page.save({ ...undo(second), undo: 99 })).toMatchObject([{ kind: 'refused' }]);
    const [third] = await page.save(answerTo(rowOf(again), 'save', { values: ['Salvar'] }));
    page.directory.write('locales/es.json', '{"save": "Guarde",  "open": "Abrir {{name}}"}\n');
    expect(await page.save(undo(third))).toMatchObject([
      { kind: 'conflict', row: { forms: [{ translation: 'Guarde' }] } },
    ]);
  });

  it('undoes texts that were missing, together', async () => {
    const page = new Page();
    page.directory.write('locales/es.json', '{}\n');
    await (await page.open()).enter();
    const pack = await page.rows();
    const answers = [
      answerTo(pack, 'save', { values: ['Guardar'] }),
      answerTo(pack, 'open', { values: ['Abrir {{name}}'] }),
    ];
    const saved = await page.save(...answers);
    expect(saved).toMatchObject([{ kind: 'saved' }, { kind: 'saved' }]);
    const undo = answers.map((answer, i) => ({ ...answer, undo: numberOf(saved[i]) }));
    expect(await page.save(...undo.slice(1))).toMatchObject([
      {
        kind: 'refused',
        reasons: ['its neighbours in the file have changed since: undo later answers first'],
      },
    ]);
    expect(await page.save(...undo)).toMatchObject([
      { kind: 'saved', row: { state: 'initial' } },
      { kind: 'saved', row: { state: 'initial' } },
    ]);
    expect(page.directory.read('locales/es.json')).toBe('{}\n');
  });

  it('reports changes by an editor, another page and a sync to pages, each once', async () => {
    const page = await (await Page.open()).enter();
    const pack = await page.rows();
    const waiting = page.changes(pack.next);
    page.directory.write('locales/es.json', '{"save": "Guarda",  "open": "Abrir {{name}}"}\n');
    const edited = await waiting;
    expect(edited.rows).toMatchObject([{ key: 'save', forms: [{ translation: 'Guarda' }] }]);
    const [saved] = await page.save(answerTo({ ...pack, rows: edited.rows }, 'save', { values: ['Grabar'] }));
    const own = await page.changes(edited.next);
    expect(own.rows).toEqual(saved && 'row' in saved ? [saved.row] : undefined);
    const synced = page.changes(own.next);
    page.directory.write('locales/en.json', '{"save": "Save", "close": "Close"}\n');
    await page.directory.sync(new RecordingEngine(), { source: 'en', targets: ['es'] });
    const seen = [await synced];
    // The source, the translation and the lock may be seen one after the other.
    while (!seen.some(({ rows }) => rows.some(({ forms }) => forms[0]?.translation === 'es:Close')))
      seen.push(await page.changes(seen.at(-1)?.next));
    expect(seen.flatMap(({ gone }) => gone)).toEqual([pack.rows.find(({ key }) => key === 'open')?.id]);
    expect(await page.changes(1_000_000)).toMatchObject({ isReset: true });
    expect(page.errors).toEqual([]);
  });

  it('reports errors, and sends pages the reason', async () => {
    const page = await (await Page.open()).enter();
    page.directory.write('dragoman.lock', 'broken\n');
    const { status, text } = await page.ask('GET', '/rows');
    expect(status).toBe(500);
    expect(text).toContain('invalid line in the lock file');
    expect(page.errors).toHaveLength(1);
  });

  it('ends while pages wait, and leaves nothing behind', async () => {
    const page = await (await Page.open()).enter();
    const pack = await page.rows();
    const before = page.directory.list();
    const waiting = page.changes(pack.next).catch((error: unknown) => error);
    page.stop.abort();
    await page.close();
    await waiting;
    await expect(page.ask('GET', '/')).rejects.toThrow('ECONNREFUSED');
    expect(page.directory.list()).toEqual(before);
  });

  it('is reachable only through the loopback interface', async () => {
    const page = await Page.open();
    const { port } = new URL(page.origin);
    const { stdout } = spawnSync('cat', [join('/proc/net', 'tcp')], { encoding: 'utf8' });
    const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
    const listening = stdout.split('\n').filter((line) => line.includes(`:${hex} 00000000:0000 0A`));
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`]);
  });
});

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type Operation } from '../../src/contract/operations.ts';
import { validate } from '../../src/contract/validation.ts';
import { BIN, serve, type ServedProcess } from '../server/served.ts';
import { blocksOf, readDocument } from './document.ts';

const DOCUMENT = readDocument('docs/server.md');
const BLOCKS = blocksOf(DOCUMENT).filter(({ language }) => language === 'sh');
const ADDRESS = 'http://127.0.0.1:8787';

/** The commands of the chapter in order, in parts: every `dragoman serve` begins the next one. */
const [setup = '', ...served] = BLOCKS.filter(({ notes }) => isInstalled(notes.get('needs')))
  .map(({ text }) => text)
  .join('')
  .split(/^(?=dragoman serve )/m);

function isInstalled(program: string | undefined): boolean {
  return program === undefined || spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function serveArguments(part: string): readonly string[] {
  return part.slice('dragoman serve '.length, part.indexOf('\n')).split(' ');
}

const afterServe = (part: string): string => part.slice(part.indexOf('\n') + 1);

interface Exchange {
  readonly method: string;
  readonly status: number;
  readonly path: string;
  readonly body: string;
}

/** A directory with `dragoman` and a curl that also records its answers. */
class Shell {
  readonly directory = mkdtempSync(join(tmpdir(), 'dragoman-docs-'));
  readonly #programs = join(this.directory, '.programs');
  readonly #records = join(this.directory, '.records');

  constructor() {
    for (const directory of [this.#programs, this.#records]) mkdirSync(directory);
    this.#write('dragoman', `exec '${process.execPath}' '${BIN}' "$@"`);
    this.#write(
      'curl',
      `record=$(mktemp '${this.#records}/XXXXXXXX')
PATH="\${PATH#*${delimiter}}"
curl "$@" --write-out '%{stderr}%{method} %{http_code} %{url_effective}' 2> "$record.meta" > "$record.body"
code=$?
cat "$record.body"
test $code = 0 || cat "$record.meta" >&2
exit $code`,
    );
  }

  #write(name: string, script: string): void {
    writeFileSync(join(this.#programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Runs the commands as a reader would type them; stops at the first failing one. */
  async run(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const path = `${this.#programs}${delimiter}${process.env['PATH'] ?? ''}`;
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
      cwd: this.directory,
      env: { ...env, PATH: path, HOME: this.directory },
      timeout: 60_000,
    });
    return stdout;
  }

  /** curl's answers since the last call. */
  takeExchanges(): readonly Exchange[] {
    const records = readdirSync(this.#records).filter((name) => name.endsWith('.meta'));
    return records.map((name) => {
      const file = join(this.#records, name);
      const [method = '', status = '', address = ''] = readFileSync(file, 'utf8').trim().split(' ');
      const body = readFileSync(file.replace(/meta$/, 'body'), 'utf8');
      rmSync(file);
      return { method, status: Number(status), path: new URL(address).pathname, body };
    });
  }
}

const shell = new Shell();
const table = Object.entries<Operation>(operations);

function operationOf({ method, path }: Exchange): readonly [string, Operation] | undefined {
  const template = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{job_id}');
  return table.find(([, operation]) => operation.method === method && operation.path === template);
}

/** Every exchange succeeds according to the contract. Returns the operations that were called. */
function checkExchanges(exchanges: readonly Exchange[]): readonly string[] {
  const called = new Set<string>();
  for (const exchange of exchanges) {
    const [id, operation] = operationOf(exchange) ?? [];
    if (!id || !operation) continue;
    called.add(id);
    expect(exchange.status, id).toBe(operation.status);
    const { response } = operation;
    if (response) {
      const answer: unknown = JSON.parse(exchange.body);
      expect(validate(response, answer), id).toEqual(answer);
    }
  }
  return [...called].sort();
}

const everyOperation = table.map(([id]) => id).sort();

afterAll(() => rmSync(shell.directory, { recursive: true, force: true }));

describe('the chapter', () => {
  it('names every operation', () => {
    for (const [id, { path }] of table) {
      const parts = path.split('{job_id}');
      expect(DOCUMENT, id).toContain(`$DRAGOMAN_BASE_URL${parts.join('$JOB_ID')}`);
    }
  });

  it('never exposes a key in the list of processes', () => {
    const commands = BLOCKS.map(({ text }) => text)
      .join('')
      .replace(/\\\n/g, ' ')
      .split('\n');
    expect(commands.filter((line) => /curl.*(?:API_KEY|X-API)/.test(line))).toEqual([]);
  });
});

/** curl supports `--json` from version 7.82 on. */
const hasCurl = /^ *--json /m.test(spawnSync('curl', ['--help', 'http'], { encoding: 'utf8' }).stdout ?? '');

describe.skipIf(!hasCurl)('the commands of the chapter', () => {
  let server: ServedProcess;
  let output = '';

  beforeAll(async () => {
    await shell.run(setup);
    server = await serve(serveArguments(served[0] ?? ''), shell.directory);
    output = await shell.run(afterServe(served[0] ?? '').replaceAll(ADDRESS, server.url));
  });

  afterAll(() => server?.stop());

  const read = (name: string): string => readFileSync(join(shell.directory, name), 'utf8');

  it('create a key that only its owner can read', () => {
    expect(read('key')).toMatch(/^\S{20,}\n$/);
    expect(statSync(join(shell.directory, 'key')).mode & 0o077).toBe(0);
    expect(server.log()).not.toContain(read('key').trim());
  });

  it('call every operation successfully', () => {
    const exchanges = shell.takeExchanges();
    expect(checkExchanges(exchanges)).toEqual(everyOperation);
    const bodyOf = (path: string): string => exchanges.find((exchange) => exchange.path === path)?.body ?? '';
    expect(JSON.parse(bodyOf('/v2/translate'))).toMatchObject({
      translations: {
        source: 'en',
        target: 'fr',
        translation: expect.stringMatching(/^(?!Good).+\{name\}!/),
      },
    });
    expect(bodyOf('/v2/translate/html')).toContain('<b>');
    expect(bodyOf('/v2/translate/subtitles')).toContain('00:00:01,000 --> 00:00:02,000');
    expect(bodyOf('/v2/language_detect')).toContain('"language":"fr"');
    expect(bodyOf('/metrics')).toContain('route="POST /v2/translate/batch",status="200"');
  });

  it('print the output shown', () => {
    expect(output).toContain('"status":"completed"');
    expect(output).toContain('# TYPE dragoman_http_request_duration_seconds histogram');
    expect(JSON.parse(read('messages_fr.json'))).toEqual({ greeting: expect.stringContaining('{name}') });
    expect(read('messages_fr.json')).not.toContain('Hello');
    expect(read('webhook-secret')).toMatch(/^whsec_[A-Za-z0-9+/]+=*\n$/);
  });

  it('stop the server cleanly', async () => {
    expect(await server.stop()).toBe(0);
  });
});

describe.skipIf(!hasCurl)('the failure examples of the chapter', () => {
  let server: ServedProcess;

  beforeAll(async () => {
    server = await serve(serveArguments(served[1] ?? ''), shell.directory);
  });

  afterAll(() => server?.stop());

  it('fail as described, without a charge', async () => {
    const headers = { 'X-API-KEY': readFileSync(join(shell.directory, 'key'), 'utf8').trim() };
    const balance = async (): Promise<unknown> => {
      const answer = await fetch(`${server.url}/v2/account/summary`, { headers });
      return ((await answer.json()) as Record<string, unknown>)['credits_remaining'];
    };
    const translate = (): Promise<Response> =>
      fetch(`${server.url}/v2/translate`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hello', source: 'en', target: 'fr' }),
      });
    const answers = [await translate(), await translate()];
    for (const answer of answers) {
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    }
    const before = (await balance()) as number;
    const started = performance.now();
    expect((await translate()).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(99);
    expect(await balance()).toBe(before - 1);
  });

  it('show no metrics, because they are off by default', async () => {
    const answer = await fetch(`${server.url}/metrics`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ detail: 'there is no such path' });
  });
});

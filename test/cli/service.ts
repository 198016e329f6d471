import { afterAll, beforeAll } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serve, type ServedProcess } from '../server/served.ts';
import { dragoman, type Invocation, type Result } from './harness.ts';

/** A separate `dragoman serve` for the tests of a file, with an account. */
export interface ServiceUnderTest {
  readonly url: string;
  readonly key: string;
  /** A command line that uses it: the address and the key come from the environment. */
  run(argv: readonly string[], invocation?: Invocation): Promise<Result>;
  keys(argv: readonly string[]): Promise<string>;
}

/** Started before the tests of a file, and stopped after them. */
export function startService(args: readonly string[] = []): ServiceUnderTest {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-service-'));
  let served: ServedProcess | undefined;
  let key = '';
  const keys = async (argv: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await dragoman(['keys', ...argv, '--data-dir', directory], {
      cwd: directory,
    });
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  beforeAll(async () => {
    served = await serve(
      ['--data-dir', directory, '--engine', 'pseudo', '--rate-limit', '0', '--log-level', 'error', ...args],
      directory,
    );
    key = await createKey(directory, '100000');
  });
  afterAll(async () => {
    await served?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    get url() {
      return served?.url ?? '';
    },
    get key() {
      return key;
    },
    keys,
    run: (argv, { env, ...invocation } = {}) =>
      dragoman(argv, {
        ...invocation,
        env: { DRAGOMAN_BASE_URL: served?.url ?? '', DRAGOMAN_API_KEY: key, ...env },
      }),
  };

  async function createKey(cwd: string, credits: string): Promise<string> {
    const argv = ['keys', 'create', '--data-dir', cwd, '--email', 'a@example.org', '--name', 'Anna'];
    const { runProgram } = await import('../../src/cli/program.ts');
    const { PassThrough, Readable } = await import('node:stream');
    const stdout = new PassThrough();
    await runProgram([...argv, '--credits', credits], {
      stdin: Readable.from([]),
      stdout,
      stderr: new PassThrough(),
      env: {},
      cwd,
      signal: new AbortController().signal,
    });
    return String(stdout.read()).trim();
  }
}

export interface FakeService {
  readonly url: string;
  /** Its requests: method, path and key. */
  readonly requests: { readonly method: string; readonly path: string; readonly key: string | undefined }[];
}

/** A server whose answers a test determines, for answers that no honest service gives. Ends with the test. */
export async function fakeService(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<FakeService> {
  const requests: FakeService['requests'] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers['x-api-key'];
      requests.push({ method: request.method ?? '', path: request.url ?? '', key: key?.toString() });
      answer(request, response, Buffer.concat(chunks).toString());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

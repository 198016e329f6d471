import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { httpAnswer, startRawServer } from '../client/raw-server.ts';
import { dragoman } from './harness.ts';

/** Upper case, until the credits run out. */
async function startPoorService(batches: number): Promise<Readonly<Record<string, string>>> {
  const answer = (socket: Socket, number: number, request: string): void => {
    const { texts, source, target } = JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as {
      texts: string[];
      source: string;
      target: string;
    };
    const translations = texts.map((text) => ({
      text,
      translation: text.toUpperCase(),
      source,
      target,
      success: true,
    }));
    const { length } = texts;
    const detail = 'insufficient credits: 0 remaining, 100 required';
    socket.write(
      number <= batches
        ? httpAnswer({ translations, total: length, successful: length, failed: 0 })
        : httpAnswer({ detail }, { status: 402 }),
    );
  };
  const { baseUrl } = await startRawServer(answer);
  return { DRAGOMAN_BASE_URL: baseUrl, DRAGOMAN_API_KEY: 'sk-test-0123456789' };
}

const lines = Array.from({ length: 250 }, (_, i) => `line ${i}`);

describe('running out of credits', () => {
  it('ends a batch, and its results are kept', async () => {
    const env = await startPoorService(2);
    const argv = ['batch', '-s', 'en', '-t', 'fr', '--concurrency', '1'];
    const run = await dragoman(argv, { env, stdin: lines.join('\n') });
    expect(run.exitCode).toBe(4);
    expect(run.stdout.split('\n').filter((line) => line !== '')).toEqual(
      lines.slice(0, 200).map((line) => line.toUpperCase()),
    );
    expect(run.stderr).toMatch(/^error: insufficient credits/m);
  });

  it('is reported in the document with the results', async () => {
    const env = await startPoorService(2);
    const argv = ['batch', '-s', 'en', '-t', 'fr', '--concurrency', '1', '--json'];
    const run = await dragoman(argv, { env, stdin: lines.join('\n') });
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({
      total: 200,
      successful: 200,
      failed: 0,
      error: { code: 'insufficient_credits', status: 402 },
    });
  });

  it('keeps the first target language of a translation', async () => {
    const env = await startPoorService(1);
    const run = await dragoman(['translate', '-s', 'en', '-t', 'fr,es', 'Hello'], { env });
    expect(run.exitCode).toBe(4);
    expect(run.stdout).toMatch(/^fr\tHELLO$/m);
    expect(run.stderr).toMatch(/^error: insufficient credits/m);
  });

  it('before any result prints only the error', async () => {
    const env = await startPoorService(0);
    const run = await dragoman(['batch', '-s', 'en', '-t', 'fr', '--json'], { env, stdin: lines.join('\n') });
    expect(run.exitCode).toBe(4);
    expect(Object.keys(JSON.parse(run.stdout) as object)).toEqual(['error']);
  });
});

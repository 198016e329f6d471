import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { DragomanError, type ErrorCode } from '../../src/base/errors.ts';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createLog } from '../../src/server/log/log.ts';
import { hideAccountErrors } from '../../src/server/operations/account-errors.ts';

const request = { source: 'en', target: 'de', texts: ['one'] };

/** A server's answer and log when its own engine answers with this error. */
async function tell(code: ErrorCode, isThrown: boolean): Promise<{ said: unknown; logged: string[] }> {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const log = createLog({ level: 'info', stream, format: 'json' });
  const error = new DragomanError(code, 'The account: secret@example.org', { hint: 'Pay.' });
  const outcomes: EngineOutcome[] = [{ translation: 'eins' }, { failure: error.message, error }];
  const engine: Engine = {
    id: 'hosted',
    status: () => Promise.reject(error),
    supports: () => Promise.resolve(true),
    translate: () => (isThrown ? Promise.reject(error) : Promise.resolve(outcomes)),
    close: () => Promise.resolve(),
  };
  const own = hideAccountErrors(engine, log, () => 0);
  const { signal } = new AbortController();
  const ask = (): Promise<unknown> => own.translate(request, signal).catch((thrown: unknown) => thrown);
  const said = await ask();
  await ask();
  await log.close();
  return { said, logged: text.split('\n').filter((line) => line !== '') };
}

describe('the engine of a server', () => {
  it.each<ErrorCode>([
    'insufficient_credits',
    'rate_limited',
    'unauthenticated',
    'not_found',
    'invalid_request',
  ])('does not blame the caller for its own %s, and logs it once', async (code) => {
    const failed = { code: 'engine_failed', message: 'the engine cannot translate now', hint: undefined };
    const thrown = await tell(code, true);
    expect(thrown.said).toMatchObject(failed);
    expect(thrown.logged).toHaveLength(1);
    expect(JSON.parse(thrown.logged[0] ?? '')).toMatchObject({ code, err: { message: 'The account' } });
    expect(thrown.logged[0]).not.toContain('secret');
    const answered = await tell(code, false);
    expect(answered.said).toMatchObject([
      { translation: 'eins' },
      { failure: failed.message, error: failed },
    ]);
  });

  it.each<ErrorCode>(['engine_unavailable', 'interrupted'])('reports %s unchanged', async (code) => {
    expect((await tell(code, true)).said).toMatchObject({ code, message: 'The account: secret@example.org' });
    expect((await tell(code, true)).logged).toEqual([]);
  });
});

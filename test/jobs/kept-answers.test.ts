import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineRequest } from '../../src/engines/engine.ts';
import type { PlainOutcome } from '../../src/engines/host.ts';
import { KeptAnswers } from '../../src/jobs/kept-answers.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function bookOf(kept: readonly string[] = []) {
  const written: string[] = [];
  const asked: string[] = [];
  const keep = (answers: string): Promise<void> => Promise.resolve(void written.push(answers));
  const read = async function* (): AsyncGenerator<string> {
    yield* await Promise.resolve([...kept, ...written]);
  };
  const book = new KeptAnswers({ keep, read }, Date.now);
  await book.restart();
  const ask = ({ texts }: EngineRequest): Promise<readonly PlainOutcome[]> => {
    asked.push(...texts);
    return Promise.resolve(texts.map((text) => ({ translation: `${text} ${asked.length}` })));
  };
  const answer = (...texts: readonly string[]) => book.answer({ source: 'en', target: 'fr', texts }, ask);
  return { book, written, asked, answer };
}

it('kept answers are stored together, even if no further answer follows', async () => {
  const { written, answer } = await bookOf();
  await Promise.all([answer('a'), answer('b'), answer('c')]);
  await vi.advanceTimersByTimeAsync(200);
  expect(written.flatMap((text) => JSON.parse(text) as unknown[])).toHaveLength(3);
});

it('no answers are kept after the unit has ended', async () => {
  const { book, written, answer } = await bookOf();
  await answer('a');
  book.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([]);
});

it('a repeated text gets the next kept answer, and then a new one', async () => {
  const first = await bookOf();
  await first.answer('a');
  await first.answer('a');
  await first.book.write();
  const { book, asked, answer } = await bookOf(first.written);
  const texts = [await answer('a'), await answer('a')].flat();
  expect(texts).toEqual([{ translation: 'a 1' }, { translation: 'a 2' }]);
  expect([asked, book.freshSince]).toEqual([[], undefined]);
  await answer('a', 'b');
  expect(asked).toEqual(['a', 'b']);
});

it('a restarted unit gets all kept answers, including unwritten ones', async () => {
  const first = await bookOf();
  await first.answer('a');
  await first.book.write();
  const { book, asked, answer } = await bookOf(first.written);
  const texts = [await answer('a'), await answer('a'), await answer('b')].flat();
  expect(asked).toEqual(['a', 'b']);
  await book.restart();
  expect([await answer('a'), await answer('a'), await answer('b')].flat()).toEqual(texts);
  expect(asked).toEqual(['a', 'b']);
});

it('the answers of several engines for one text are kept, regardless of similar texts', async () => {
  const request = { source: 'en', target: 'fr', texts: ['a'] };
  const similar = [{ source: 'b', translation: 'B', similarity: 0.8 }];
  const first = await bookOf();
  const ask = (name: string) => () => Promise.resolve([{ translation: name }]);
  await first.book.answer({ ...request, hints: [{ keys: ['k'], similar }] }, ask('first'));
  await first.book.answer({ ...request, after: 1 }, ask('second'));
  await first.book.write();
  const { book } = await bookOf(first.written);
  expect(await book.answer({ ...request, after: 1 }, ask('new'))).toEqual([{ translation: 'second' }]);
  expect(await book.answer({ ...request, hints: [{ keys: ['k'] }] }, ask('new'))).toEqual([
    { translation: 'first' },
  ]);
  expect(await book.answer({ ...request, after: 2 }, ask('new'))).toEqual([{ translation: 'new' }]);
});

it('a long answer is stored in pieces, and used only if all pieces exist', async () => {
  const text = '😀 a text of a megabyte '.repeat(50_000);
  const first = await bookOf();
  const given = await first.answer('a', text, 'b');
  await first.book.write();
  expect(first.written.length).toBeGreaterThan(4);
  expect(Math.max(...first.written.map((row) => row.length))).toBeLessThan(600_000);
  const whole = await bookOf(first.written);
  expect(await whole.answer('a', text, 'b')).toEqual(given);
  expect(whole.asked).toEqual([]);
  // A process that ended between two writes, and the next one, which started again.
  const cut = first.written.slice(0, 3);
  const again = await bookOf(cut);
  await again.answer(text);
  await again.book.write();
  expect(again.asked).toEqual([text]);
  const last = await bookOf([...cut, ...again.written]);
  await last.answer(text);
  expect(last.asked).toEqual([]);
});

it('reading kept answers yields to other work between the stored rows', async () => {
  const { written, answer } = await bookOf();
  const texts = Array.from({ length: 40_000 }, (_, i) => `${i}`);
  await answer(...texts);
  await vi.advanceTimersByTimeAsync(200);
  expect(written.length).toBeGreaterThan(5);
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const again = await bookOf(written);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(written.length);
  await again.answer(...texts);
  expect(again.asked).toEqual([]);
});

it('texts are requested again if the store of kept answers cannot be read', async () => {
  const read = (): AsyncIterable<string> => {
    throw new Error('the disk is gone');
  };
  const book = new KeptAnswers({ keep: () => Promise.resolve(), read }, Date.now);
  await book.restart();
  const ask = (): Promise<readonly PlainOutcome[]> => Promise.resolve([{ translation: 'A' }]);
  expect(await book.answer({ source: 'en', target: 'fr', texts: ['a'] }, ask)).toEqual([
    { translation: 'A' },
  ]);
});

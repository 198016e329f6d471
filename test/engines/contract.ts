import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DragomanError } from '../../src/base/errors.ts';
import type { Engine, EngineOutcome, EngineRequest } from '../../src/engines/engine.ts';
import { tokenize } from '../../src/text/tagged.ts';
import { hintFor, HINT_MARK, HOSTILE_HINT } from './hostile-hints.ts';
import { canSeeProcesses, markProcesses } from './processes.ts';

const never = new AbortController().signal;

/** The tags of a text, sorted; undefined when it is not well-formed. */
export function tagsOf(tagged: string): string[] | undefined {
  const tokens = tokenize(tagged);
  return tokens?.flatMap((token) => (token.type === 'words' ? [] : [`${token.type} ${token.id}`])).sort();
}

/** Every engine keeps each text's tags or reports a failure. */
export function expectKept(texts: readonly string[], outcomes: readonly EngineOutcome[]): void {
  const kept = outcomes.map((outcome, i) =>
    'failure' in outcome ? outcome.failure !== '' : isSame(tagsOf(outcome.translation), tagsOf(texts[i]!)),
  );
  expect(outcomes).toHaveLength(texts.length);
  expect(outcomes.filter((_, i) => !kept[i])).toEqual([]);
}

function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.join() === b.join();
}

function translated(outcomes: readonly EngineOutcome[]): string[] {
  return outcomes.map((outcome) =>
    'failure' in outcome ? `FAILED ${outcome.failure}` : outcome.translation,
  );
}

/** The contract of every engine (see `Engine`), tested with the pair en → es. */
export function engineContract(name: string, makeEngine: () => Engine | Promise<Engine>): void {
  describe(`${name} keeps the contract of engines`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await makeEngine();
    });
    afterAll(() => engine.close());
    const ask = (texts: readonly string[], signal = never): Promise<readonly EngineOutcome[]> =>
      engine.translate({ source: 'en', target: 'es', texts }, signal);

    it('reports its status', async () => {
      const status = await engine.status();
      expect(status.id).toBe(engine.id);
      expect(status.ready).toBe(true);
      expect(status.detail).not.toBe('');
      expect(await engine.supports('en', 'es')).toBe(true);
    });

    it('answers an empty list with an empty list', async () => {
      expect(await ask([])).toEqual([]);
    });

    it('answers one outcome per text, in order', async () => {
      const texts = Array.from({ length: 150 }, (_, i) => `House number <x id="${i + 1}"/>`);
      const outcomes = await ask(texts);
      expect(translated(outcomes).filter((text) => text.startsWith('FAILED'))).toEqual([]);
      expect(translated(outcomes).map((text) => /id="(\d+)"/.exec(text)?.[1])).toEqual(
        texts.map((_, i) => String(i + 1)),
      );
    });

    it('keeps placeholders and pairs', async () => {
      const texts = [
        'You have <x id="1"/> new messages in <x id="2"/>.',
        '<x id="1">Delete <x id="2">the red</x> house</x> now',
        '<x id="1"/><x id="2"/>',
        '<x id="7"/>',
        'Open <x id="1"></x> or <x id="2"><x id="3"/></x>',
        'Read <x id="1">the first line\nand the second</x> line',
      ];
      const outcomes = await ask(texts);
      expectKept(texts, outcomes);
      expect(translated(outcomes).filter((text) => text.startsWith('FAILED'))).toEqual([]);
    });

    it('keeps texts without words', async () => {
      const texts = ['<x id="1"/>', '', ' ', '12 <x id="1"/> 34', '<x id="1"/> &amp; <x id="2"/>'];
      expect(translated(await ask(texts))).toEqual(texts);
    });

    it('keeps line breaks, and the space around and inside texts', async () => {
      const [lines, spaced] = translated(await ask(['One line\n\n  Another line\r\nLast', '  two  houses ']));
      expect(lines).toMatch(/^\S[^\n]*\n\n {2}\S[^\n]*\r\n\S+$/);
      expect(spaced).toMatch(/^ {2}\S+ {2}\S+ $/);
    });

    it('accepts any characters', async () => {
      const texts = [
        '日本語 😀 e\u0301 \u200bمرحبا',
        'a\u0001b \u007f\ufeff',
        '$^*@[]{}/\\ &lt;b&gt; the house',
        '👨‍👩‍👧',
      ];
      const outcomes = await ask(texts);
      expectKept(texts, outcomes);
      expect(translated(outcomes).join('')).toContain('👨‍👩‍👧');
    });

    describe('with hints', () => {
      const texts = Array.from({ length: 70 }, (_, i) => `House number <x id="${i + 1}"/>`);
      const told: Omit<EngineRequest, 'texts'> = {
        source: 'en',
        target: 'es',
        hints: texts.map((_, i) => (i % 3 === 0 ? undefined : hintFor(i))),
        terms: [
          { term: 'number', translation: 'número', note: `${HINT_MARK} note` },
          { term: 'absent', translation: 'ausente' },
        ],
        formality: 'formal',
      };
      const tell = (rest: Partial<EngineRequest>): Promise<readonly EngineOutcome[]> =>
        engine.translate({ ...told, texts, ...rest }, never);

      it.each<[string, Partial<EngineRequest>]>([
        ['hints, terms and a form of address', {}],
        ['only hints', { terms: undefined, formality: undefined }],
        ['empty hints', { hints: texts.map(() => ({ keys: [], similar: [] })) }],
        ['no terms', { terms: [] }],
        ['another form of address', { hints: undefined, terms: undefined, formality: 'informal' }],
        ['hostile hints', { hints: texts.map(() => HOSTILE_HINT) }],
      ])('translates only the texts: %s', async (_, rest) => {
        const outcomes = await tell(rest);
        expectKept(texts, outcomes);
        const answers = translated(outcomes);
        expect(answers.filter((text) => text.startsWith('FAILED'))).toEqual([]);
        expect(answers.map((text) => /id="(\d+)"/.exec(text)?.[1])).toEqual(
          texts.map((_text, i) => String(i + 1)),
        );
        expect(answers.filter((text) => text.toLowerCase().includes(HINT_MARK.toLowerCase()))).toEqual([]);
        expect(Math.max(...answers.map(({ length }) => length))).toBeLessThan(500);
      });

      it('answers an empty list with an empty list', async () => {
        expect(await tell({ texts: [], hints: [] })).toEqual([]);
      });
    });

    it('accepts long texts', async () => {
      const texts = ['The house is red. '.repeat(280).trim(), 'x'.repeat(5000)];
      for (const text of translated(await ask(texts))) expect(text.length).toBeGreaterThan(3000);
    });

    it('gives concurrent calls their own answers', async () => {
      const calls = Array.from({ length: 8 }, (_, call) =>
        Array.from({ length: 20 }, (_, i) => `The house <x id="${call * 100 + i + 1}"/>`),
      );
      const answers = await Promise.all(calls.map((texts) => ask(texts)));
      for (const [i, outcomes] of answers.entries()) {
        expectKept(calls[i]!, outcomes);
        expect(outcomes.every((outcome) => 'translation' in outcome)).toBe(true);
      }
    });

    it('stops at its signal, before and during a call, and works afterwards', async () => {
      await expect(ask(['House'], AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
      const controller = new AbortController();
      const texts = Array.from(
        { length: 2000 },
        (_, i) => `The house number ${i} is red and the garden is big.`,
      );
      const started = performance.now();
      const call = ask(texts, controller.signal).then(
        (outcomes) => outcomes.length,
        (error: DragomanError) => error.code,
      );
      queueMicrotask(() => controller.abort());
      // An engine that finishes immediately has nothing to interrupt.
      expect(['interrupted', texts.length]).toContain(await call);
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(translated(await ask(['The house']))[0]).not.toMatch(/^FAILED/);
    });
  });

  describe.skipIf(!canSeeProcesses)(`${name} leaves no process running`, () => {
    it('after close, idle or busy', async () => {
      const living = markProcesses();
      const idle = await makeEngine();
      const texts = Array.from({ length: 300 }, () => 'The house is red.');
      await idle.translate({ source: 'en', target: 'es', texts: ['House'] }, never);
      await idle.close();
      expect(living()).toBe(0);
      const busy = await makeEngine();
      const call = busy.translate({ source: 'en', target: 'es', texts }, never).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      await busy.close();
      await call;
      expect(living()).toBe(0);
    });
  });
}

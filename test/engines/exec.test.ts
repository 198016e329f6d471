import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine, EngineOutcome } from '../../src/engines/engine.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';
import { engineContract } from './contract.ts';
import { HOSTILE_HINT } from './hostile-hints.ts';
import { canSeeProcesses, markProcesses } from './processes.ts';

const program = fileURLToPath(new URL('../../fixtures/engines/program.mjs', import.meta.url));
const never = new AbortController().signal;
const opened: Engine[] = [];

function command(...args: string[]): string {
  return [process.execPath, program, ...args].map((part) => JSON.stringify(part)).join(' ');
}

function engineThat(behaviour: string, options: { marker?: string; timeoutMs?: number } = {}): Engine {
  const { marker = '', timeoutMs = 20_000 } = options;
  const engine = createExecEngine({ execCommand: command(behaviour, marker), timeoutMs });
  opened.push(engine);
  return engine;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

function ask(engine: Engine, texts: readonly string[], signal = never): Promise<readonly EngineOutcome[]> {
  return engine.translate({ source: 'en', target: 'fr', texts }, signal);
}

function failures(outcomes: readonly EngineOutcome[]): (string | undefined)[] {
  return outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : undefined));
}

engineContract('exec', () => createExecEngine({ execCommand: command('good') }));

describe('exec with programs that misbehave', () => {
  it('loses only the texts that crash the program, and safely shows the end of its stderr', async () => {
    const texts = Array.from({ length: 150 }, (_, i) => (i === 70 ? 'please CRASH' : `text ${i}`));
    const outcomes = await ask(engineThat('crash-on-word'), texts);
    expect(outcomes.filter((outcome) => 'translation' in outcome)).toHaveLength(149);
    expect(outcomes[70]).toEqual({
      failure: 'the engine program ended with exit code 3 (stderr: Traceback: it \\u{1b}[31mbroke\\u{7})',
    });
    expect(outcomes[71]).toEqual({ translation: 'TEXT 71' });
  });

  it('restarts a program that crashed once, and nothing is lost', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'exec-'));
    const outcomes = await ask(engineThat('crash-once', { marker: join(directory, 'seen') }), ['a', 'b']);
    rmSync(directory, { recursive: true });
    expect(outcomes).toEqual([{ translation: 'A' }, { translation: 'B' }]);
  });

  it('first fails the texts of a program that always crashes, then abandons the program', async () => {
    const engine = engineThat('crash-always');
    const texts = Array.from({ length: 200 }, (_, i) => `text ${i}`);
    expect(failures(await ask(engine, texts)).every((failure) => failure?.includes('exit code 5'))).toBe(
      true,
    );
    await expect(ask(engine, texts)).rejects.toMatchObject({ code: 'engine_failed' });
  });

  it('reports a missing program immediately', async () => {
    const engine = createExecEngine({ execCommand: 'no-such-program-anywhere --serve' });
    opened.push(engine);
    await expect(ask(engine, ['a', 'b'])).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('exit code 127'),
    });
    expect((await engine.status()).ready).toBe(false);
  });

  it('kills a program that hangs, and fails only its batch', async () => {
    const engine = engineThat('hang-on-word', { timeoutMs: 2500 });
    const hung = ask(engine, ['HANG']);
    const others = await Promise.all(['a', 'b', 'c'].map((text) => ask(engine, [text])));
    expect(others.flat()).toEqual([{ translation: 'A' }, { translation: 'B' }, { translation: 'C' }]);
    expect(failures(await hung)).toEqual(['the engine program gave no answer within 2.5 s']);
    expect(await ask(engine, ['again'])).toEqual([{ translation: 'AGAIN' }]);
  });

  it.each([
    ['garbage', 'printed a line that is not an answer: Loading the \\u{1b}[1mmodel'],
    ['not-utf8', 'printed a line that is not an answer'],
    ['partial', 'ended with exit code 0'],
    ['huge', 'answered more than 67108864 bytes at once'],
    ['wrong-count', 'returned 1 translations for 3 texts'],
    ['wrong-id', 'answered with an unknown request id'],
    ['error', 'the engine program reported: no such \\u{1b}[31mlanguage'],
    ['shapeless', 'neither "translations" nor "error"'],
  ])('reports %s as failures of the texts', async (behaviour, reason) => {
    const outcomes = await ask(engineThat(behaviour), ['a', 'b', 'c']);
    expect(outcomes).toHaveLength(3);
    for (const failure of failures(outcomes)) expect(failure).toContain(reason);
  });

  it('judges each translation separately', async () => {
    const outcomes = await ask(engineThat('types'), ['a', 'b', 'c', 'd', 'e']);
    expect(outcomes[0]).toEqual({ translation: 'a' });
    expect(outcomes[4]).toEqual({ translation: 'e' });
    expect(failures(outcomes.slice(1, 4))).toEqual([
      expect.stringContaining('could not translate'),
      expect.stringContaining('not a string'),
      expect.stringContaining('half a character'),
    ]);
  });

  it('accepts an answer before the program ends, and restarts it for the next', async () => {
    const engine = engineThat('answer-then-exit');
    expect(await ask(engine, ['a'])).toEqual([{ translation: 'A' }]);
    expect(await ask(engine, ['b'])).toEqual([{ translation: 'B' }]);
  });

  it('matches answers by id, in any order', async () => {
    const engine = engineThat('reversed', { marker: '3' });
    const answers = await Promise.all([ask(engine, ['a']), ask(engine, ['b', 'c']), ask(engine, ['d'])]);
    expect(answers.flat()).toEqual(['A', 'B', 'C', 'D'].map((translation) => ({ translation })));
  });

  it('does not accept an answer twice', async () => {
    const engine = engineThat('twice');
    expect(await ask(engine, ['a'])).toEqual([{ translation: 'A' }]);
    expect(await ask(engine, ['b'])).toEqual([{ translation: 'B' }]);
  });

  it('discards what the program writes to stderr', async () => {
    expect(await ask(engineThat('noisy'), ['a'])).toEqual([{ translation: 'A' }]);
  });

  it('rejects immediately when aborted while the program hangs', async () => {
    const controller = new AbortController();
    const call = ask(engineThat('hang'), ['a'], controller.signal);
    setImmediate(() => controller.abort());
    const started = performance.now();
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it.skipIf(!canSeeProcesses).each(['deaf', 'family'])(
    'kills the whole process tree of a program: %s',
    async (behaviour) => {
      const living = markProcesses();
      const engine = engineThat(behaviour, { timeoutMs: 800 });
      const first = ask(engine, ['a']);
      expect(living()).toBeGreaterThan(0);
      expect(failures(await first)[0]).toContain('no answer within');
      const again = ask(engine, ['b']).catch(() => undefined);
      await engine.close();
      await again;
      expect(living()).toBe(0);
    },
  );
});

describe('an exec program that uses other parts of a request', () => {
  const hint = {
    keys: ['menu.open'],
    comments: ['On a button'],
    neighbours: ['New', 'Close'],
    similar: [{ source: 'Open <x id="1"/>', translation: 'Ouvrir <x id="1"/>', similarity: 0.8 }],
  };
  const terms = [{ term: 'file', translation: 'fichier', note: 'on a disk' }];
  const told = (outcomes: readonly EngineOutcome[]): unknown[] =>
    outcomes.map((outcome) =>
      'failure' in outcome ? outcome : (JSON.parse(outcome.translation) as unknown),
    );
  const request = { source: 'en', target: 'fr' };

  it('receives the hints of each text, the terms and the form of address', async () => {
    const texts = ['Open', 'Quit'];
    const outcomes = await engineThat('tell').translate(
      { ...request, texts, hints: [hint, undefined], terms, formality: 'formal' },
      never,
    );
    expect(told(outcomes)).toEqual([
      { hints: hint, terms, formality: 'formal' },
      { hints: null, terms, formality: 'formal' },
    ]);
  });

  it('receives no hints if there are none', async () => {
    const engine = engineThat('tell');
    const texts = ['Open'];
    expect(told(await engine.translate({ ...request, texts }, never))).toEqual([{}]);
    const nothing = { hints: [{ keys: [], comments: [' \n'] }], terms: [] };
    expect(told(await engine.translate({ ...request, texts, ...nothing }, never))).toEqual([{}]);
  });

  it('receives the hints of each text in later batches and retries too', async () => {
    const texts = Array.from({ length: 150 }, (_, i) => (i === 70 ? 'CRASH' : `text ${i}`));
    const hints = texts.map((_, i) => ({ keys: [`key.${i}`] }));
    const outcomes = await engineThat('tell-or-crash').translate({ ...request, texts, hints }, never);
    expect(told(outcomes)).toEqual(
      texts.map((_, i) => (i === 70 ? { failure: expect.any(String) } : { hints: { keys: [`key.${i}`] } })),
    );
  });

  it('receives lines of limited length for any hints', async () => {
    const texts = Array.from({ length: 64 }, (_, i) => `text ${i}`);
    const outcomes = await engineThat('tell').translate(
      {
        ...request,
        texts,
        hints: texts.map(() => HOSTILE_HINT),
        terms: [{ ...terms[0]!, note: 'x'.repeat(1e6) }],
      },
      never,
    );
    const lengths = outcomes.map((outcome) => ('translation' in outcome ? outcome.translation.length : 0));
    expect(Math.min(...lengths)).toBeGreaterThan(1000);
    expect(Math.max(...lengths)).toBeLessThan(12_000);
    const hasControls = outcomes.some((outcome) => /\\u00|\\ud83d"/.test(JSON.stringify(outcome)));
    expect(hasControls).toBe(false);
  });
});

describe('exec', () => {
  it.each(['', '  ', 'a\0b', 'x'.repeat(40_000)])('refuses an invalid command line', (execCommand) => {
    expect(() => createExecEngine({ execCommand })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    );
  });
});

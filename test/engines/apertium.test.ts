import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApertium } from './real-apertium.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { encodeWords, tokenize } from '../../src/text/tagged.ts';
import { runs } from '../property-runs.ts';
import { engineContract, expectKept } from './contract.ts';
import { canSeeProcesses, markProcesses } from './processes.ts';

const never = new AbortController().signal;
const probe = openApertium();
const isInstalled = await probe.supports('en', 'es');
const pivots = await probe.supports('en', 'fr');
await probe.close();

describe.skipIf(!isInstalled)('with Apertium installed', () => {
  engineContract('apertium', () => openApertium());

  describe('apertium', () => {
    let engine: Engine;
    beforeAll(() => {
      engine = openApertium();
    });
    afterAll(() => engine.close());

    it('falls back to the language for an unknown region', async () => {
      expect(await engine.supports('en-US', 'es-MX')).toBe(true);
      expect(await engine.supports('en', 'en-GB')).toBe(false);
      expect(await engine.supports('en', 'ja')).toBe(false);
      expect(await engine.supports('auto', 'es')).toBe(false);
    });

    it('explains how to get a missing pair', async () => {
      const request = { source: 'en', target: 'ja', texts: ['House'] };
      await expect(engine.translate(request, never)).rejects.toMatchObject({ code: 'engine_unavailable' });
    });

    it('translates, and never shows the mark of an unknown word', async () => {
      const texts = ['The house is red.', 'Zorglub frobnicates the house', 'files selected'];
      const outcomes = await engine.translate({ source: 'en', target: 'es', texts }, never);
      const answers = outcomes.map((outcome) => ('translation' in outcome ? outcome.translation : ''));
      expect(answers[0]).toContain('casa');
      expect(answers[1]).toContain('Zorglub');
      expect(answers.join('')).not.toMatch(/[*#@~]/);
      // The source begins in the middle of a sentence.
      expect(answers[2]).toMatch(/^\p{Ll}/u);
    });

    it('fails a text that is not well-formed', async () => {
      const outcomes = await engine.translate(
        { source: 'en', target: 'es', texts: ['a <b>', 'House'] },
        never,
      );
      expect(outcomes[0]).toHaveProperty('failure');
      expect(outcomes[1]).toHaveProperty('translation');
    });

    it.each(['es', ...(pivots ? ['fr'] : [])])(
      'keeps every tag and symbol of hostile texts, to %s',
      async (target) => {
        const texts = hostileTexts(runs(400));
        const outcomes = await engine.translate({ source: 'en', target, texts }, never);
        expectKept(texts, outcomes);
        expect(outcomes.filter((outcome) => 'failure' in outcome)).toEqual([]);
        const changed = outcomes.flatMap((outcome, i) => {
          const before = symbolsOf(texts[i]!);
          const after = 'translation' in outcome ? symbolsOf(outcome.translation) : '';
          return before === after ? [] : [{ text: texts[i], outcome }];
        });
        expect(changed).toEqual([]);
      },
    );
  });

  it.skipIf(!canSeeProcesses)('leaves no process running when the program is killed', async () => {
    const living = markProcesses();
    const holder = fileURLToPath(new URL('holder.mjs', import.meta.url));
    const child = spawn(process.execPath, [holder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(living()).toBeGreaterThan(5);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    await expect.poll(living, { timeout: 10_000, interval: 50 }).toBe(0);
  });
});

const WORDS = [
  'the',
  'house',
  'You',
  'have',
  'file',
  'red',
  'delete',
  "O'Brien",
  "don't",
  "I'm",
  'é',
  'ñ',
  '日本',
  'مرحبا',
];
const SYMBOLS = '^ $ / < > { } \\ @ [ ] * # ~ + _ | & % " = ` ( ) . , ; : ? ! … — - 5 3.14'.split(' ');
const SPACES = ['  ', ' ', ' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', '\ufeff', '\u0001', '\u001b', '\0'];
const STREAM = '[[t:x:1]] [[/]] [b0] [] .[] [5] ^a<n>$ <STREAMCMD:SETVAR:x> $foo'.split(' ');
const OTHERS = '😀 👨‍👩‍👧 🇪🇸 http://a.b/c?d=e&f a@b.com \\n {{x}} %s'.split(' ');
const ATOMS = [...WORDS, ...WORDS, ...SYMBOLS, ...SPACES, ...STREAM, ...OTHERS];

/** Seeded, so that a failure can be repeated. */
function hostileTexts(count: number): string[] {
  let seed = 42;
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * n);
  };
  const words = (n: number): string =>
    encodeWords(
      Array.from({ length: n }, () => ATOMS[random(ATOMS.length)]! + (random(3) === 0 ? ' ' : '')).join(''),
    );
  const texts = Array.from({ length: count }, () => {
    let id = 0;
    let text = '';
    for (let parts = 1 + random(5); parts > 0; parts--) {
      text += words(1 + random(5));
      if (random(3) === 0) text += `<x id="${++id}"/>`;
      if (random(4) === 0) text += ` <x id="${++id}">${words(2)} <x id="${++id}">house ${words(1)}</x></x>`;
    }
    return text;
  });
  return [
    ...texts,
    'a'.repeat(5000),
    'word '.repeat(1000),
    '['.repeat(5000),
    encodeWords('<b>'.repeat(1500)),
    '_a'.repeat(2500),
    '$'.repeat(5000),
    '<x id="9"/>' + 'The red house. '.repeat(330),
  ];
}

/** Symbols without rules in any language must come back the same number of times. */
function symbolsOf(tagged: string): string {
  const words = tokenize(tagged)?.map((token) => (token.type === 'words' ? token.text : '')) ?? [];
  return (
    words.join('').match(/[\^$/<>{}\\@[\]*#~+_|=\n\r\t\0\u0001\u001b]|\p{Extended_Pictographic}/gu) ?? []
  )
    .sort()
    .join('');
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/engines/engine.ts';
import { createPseudoEngine } from '../../../src/engines/pseudo/pseudo.ts';
import { translateUnits } from '../../../src/pipeline/units.ts';

/**
 * Answers in capital letters. If `breaks`, it damages every second text with a placeholder, so that the words between
 * the placeholders are requested separately.
 */
function loudEngine(breaks: boolean): Engine {
  let asked = 0;
  return {
    ...createPseudoEngine(),
    isPseudo: false,
    translate: ({ texts }) =>
      Promise.resolve(
        texts.map((text) => {
          const isBroken = breaks && text.includes('<x') && asked++ % 2 === 0;
          const parts = (isBroken ? text.replace(/<x[^>]*>/g, '') : text).split(/(<[^>]*>|&\w+;)/);
          return { translation: parts.map((part, i) => (i % 2 === 0 ? part.toUpperCase() : part)).join('') };
        }),
      ),
  };
}

async function translated(value: string, comment: string, breaks = false): Promise<string | undefined> {
  const unit = { value, syntax: 'plain' as const, context: { key: ['a'], comment } };
  const { signal } = new AbortController();
  const engine = loudEngine(breaks);
  const [outcome] = await translateUnits([unit], { engine, source: 'en', target: 'de', signal });
  return outcome && 'value' in outcome ? outcome.value : undefined;
}

describe('words locked by a developer’s comment', () => {
  it.each([
    ['Open Contoso now', '{Locked="Contoso"}', 'OPEN Contoso NOW'],
    ['Open Contoso now', 'The product. {Locked="now", "Contoso"} Thanks', 'OPEN Contoso now'],
    [
      'Run tool --force <b>tool</b>',
      '{Locked="--force"}{Placeholder="tool"}',
      'RUN tool --force <b>tool</b>',
    ],
    ['Open Contoso now', '{Locked}', 'Open Contoso now'],
    ['Open Contoso now', '{Locked=qps-ploc}', 'OPEN CONTOSO NOW'],
    ['Open Contoso now', 'locked', 'OPEN CONTOSO NOW'],
    ['Contoso Cloud', '{Locked="Contoso", "Contoso Cloud"}', 'Contoso Cloud'],
  ])('%s: %s', async (value, comment, expected) => {
    expect(await translated(value, comment)).toBe(expected);
  });

  it('stay even if an engine loses placeholders', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('the', 'Contoso', 'user', '{name}', 'a&b', '<b>x</b>'), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.boolean(),
        async (words, breaks) => {
          const value = words.join(' ');
          const result = await translated(value, '{Locked="Contoso","user"}', breaks);
          const kept = (text: string): number => text.split(/Contoso|user/).length;
          if (result !== undefined) expect(kept(result)).toBe(kept(value));
        },
      ),
      { numRuns: 200 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { createAutoEngine } from '../../src/engines/auto.ts';
import { type Engine, type EngineRequest, requestFor, requestOf, usesOf } from '../../src/engines/engine.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';

const request: EngineRequest = {
  source: 'en',
  target: 'de',
  texts: ['a', 'b', 'c'],
  hints: [{ keys: ['A'] }, undefined, { keys: ['C'] }],
  terms: [{ term: 'a', translation: 'b' }],
  formality: 'formal',
};

const using = (uses?: Engine['uses']): Engine => ({ ...createPseudoEngine(), uses });

describe('the parts of a request that engines receive', () => {
  it('are those that they use', () => {
    const { hints, terms, ...rest } = request;
    expect(requestFor(using(), request)).toEqual(rest);
    expect(requestFor(using({ hints: true }), request)).toEqual({ ...rest, hints });
    expect(requestFor(using({ hints: false, terms: true }), request)).toEqual({ ...rest, terms });
    expect(usesOf([using(), using({ terms: true })])).toEqual({
      hints: false,
      similar: false,
      terms: true,
    });
    expect(usesOf([using({ hints: true, similar: true })])).toEqual({
      hints: true,
      similar: true,
      terms: false,
    });
  });

  it('belong to its texts', () => {
    expect(requestOf(request, [2, 1])).toEqual({
      ...request,
      texts: ['c', 'b'],
      hints: [{ keys: ['C'] }, undefined],
    });
    const { hints: _, ...bare } = request;
    expect(requestOf(bare, [0])).toEqual({ ...bare, texts: ['a'] });
  });

  it('reach the engine that auto chooses', async () => {
    const asked: EngineRequest[] = [];
    const candidate = (uses: Engine['uses'], target: string): Engine => ({
      ...using(uses),
      supports: (_, wanted) => Promise.resolve(wanted === target),
      translate: (received) => {
        asked.push(received);
        return Promise.resolve([]);
      },
    });
    const candidates = [candidate({ hints: true, terms: true }, 'de'), candidate(undefined, 'fr')];
    const engine = createAutoEngine(candidates, () => Promise.resolve([]));
    expect(engine.uses).toEqual({ hints: true, similar: false, terms: true });
    const signal = new AbortController().signal;
    await engine.translate(request, signal);
    await engine.translate({ ...request, target: 'fr' }, signal);
    const { hints: _h, terms: _t, ...rest } = request;
    expect(asked).toEqual([request, { ...rest, target: 'fr' }]);
  });
});

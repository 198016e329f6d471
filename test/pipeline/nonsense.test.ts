import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engines/engine.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import type { UnitOutcome } from '../../src/pipeline/unit.ts';

const never = new AbortController().signal;

interface Model extends Engine {
  readonly requests: (readonly string[])[];
}

function modelThat(answer: (text: string, isAlone: boolean) => string): Model {
  const requests: (readonly string[])[] = [];
  return {
    id: 'model',
    isModel: true,
    requests,
    status: () => Promise.resolve({ id: 'model', ready: true, detail: '', pairs: 'any' }),
    supports: () => Promise.resolve(true),
    translate: ({ texts }) => {
      requests.push(texts);
      return Promise.resolve(texts.map((text) => ({ translation: answer(text, texts.length === 1) })));
    },
    close: () => Promise.resolve(),
  };
}

function translate(engine: Engine, texts: readonly string[]): Promise<readonly UnitOutcome[]> {
  const units = texts.map((value) => ({ value, syntax: 'plain' as const }));
  return translateUnits(units, { engine, source: 'en', target: 'de', signal: never });
}

const failures = (outcomes: readonly UnitOutcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => ('failure' in outcome ? outcome.failure : []));

describe('an implausible answer of a model', () => {
  it('is repaired if that is unambiguous', async () => {
    const engine = modelThat((text) => `"${text === 'Save' ? 'Sichern' : 'Öffnen'}"`);
    const outcomes = await translate(engine, ['Save', 'Open']);
    expect(outcomes).toMatchObject([{ value: 'Sichern' }, { value: 'Öffnen' }]);
    expect(engine.requests).toHaveLength(1);
  });

  it('is requested once more, alone', async () => {
    const engine = modelThat((text, isAlone) => {
      if (text === 'Save') return 'Sichern';
      return isAlone ? 'Öffnen' : 'Here is the translation: Öffnen';
    });
    const outcomes = await translate(engine, ['Save', 'Open']);
    expect(outcomes).toMatchObject([{ value: 'Sichern' }, { value: 'Öffnen' }]);
    expect(engine.requests).toEqual([['Save', 'Open'], ['Open']]);
  });

  it('fails with its reason, while the other texts are translated', async () => {
    const engine = modelThat((text) =>
      text === 'Open' ? "I'm sorry, but I can't assist with that." : 'Sichern',
    );
    const outcomes = await translate(engine, ['Save', 'Open']);
    expect(outcomes).toMatchObject([{ value: 'Sichern' }, { failure: 'the answer declines to translate' }]);
  });

  it('causes few requests even if a model declines every text in different words', async () => {
    let asked = 0;
    const engine = modelThat(() => `I'm sorry, but I can't assist with request ${asked++}.`);
    const texts = Array.from({ length: 300 }, (_, i) => `Text {x} number ${i}`);
    expect(failures(await translate(engine, texts))).toHaveLength(300);
    expect(engine.requests.length).toBeLessThanOrEqual(30);
  });

  it('can be one answer for many texts', async () => {
    const engine = modelThat(() => 'Das ist ein Text');
    const texts = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
    const reasons = failures(await translate(engine, texts));
    expect(reasons).toHaveLength(texts.length);
    expect(new Set(reasons)).toEqual(new Set(['many other texts got the same answer']));
  });

  it('can be the source of many texts', async () => {
    const engine = modelThat((text) => text);
    const texts = Array.from({ length: 20 }, (_, i) => `Open the file number ${i}`);
    expect(failures(await translate(engine, texts))).toHaveLength(20);
  });

  it('can be any copied text if a run copied most phrases, but otherwise not a copied name', async () => {
    const phrases = Array.from({ length: 8 }, (_, i) => `Open the file number ${i}`);
    const short = ['Settings', 'Preferred language', 'GitHub'];
    const copied = await translate(
      modelThat((text) => text),
      [...phrases, ...short],
    );
    expect(failures(copied)).toHaveLength(11);
    const translated = await translate(
      modelThat((text) => text.replace('Open the file number', 'Die Datei öffnen:')),
      [...phrases, ...short],
    );
    expect(failures(translated)).toEqual([]);
  });

  it('can be in another language', async () => {
    const engine = modelThat(() => 'Les paramètres ne peuvent pas être enregistrés maintenant.');
    const outcomes = await translate(engine, ['The settings cannot be saved now.']);
    expect(failures(outcomes)).toEqual(['the answer is in another language (fr)']);
  });
});

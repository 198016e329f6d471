import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinGlossaries,
  readGlossary,
  writeGlossary,
  type GlossaryTerm,
} from '../../src/pipeline/glossary.ts';
import { codePoint } from '../code-point.ts';

const text = fc.string({ minLength: 1, maxLength: 8, unit: codePoint });
const term = fc.record({
  term: text,
  translations: fc
    .dictionary(fc.constantFrom('de', 'fr', 'pt-BR'), fc.array(text, { minLength: 1, maxLength: 3 }))
    .map((entries) => new Map(Object.entries(entries))),
  doNotTranslate: fc.boolean(),
  caseSensitive: fc.boolean(),
  note: fc.option(text, { nil: undefined }),
});

describe('a glossary', () => {
  it('reads back as written', () => {
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const written = writeGlossary({ terms });
        expect(written).not.toContain('\0');
        expect(written.isWellFormed()).toBe(true);
        expect(readGlossary(written)).toEqual({ terms });
      }),
    );
  });

  const named = (name: string, more: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
    term: name,
    translations: new Map(),
    doNotTranslate: false,
    caseSensitive: false,
    note: undefined,
    ...more,
  });
  const into = (...pairs: readonly [string, string][]): Partial<GlossaryTerm> => ({
    translations: new Map(pairs.map(([code, word]) => [code, [word]])),
  });

  it('overrides another one’s terms, and keeps the others', () => {
    const under = {
      terms: [
        named('Save', into(['de', 'Sichern'], ['es', 'Guardar'])),
        named('Home', { doNotTranslate: true, caseSensitive: true }),
        named('File', into(['de', 'Datei'])),
        named('Cart', into(['de', 'Korb'])),
      ],
    };
    const over = {
      terms: [
        named('save', into(['de', 'Speichern'])),
        named('Home', into(['de', 'Startseite'])),
        named('Cart', { ...into(['fr', 'Panier']), caseSensitive: true }),
        named('Ada', { doNotTranslate: true }),
      ],
    };
    expect(joinGlossaries(over, under).terms).toEqual([
      named('save', into(['de', 'Speichern'], ['es', 'Guardar'])),
      over.terms[1],
      over.terms[2],
      over.terms[3],
      under.terms[2],
    ]);
    expect(joinGlossaries(over, undefined)).toBe(over);
  });
});

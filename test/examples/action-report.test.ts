import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cell, reportOf } from '../../action/report.mjs';
import { codePoint } from '../code-point.ts';

describe('the report', () => {
  const status = (translations: Readonly<Record<string, string | null>>): Parameters<typeof reportOf>[1] => ({
    projects: [
      {
        languages: [
          {
            language_code: 'fr',
            coverage: { keys: 1, translated: 1, missing: 0, stale: 0 },
            files: [
              {
                source: 'en.json',
                target: 'fr.json',
                keys: Object.entries(translations).map(([key, translation]) => ({
                  key: [key],
                  source: 'Text',
                  translation,
                })),
              },
            ],
          },
        ],
      },
    ],
  });
  const outcome = { passed: true, title: 'Translations' };

  it('lists new, changed and removed strings', () => {
    const report = reportOf(
      status({ a: 'Un', b: 'Deux', d: null }),
      status({ a: 'Une', c: 'Trois', d: null }),
      outcome,
    );
    expect(report).toContain('3 strings changed');
    expect(report).toContain('| <code>a</code> | <code>Text</code> | <code>Un</code> | <code>Une</code> |');
    expect(report).toContain('| <code>c</code> | <code>Text</code> |  | <code>Trois</code> |');
    expect(report).toContain('| <code>b</code> | <code>Text</code> | <code>Deux</code> |  |');
  });

  it('fits into a comment for any number and length of strings', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, '<'.repeat(2000)]));
    const report = reportOf(undefined, status(many), outcome);
    expect(report.length).toBeLessThan(65_536);
    expect(report).toMatch(/and \d+ more/);
  });

  it('puts any text into one cell, without active markup, mentions or links', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 400 }), (text) => {
        const shown = cell(text).replaceAll(/^<code>|<\/code>$/g, '');
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}|<>@`*_[\]()\\~]/u);
        expect(shown.replaceAll(/&#\d+;/g, '')).not.toMatch(/[&#:.]/);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { canonicalCode } from '../../src/engines/apertium/modes.ts';
import { installHintFor } from '../../src/engines/apertium/packages.ts';
import { findRoute, pairsOf } from '../../src/engines/route.ts';
import { fallbackCodes } from '../../src/engines/chain-rules.ts';
import type { LanguagePair } from '../../src/engines/engine.ts';

const steps: LanguagePair[] = ['en-ca', 'en-es', 'ca-fr', 'es-fr', 'es-pt', 'fr-br', 'pt-gl', 'fr-en'].map(
  (pair) => {
    const [source = '', target = ''] = pair.split('-');
    return { source, target };
  },
);
steps.push({ source: 'es', target: 'pt-BR' });

function route(source: string, target: string): string | undefined {
  const found = findRoute(steps, source, target);
  return found && [found[0]?.source, ...found.map((step) => step.target)].join(' ');
}

describe('findRoute', () => {
  it.each([
    ['en', 'es', 'en es'],
    ['en', 'fr', 'en ca fr'],
    ['en', 'pt', 'en es pt'],
    ['en-US', 'fr-CA', 'en ca fr'],
    ['en', 'pt-BR', 'en es pt-BR'],
    ['en', 'pt-PT', 'en es pt'],
    ['es', 'es-MX', undefined],
    ['pt', 'pt-BR', undefined],
    ['es-MX', 'es', undefined],
    ['fr-CA', 'fr-FR', undefined],
    ['en', 'gl', undefined],
    ['en', 'br', undefined],
    ['en', 'en', undefined],
    ['ca', 'es', undefined],
  ])('finds the route from %s to %s', (source, target, expected) => {
    expect(route(source, target)).toBe(expected);
  });

  it.each([
    ['en-GB', 'en-US', 'en en-US'],
    ['en-US', 'en-GB', undefined],
    ['ca', 'ca-valencia', 'ca ca-valencia'],
    ['zh-CN', 'zh-TW', undefined],
    ['nb', 'no', undefined],
  ])('goes from %s to %s directly or not at all', (source, target, expected) => {
    const direct = [
      'en en-US',
      'ca ca-valencia',
      'zh-CN en',
      'en zh-TW',
      'nb en',
      'en no',
      'en-US es',
      'es en-GB',
    ];
    const found = findRoute(
      direct.map((pair) => ({ source: pair.split(' ')[0] ?? '', target: pair.split(' ')[1] ?? '' })),
      source,
      target,
    );
    expect(found && [found[0]?.source, ...found.map((step) => step.target)].join(' ')).toBe(expected);
  });

  it('reports every pair that has a route', () => {
    const pairs = pairsOf(steps);
    expect(pairs).toContainEqual({ source: 'en', target: 'pt-BR' });
    for (const { source, target } of pairs) expect(route(source, target)).toBeDefined();
    expect(pairs).not.toContainEqual({ source: 'pt', target: 'pt-BR' });
  });
});

describe('fallbackCodes', () => {
  it.each([
    ['fr-CA', ['fr-CA', 'fr']],
    ['ca-valencia', ['ca-valencia', 'ca']],
    ['en', ['en']],
    ['zh-TW', ['zh-TW']],
    ['sr-Latn', ['sr-Latn']],
  ])('keeps the script of %s', (code, expected) => {
    expect(fallbackCodes(code)).toEqual(expected);
  });
});

describe('canonicalCode', () => {
  it.each([
    ['spa', undefined, 'es'],
    ['srd', undefined, 'sc'],
    ['ast', undefined, 'ast'],
    ['pt', '_BR', 'pt-BR'],
    ['cat', '_valencia', 'ca-valencia'],
    ['zlm', undefined, 'ms'],
    ['hbs', undefined, undefined],
    ['cat', '_iec2017', undefined],
    ['cat', '_x', undefined],
  ])('reads %s%s', (code, suffix, expected) => {
    expect(canonicalCode(code, suffix)).toBe(expected);
  });
});

describe('installHintFor', () => {
  it('suggests an install command for pairs that Debian packages, with a pivot if needed', () => {
    expect(installHintFor('en', 'fr')).toMatch(/apertium/i);
    expect(installHintFor('en-GB', 'pt-BR')).toMatch(/apertium/i);
    expect(installHintFor('en', 'ja')).toBeUndefined();
  });
});

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addFormalityOption, formalityOf, type FormalityFlags } from '../../src/cli/options/engine.ts';
import { formalityFor } from '../../src/pipeline/engine-call.ts';

const configured = { formality: new Map([['de', 'informal'] as const, ['*', 'formal'] as const]) };

function flagsOf(...argv: string[]): FormalityFlags {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addFormalityOption(command);
  return command.parse(argv, { from: 'user' }).opts();
}

describe('how readers are addressed', () => {
  it('comes from the flag for all languages, otherwise from the configuration per language', () => {
    expect(formalityOf(flagsOf(), undefined)).toBeUndefined();
    expect(formalityOf(flagsOf(), {})).toBeUndefined();
    expect(formalityOf(flagsOf(), configured)).toBe(configured.formality);
    const flagged = formalityOf(flagsOf('--formality', 'formal'), configured);
    expect(formalityFor(flagged, 'de')).toBe('formal');
    expect(formalityFor(flagged, 'fr')).toBe('formal');
  });

  it('is formal or informal', () => {
    expect(() => flagsOf('--formality', 'polite')).toThrow('polite');
  });

  it.each([
    ['de', 'informal'],
    ['de-AT', 'informal'],
    ['fr', 'formal'],
  ] as const)('applies to regions and to all other languages: %s', (target, formality) => {
    expect(formalityFor(configured.formality, target)).toBe(formality);
  });

  it('does not apply to another script, or to languages without a setting', () => {
    const chinese = new Map([['zh', 'formal'] as const]);
    expect(formalityFor(chinese, 'zh-TW')).toBeUndefined();
    expect(formalityFor(chinese, 'zh-CN')).toBe('formal');
    expect(formalityFor(undefined, 'de')).toBeUndefined();
  });
});

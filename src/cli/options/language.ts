import type { Command } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import { inGroup } from '../output/help.ts';
import { LANGUAGES_HINT, requireLanguage } from '../../languages/catalog.ts';
import { parseRareLocale } from '../../languages/locale.ts';

export interface LanguageOptions {
  readonly source?: string;
  readonly target?: readonly string[];
}

/** Codes of a repeatable option that accepts comma-separated lists. */
export const collectCodes = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...value.split(',').map((code) => code.trim()),
];

/** Adds `-s/--source` and `-t/--target`. */
export function addLanguageOptions(command: Command): void {
  inGroup(command, 'Languages', () =>
    command
      .option('-s, --source <code>', 'the source language')
      .option('-t, --target <codes>', 'target languages, separated by commas or repeated', collectCodes),
  );
}

/** Accepts languages that no server lists, because engines and projects may support them. */
function requireAny(code: string): string {
  return parseRareLocale(code) ?? requireLanguage(code, LANGUAGES_HINT);
}

/**
 * The canonical source language; undefined for `auto` or if none is named.
 *
 * @throws DragomanError `unsupported_language`
 */
export function sourceOf(options: LanguageOptions): string | undefined {
  const { source } = options;
  return source === undefined || source === 'auto' ? undefined : requireAny(source);
}

/**
 * Canonical codes without duplicates, in the given order; undefined if none is named.
 *
 * @throws DragomanError `unsupported_language`
 */
export function targetsOf(options: LanguageOptions): readonly string[] | undefined {
  const codes = options.target?.filter((code) => code !== '') ?? [];
  return codes.length === 0 ? undefined : [...new Set(codes.map((code) => requireAny(code)))];
}

/**
 * Like {@link targetsOf}.
 *
 * @throws DragomanError `usage` if none is named
 */
export function requireTargets(options: LanguageOptions): readonly string[] {
  const targets = targetsOf(options);
  if (targets) return targets;
  throw new DragomanError('usage', 'no target language', {
    hint: 'Name one or more with -t, such as -t fr,es.',
  });
}

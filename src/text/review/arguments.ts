import type { Syntax } from '../syntax.ts';

/** Arguments that the program replaces with the text of another key. A translation may have the words of that text. */
export interface References {
  readonly includes: (raw: string) => boolean;
  /** Whether a text with that key exists. */
  readonly isKnown: (raw: string) => boolean;
}

/**
 * By syntax, the notation that its reader replaces. Other notations belong to a program that reads the text later, or
 * are words.
 */
const READ: Partial<Record<Syntax, RegExp>> = {
  angular: /^(?:[#$%]?\{|<)/,
  android: /^%/,
  apple: /^%/,
  chrome: /^\$/,
  i18next: /^(?:[#$%]?\{\{|\$t\()/,
  icu: /^[#$%]?\{/,
  java: /^[#$%]?\{/,
  laravel: /^(?:[:%[\]]|\{)/,
  qt: /^%/,
  ruby: /^%/,
  vue: /^(?:[#$%]?\{|@)/,
  xliff: /^</,
};

export function isReadBy(syntax: Syntax, raw: string): boolean {
  return READ[syntax]?.test(raw) ?? true;
}

/**
 * Syntaxes whose readers look arguments up by name among those that the program passes, used or not. Others count or
 * declare arguments and reject unknown ones.
 */
const PASSED: ReadonlySet<Syntax> = new Set([
  'i18next',
  'icu',
  'laravel',
  'plain',
  'ruby',
  'symfony',
  'vscode',
  'vue',
]);

const NAMED = /^(?:[#$%]?\{+\s*[\p{L}_$]|%[(<]|%[\p{L}_][\p{L}\p{N}_]*%$|:[A-Za-z]|__\w)/u;

/** Whether an argument that the source omits may still be passed by the program. */
export function mayStillBePassed(syntax: Syntax, raw: string): boolean {
  return PASSED.has(syntax) && NAMED.test(raw);
}

/** The name of an argument, without notation. */
export function nameIn(raw: string): string {
  return /[\p{L}\p{N}_][\p{L}\p{N}_.-]*/u.exec(raw)?.[0] ?? raw;
}

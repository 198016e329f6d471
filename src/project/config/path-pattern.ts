import { DragomanError } from '../../base/errors.ts';
import { compileGlob, expandBraces, normalizeGlob } from './glob.ts';
import { GlobMatch, endsFrom, LOCALE, parseGlob, type Parts } from './glob-matcher.ts';

/**
 * A glob whose matches can be transferred: a target's path is the target's pattern, filled in with the locale and the
 * matches of the source's wildcards. So only `*`, `**`, `?`, `{a,b*}` and `{locale}` are allowed.
 */
export interface PathPattern {
  /** The wildcards as written, in order. */
  readonly wildcards: readonly string[];
  /** The text matched by `{locale}` and by the wildcards; undefined if the path does not match. */
  capture(path: string): Captures | undefined;
  /** Fills in the pattern. @param wildcards the match of each wildcard */
  fill(locale: string, wildcards: readonly string[]): string;
}

export interface Captures {
  /** Undefined if the pattern has no `{locale}`. */
  readonly locale?: string | undefined;
  /** In the order of the pattern. The match of `**` has no trailing slash. */
  readonly wildcards: readonly string[];
}

type PatternToken =
  | { readonly kind: 'text' | 'locale'; readonly text: string }
  /** `choices`: the alternatives, in order. */
  | { readonly kind: 'wildcard'; readonly text: string; readonly choices: readonly Parts[] };

/** @throws DragomanError `usage` for a pattern that is invalid, or has parts that cannot be transferred */
export function compilePathPattern(pattern: string): PathPattern {
  const tokens = tokenize(normalizeGlob(pattern));
  const glob = compileGlob(pattern);
  return {
    wildcards: tokens.flatMap((token) => (token.kind === 'wildcard' ? [token.text] : [])),
    capture: (path) => (glob.matches(path) ? captureAll(tokens, path) : undefined),
    fill: (locale, wildcards) => {
      let next = 0;
      const parts = tokens.map((token) => {
        if (token.kind === 'locale') return locale;
        if (token.kind === 'text') return token.text;
        const matched = wildcards[next++] ?? '';
        return token.text === '**/' && matched !== '' ? `${matched}/` : matched;
      });
      return parts.join('');
    },
  };
}

function tokenize(pattern: string): readonly PatternToken[] {
  const tokens: PatternToken[] = [];
  for (let at = 0; at < pattern.length;) {
    const [part = ''] = /^(?:\\[^]|\*\*\/|\*+|[^])/.exec(pattern.slice(at)) ?? [];
    const braces = part === '{' ? bracesAt(pattern, at) : undefined;
    tokens.push(braces === undefined ? tokenOf(part, pattern, at) : wildcard(braces));
    at += (braces ?? part).length;
  }
  return tokens;
}

function tokenOf(part: string, pattern: string, at: number): PatternToken {
  if (part === LOCALE) return { kind: 'locale', text: part };
  if (part === '*' || part === '?') return wildcard(part);
  if (part.startsWith('**')) {
    const isWhole = (at === 0 || pattern[at - 1] === '/') && (part === '**/' || at + 2 === pattern.length);
    if (isWhole) return wildcard(part);
    throw new DragomanError('usage', '`**` must be a whole path segment', {
      hint: 'Write `**/*` for files in all directories below, `*` for any characters of a name.',
    });
  }
  requirePortable(part);
  return { kind: 'text', text: part.length > 1 ? part.slice(1) : part };
}

/** The content of the braces that start here; undefined if they are literal characters. */
function bracesAt(pattern: string, start: number): string | undefined {
  let depth = 0;
  for (const match of pattern.slice(start).matchAll(/\\?[^]/g)) {
    if (match[0] === '{') depth++;
    if (match[0] === '}' && --depth === 0) {
      const text = pattern.slice(start, start + match.index + 1);
      if (expandBraces(text).join('') === text) return undefined;
      for (const [part] of text.matchAll(/\\?[^]/g)) requirePortable(part);
      return text;
    }
  }
  return undefined;
}

function requirePortable(part: string): void {
  if (!/^(?:[[\]()|"]|\\[A-Za-z0-9\ue000])$/.test(part) && part !== LOCALE) return;
  const name = part === LOCALE ? '`{locale}` in braces' : `\`${part}\``;
  throw new DragomanError('usage', `${name} cannot be carried over from a source to its target`, {
    hint:
      'Supported wildcards: `*`, `**`, `?` and `{a,b}`; narrow them with `exclude`. ' +
      'Put a backslash before a bracket that is part of the name.',
  });
}

/** The glob has already decided whether the path matches; this only finds what each part matched. */
function wildcard(text: string): PatternToken {
  return { kind: 'wildcard', text, choices: expandBraces(text).flatMap((one) => parseGlob(one, true)) };
}

/** The preferred one of several matches: the shortest locale, then the longest wildcards, from left to right. */
function captureAll(tokens: readonly PatternToken[], path: string): Captures | undefined {
  const attempt = new GlobMatch(path);
  const failed = new Set<string>();
  const find = (index: number, start: number, locale: string | undefined): Captures | undefined => {
    const token = tokens[index];
    if (!token) return start === path.length ? { locale, wildcards: [] } : undefined;
    const state = `${index} ${start} ${locale}`;
    if (failed.has(state)) return undefined;
    for (const end of endsOf(token, attempt, start, locale)) {
      const text = path.slice(start, end);
      const found = find(index + 1, end, token.kind === 'locale' ? text : locale);
      if (!found) continue;
      return token.kind === 'wildcard'
        ? { ...found, wildcards: [text.replace(/\/$/, ''), ...found.wildcards] }
        : found;
    }
    failed.add(state);
    return undefined;
  };
  return find(0, 0, undefined);
}

function endsOf(
  token: PatternToken,
  attempt: GlobMatch,
  start: number,
  locale: string | undefined,
): readonly number[] {
  if (token.kind === 'wildcard')
    return token.choices.flatMap((parts) => [...endsFrom(start, parts, attempt)].reverse());
  const path = attempt.text;
  const text = token.kind === 'locale' ? locale : token.text;
  if (text !== undefined) return path.startsWith(text, start) ? [start + text.length] : [];
  const name = path.slice(start).split('/', 1)[0] ?? '';
  return Array.from({ length: name.length }, (_, i) => start + i + 1);
}

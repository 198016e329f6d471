import { DragomanError } from '../../base/errors.ts';
import { LinearRegExp } from '../../base/linear-regexp/linear-regexp.ts';
import { compileGlob, expandBraces, LOCALE, normalizeGlob } from './glob.ts';

/**
 * A glob whose matches can be carried over: a target's path is the target's pattern, filled in with the locale and
 * with the matches of the source's wildcards. So it has `*`, `**`, `?`, `{a,b*}` and `{locale}` only.
 */
export interface PathPattern {
  /** Its wildcards as they are written, in their order. */
  readonly wildcards: readonly string[];
  /** What `{locale}` and the wildcards stood for; undefined when the path does not match. */
  capture(path: string): Captures | undefined;
  /** The filled-in path. @param wildcards the match of each wildcard */
  fill(locale: string, wildcards: readonly string[]): string;
}

export interface Captures {
  /** Absent when the pattern has no `{locale}`. */
  readonly locale?: string | undefined;
  /** In the order of the pattern; what `**` matched has no slash at its end. */
  readonly wildcards: readonly string[];
}

type PatternToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wildcard'; readonly text: string }
  | { readonly kind: 'locale' };

/** @throws DragomanError `usage` for a pattern that cannot be understood, or has parts that cannot be carried over. */
export function compilePathPattern(pattern: string): PathPattern {
  const tokens = tokenize(normalizeGlob(pattern));
  const glob = compileGlob(pattern);
  const expression = new LinearRegExp(`^${tokens.map(captureSource).join('')}$`, LOCALE);
  return {
    wildcards: tokens.flatMap((token) => (token.kind === 'wildcard' ? [token.text] : [])),
    capture: (path) => {
      const match = glob.matches(path) ? expression.match(path) : undefined;
      return match && { locale: match.variable, wildcards: match.groups.map(withoutSlash) };
    },
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
    tokens.push(braces === undefined ? tokenOf(part, pattern, at) : { kind: 'wildcard', text: braces });
    at += (braces ?? part).length;
  }
  return tokens;
}

function tokenOf(part: string, pattern: string, at: number): PatternToken {
  if (part === LOCALE) return { kind: 'locale' };
  if (part === '*' || part === '?') return { kind: 'wildcard', text: part };
  if (part.startsWith('**')) {
    const isWhole = (at === 0 || pattern[at - 1] === '/') && (part === '**/' || at + 2 === pattern.length);
    if (isWhole) return { kind: 'wildcard', text: part };
    throw new DragomanError('usage', '`**` has to be a whole part of the path', {
      hint: 'Write `**/*` for files in all directories below, `*` for any characters of a name.',
    });
  }
  requirePortable(part);
  return { kind: 'text', text: part.length > 1 ? part.slice(1) : part };
}

/** The text of the braces that begin here; undefined when these are characters of the name. */
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
      'Of wildcards there are `*`, `**`, `?` and `{a,b}` here; narrow them with `exclude`. ' +
      'Put a backslash before a bracket that is part of the name.',
  });
}

function captureSource(token: PatternToken): string {
  if (token.kind === 'locale') return LOCALE;
  if (token.kind === 'text') return escapeRegExp(token.text);
  if (!token.text.startsWith('{')) return `(${WILDCARDS[token.text] ?? ''})`;
  return `(${expandBraces(token.text).map(looseSource).join('|')})`;
}

/** The glob has decided already whether the path matches; this only finds the part that braces matched. */
function looseSource(alternative: string): string {
  return alternative.replace(/\\([^])|\*\*\/|\*+|[^]/g, (part, escaped: string | undefined) => {
    const key = part.startsWith('**') && part !== '**/' ? '**' : part;
    return WILDCARDS[key] ?? escapeRegExp(escaped ?? part);
  });
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '*': '[^/]*',
  '?': '[^/]',
  '**': '.*',
  '**/': '(?:[^/]*/)*',
};

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

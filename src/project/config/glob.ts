/**
 * The glob patterns of the configuration: `*` and `?` within a path segment, `**` for any number of segments, `{a,b}`
 * for one of several, `{locale}` for the spelling of a locale. Matching is case-sensitive.
 */
export interface Glob {
  readonly pattern: string;
  matches(path: string): boolean;
  /** What `{locale}` and the wildcards stood for; undefined when the path does not match. */
  capture(path: string): Captures | undefined;
}

export interface Captures {
  /** Absent when the pattern has no `{locale}`. */
  readonly locale?: string | undefined;
  /** In the order of the pattern; what `**` matched has no slash at its end. */
  readonly wildcards: readonly string[];
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\{locale\}|\{[^{}]*\}|[^*?{]+|[{]/g;

/** Splits a pattern where wildcards and `{locale}` stand. */
export function tokenizeGlob(pattern: string): readonly string[] {
  return pattern.match(TOKEN) ?? [];
}

export function isWildcard(token: string): boolean {
  return /^[*?]/.test(token) || (token.startsWith('{') && token.length > 1 && token !== '{locale}');
}

export function compileGlob(pattern: string): Glob {
  let locales = 0;
  const kinds: ('locale' | 'wildcard')[] = [];
  const body = tokenizeGlob(pattern).map((token) => {
    switch (token) {
      case '**/':
        kinds.push('wildcard');
        return '((?:[^/]+/)*)';
      case '**':
        kinds.push('wildcard');
        return '(.*)';
      case '*':
        kinds.push('wildcard');
        return '([^/]*)';
      case '?':
        kinds.push('wildcard');
        return '([^/])';
      case '{locale}':
        locales++;
        if (locales > 1) return '\\k<locale>';
        kinds.push('locale');
        return '(?<locale>[^/]+?)';
      default:
        if (!token.startsWith('{') || token.length === 1) return escapeRegExp(token);
        kinds.push('wildcard');
        return alternatives(token);
    }
  });
  const expression = new RegExp(`^${body.join('')}$`, 's');
  return {
    pattern,
    matches: (path) => expression.test(path),
    capture: (path) => {
      const match = expression.exec(path);
      if (!match) return undefined;
      const wildcards = kinds.flatMap((kind, i) =>
        kind === 'wildcard' ? [withoutSlash(match[i + 1] ?? '')] : [],
      );
      return { locale: match.groups?.['locale'], wildcards };
    },
  };
}

/** The pattern with `{locale}` and its wildcards replaced: the path that it stands for. */
export function fillGlob(pattern: string, locale: string, wildcards: readonly string[]): string {
  let next = 0;
  let path = '';
  for (const token of tokenizeGlob(pattern)) {
    if (token === '{locale}') path += locale;
    else if (!isWildcard(token)) path += token;
    else {
      const matched = wildcards[next++] ?? '';
      path += token === '**/' && matched !== '' ? `${matched}/` : matched;
    }
  }
  return path;
}

function alternatives(token: string): string {
  return `(${token.slice(1, -1).split(',').map(escapeRegExp).join('|')})`;
}

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A pattern over key paths: `*` stands for any characters (dots too), `?` for one. In linear time for one star. */
export function matchesKey(pattern: string, key: string): boolean {
  let p = 0;
  let k = 0;
  let star = -1;
  let resume = 0;
  while (k < key.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = k;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === key[k])) {
      p++;
      k++;
    } else if (star >= 0) {
      p = star + 1;
      k = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

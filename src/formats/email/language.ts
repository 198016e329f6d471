import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import type { MimeHeader } from './header.ts';

/** A longer list names no one language. */
const MAX_LENGTH = 1_000;

/** Comments (RFC 3282 allows them, one in the other too): taken out from the inside. */
const COMMENT = /\((?:[^()\\]|\\[\s\S])*\)/g;

/**
 * The languages that the `Content-Language` fields of a header name (RFC 3282), canonical, in their order; undefined
 * for one that is not known. Empty where there is no such field.
 */
export function languagesIn(text: string, header: MimeHeader): readonly (string | undefined)[] {
  return header.fields
    .filter(({ name }) => name === 'content-language')
    .flatMap(({ value: { start, end } }) =>
      withoutComments(text.slice(start, Math.min(end, start + MAX_LENGTH))).split(','),
    )
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
    .map((tag) => parseLocale(tag));
}

/** The one language of several names of it: the first of them. Undefined for more than one, none, and unknown ones. */
export function onlyLanguage(languages: readonly (string | undefined)[]): string | undefined {
  const [first] = languages;
  if (first === undefined) return undefined;
  return languages.every((other) => other !== undefined && sameLanguage(first, other)) ? first : undefined;
}

function withoutComments(value: string): string {
  for (let rest = value; ;) {
    const less = rest.replace(COMMENT, ' ');
    if (less === rest) return rest;
    rest = less;
  }
}

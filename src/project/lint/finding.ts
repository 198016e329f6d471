import type { Key } from '../../formats/format.ts';

/** The rules of `lint`. The names are stable: they stand in SARIF logs and annotations. */
export const RULES = {
  unreadable: 'The file cannot be read: wrong encoding or not well-formed.',
  'placeholder-mismatch': 'The placeholders are not those of the source.',
  'icu-syntax': 'The message is not valid ICU MessageFormat.',
  'missing-other': 'A plural or select has no branch `other`.',
  'plural-categories': 'The plural branches are not those of the language.',
  'tag-mismatch': 'The tags are not those of the source, or are not nested properly.',
  'double-escaped': 'An entity or escape was escaped once more.',
  'unescaped-apostrophe': 'Android drops an apostrophe that is not escaped, and what follows it may be lost.',
  mojibake: 'The text was decoded in the wrong encoding somewhere on its way.',
  'duplicate-key': 'The key stands twice in the file; programs use one of the two.',
  'invalid-byte':
    'The byte is not in the encoding of the rest of the file; some programs read the whole file wrong.',
  'missing-key': 'The source has the key, the translation does not.',
  'extra-key': 'The translation has the key, the source does not.',
  'glossary-term': 'A term of the glossary is missing in the translation.',
} as const;

export type Rule = keyof typeof RULES;

export interface Finding {
  readonly rule: Rule;
  /** Relative to the directory that was linted, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Canonical code of the language of the file, where known. */
  readonly locale?: string | undefined;
  /** Absent where the whole file is meant. */
  readonly key?: Key | undefined;
  readonly message: string;
}

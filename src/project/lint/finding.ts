import type { Key } from '../../formats/format.ts';
import { languageOf } from '../../languages/locale.ts';
import type { Configuration } from '../config/configuration.ts';

/** The severities of findings, most severe first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

interface RuleTraits {
  readonly severity: Severity;
  readonly text: string;
}

/**
 * The rules of `lint`, with their default severity: a finding is an error only if it is certain how the program reads
 * the text, otherwise a warning. The names are stable, because SARIF logs contain them.
 */
const TRAITS = {
  unreadable: {
    severity: 'error',
    text: 'The file cannot be read: wrong encoding or not well-formed.',
  },
  'unreadable-entry': {
    severity: 'error',
    text: 'An entry of the file cannot be read: programs skip it, and show its key or another language instead.',
  },
  'placeholder-mismatch': {
    severity: 'error',
    text: 'The placeholders differ from the source.',
  },
  'icu-syntax': { severity: 'error', text: 'The message is not valid ICU MessageFormat.' },
  'missing-other': { severity: 'error', text: 'A plural or select has no branch `other`.' },
  'tag-mismatch': {
    severity: 'error',
    text: 'A tag is not closed, or the source and the translation do not have the same tags.',
  },
  'duplicate-key': {
    severity: 'error',
    text: 'The key appears twice in the file; parsers reject it.',
  },
  'invalid-byte': {
    severity: 'error',
    text: 'The byte does not match the encoding of the rest of the file; some programs then misread the whole file.',
  },
  'unescaped-apostrophe': {
    severity: 'error',
    text: 'Android drops an apostrophe that is not escaped, and may lose the text after it.',
  },
  mojibake: {
    severity: 'error',
    text: 'The text was decoded with the wrong encoding at some point.',
  },
  'unreadable-settings': {
    severity: 'warning',
    text: 'The settings above a document cannot be read, so their texts are not translated.',
  },
  'plural-categories': {
    severity: 'warning',
    text: 'The plural lacks a form that the language uses for whole numbers, or has a form `zero` that the language never uses.',
  },
  'repeated-key': {
    severity: 'warning',
    text: 'The key appears twice in the file, with different texts; programs use one of the two.',
  },
  'cue-unreadable': { severity: 'warning', text: 'The subtitle cannot be read, so players skip it.' },
  'cue-ends-early': {
    severity: 'error',
    text: 'The subtitle ends before it begins, so no player shows it.',
  },
  'cue-overlap': { severity: 'warning', text: 'The subtitle begins before the one above it ends.' },
  'cue-gap': { severity: 'warning', text: 'The pause between two subtitles is too short to be seen.' },
  'cue-short': { severity: 'warning', text: 'The subtitle is shown for too short a time.' },
  'cue-fast': {
    severity: 'warning',
    text: 'The subtitle has more characters per second than people can read.',
  },
  'cue-wide': { severity: 'warning', text: 'A line of the subtitle is too long for the screen.' },
  'cue-lines': { severity: 'warning', text: 'The subtitle has too many lines.' },
  'double-escaped': { severity: 'warning', text: 'An entity is escaped twice.' },
  'link-mismatch': {
    severity: 'warning',
    text: 'A link of the source is missing or includes an extra word.',
  },
  'blank-text': {
    severity: 'warning',
    text: 'The translation of a text consists of blanks, so programs show nothing.',
  },
  'too-long': {
    severity: 'warning',
    text: 'The translation is longer than the file or its note to translators allows.',
  },
  'glossary-term': {
    severity: 'warning',
    text: 'A term of the glossary is missing from the translation.',
  },
  'number-left-out': {
    severity: 'info',
    text: 'A plural form for several numbers does not show which one.',
  },
  'unused-category': { severity: 'info', text: 'The language never uses this plural form.' },
  'select-added': {
    severity: 'info',
    text: 'The translation selects by an argument that the source does not use.',
  },
  'markup-changed': {
    severity: 'info',
    text: 'Markup that only affects the appearance of a text was added or left out.',
  },
} as const satisfies Readonly<Record<string, RuleTraits>>;

export type LintRule = keyof typeof TRAITS;

export const RULES: Readonly<Record<LintRule, RuleTraits>> = TRAITS;

export interface Finding {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** Relative to the checked directory, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Canonical code of the file's language, if known. */
  readonly locale?: string | undefined;
  /** Undefined if it concerns the whole file. */
  readonly key?: Key | undefined;
  /** The key in the file's notation, with the affected plural forms. */
  readonly keyName?: string | undefined;
  /** A text that identifies the key for people, if the format generates keys. */
  readonly text?: string | undefined;
  /** Whether dragoman wrote the translation and it is unchanged since; only for terms. */
  readonly isOwn?: boolean | undefined;
  /** Named arguments that the translation uses in place of the source's. */
  readonly renamed?: readonly string[] | undefined;
  /** One line. */
  readonly message: string;
}

/**
 * If fewer languages use a name, they may have copied one translator's mistake, unless two languages use it under
 * `AGREEING_KEYS` keys.
 */
const AGREEING_LANGUAGES = 3;
const AGREEING_KEYS = 5;

/**
 * Downgrades findings of all languages. If several translations of a key use the same named argument that the source
 * lacks, the program probably passes it.
 */
export function doubtCommonNames(findings: readonly Finding[]): readonly Finding[] {
  const languages = new Map<string, Set<string>>();
  const idsOf = ({ key = [], renamed = [] }: Finding): readonly string[] =>
    renamed.map((name) => [...key, name].join('\0'));
  for (const finding of findings)
    for (const id of idsOf(finding))
      languages.set(id, (languages.get(id) ?? new Set()).add(languageOf(finding.locale ?? '')));
  /** By name and the two languages. */
  const pairs = new Map<string, number>();
  const pairOf = (id: string, both: ReadonlySet<string>): string =>
    [id.slice(id.lastIndexOf('\0') + 1), ...[...both].sort()].join('\0');
  for (const [id, both] of languages)
    if (both.size === 2) pairs.set(pairOf(id, both), (pairs.get(pairOf(id, both)) ?? 0) + 1);
  const isCommon = (id: string): boolean => {
    const agreeing = languages.get(id) ?? new Set();
    return agreeing.size >= AGREEING_LANGUAGES || (pairs.get(pairOf(id, agreeing)) ?? 0) >= AGREEING_KEYS;
  };
  return findings.map((finding) => {
    const ids = idsOf(finding);
    if (ids.length === 0 || !ids.every(isCommon)) return finding;
    return { ...finding, severity: atMostWarning(finding.severity) };
  });
}

/** The findings with the severities that a configuration sets for their rules, without disabled rules. */
export function gradeFindings(
  findings: readonly Finding[],
  { lint }: Pick<Configuration, 'lint'>,
): readonly Finding[] {
  const rules = lint?.rules;
  if (!rules) return findings;
  return findings.flatMap((finding) => {
    const severity = rules[finding.rule] ?? finding.severity;
    return severity === 'off' ? [] : [{ ...finding, severity }];
  });
}

export function atMostWarning(severity: Severity): Severity {
  return severity === 'error' ? 'warning' : severity;
}

/** The findings with at least this severity. */
export function atLeast<T extends Finding>(findings: readonly T[], level: Severity): readonly T[] {
  const last = SEVERITIES.indexOf(level);
  return findings.filter(({ severity }) => SEVERITIES.indexOf(severity) <= last);
}

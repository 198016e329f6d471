/** A phrase that native readers stumble over, with a replacement. */
interface Pattern {
  readonly name: string;
  readonly expression: RegExp;
  readonly better: string;
}

export const PATTERNS: readonly Pattern[] = [
  {
    name: 'is no …',
    expression: /(?<!\bthere )\b(?:is|are|was|were|becomes?) (?:no(?! longer\b| more than\b)|none)\b/gi,
    better: 'negate the verb: "is not a database", "has no key"',
  },
  {
    name: 'that there is not',
    expression: /\b(?:that|which|where|as|when|if) there (?:is|are|was|were) (?:not|none|no|any|one)\b/gi,
    better: 'use an adjective or a verb: "unknown", "missing", "if it has none"',
  },
  {
    name: 'what is …',
    expression: /\bwhat (?:is|are|was|were|has|have|had|it|they|of|no|does|do|can|goes|comes|stays)\b/gi,
    better: 'name the thing: "the rest", "missing values", "the answer"',
  },
  {
    name: 'of its own',
    expression: /\bof (?:its|their|his|our|your) own\b/gi,
    better: '"own" before the noun, "separate", or nothing',
  },
  {
    name: 'whoever, whatever',
    expression: /\b(?:whoever|whatever|whichever)\b/gi,
    better: 'name who does it, or "any"',
  },
  {
    name: 'idioms',
    expression:
      /\b(?:has no say|as (?:it|they) should be|by no option|nobody(?:'s)?|(?:is|are|be|was|were) told|in vain|be it|so (?:is|are)|all the same)\b/gi,
    better: 'say it plainly: "does not affect", "valid", "is reported"',
  },
  {
    name: 'stands',
    expression: /\b(?:stands?|standing|stood) (?:in|at|below|above|beside|there|alone|behind|before)\b/gi,
    better: '"is", "appears"',
  },
  {
    name: 'Of …, Those of …',
    expression:
      /(?:^|\/\*\*? |\/\/ |\* )(?:Of (?:a|an|the|its|all|those|several|each|one)|(?:That|Those) of)\b/g,
    better: 'begin with the thing: "The size of each file", "For a page"',
  },
  {
    name: 'What …',
    expression: /(?:\/\*\*? |\/\/ |\* )(?:What|Who|So many|So much|So long)\b(?! else)/g,
    better: 'begin with a noun: "The content of", "Files that", "The number of"',
  },
  {
    name: 'goes on, for ever',
    expression: /\b(?:go(?:es)? on\b(?! with)|for ever\b)/gi,
    better: '"continues", "forever"',
  },
  {
    name: 'asked for, put',
    expression: /\b(?:is|are|was|were|be) (?:asked for|put|worked off|written down|to be)\b/gi,
    better: '"requested", "inserted", "stored", "must"',
  },
  {
    name: 'that is there',
    expression: /\b(?:that|which|what) (?:is|are|was|were) there\b/gi,
    better: '"existing"',
  },
];

export interface ProseFinding {
  readonly pattern: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line, without leading and trailing white space. */
  readonly text: string;
}

/** Every occurrence of a pattern in a file. */
export function findPatterns(path: string, content: string): readonly ProseFinding[] {
  return content
    .split('\n')
    .flatMap((text, i) =>
      PATTERNS.flatMap(({ name, expression }) =>
        [...text.matchAll(expression)].map(() => ({ pattern: name, path, line: i + 1, text: text.trim() })),
      ),
    );
}

/** Correct lines that match a pattern, each as `path: the line`; lines with `#` give reasons. */
export function readExceptions(content: string): ReadonlySet<string> {
  return new Set(content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#')));
}

/** Identifies a line in an exception: without its number, which other changes shift. */
export function exceptionOf({ path, text }: Pick<ProseFinding, 'path' | 'text'>): string {
  return `${path}: ${text}`;
}

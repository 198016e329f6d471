import type { LintRules } from './lint-rules.ts';

/** What is validated. Ruby shows the attribute in front of the message. */
const OBJECT = ['attribute', 'message', 'model', 'value'];
const OF_ERRORS: ReadonlySet<string> = new Set([...OBJECT, 'count']);
const SPARED: ReadonlySet<string> = new Set(OBJECT);

/**
 * The arguments of the messages of Ruby's validators, whichever of them a language makes use of. Translations of these
 * stand in many projects that no manifest shows.
 */
export const rubyErrors: Pick<LintRules, 'supplied' | 'spared'> = {
  supplied: (key) => (key.includes('errors') ? OF_ERRORS : undefined),
  spared: (key) => (key.includes('errors') ? SPARED : undefined),
};

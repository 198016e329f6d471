import type { LintRules } from './lint-rules.ts';

/** The validated attribute. Ruby displays it before the message. */
const OBJECT = ['attribute', 'model', 'value'];
/** The format of all messages (`errors.format`) must contain `%{message}`, or no message is displayed. */
const OF_ERRORS: ReadonlySet<string> = new Set([...OBJECT, 'count', 'message']);
const SPARED: ReadonlySet<string> = new Set(OBJECT);

/**
 * The possible arguments of messages in Ruby's validators. Their translations occur in many projects without a
 * recognizable manifest.
 */
export const rubyErrors: Pick<LintRules, 'supplied' | 'spared'> = {
  supplied: (key) => (key.includes('errors') ? OF_ERRORS : undefined),
  spared: (key) => (key.includes('errors') ? SPARED : undefined),
};

/** What Ruby's validators have for their messages, whichever of it a language makes use of. */
const OF_ERRORS: ReadonlySet<string> = new Set(['attribute', 'count', 'message', 'model', 'value']);

/** The arguments of their messages. Translations of these stand in many projects that no manifest shows. */
export function suppliedToErrors(key: readonly string[]): ReadonlySet<string> | undefined {
  return key.includes('errors') ? OF_ERRORS : undefined;
}

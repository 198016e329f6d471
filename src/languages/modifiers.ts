import { scriptSubtag } from './subtags.ts';

/** What a gettext modifier (`sr@latin`) adds to a language. */
export interface Modifier {
  readonly script?: string;
  readonly variant?: string;
}

const modifiers: ReadonlyMap<string, Modifier> = new Map<string, Modifier>([
  ['latin', { script: 'Latn' }],
  ['cyrillic', { script: 'Cyrl' }],
  ['devanagari', { script: 'Deva' }],
  ['arabic', { script: 'Arab' }],
  ['hebrew', { script: 'Hebr' }],
  ['gurmukhi', { script: 'Guru' }],
  ['valencia', { variant: 'valencia' }],
  ['tarask', { variant: 'tarask' }],
  ['ijekavian', { variant: 'ijekavsk' }],
  ['ijekavianlatin', { script: 'Latn', variant: 'ijekavsk' }],
  // A currency: it says nothing about the language.
  ['euro', {}],
]);

/** Undefined for a modifier that is not about language or script (`quot`, `boldquot`, `shaw`). */
export function readModifier(name: string): Modifier | undefined {
  const known = modifiers.get(name.toLowerCase());
  if (known !== undefined) return known;
  const script = scriptSubtag(name);
  return script === undefined ? undefined : { script };
}

/** The modifier for a script and a variant, where gettext has one. */
export function modifierName(script: string | undefined, variant: string | undefined): string | undefined {
  for (const [name, meaning] of modifiers) {
    if (meaning.script === script && meaning.variant === variant && name !== 'euro') return name;
  }
  return undefined;
}

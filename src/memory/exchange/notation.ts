import { tokenize, type TaggedText, type Token } from '../../text/tagged.ts';
import type { NewEntry } from '../stored-memory.ts';
import { entryOf, isSkip } from './translation-entry.ts';

/** A message and its translation in readable form. */
export interface ReadableValues {
  readonly source: string;
  readonly target: string;
}

/**
 * An entry as two values with named placeholders: `Hello {name}, <b>now</b>`. Undefined if the entry would not read
 * back the same, because it has several segments or words that look like placeholders.
 */
export function valuesOf(entry: NewEntry, forms?: readonly string[]): ReadableValues | undefined {
  const [segment, ...more] = entry.segments;
  const [translation] = entry.translations;
  if (segment === undefined || translation === undefined || more.length > 0) return undefined;
  const names = namesOf(segment, entry.placeholders);
  const source = names && spell(segment, names);
  const target = names && spell(translation, names);
  if (source === undefined || target === undefined) return undefined;
  const again = entryOf({ ...entry, source, target, forms: forms && [source, ...forms], syntax: 'plain' });
  return !isSkip(again) && isSame(again, entry) ? { source, target } : undefined;
}

function isSame(a: NewEntry, b: NewEntry): boolean {
  const shape = ({ segments, translations, placeholders }: NewEntry): string =>
    JSON.stringify([segments, translations, placeholders]);
  return shape(a) === shape(b);
}

/** Names, ordered by id. */
function namesOf(
  segment: TaggedText,
  placeholders: readonly string[],
): ReadonlyMap<number, string> | undefined {
  const ids = (tokenize(segment) ?? []).flatMap((token) => idOf(token) ?? []).sort((a, b) => a - b);
  if (ids.length !== placeholders.length) return undefined;
  return new Map(ids.map((id, i) => [id, placeholders[i] ?? '']));
}

export function idOf(token: Token): number | undefined {
  return token.type === 'placeholder' || token.type === 'open' ? token.id : undefined;
}

/** A name that can be written in braces unchanged. */
const NAME = /^[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*$/u;

function spell(tagged: TaggedText, names: ReadonlyMap<number, string>): string | undefined {
  const tokens = tokenize(tagged);
  return tokens
    ?.map((token) => {
      if (token.type === 'words') return token.text;
      const name = names.get(token.id) ?? '';
      if (token.type === 'placeholder') return spellPlaceholder(name);
      return token.type === 'open' ? `<${name}>` : `</${name}>`;
    })
    .join('');
}

/** Writes a placeholder without a name unchanged: `%@`. */
export function spellPlaceholder(name: string): string {
  return NAME.test(name) ? `{${name}}` : name;
}

/** Why an entry cannot be written as values, for messages. */
export function describeUnwritable({ segments }: NewEntry): string {
  const why = segments.length > 1 ? 'a message with several texts' : 'words that look like placeholders';
  return `only TMX can hold ${why}: ${segments.join(' | ')}`;
}

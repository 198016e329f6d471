import { isMap, isScalar, type Pair, type ParsedNode } from 'yaml';
import { languageOf, parseLocale, parseRareLocale } from '../../languages/locale.ts';
import { mayMeanCountryOf } from '../../languages/rare.ts';

/** The key of a document `locale: {…}` as in Rails, which the keys below it omit. */
export interface RootKey {
  readonly head: number;
  /** The offset after the key. */
  readonly keyEnd: number;
  readonly flow: boolean;
}

/** The facts that decide whether a key can be the root of a file. */
export interface RootedFile {
  /** The language of the file, canonical, if known. */
  readonly locale: string | undefined;
  /** Whether the file translates a document with a root key. */
  readonly hasRootedSource: boolean;
}

/** The span of the root key's name, without quotes. */
export function rootName({ head, keyEnd }: RootKey, text: string): [number, number] {
  const quoted = text[head] === '"' || text[head] === "'";
  return quoted ? [head + 1, keyEnd - 1] : [head, keyEnd];
}

/**
 * Whether this can be the only pair of a document `locale: {…}`. In a file known to be in another language, such a key
 * is not a locale, although it looks like one (`it`, `no`, `id`).
 */
export function isRootPair(pair: Pair<ParsedNode, ParsedNode | null>, file: RootedFile): boolean {
  if (!isScalar(pair.key) || pair.key.tag !== undefined || pair.key.anchor !== undefined) return false;
  if (pair.srcToken?.start.some(({ type }) => type === 'explicit-key-ind') === true) return false;
  const { value } = pair;
  const below = !value || isMap(value) || (isScalar(value) && (value.range?.[0] ?? 0) === value.range?.[1]);
  if (!below || (value !== null && value?.tag !== undefined)) return false;
  return isRootName(String(pair.key.value), file);
}

/** Whether a document's only key can name a Rails root. */
export function isRootName(name: string, { locale, hasRootedSource }: RootedFile): boolean {
  if (locale === undefined) return parseLocale(name) !== undefined;
  const found = parseRareLocale(name);
  if (found !== undefined && languageOf(found) === languageOf(locale)) return true;
  // Elsewhere, the only key `us:` may hold the texts for a country.
  return hasRootedSource && mayMeanCountryOf(name, locale);
}

/** Whether no line after `offset` can hold a key at this column or further left. */
export function isLastKey(text: string, offset: number, column: number): boolean {
  const line = /\n(?!\.{3}[ \t]*(?:[\r\n]|$))( *)[^ \t\r\n#]/g;
  line.lastIndex = offset;
  for (let found = line.exec(text); found; found = line.exec(text)) {
    if ((found[1]?.length ?? 0) <= column) return false;
  }
  return true;
}

/** A key that YAML 1.1 readers read as a boolean if it is unquoted. */
export interface BooleanKey {
  readonly name: string;
  readonly meaning: boolean;
  /** Whether the key has neither quotes nor a tag. */
  readonly plain: boolean;
  /** The index among the keys of its map. */
  readonly index: number;
}

/** The boolean keys of each map that has any, by the map's key as JSON. */
export type BooleanKeys = ReadonlyMap<string, readonly BooleanKey[]>;

const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;

export function booleanOf(name: string): boolean | undefined {
  if (name.length > 5) return undefined;
  if (TRUE.test(name)) return true;
  return FALSE.test(name) ? false : undefined;
}

/**
 * The names of a translation's keys. A key that YAML 1.1 readers read as one of the source's keys gets that key's name,
 * because a program that reads `yes:` writes `true:`. If a source has several words for the same boolean, or two quoted
 * words, they mean different texts and keep their names.
 *
 * @param own the boolean keys among the names
 * @param theirs those of the same map in the source
 */
export function nameLikeSource(
  names: readonly string[],
  own: readonly BooleanKey[],
  theirs: readonly BooleanKey[],
): readonly string[] {
  const renamed = [...names];
  for (const meaning of [true, false]) {
    const [wanted, ...others] = theirs.filter((key) => key.meaning === meaning);
    if (!wanted || others.some(({ name }) => name !== wanted.name)) continue;
    // The source's own word comes first: another word must not take its place.
    const first = names.indexOf(wanted.name);
    for (const { index, plain, meaning: ownMeaning } of own)
      if (ownMeaning === meaning && index > first && (plain || wanted.plain)) renamed[index] = wanted.name;
  }
  return renamed;
}

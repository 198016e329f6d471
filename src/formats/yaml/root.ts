import { isMap, isScalar, type Pair, type ParsedNode } from 'yaml';
import { parseLocale } from '../../languages/locale.ts';

/** The key of a document `locale: {…}` as Rails has it, left out of all keys. */
export interface RootKey {
  readonly head: number;
  /** Behind the key. */
  readonly keyEnd: number;
  readonly flow: boolean;
}

/** The offsets of the root key's name, without its quotes. */
export function rootName({ head, keyEnd }: RootKey, text: string): [number, number] {
  const quoted = text[head] === '"' || text[head] === "'";
  return quoted ? [head + 1, keyEnd - 1] : [head, keyEnd];
}

/**
 * Whether this may be the only pair of a document `locale: {…}`. A file known to be in another language has a key there
 * that only looks like one (`it`, `no`, `id`).
 *
 * @param locale the language of the file, canonical, when it is known
 */
export function isRootPair(pair: Pair<ParsedNode, ParsedNode | null>, locale: string | undefined): boolean {
  if (!isScalar(pair.key) || pair.key.tag !== undefined || pair.key.anchor !== undefined) return false;
  if (pair.srcToken?.start.some(({ type }) => type === 'explicit-key-ind') === true) return false;
  const { value } = pair;
  const below = !value || isMap(value) || (isScalar(value) && (value.range?.[0] ?? 0) === value.range?.[1]);
  if (!below || (value !== null && value?.tag !== undefined)) return false;
  return isRootName(String(pair.key.value), locale);
}

/** Whether the name of the only pair of a document may be that of a Rails root. */
export function isRootName(name: string, locale: string | undefined): boolean {
  const found = parseLocale(name);
  if (found === undefined) return false;
  return locale === undefined || languageOf(found) === languageOf(locale);
}

/** Whether no line behind `offset` can be that of a key at this column or further left. */
export function isLastKey(text: string, offset: number, column: number): boolean {
  const line = /\n( *)[^ \t\r\n#]/g;
  line.lastIndex = offset;
  for (let found = line.exec(text); found; found = line.exec(text)) {
    if ((found[1]?.length ?? 0) <= column) return false;
  }
  return true;
}

function languageOf(locale: string): string | undefined {
  return locale.split('-', 1)[0];
}

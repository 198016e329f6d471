import {
  type CST,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ValueKind } from './outline.ts';

export type YamlNode = ParsedNode | null | undefined;
export type Collection = YAMLMap.Parsed | YAMLSeq.Parsed;
export type YamlTokens = readonly CST.SourceToken[] | undefined;

const COLLECTION_TAGS = new Set(['!', 'tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']);

/** `empty` also covers an explicit null, which a collection may replace. */
export function kindOf(node: YamlNode): ValueKind {
  if (!node) return 'empty';
  if (isAlias(node)) return 'alias';
  if (isMap(node)) return 'map';
  if (isSeq(node)) return 'sequence';
  const bare = node.tag === undefined && node.anchor === undefined;
  const nothing =
    isEmpty(node) || (node.srcToken?.type === 'scalar' && /^(?:~|null)$/i.test(String(node.value)));
  return bare && nothing ? 'empty' : 'leaf';
}

/** Whether a key has neither quotes nor a tag. */
export function isPlain(node: YamlNode): boolean {
  return isScalar(node) && node.srcToken?.type === 'scalar' && node.tag === undefined;
}

/** The tag may have any meaning, so nothing in the collection is a text. */
export function hasCustomTag(node: Collection): boolean {
  return node.tag !== undefined && !COLLECTION_TAGS.has(node.tag);
}

/** Whether the node consists of at most an anchor or tag. */
export function isEmpty(node: ParsedNode): boolean {
  return isScalar(node) && node.range[1] === node.range[0];
}

export function isBlockScalar(
  node: YamlNode,
): node is ParsedNode & { comment?: string | null; range: [number, number, number] } {
  return node?.srcToken?.type === 'block-scalar';
}

export function collectionOf(node: YamlNode): Collection | undefined {
  return node && isCollection(node) ? node : undefined;
}

export function endOfProps(tokens: YamlTokens): number {
  const last = tokens?.findLast(({ type }) => type === 'anchor' || type === 'tag');
  return last ? last.offset + last.source.length : 0;
}

export function firstProp(tokens: YamlTokens): number | undefined {
  return tokens?.find(({ type }) => type === 'anchor' || type === 'tag' || type === 'explicit-key-ind')
    ?.offset;
}

/** The tokens of a sequence's items, without those that are only comments. */
export function itemTokens(sequence: YAMLSeq.Parsed): readonly CST.CollectionItem[] {
  const items: readonly CST.CollectionItem[] = sequence.srcToken?.items ?? [];
  return items.filter(
    (item) => item.value !== undefined || item.key !== undefined || item.start.some(isSubstance),
  );
}

function isSubstance({ type }: CST.SourceToken): boolean {
  return type === 'seq-item-ind' || type === 'anchor' || type === 'tag' || type === 'explicit-key-ind';
}

/** A key as text: its value or, if it is not a scalar, its source. */
export function nameOf(node: YamlNode, text: string): string {
  if (!node) return '';
  if (isScalar(node)) return String(node.value);
  return text.slice(node.range[0], node.range[1]).trimEnd();
}

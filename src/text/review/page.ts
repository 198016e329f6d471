import type { Remark } from './remark.ts';

/** A link in Markdown values: its destination is the tag's attribute. */
const LINK = /<a r="\]\((?:&lt;([^"]+?)&gt;|([^"\s]+?))(?:\s[^"]*)?\)">/g;

/** An address among words, which is a code. */
const ADDRESS = /<x r="(?:&lt;)?([^"]*?)(?:&gt;)?"\/>/g;

/** A link's brackets with a blank between them, or in full width. */
const APART = /\](?:\s+\(|\s*（)\s*$/;

/**
 * The defects of a document's text compared with its source. People translate documents freely: they add heading ids
 * and links or omit them. Only a link whose brackets are separated is a defect, because it displays its notation.
 *
 * @param sources values of a running-text format, like `target`
 */
export function reviewPage(sources: readonly string[], target: string): readonly Remark[] {
  if (!/\]\s*[(（]/.test(target)) return [];
  const words = target.replace(ADDRESS, '$1');
  const addresses = sources.flatMap((source) =>
    [...source.matchAll(LINK)].flatMap(([, inAngles, bare]) => inAngles ?? bare ?? []),
  );
  return [...new Set(addresses)]
    .filter((address) => isApart(words, address))
    .map((address) => ({
      rule: 'tag-mismatch',
      detail: `the brackets of the link to ${address} are separated`,
    }));
}

function isApart(words: string, address: string): boolean {
  for (let at = words.indexOf(address); at >= 0; at = words.indexOf(address, at + 1))
    if (APART.test(words.slice(Math.max(0, at - 10), at))) return true;
  return false;
}

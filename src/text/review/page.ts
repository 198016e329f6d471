import type { Remark } from './remark.ts';

/** A link as values of Markdown have it: where it leads is the attribute of its tag. */
const LINK = /<a r="\]\((?:&lt;([^"]+?)&gt;|([^"\s]+?))(?:\s[^"]*)?\)">/g;

/** An address among words is a code. */
const ADDRESS = /<x r="(?:&lt;)?([^"]*?)(?:&gt;)?"\/>/g;

/** Brackets as a link has them, with a blank between, or wide ones. */
const APART = /\](?:\s+\(|\s*（)\s*$/;

/**
 * The defects of a page's text beside that of its source. People translate pages freely: they give headings ids, add
 * links and leave them out, and the page is well. Only a link whose brackets have come apart shows its notation.
 *
 * @param sources values of a format of running text, as is `target`
 */
export function reviewPage(sources: readonly string[], target: string): readonly Remark[] {
  if (!/\]\s*[(（]/.test(target)) return [];
  const words = target.replace(ADDRESS, '$1');
  const addresses = sources.flatMap((source) =>
    [...source.matchAll(LINK)].flatMap(([, inAngles, bare]) => inAngles ?? bare ?? []),
  );
  return [...new Set(addresses)]
    .filter((address) => isApart(words, address))
    .map((address) => ({ rule: 'tag-mismatch', detail: `the brackets of the link to ${address} are apart` }));
}

function isApart(words: string, address: string): boolean {
  for (let at = words.indexOf(address); at >= 0; at = words.indexOf(address, at + 1))
    if (APART.test(words.slice(Math.max(0, at - 10), at))) return true;
  return false;
}

import { addressIn, LINK } from '../markdown.ts';
import type { MessageNode, TagNode } from '../node.ts';
import { MAX_EXAMINED, UnmatchedParts } from '../unmatched-parts.ts';
import type { Remark } from './remark.ts';
import { type Wording, textOf } from './wording.ts';

/** Example addresses, in texts that show the form of an address. */
const EXAMPLE =
  /example|^(?:you|your-?\w*|me|name|user|username|someone|foo|bar)@|:\/\/(?:your|foo|bar|localhost|domain)/i;

/**
 * Checks links. A translator may link to a page in another language or on another site. A missing link is worth
 * checking, and a link that includes the next word is broken.
 */
export function reviewLinks(source: Wording, target: Wording): readonly Remark[] {
  const equal = new UnmatchedParts(target.inventory.links.map(withoutBracket), (link) => link);
  const words = textOf(target).toLowerCase();
  const changed: string[] = [];
  // A missing Markdown link is reported as a missing tag.
  const ends = target.nodes.some(isLinkEnd) ? [] : source.nodes.filter(isLinkEnd);
  const gone = new Set(ends.map(({ raw }) => addressIn(raw)));
  for (const link of source.inventory.links.filter((one) => !gone.has(one)).map(withoutBracket)) {
    // "Only file:// is allowed" contains no address.
    if (!link.endsWith('://') && equal.take(link) === undefined) changed.push(link);
  }
  const waiting = new UnmatchedParts(equal.rest(), () => '');
  const remarks: Remark[] = [];
  for (const link of changed) {
    const found = waiting.take('', (other) => hasSwallowed(other, link));
    if (found === undefined) continue;
    remarks.push({ rule: 'link-mismatch', detail: `${found} includes the word after ${link}` });
  }
  const worth = changed.filter((link) => !EXAMPLE.test(link) && !HOST_NAME.test(link));
  // A plural form may have a link only once, and a language may append an ending to it: `a.org-ist`.
  const lost = worth
    .slice(remarks.length + waiting.rest().length)
    .slice(0, MAX_EXAMINED)
    .filter((link) => !words.includes(link.toLowerCase()));
  return [
    ...remarks,
    ...lost.map((link): Remark => ({ rule: 'link-mismatch', detail: `${link} is missing` })),
  ];
}

const isLinkEnd = (node: MessageNode): node is TagNode => node.type === 'close' && node.name === LINK;

/** The name of a site, such as `Archive.org`: like any name it may be inflected, transcribed or omitted. */
const HOST_NAME = /^(?!www\.)[\w-]+(?:\.[\w-]+)+$/;

/** Ends an address at the bracket that closes the notation around it: `[a@https://a.org]words[/a]`. */
function withoutBracket(link: string): string {
  return /^[^[\]]*(?=\])/.exec(link)?.[0] ?? link;
}

function hasSwallowed(link: string, original: string): boolean {
  const goesOn = /^[\p{L}\p{N}]/u.test(link.slice(original.length)) && /[\p{L}\p{N}]$/u.test(original);
  return goesOn && link.startsWith(original);
}

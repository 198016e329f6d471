import type { Remark } from './remark.ts';

/** Addresses of nobody, in texts that say what an address looks like. */
const EXAMPLE =
  /example|^(?:you|your-?\w*|me|name|user|username|someone|foo|bar)@|:\/\/(?:your|foo|bar|localhost|domain)/i;

/**
 * A translator may link to a page in another language or on another site. A link that is gone is worth a look, and one
 * that has swallowed the next word leads nowhere.
 */
export function reviewLinks(source: readonly string[], target: readonly string[]): readonly Remark[] {
  const waiting = [...target];
  const changed: string[] = [];
  for (const link of source) {
    // "Only file:// is allowed" has no address.
    if (link.endsWith('://')) continue;
    const at = waiting.indexOf(link);
    if (at >= 0) waiting.splice(at, 1);
    else changed.push(link);
  }
  const remarks: Remark[] = [];
  for (const link of changed) {
    const grown = waiting.findIndex((other) => hasSwallowed(other, link));
    if (grown < 0) continue;
    const [found] = waiting.splice(grown, 1);
    remarks.push({ rule: 'link-mismatch', detail: `${found} is ${link} and a word` });
  }
  const gone = changed.filter((link) => !EXAMPLE.test(link)).slice(remarks.length + waiting.length);
  // A form of a plural may say a link only once.
  const lost = gone.filter((link) => !target.includes(link));
  return [
    ...remarks,
    ...lost.map((link): Remark => ({ rule: 'link-mismatch', detail: `${link} is missing` })),
  ];
}

function hasSwallowed(link: string, original: string): boolean {
  return (
    link.startsWith(original) &&
    /^[\p{L}\p{N}]/u.test(link.slice(original.length)) &&
    /[\p{L}\p{N}]$/u.test(original)
  );
}

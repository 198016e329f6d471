import type { Document } from '../../formats/format.ts';
import { pairWith, slotIds } from '../../pipeline/pairing.ts';
import { missingInValue, missingTermText } from '../../pipeline/terms/missing-term.ts';
import type { Terms } from '../../pipeline/terms/terms.ts';
import type { Finding } from './finding.ts';
import { collectFindings, type LintedFile } from './lint-document.ts';

/** Terms that a source has and its translation does not have as the glossary wants. Empty translations have no words. */
export function lintTerms(
  target: LintedFile & { readonly locale: string },
  source: Document,
  terms: Terms,
): readonly Finding[] {
  const { document, locale } = target;
  const [findings, report] = collectFindings(target);
  const sourceOf = pairWith(source, { locale });
  const ids = slotIds(document);
  for (const [i, slot] of document.slots.entries()) {
    const from = sourceOf(slot, ids[i] ?? '');
    // A PO entry carries its source.
    const text = slot.source ?? from?.text;
    if (text === undefined || slot.value.trim() === '') continue;
    const written = { value: text, syntax: from?.slot.syntax ?? slot.syntax };
    const missing = missingInValue(terms, written, slot, locale).map(missingTermText);
    if (missing.length > 0) report('glossary-term', slot.span.start, slot.key, missing.join('; '));
  }
  return findings;
}

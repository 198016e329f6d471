import type { Document } from '../../formats/format.ts';
import { pairWith, slotIds } from '../../documents/localization/pairing.ts';
import { missingInValue, missingTermText } from '../../pipeline/terms/missing-term.ts';
import type { Terms } from '../../pipeline/terms/terms.ts';
import type { Finding } from './finding.ts';
import { FindingCollector, type LintedFile } from './findings.ts';

/** Terms that a source has and its translation does not have as the glossary wants. Empty translations have no words. */
export function lintTerms(
  target: LintedFile & { readonly locale: string },
  source: Document,
  terms: Terms,
): readonly Finding[] {
  const { document, locale } = target;
  const findings = new FindingCollector(target);
  const sourceOf = pairWith(source, { locale });
  const ids = slotIds(document);
  for (const [i, slot] of document.slots.entries()) {
    const from = sourceOf(slot, ids[i] ?? '');
    // A PO entry carries its source.
    const text = slot.source ?? from?.text;
    if (text === undefined || slot.value.trim() === '') continue;
    const written = { value: text, syntax: from?.slot.syntax ?? slot.syntax };
    for (const term of missingInValue(terms, written, slot, locale))
      findings.addTo(slot, 'glossary-term', missingTermText(term));
  }
  return findings.findings();
}

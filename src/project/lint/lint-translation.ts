import type { Document } from '../../formats/format.ts';
import { keyId, pairWith, slotIds } from '../../pipeline/pairing.ts';
import { verify } from '../../text/verify.ts';
import { pluralSiblings } from '../plan/plural-siblings.ts';
import type { Finding } from './finding.ts';
import { collectFindings, type LintedFile } from './lint-document.ts';

/** What a translation shows beside its source: missing and extra keys, placeholders, tags. */
export function lintTranslation(
  target: LintedFile & { readonly locale: string },
  source: Document,
): Finding[] {
  const { document, locale } = target;
  const [findings, report] = collectFindings(target);
  const sourceOf = pairWith(source, { locale });
  const isSibling = pluralSiblings(source, locale);
  const sourceKeys = new Set(source.slots.map((slot) => keyId(slot.key)));
  const translated = new Set<string>();
  const ids = slotIds(document);
  const extra = new Set<string>();
  for (const [i, slot] of document.slots.entries()) {
    const from = sourceOf(slot, ids[i] ?? '');
    if (slot.value !== '') translated.add(keyId(slot.plural?.group ?? slot.key));
    if (!from) {
      const entry = keyId(slot.plural?.group ?? slot.key);
      if (!extra.has(entry) && !sourceKeys.has(keyId(slot.key)) && !isSibling(slot))
        report('extra-key', slot.span.start, slot.key, 'the source does not have this key');
      extra.add(entry);
      continue;
    }
    // A PO entry is compared with the source it carries, by itself.
    if (slot.value === '' || slot.source !== undefined) continue;
    const sources = from.forms ?? from.text;
    for (const { rule, detail } of verify(sources, slot.value, { syntax: from.slot.syntax, locale })) {
      report(rule, slot.span.start, slot.key, detail);
    }
  }
  for (const slot of source.slots) {
    const key = slot.plural?.group ?? slot.key;
    if (translated.has(keyId(key)) || (slot.value === '' && slot.source === undefined)) continue;
    translated.add(keyId(key));
    report('missing-key', 0, key, 'the key has no translation');
  }
  return findings;
}

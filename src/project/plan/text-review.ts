import type { Document, Slot } from '../../formats/format.ts';
import type { MessageRules } from '../../formats/message-rules.ts';
import { describeFormat, type FormatId } from '../../formats/registry.ts';
import type { Framework } from '../../frameworks/registry.ts';
import { traitsOf } from '../../text/review/catalogue.ts';
import type { References } from '../../text/review/arguments.ts';
import { reviewPage } from '../../text/review/page.ts';
import type { Remark } from '../../text/review/remark.ts';
import { reviewMessage, reviewTranslation } from '../../text/review/review.ts';
import { isStated } from '../../text/syntax.ts';
import { originalsOf } from './originals.ts';

/** A scanned file under the name that findings use. */
export interface ReviewedFile {
  readonly document: Document;
  readonly format: FormatId;
  readonly name: string;
  /** Canonical, where known: without it plural categories are not judged. */
  readonly locale: string | undefined;
  readonly framework: Framework;
  /** How the framework reads messages, where it says so. */
  readonly messages: MessageRules | undefined;
}

/** A remark, and whether the program surely reads the text as the remark takes it. */
export type CertainRemark = Remark & { readonly isCertain: boolean };

/**
 * Reviews the texts of a file one by one, compared with those that they translate: what `lint` reports of them, and what
 * `status` counts as invalid.
 *
 * @param source see `originalsOf`
 * @returns for a slot of the document and its place among the slots
 */
export function textReviewer(
  file: ReviewedFile,
  source: Document | 'none' | undefined,
): (slot: Slot, index: number) => readonly CertainRemark[] {
  const { document, locale, framework, messages } = file;
  const { lint: rules = {} } = framework;
  const originalOf = originalsOf(document, source, locale);
  const { hasNames, hasFlags, isManual } = traitsOf(document.slots);
  const isPage = describeFormat(file.format).isProse === true;
  const isKnown = rules.isCertain ?? messages !== undefined;
  const readAs = messages?.readAs ?? asIs;
  const references = rules.references && referencesTo(source, document, rules.references);
  return (slot, index) => {
    const value = readAs(slot.resolved ?? slot.value);
    if (value === '') return [];
    const { texts, syntax, category, selectors } = originalOf(slot, index);
    if (isPage) return reviewPage(texts ?? [], value).map((remark) => ({ ...remark, isCertain: true }));
    const isCertain = isKnown || isStated(syntax);
    const options = {
      syntax,
      locale,
      form: category,
      selectors,
      rule: messages?.rule,
      supplied: rules.supplied?.(slot.key, file.name),
      spared: rules.spared?.(slot.key),
      references,
      hasNames: hasNames && messages?.hasNames !== false,
      hasOwnFormat: hasFlags && syntax === 'plain',
      isManual,
      isCertain,
    };
    const remarks = texts
      ? reviewTranslation(texts.map(readAs), value, options)
      : reviewMessage(value, options);
    return remarks.map((remark) => ({ ...remark, isCertain: isCertain && remark.isDoubtful !== true }));
  };
}

/** @param pattern see `LintRules` */
function referencesTo(
  source: Document | 'none' | undefined,
  document: Document,
  pattern: RegExp,
): References {
  const { slots } = typeof source === 'object' ? source : document;
  const keys = new Set(slots.map(({ key }) => key.join('.')));
  return {
    includes: (raw) => pattern.test(raw),
    isKnown: (raw) => keys.has(pattern.exec(raw)?.[1] ?? ''),
  };
}

const asIs = (value: string): string => value;

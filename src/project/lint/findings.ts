import { escapeControls } from '../../base/escape-controls.ts';
import { positionsIn } from '../../base/span.ts';
import type { Key, Slot } from '../../formats/format.ts';
import { writePath } from '../../formats/key-text.ts';
import { describeFormat, knownText, type FormatId } from '../../formats/registry.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import type { Remark } from '../../text/review/remark.ts';
import type { ReviewedFile } from '../plan/text-review.ts';
import { atMost, RULES, type Finding, type LintRule } from './finding.ts';

/** More findings of one kind are only counted. */
const MAX_DETAILS = 4;

/** The finding of one rule about one message, while it is collected. */
interface FindingDraft {
  readonly rule: LintRule;
  readonly offset: number;
  readonly key: Key | undefined;
  readonly categories: Set<string>;
  readonly details: Set<string>;
  readonly missing: Set<string>;
  readonly added: Set<string>;
  /** Whether a detail is certainly read this way: others are warnings at most. */
  isCertain: boolean;
}

/**
 * The findings of one file. A rule gives at most one finding for a message, which lists all differences in all plural
 * forms.
 */
export class FindingCollector {
  readonly #file: ReviewedFile;
  readonly #positionOf: ReturnType<typeof positionsIn>;
  readonly #drafts: FindingDraft[] = [];
  /** By rule and plural. */
  readonly #open = new Map<string, FindingDraft>();

  constructor(file: ReviewedFile) {
    this.#file = file;
    this.#positionOf = positionsIn(file.document.text);
  }

  /** Something at a place of the file. */
  add(rule: LintRule, offset: number, key: Key | undefined, detail: string, isCertain = true): void {
    const draft = draftOf(rule, offset, key, isCertain);
    draft.details.add(detail);
    this.#drafts.push(draft);
  }

  /** Something about the value of a slot. */
  addTo(slot: Slot, rule: LintRule, detail: string, isCertain = true, argument?: Remark['argument']): void {
    // Forms that are entries have keys that people search for.
    const plural = slot.plural?.entry ? undefined : slot.plural;
    const id = plural ? `${rule} ${keyId(plural.group)}` : `${rule} ${slot.span.start}`;
    let draft = this.#open.get(id);
    if (!draft) {
      draft = draftOf(rule, slot.span.start, slot.key, isCertain);
      this.#open.set(id, draft);
      this.#drafts.push(draft);
    }
    draft.details.add(detail);
    draft.isCertain ||= isCertain;
    if (argument) (argument.isAdded ? draft.added : draft.missing).add(argument.raw);
    if (plural) draft.categories.add(plural.category);
  }

  findings(): Finding[] {
    const { format, name: file, locale, document } = this.#file;
    if (this.#drafts.length === 0) return [];
    const slots = new Map(document.slots.map((slot) => [keyId(slot.key), slot]));
    const slotOf = (key: Key | undefined): Slot | undefined => key && slots.get(keyId(key));
    return this.#drafts.map(({ rule, offset, key, categories, details, isCertain, missing, added }) => {
      const named = categories.size > 0 ? key?.slice(0, -1) : key;
      return {
        rule,
        severity: isCertain ? RULES[rule].severity : atMost(RULES[rule].severity, 'warning'),
        file,
        ...this.#positionOf(offset),
        locale,
        key,
        ...knownText(format, slotOf(key)?.source ?? slotOf(key)?.value),
        keyName: named && visible(nameKey(named, format, [...categories])),
        message: visible(join([...details])),
        // Other arguments are missing, whatever the program passes.
        renamed: missing.size > added.size ? [] : [...added],
      };
    });
  }
}

function draftOf(rule: LintRule, offset: number, key: Key | undefined, isCertain: boolean): FindingDraft {
  const sets = { categories: new Set<string>(), details: new Set<string>() };
  return { rule, offset, key, isCertain, ...sets, missing: new Set(), added: new Set() };
}

function join(details: readonly string[]): string {
  const more = details.length - MAX_DETAILS;
  const listed = details.slice(0, MAX_DETAILS).join('; ');
  return more > 0 ? `${listed}; and ${more} more` : listed;
}

/** Quoted parts of values may have line breaks, but a message has to be one line. */
function visible(text: string): string {
  return escapeControls(text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/**
 * A key in the notation of its file, for searching.
 *
 * @param categories of the affected plural forms
 */
function nameKey(key: Key, format: FormatId, categories: readonly string[] = []): string {
  const { writeKey = writePath } = describeFormat(format);
  const forms = categories.length === 0 ? '' : ` [${categories.join(', ')}]`;
  return writeKey(key) + forms;
}

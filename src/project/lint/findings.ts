import { escapeControls } from '../../base/escape-controls.ts';
import { positionsIn } from '../../base/span.ts';
import type { Key, Slot } from '../../formats/format.ts';
import { writePath } from '../../formats/key-text.ts';
import { type DescribedFormat, knownText } from '../../formats/registry.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import type { Remark } from '../../text/review/remark.ts';
import type { ReviewedFile } from '../plan/text-review.ts';
import { atMostWarning, RULES, type Finding, type LintRule } from './finding.ts';

/** Further findings of one kind are only counted. */
const MAX_DETAILS = 4;

/** A rule's finding about a message, while details are collected. */
interface FindingDraft {
  readonly rule: LintRule;
  readonly offset: number;
  readonly key: Key | undefined;
  readonly categories: Set<string>;
  readonly details: Set<string>;
  readonly missing: Set<string>;
  readonly added: Set<string>;
  /** Whether the program is certain to read the detail this way. Otherwise the finding is a warning at most. */
  isCertain: boolean;
}

/**
 * The findings of one file. A rule gives at most one finding per message, which lists all differences in all plural
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

  /** Adds a finding at a position in the file. */
  add(rule: LintRule, offset: number, key: Key | undefined, detail: string, isCertain = true): void {
    const draft = draftOf(rule, offset, key, isCertain);
    draft.details.add(detail);
    this.#drafts.push(draft);
  }

  /** Adds a finding about a slot's value. */
  addTo(slot: Slot, rule: LintRule, detail: string, isCertain = true, argument?: Remark['argument']): void {
    // If the forms are separate entries, the finding shows their keys, for which people can search.
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
        severity: isCertain ? RULES[rule].severity : atMostWarning(RULES[rule].severity),
        file,
        ...this.#positionOf(offset),
        locale,
        key,
        ...knownText(format, slotOf(key)?.source ?? slotOf(key)?.value),
        keyName: named && visible(nameKey(named, format, [...categories])),
        message: visible(join([...details])),
        // If more are missing than added, an argument is missing in any case.
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

/** Escapes control characters, so that a quoted value stays on one line and all of it is visible. */
function visible(text: string): string {
  return escapeControls(text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/**
 * The key in its file's notation, which people can search for.
 *
 * @param categories of the affected plural forms
 */
function nameKey(key: Key, format: DescribedFormat, categories: readonly string[]): string {
  const { writeKey = writePath } = format;
  const forms = categories.length === 0 ? '' : ` [${categories.join(', ')}]`;
  return writeKey(key) + forms;
}

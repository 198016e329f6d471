import { escapeControls } from '../../base/escape-controls.ts';
import { positionsIn } from '../../base/span.ts';
import type { Document, Key, Slot } from '../../formats/format.ts';
import type { FormatId } from '../../formats/registry.ts';
import { keyId } from '../../documents/localization/pairing.ts';
import { RULES, type Finding, type Rule } from './finding.ts';
import { nameKey } from './key-name.ts';

/** A scanned file under the name that findings use. */
export interface LintedFile {
  readonly document: Document;
  readonly format: FormatId;
  readonly name: string;
  /** Canonical, where known: without it plural categories are not judged. */
  readonly locale: string | undefined;
}

/** More of one kind are only counted. */
const MAX_DETAILS = 4;

/** What one rule has to say of one message. */
interface Draft {
  readonly rule: Rule;
  readonly offset: number;
  readonly key: Key | undefined;
  readonly categories: Set<string>;
  readonly details: Set<string>;
}

/**
 * The findings of one file. What a rule says of one message is one finding, however many differences there are and
 * however many plural forms have them.
 */
export class FindingCollector {
  readonly #file: LintedFile;
  readonly #positionOf: ReturnType<typeof positionsIn>;
  readonly #drafts: Draft[] = [];
  /** By rule and plural. */
  readonly #open = new Map<string, Draft>();

  constructor(file: LintedFile) {
    this.#file = file;
    this.#positionOf = positionsIn(file.document.text);
  }

  /** Something at a place of the file. */
  add(rule: Rule, offset: number, key: Key | undefined, detail: string): void {
    this.#drafts.push({ rule, offset, key, categories: new Set(), details: new Set([detail]) });
  }

  /** Something about the value of a slot. */
  addTo(slot: Slot, rule: Rule, detail: string): void {
    const id = slot.plural ? `${rule} ${keyId(slot.plural.group)}` : `${rule} ${slot.span.start}`;
    let draft = this.#open.get(id);
    if (!draft) {
      draft = { rule, offset: slot.span.start, key: slot.key, categories: new Set(), details: new Set() };
      this.#open.set(id, draft);
      this.#drafts.push(draft);
    }
    draft.details.add(detail);
    if (slot.plural) draft.categories.add(slot.plural.category);
  }

  findings(): Finding[] {
    const { format, name: file, locale } = this.#file;
    return this.#drafts.map(({ rule, offset, key, categories, details }) => {
      const named = categories.size > 0 ? key?.slice(0, -1) : key;
      return {
        rule,
        severity: RULES[rule].severity,
        file,
        ...this.#positionOf(offset),
        locale,
        key,
        keyName: named && visible(nameKey(named, format, [...categories])),
        message: visible(join([...details])),
      };
    });
  }
}

function join(details: readonly string[]): string {
  const more = details.length - MAX_DETAILS;
  const said = details.slice(0, MAX_DETAILS).join('; ');
  return more > 0 ? `${said}; and ${more} more` : said;
}

/** Pieces of values may have line breaks: a message is one line, wherever it is shown. */
function visible(text: string): string {
  return escapeControls(text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

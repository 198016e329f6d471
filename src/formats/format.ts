import type { Edit, Span } from '../base/span.ts';
import type { BranchRule } from '../text/choice.ts';
import type { PluralKey } from '../text/plural-keys.ts';
import type { Syntax } from '../text/syntax.ts';
import type { MessageRules } from './message-rules.ts';

/**
 * Path segments of a slot, never joined: a dotted key is one segment. PO: msgctxt (empty without one) and msgid, for a
 * plural form its category as well. Slots get longer ones by `concat`: an array that is spread and appended to has room for
 * 16 more.
 */
export type Key = readonly string[];

/** One form of a plural message. */
export interface PluralForm {
  /** The key of the message that the forms belong to. */
  readonly group: Key;
  /** CLDR category: zero, one, two, few, many, other. */
  readonly category: string;
  /** The key that the message has where it is one text. Default: the group. */
  readonly single?: Key | undefined;
  /** What the message is translated from, where the file itself carries it (PO: msgid and msgid_plural). */
  readonly sources?: readonly [singular: string, plural: string] | undefined;
  /** Where the form is an entry of its own, which counts as a key of the file: how its program finds it. */
  readonly entry?: PluralKey | undefined;
  /** Where the message is one text, that is its form `other`: both are the same message. Default: one replaces the other. */
  readonly includesText?: boolean | undefined;
}

/**
 * A place in a file that holds a translatable value. A file has up to some 100,000: a format makes them of one class,
 * with `encode` on its prototype, so that a copy by spreading has none.
 */
export interface Slot {
  /** Where the value stands. Not unique: a duplicate key gives two slots, in file order. */
  readonly key: Key;
  /** The value as the program that loads the file sees it, in the notation that `syntax` names. */
  readonly value: string;
  /** What an edit of this slot replaces: exactly what {@link encode} writes, including quotes where it writes them. */
  readonly span: Span;
  readonly syntax: Syntax;
  /** The rule of the application by which it takes one of the branches of a value. Default: that of the syntax. */
  readonly rule?: BranchRule | undefined;
  /** The developer's note to the translator, for context and for the source hash. */
  readonly comment?: string | undefined;
  readonly plural?: PluralForm | undefined;
  /** How far the translation has come, where the format says so. */
  readonly state?: TranslationState | undefined;
  /** The source text, where the file itself carries it (PO: msgid or msgid_plural, by category). */
  readonly source?: string | undefined;
  /**
   * The text that is shown with the value, where the file puts it together: with what names in it stand for, or with what
   * stands around it in its message. Empty where the value alone is no text. Default: the value.
   */
  readonly resolved?: string | undefined;
  /** The key of the message of which the value is a piece: translations may have other pieces. */
  readonly whole?: Key | undefined;
  /** The file asks for a translation, whatever stands there (XLIFF: needs-translation). */
  readonly provisional?: boolean | undefined;
  /** The file says that somebody has to look at the value (PO: fuzzy). An empty value has no mark. */
  readonly review?: ReviewMark | undefined;
  /** Edits that have to go with a new value (PO: removing the fuzzy flag and the previous msgid). */
  readonly companions?: readonly Edit[] | undefined;
  /** Those that go with it instead, where somebody has to look at the new value. */
  readonly marking?: readonly Edit[] | undefined;
  /**
   * Text that holds `value` legally at exactly this place: quotes, indentation, escapes, line ends of the document.
   *
   * @param syntax what the value is written in, where that is not the slot's own: a place for text may become one for
   * markup, and the other way round. Default: the slot's.
   * @param forReview whether it goes with {@link marking}
   * @throws DragomanError `unencodable_value` when the place has no way to write it.
   */
  encode(value: string, syntax?: Syntax, forReview?: boolean): string;
}

/** What a file says of a translation that somebody has to look at. */
export interface ReviewMark {
  /** The key of the message that a tool took the translation from, where the file says so (PO: `#| msgid`). */
  readonly takenFrom?: Key | undefined;
}

/**
 * Whether a file alone says that a value is no translation of its source: it asks for one, or a tool took the value from
 * a similar message. What is marked for review otherwise is somebody's draft.
 */
export function isGuess({ provisional, review }: Slot): boolean {
  return provisional === true || review?.takenFrom !== undefined;
}

/** Gets a key with its value. The array of the key may be reused for the next one: whoever keeps it copies it. */
export type ReadValue = (key: Key, value: string) => void;

/** A removable and insertable piece of a document: a pair, an element, a line group with its own comments. */
export interface Entry {
  readonly key: Key;
  /** The entry with the comments that belong to it, without separators towards its neighbours. */
  readonly span: Span;
  /** Entries inside it, in file order; absent for an entry that is inserted and removed only as a whole. */
  readonly children?: readonly Entry[] | undefined;
  /**
   * What stands there instead of a text, where the format knows it: `null`, which is a place for one, or another `value`,
   * such as a number or what a program computes.
   */
  readonly noText?: 'null' | 'value' | undefined;
}

/**
 * What a scan found. Owns no resources.
 *
 * @typeParam Tree what its format needs to edit the document's structure
 */
export interface Document<Tree = unknown> {
  readonly text: string;
  /** In file order, spans disjoint. */
  readonly slots: readonly Slot[];
  readonly entries: readonly Entry[];
  /** Read when it is first asked for, and kept: most scans are for values only. */
  readonly tree: Tree;
  /** Human-readable name of the recognised dialect, such as `i18next` or `Android`. */
  readonly dialect: string;
  /** The locale that the file itself names (ARB `@@locale`, PO `Language`, a Rails root key), as spelled there. */
  readonly locale?: string | undefined;
  /** The language of the source texts beside the translations, where a bilingual file names it, as spelled there. */
  readonly sourceLocale?: string | undefined;
  /** Duplicate keys, bytes that are not UTF-8: readable, but worth a lint finding. */
  readonly warnings: readonly DocumentWarning[];
  /**
   * Edits in front of the first slot, which change no slot: rendering makes them with its own. A text and slots with them
   * would be another copy of the file.
   */
  readonly pending?: readonly Edit[] | undefined;
}

export interface DocumentWarning {
  /**
   * `invalid-byte`: the lone surrogate at `offset` stands for a byte that is not UTF-8, see `stray-bytes.ts`.
   * `unreadable-entry`: programs skip the entry there, and read what follows.
   * `unreadable-settings`: what stands above a document of running text is in no notation that its texts can be found in.
   */
  readonly rule: 'duplicate-key' | 'invalid-byte' | 'unreadable-entry' | 'unreadable-settings';
  /** What is wrong, where the rule does not say it. */
  readonly message?: string | undefined;
  /** Absent outside of entries, as in a comment. */
  readonly key?: Key | undefined;
  readonly offset: number;
}

/** The languages of a file that holds several, as it spells them. */
export interface FileLanguages {
  /** The one that it is translated from, where it says so. */
  readonly source: string | undefined;
  /** Those that it has texts of. */
  readonly all: readonly string[];
}

export interface ScanOptions {
  /**
   * The language of the file, canonical (`pt-BR`), when the caller knows it from its path. Of a file that holds all
   * languages: the one that is read; default: its source language.
   */
  readonly locale?: string | undefined;
  /** Whether the file's encoding can hold this string. Default: it can hold everything. */
  readonly encodable?: ((text: string) => boolean) | undefined;
  /**
   * The document that this one is a translation of. A key that readers of the format may take for one of its keys gets
   * its name (YAML: `true` for `yes`).
   */
  readonly source?: Document | undefined;
  /** How its framework reads messages, where that is known. Default: the values show it. */
  readonly messages?: MessageRules | undefined;
  /** Whether the file was sent to a server: others wait while it is read, so that its size has narrower bounds. */
  readonly isUpload?: boolean | undefined;
}

export interface RetargetOptions {
  /** Canonical code of the target, decides plural categories: `pt-BR`. */
  readonly locale: string;
  /** The target as the layout of the project spells it: `pt_BR`. Written where the file names its own locale. */
  readonly spelling: string;
  /**
   * `new`: the document is the source, to become the target's skeleton: locale names change, plural branches become
   * exactly the target's categories, a PO's translations are emptied. `existing`: the document is the target's own
   * file: only missing plural branches are added, nothing goes.
   */
  readonly role: 'new' | 'existing';
  /**
   * `new`: the file that the target has already. Where a file says itself which plural forms it has (PO: its header), the
   * skeleton gets the same ones, with the same names.
   */
  readonly like?: Document | undefined;
  /**
   * `new`, of running text: what stands there instead of the destination of a link, as the document has it. Undefined
   * for a destination that stays.
   */
  readonly linkTo?: LinkTo | undefined;
}

export type LinkTo = (destination: string) => string | undefined;

/**
 * A file format. All functions are pure: text in, locations and edits out. A format never writes a file and never
 * prints a document anew.
 */
export interface Format<Tree = unknown> {
  /**
   * Finds every translatable value.
   *
   * @throws DragomanError `unreadable_input` or `limit_exceeded` with line and column when the text is not well-formed.
   */
  scan(text: string, options?: ScanOptions): Document<Tree>;
  /**
   * Only of formats whose description says that their files hold all languages: those of a file.
   *
   * @param text the file, or as much of its beginning as the description asks for
   * @returns undefined for a file that is no localization
   * @throws DragomanError as `scan`
   */
  languages?(text: string): FileLanguages | undefined;
  /**
   * Reads the keys and values that {@link scan} finds, in the same order, and nothing else: no spans, entries and
   * encoders are made. This proves what was written at a fraction of a scan's weight; without it, a scan is the proof.
   *
   * @throws DragomanError as `scan`
   */
  read?(text: string, visit: ReadValue, options?: ScanOptions): void;
  /** The messages of bilingual files that the program has no more, and that the file keeps for translators. */
  goneKeys?(text: string): readonly Key[];
  /** Edits that turn the document towards another language, without translating a value. Idempotent. */
  retarget(document: Document<Tree>, options: RetargetOptions): readonly Edit[];
  /**
   * Edits that put the skeleton's entries that hold `missing` into `target`, at their source position, in the
   * target's own style of indentation and line ends. `skeleton` is a scan of a retargeted source, `options` are those of the
   * target's scan: a format that can escape what the encoding cannot hold, in keys and comments too, does.
   */
  insert(
    target: Document<Tree>,
    skeleton: Document<Tree>,
    missing: readonly Key[],
    options?: ScanOptions,
  ): readonly Edit[];
  /**
   * Only of formats whose files hold source texts that may change under a key: edits after which the entries with these
   * keys have the source texts that they have in `source`.
   *
   * @param options those of the target's scan
   */
  followSource?(
    target: Document<Tree>,
    source: Document<Tree>,
    keys: readonly Key[],
    options?: ScanOptions,
  ): readonly Edit[];
  /**
   * Edits after which a document that was in another charset declares UTF-8. Only formats whose files may be in a charset
   * that cannot hold every translation have it.
   *
   * @throws DragomanError `unencodable_value` when a text would not mean the same in UTF-8
   */
  toUtf8?(document: Document<Tree>): readonly Edit[];
  /**
   * Refuses a document that stands for so much that programs which load it run out of memory.
   *
   * @throws DragomanError `limit_exceeded`
   */
  requireBounded?(document: Document<Tree>): void;
  /** Edits that remove the entries with these keys, their own comments and separators with them. */
  remove(document: Document<Tree>, keys: readonly Key[]): readonly Edit[];
}

/** How far a translation has come, on the scale of XLIFF 2, in ascending order. */
export const TRANSLATION_STATES = ['initial', 'translated', 'reviewed', 'final'] as const;

export type TranslationState = (typeof TRANSLATION_STATES)[number];

/** How many entries are in each state. */
export type StateCounts = Readonly<Record<TranslationState, number>>;

export function countStates(countOf: (state: TranslationState) => number): StateCounts {
  const [initial, translated, reviewed, final] = TRANSLATION_STATES.map(countOf);
  return { initial: initial ?? 0, translated: translated ?? 0, reviewed: reviewed ?? 0, final: final ?? 0 };
}

/** The counts of two files together; undefined where neither has states. */
export function addStates(a: StateCounts | undefined, b: StateCounts | undefined): StateCounts | undefined {
  return a && b ? countStates((state) => a[state] + b[state]) : (a ?? b);
}

/** Whether a person has approved the translation: such a value is a person's, whoever wrote it. */
export function isApproved(state: TranslationState | undefined): boolean {
  return state === 'reviewed' || state === 'final';
}

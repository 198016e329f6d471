import type { Edit, Span } from '../base/span.ts';
import type { BranchRule } from '../text/choice.ts';
import type { LengthLimit } from '../text/length-limit.ts';
import type { PluralKey } from '../text/plural-keys.ts';
import type { Syntax } from '../text/syntax.ts';
import type { MessageRules } from './message-rules.ts';

/**
 * Path segments of a slot, never joined: a dotted key is one segment. PO: msgctxt (empty if missing) and msgid, and for
 * a plural form its category. Extend keys with `concat`: an array built by spreading and pushing reserves room for 16
 * more elements.
 */
export type Key = readonly string[];

/** One form of a plural message. */
export interface PluralForm {
  /** The key of the message that has these forms. */
  readonly group: Key;
  /** CLDR category: zero, one, two, few, many, other. */
  readonly category: string;
  /** The key of the message if it has a single text. Default: the group. */
  readonly single?: Key | undefined;
  /** The source texts, if the file contains them (PO: msgid and msgid_plural). */
  readonly sources?: readonly [singular: string, plural: string] | undefined;
  /** If the form is a separate entry, which counts as a key of the file: how the program finds it. */
  readonly entry?: PluralKey | undefined;
  /**
   * Whether a single text under the message's key is equivalent to the form `other`. Default: no; the text replaces all
   * forms, or they replace it.
   */
  readonly includesText?: boolean | undefined;
  /** Only whole numbers select the form, as in Android. Default: no. */
  readonly isOfWholeNumbers?: boolean | undefined;
}

/**
 * A place in a file that holds a translatable value. A file can have 100,000 slots, so each format implements them
 * as one class with `encode` on its prototype; spreading a slot loses this method.
 */
export interface Slot {
  /** The path of the value. Not unique: each occurrence of a duplicate key is a slot, in file order. */
  readonly key: Key;
  /** The value as a program reads it, in the notation of `syntax`. */
  readonly value: string;
  /** The text that an edit of this slot replaces: what {@link encode} writes, including quotes if it writes them. */
  readonly span: Span;
  readonly syntax: Syntax;
  /** How the application chooses among the branches of a value. Default: by the rules of the syntax. */
  readonly rule?: BranchRule | undefined;
  /** The developer's note to the translator; part of the context and the source hash. */
  readonly comment?: string | undefined;
  /**
   * The length limit of a translation, if the configuration sets one, or the file sets one outside comments. Other
   * slots do not have this property.
   */
  limit?: LengthLimit | undefined;
  readonly plural?: PluralForm | undefined;
  /** The translation state, if the format records one. */
  readonly state?: TranslationState | undefined;
  /** The source text, if the file contains it (PO: msgid or msgid_plural, by category). */
  readonly source?: string | undefined;
  /**
   * The text that users see, if it differs from the value: with references resolved and with the surrounding text of
   * its message. Empty if the value alone is not text. Default: the value.
   */
  readonly resolved?: string | undefined;
  /** The key of the message if the value is only a piece of it. Translations may have other pieces. */
  readonly whole?: Key | undefined;
  /** Whether the file requests a translation of a text that has one (XLIFF: needs-translation). */
  readonly provisional?: boolean | undefined;
  /** The file's mark that the value needs review (PO: fuzzy). An empty value has no mark. */
  readonly review?: ReviewMark | undefined;
  /** Edits that accompany a new value (PO: removing the fuzzy flag and the previous msgid). */
  readonly companions?: readonly Edit[] | undefined;
  /**
   * Edits that accompany a new value that needs review, instead of {@link companions}. Undefined if the format has a place
   * for marks, but not here.
   */
  marking?(cause: ReviewCause): readonly Edit[] | undefined;
  /**
   * The edits that record an approval of the current value. Absent if the format has no such states.
   *
   * @param state the state after these edits
   */
  approving?(state: 'reviewed' | 'final'): readonly Edit[];
  /**
   * Encodes `value` for this place, with the quotes, indentation, escapes and line ends of the document.
   *
   * @param syntax the notation of `value`, if it differs from the slot's: a text may become markup, and the other way
   * round. Default: the slot's.
   * @param review whether the {@link marking} edits accompany it
   * @throws DragomanError `unencodable_value` if the place cannot hold it
   */
  encode(value: string, syntax?: Syntax, review?: ReviewCause): string;
}

/** Why a new value needs review, which some formats record: an engine translated it, or something else. */
export type ReviewCause = 'machine' | 'other';

/** A file's mark on a translation that needs review. */
export interface ReviewMark {
  /** The key of the message from which a tool copied the translation, if the file names it (PO: `#| msgid`). */
  readonly takenFrom?: Key | undefined;
}

/**
 * Whether the file itself shows that a value is not a translation of its source: it requests a translation, or a tool
 * copied the value from a similar message. Other values marked for review are a person's drafts.
 */
export function isGuess({ provisional, review }: Slot): boolean {
  return provisional === true || review?.takenFrom !== undefined;
}

/** A part of a document that can be inserted and removed: a pair, an element, a group of lines with its comments. */
export interface Entry {
  readonly key: Key;
  /** The entry with its comments, without separators from its neighbours. */
  readonly span: Span;
  /** Nested entries, in file order; absent if the entry is inserted and removed only as a whole. */
  readonly children?: readonly Entry[] | undefined;
  /**
   * Content other than a text: `null`, which a text may replace, or another `value`, such as a number or an expression.
   */
  readonly noText?: 'null' | 'value' | undefined;
}

/**
 * The result of a scan. Owns no resources.
 *
 * @typeParam Tree the structure that the format needs for edits
 */
export interface Document<Tree = unknown> {
  readonly text: string;
  /** The slots in file order, with disjoint spans. */
  readonly slots: readonly Slot[];
  /**
   * Values that contain gettext's plural rule, as in Nextcloud's JSON. They depend on the language, but are not texts.
   */
  readonly pluralRules?: readonly Slot[] | undefined;
  readonly entries: readonly Entry[];
  /** Computed on first use and kept, because most scans only need values. */
  readonly tree: Tree;
  /** Display name of the recognized dialect, such as `i18next` or `Android`. */
  readonly dialect: string;
  /** The locale in the file (ARB `@@locale`, PO `Language`, a Rails root key), as spelled there. */
  readonly locale?: string | undefined;
  /** The language of the source texts, if a bilingual file names it, as spelled there. */
  readonly sourceLocale?: string | undefined;
  /** Problems such as duplicate keys and bytes that are not UTF-8: the file is readable, but lint reports them. */
  readonly warnings: readonly DocumentWarning[];
  /**
   * Edits before the first slot that change no slot. Rendering applies them with its own edits, so that it needs no
   * second copy of the text and slots.
   */
  readonly pending?: readonly Edit[] | undefined;
  /** Whether no entry is a `value` without a text (`Entry.noText`). Undefined if only the entries show it. */
  readonly hasOnlyTexts?: true | undefined;
}

export interface DocumentWarning {
  /**
   * `invalid-byte`: the lone surrogate at `offset` represents a byte that is not UTF-8 (see `stray-bytes.ts`).
   * `unreadable-entry`: programs skip the entry and continue. `unreadable-settings`: the front matter of a document is
   * in an unsupported notation. `unread-code`: a part of a program with strings that are not read.
   */
  readonly rule:
    'duplicate-key' | 'invalid-byte' | 'unreadable-entry' | 'unreadable-settings' | 'unread-code';
  /** Details that the rule does not express. */
  readonly message?: string | undefined;
  /** The key; absent outside entries, for example in a comment. */
  readonly key?: Key | undefined;
  readonly offset: number;
}

/** The languages of a multilingual file, as it spells them. */
export interface FileLanguages {
  /** The source language, if the file names it. */
  readonly source: string | undefined;
  /** The languages that have texts. */
  readonly all: readonly string[];
}

export interface ScanOptions {
  /**
   * The file's language, canonical (`pt-BR`), if the path determines it. For a multilingual file, the language to read.
   * Default: its source language.
   */
  readonly locale?: string | undefined;
  /** Whether the file's encoding can represent this string. Default: always. */
  readonly encodable?: ((text: string) => boolean) | undefined;
  /**
   * The document that this one translates. A key that some readers would parse as one of the source's keys gets the
   * source's name for it (YAML: `true` for `yes`).
   */
  readonly source?: Document | undefined;
  /** How the framework reads messages, if known. Default: inferred from the values. */
  readonly messages?: MessageRules | undefined;
  /** Whether the file was uploaded to a server. Other requests wait while it is parsed, so lower size limits apply. */
  readonly isUpload?: boolean | undefined;
}

export interface RetargetOptions {
  /** Canonical code of the target, which determines plural categories: `pt-BR`. */
  readonly locale: string;
  /** The target as the project's layout spells it: `pt_BR`. Written where a file names its own locale. */
  readonly spelling: string;
  /**
   * `new`: the document is a source that becomes the target's skeleton: locale names change, plural branches become the
   * target's categories, and a PO's translations are emptied. `existing`: the document is the target's current file:
   * missing plural branches are added, and nothing is removed.
   */
  readonly role: 'new' | 'existing';
  /**
   * For `new`: the target's existing file. If a file declares its plural forms (PO: in the header), the skeleton gets
   * the same forms and names.
   */
  readonly like?: Document | undefined;
  /**
   * For `new` running text: the replacement for a link's destination, as written in the document. Undefined keeps the
   * destination.
   */
  readonly linkTo?: LinkTo | undefined;
}

export type LinkTo = (destination: string) => string | undefined;

/**
 * A file format. All functions are pure: text in, locations and edits out. A format never writes files and never
 * reprints a document.
 */
export interface Format<Tree = unknown> {
  /**
   * Finds every translatable value.
   *
   * @throws DragomanError `unreadable_input` or `limit_exceeded` with line and column if the text is malformed
   */
  scan(text: string, options?: ScanOptions): Document<Tree>;
  /**
   * The languages of a file. Only for multilingual formats.
   *
   * @param text the file, or as many bytes of its beginning as the description requests
   * @returns undefined if the file is not a catalogue
   * @throws DragomanError like `scan`
   */
  languages?(text: string): FileLanguages | undefined;
  /**
   * Identifies how a file of a language names plural forms: files of languages with the same id have the same keys.
   * Without it, each language is examined.
   *
   * @param locale canonical
   */
  formsOf?(locale: string): string;
  /** Messages of bilingual files that the program no longer uses and the file keeps for translators. */
  goneKeys?(text: string): readonly Key[];
  /** Edits that adapt the document to another language without translating values. Idempotent. */
  retarget(document: Document<Tree>, options: RetargetOptions): readonly Edit[];
  /**
   * Edits that insert the skeleton's entries with `missing` keys into `target`, at their source position, with the
   * target's indentation and line ends. `skeleton` is a scan of a retargeted source, and `options` are those of the
   * target's scan: a format that can escape characters outside the encoding also escapes them in keys and comments.
   */
  insert(
    target: Document<Tree>,
    skeleton: Document<Tree>,
    missing: readonly Key[],
    options?: ScanOptions,
  ): readonly Edit[];
  /**
   * Edits that update the source texts of these entries to those in `source`. Only for formats whose files contain
   * source texts that may change under a key.
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
   * Edits that make a document in another charset declare UTF-8. Only for formats whose charset may be unable to
   * represent a translation.
   *
   * @throws DragomanError `unencodable_value` if the meaning of a text would change in UTF-8
   */
  toUtf8?(document: Document<Tree>): readonly Edit[];
  /**
   * Rejects a document that expands to more than programs can hold in memory.
   *
   * @throws DragomanError `limit_exceeded`
   */
  requireBounded?(document: Document<Tree>): void;
  /** Edits that remove the entries with these keys, including their comments and separators. */
  remove(document: Document<Tree>, keys: readonly Key[]): readonly Edit[];
}

/** Translation states on the scale of XLIFF 2, in ascending order. */
export const TRANSLATION_STATES = ['initial', 'translated', 'reviewed', 'final'] as const;

export type TranslationState = (typeof TRANSLATION_STATES)[number];

/** Whether a person has approved the translation, which then counts as human. */
export function isApproved(state: TranslationState | undefined): boolean {
  return state === 'reviewed' || state === 'final';
}

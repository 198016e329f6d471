import { failAt } from '../refusal.ts';
import type { Span } from '../../base/span.ts';
import type { Key } from '../format.ts';
import { lineEndOf } from '../lines.ts';
import { declaredCharset } from './charset.ts';
import { unescapePo } from './encode.ts';
import {
  doublesTrailBytes,
  dropFillers,
  hideTrailBytes,
  type Keyword,
  readTokens,
  type TokenSink,
} from './tokens.ts';

/** A text, written as one or several strings. */
interface Literal {
  /** The span from the first quote to the last. */
  readonly span: Span;
  readonly value: string;
}

/** One `msgstr` or `msgstr[n]` with its text. */
export interface PoForm {
  readonly index: number;
  /** The keyword with its index. */
  readonly keyword: Span;
  readonly literal: Literal;
}

export interface CatalogMessage {
  /** Every comment since the previous message, from `#` to the end of its line. */
  readonly comments: readonly Span[];
  readonly obsolete: boolean;
  /** The span from its first keyword to the end of its last string. */
  readonly span: Span;
  readonly context: Literal | undefined;
  readonly id: Literal;
  readonly plural: Literal | undefined;
  /** The translations, in file order. */
  readonly forms: readonly PoForm[];
  /** The index of the message's `domain` directive: the same message in two domains is two messages. */
  readonly domain: number;
}

/** The layout of a PO file. */
export interface CatalogLayout {
  readonly text: string;
  /** Whether the file folds long lines in addition to those with line breaks. */
  readonly wraps: boolean;
  readonly newline: '\n' | '\r\n';
  /** Whether Shift_JIS trail bytes are escaped, for tools that read bytes. */
  readonly doublesTrailBytes: boolean;
}

/** A PO file with all its messages, which take as much memory as a scan. */
export interface Catalog extends CatalogLayout {
  /** All messages in file order, including the header and obsolete ones. */
  readonly messages: readonly CatalogMessage[];
}

/** The context and msgid with which gettext finds a message. */
export function messageKey({ context, id }: CatalogMessage): Key {
  return [context?.value ?? '', id.value];
}

export function isHeader(message: CatalogMessage): boolean {
  return !message.obsolete && message.id.value === '' && message.context === undefined;
}

/** Whether a message can be translated: it is neither the header nor obsolete. */
export function isLive(message: CatalogMessage): boolean {
  return !message.obsolete && !isHeader(message);
}

/** Messages whose translation lists the translators: GNOME's `translator-credits`, KDE's `NAME OF TRANSLATORS`. */
const CREDITS = /^(?:translators?[-_]credits?|_: (?:NAMES?|EMAILS?) OF TRANSLATORS\n.*)$/;
const CREDITS_CONTEXT = /^(?:NAMES?|EMAILS?) OF TRANSLATORS$/;

/**
 * Messages that name a picture of a help page, in the notations of itstool and xml2po. Translators use them to record
 * that they have taken a picture in their language; no page shows their text.
 */
const PICTURE = /^(?:external ref='[^']*' md5='[^']*'|@@image: '[^']*'; md5=.*)$/;

/** Whether a message needs a translation. The header, obsolete messages, credits and names of pictures do not. */
export function holdsText(message: CatalogMessage): boolean {
  if (!isLive(message) || PICTURE.test(message.id.value)) return false;
  return !CREDITS.test(message.id.value) && !(message.context && CREDITS_CONTEXT.test(message.context.value));
}

/** @throws DragomanError `unreadable_input` with the place of malformed input */
export function readCatalog(text: string): Catalog {
  const messages: CatalogMessage[] = [];
  return { ...readMessages(text, (message) => void messages.push(message)), messages };
}

/** The place of an entry. */
export type MessagePlace = Pick<CatalogMessage, 'comments' | 'obsolete' | 'span'>;

/** Receives incomplete obsolete entries, which gettext never uses. */
type TakeRemnant = (place: MessagePlace) => void;

/**
 * Passes on each message in file order and keeps none.
 *
 * @param take returns true to stop reading
 * @throws DragomanError `unreadable_input` with the place of malformed input
 */
export function readMessages(
  text: string,
  take: (message: CatalogMessage) => boolean | void,
  takeRemnant?: TakeRemnant,
): CatalogLayout {
  const doubled = doublesTrailBytes(text, declaredCharset(text.slice(0, 65_536)));
  const readable = doubled ? hideTrailBytes(text) : text;
  const reader = new CatalogReader(readable, doubled, take, takeRemnant);
  readTokens(readable, reader);
  reader.finish();
  return { text, wraps: reader.wraps, newline: lineEndOf(text), doublesTrailBytes: doubled };
}

interface MessageDraft {
  comments: readonly Span[];
  obsolete: boolean;
  start: number;
  /** The end of the last text that was read. */
  end: number;
  context?: Literal;
  id?: Literal;
  plural?: Literal;
  forms: PoForm[];
}

/** The text whose strings are being read. */
interface OpenText {
  readonly keyword: Keyword;
  readonly index: number | undefined;
  readonly obsolete: boolean;
  /** The keyword with its index. */
  readonly span: Span;
  start: number;
  end: number;
  strings: number;
  value: string;
  /** Whether the previous string lacked a final line break: a further string then makes it a folded line. */
  unfinished: boolean;
}

class CatalogReader implements TokenSink {
  isDone = false;
  wraps = false;
  readonly #text: string;
  readonly #take: (message: CatalogMessage) => boolean | void;
  readonly #takeRemnant: TakeRemnant | undefined;
  #comments: Span[] = [];
  #draft: MessageDraft | undefined;
  #open: OpenText | undefined;
  #domain = 0;
  readonly #doubled: boolean;

  constructor(
    text: string,
    doubled: boolean,
    take: (message: CatalogMessage) => boolean | void,
    takeRemnant: TakeRemnant | undefined,
  ) {
    this.#text = text;
    this.#doubled = doubled;
    this.#take = take;
    this.#takeRemnant = takeRemnant;
  }

  comment(start: number, end: number, obsolete: boolean): void {
    this.#separate(obsolete);
    // A comment inside a message does not belong to any message; a comment after a message belongs to the next.
    if (this.#draft && !this.#isComplete()) return;
    this.finish();
    this.#comments.push({ start, end });
  }

  string(start: number, end: number, obsolete: boolean): void {
    this.#separate(obsolete);
    const open = this.#open;
    const text = this.#text;
    if (!open && obsolete) return;
    if (!open) throw failAt(text, start, 'a string without a keyword before it');
    if (open.unfinished) this.wraps = true;
    if (open.strings === 0) open.start = start;
    open.end = end;
    open.unfinished = end - start > 2 && !text.startsWith('\\n', end - 3);
    open.strings++;
    const read = unescapePo(text.slice(start + 1, end - 1));
    open.value = open.value === '' ? read : open.value + read;
  }

  keyword(keyword: Keyword, index: number | undefined, start: number, end: number, obsolete: boolean): void {
    this.#separate(obsolete);
    this.#closeText();
    if (this.#draft && this.#isComplete() && !(keyword === 'msgstr' && index !== undefined)) this.finish();
    const misplaced = this.#misplaced(keyword, index, start);
    if (misplaced && !obsolete) throw misplaced;
    // An incomplete obsolete entry is never used, and the next keyword starts another entry.
    if (misplaced) this.finish();
    this.#open = {
      keyword,
      index,
      obsolete,
      span: { start, end },
      start: end,
      end,
      strings: 0,
      value: '',
      unfinished: false,
    };
    if (keyword === 'domain' || this.#draft) return;
    this.#draft = { comments: this.#comments, obsolete, start, end, forms: [] };
    this.#comments = [];
  }

  #separate(obsolete: boolean): void {
    if (this.#draft && obsolete !== this.#draft.obsolete) this.finish();
  }

  /** The error for a keyword that is not allowed at this place in the entry. */
  #misplaced(keyword: Keyword, index: number | undefined, start: number): Error | undefined {
    const draft = this.#draft;
    const problem = (message: string): Error => failAt(this.#text, start, message);
    if (keyword === 'msgstr') {
      if (!draft?.id) return problem('msgstr without msgid');
      if (index === undefined && draft.plural) return problem('expected msgstr[0] after msgid_plural');
      if (index !== undefined && !draft.plural) return problem(`msgstr[${index}] without msgid_plural`);
      const isTwice = draft.forms.some((form) => form.index === (index ?? 0));
      return isTwice ? problem(`msgstr[${index ?? 0}] twice`) : undefined;
    }
    if (keyword === 'msgid_plural') {
      if (!draft?.id) return problem('msgid_plural without msgid');
      return draft.plural ? problem('msgid_plural twice') : undefined;
    }
    return draft && !(keyword === 'msgid' && !draft.id) ? this.#incomplete(draft) : undefined;
  }

  #incomplete(draft: MessageDraft): Error {
    const wanted = !draft.id ? 'msgid' : draft.plural ? 'msgstr[0]' : 'msgstr';
    const last = draft.plural ?? draft.id ?? draft.context;
    return failAt(
      this.#text,
      draft.start,
      `${wanted} is missing from this entry`,
      last && `It comes after the string ${JSON.stringify(last.value.slice(0, 40))}.`,
    );
  }

  #isComplete(): boolean {
    return this.#open?.keyword === 'msgstr'
      ? this.#open.strings > 0
      : (this.#draft?.forms.length ?? 0) > 0 && !this.#open;
  }

  /** Called after the last string of a keyword. */
  #closeText(): void {
    const open = this.#open;
    const draft = this.#draft;
    const text = this.#text;
    this.#open = undefined;
    if (!open) return;
    const { keyword, index, span, obsolete } = open;
    if (draft) draft.end = open.end;
    if (open.strings === 0) {
      if (obsolete) return;
      throw failAt(text, span.start, `${keyword} without a string`);
    }
    if (keyword === 'domain') {
      this.#domain++;
      return;
    }
    if (!draft) return;
    const read = open.value;
    const value = this.#doubled ? dropFillers(read) : read;
    const literal = { span: { start: open.start, end: open.end }, value };
    if (keyword === 'msgctxt') draft.context = literal;
    else if (keyword === 'msgid') draft.id = literal;
    else if (keyword === 'msgid_plural') draft.plural = literal;
    else draft.forms.push({ index: index ?? 0, keyword: span, literal });
  }

  /** Completes the message. */
  finish(): void {
    if (this.isDone) return;
    this.#closeText();
    const draft = this.#draft;
    this.#draft = undefined;
    if (!draft) return;
    const last = draft.forms.at(-1);
    if (draft.id && last) {
      const ended = this.#take({
        comments: draft.comments,
        obsolete: draft.obsolete,
        span: { start: draft.start, end: last.literal.span.end },
        context: draft.context,
        id: draft.id,
        plural: draft.plural,
        forms: draft.forms,
        domain: this.#domain,
      });
      if (ended === true) this.isDone = true;
    } else if (!draft.obsolete) throw this.#incomplete(draft);
    else this.#takeRemnant?.({ ...draft, span: { start: draft.start, end: draft.end } });
  }
}

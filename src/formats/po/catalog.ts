import type { Span } from '../../base/span.ts';
import type { Key } from '../format.ts';
import { declaredCharset } from './charset.ts';
import { unescapePo } from './encode.ts';
import {
  doublesTrailBytes,
  dropFillers,
  failAt,
  hideTrailBytes,
  type Keyword,
  readTokens,
  type TokenSink,
} from './tokens.ts';

/** One text, written as one string or several. */
interface Literal {
  /** From the first quote to the last. */
  readonly span: Span;
  readonly value: string;
}

/** One `msgstr` or `msgstr[n]` with its text. */
export interface Form {
  readonly index: number;
  /** The keyword with its bracket. */
  readonly keyword: Span;
  readonly literal: Literal;
}

export interface CatalogMessage {
  /** Every comment since the message before, from `#` to the end of its line. */
  readonly comments: readonly Span[];
  readonly obsolete: boolean;
  /** Where its first keyword stands, and where its last string ends. */
  readonly span: Span;
  readonly context: Literal | undefined;
  readonly id: Literal;
  readonly plural: Literal | undefined;
  /** In file order. */
  readonly forms: readonly Form[];
  /** Which `domain` directive it stands under: the same message in two domains is two messages. */
  readonly domain: number;
}

/** How a PO file is written. */
export interface CatalogLayout {
  readonly text: string;
  /** Whether the file folds long lines, not only those that hold several. */
  readonly wraps: boolean;
  readonly newline: '\n' | '\r\n';
  /** Shift_JIS for tools that read bytes. */
  readonly doublesTrailBytes: boolean;
}

/** A PO file with all of its messages: as much again as a scan holds. */
export interface Catalog extends CatalogLayout {
  /** In file order, header and obsolete ones with them. */
  readonly messages: readonly CatalogMessage[];
}

/** Context and msgid: what gettext looks a message up by. */
export function messageKey({ context, id }: CatalogMessage): Key {
  return [context?.value ?? '', id.value];
}

/** The entry that describes the file instead of translating a text. */
export function isHeader(message: CatalogMessage): boolean {
  return !message.obsolete && message.id.value === '' && message.context === undefined;
}

/** Whether a message is translated: neither the header nor an obsolete one. */
export function isLive(message: CatalogMessage): boolean {
  return !message.obsolete && !isHeader(message);
}

/** The lines in which translators enter themselves: GNOME's `translator-credits`, KDE's `NAME OF TRANSLATORS`. */
const CREDITS = /^(?:translators?[-_]credits?|_: (?:NAMES?|EMAILS?) OF TRANSLATORS\n.*)$/;
const CREDITS_CONTEXT = /^(?:NAMES?|EMAILS?) OF TRANSLATORS$/;

/** Whether a message has a text to translate: it is live, and not the translators' credits, which they write themselves. */
export function holdsText(message: CatalogMessage): boolean {
  if (!isLive(message)) return false;
  return !CREDITS.test(message.id.value) && !(message.context && CREDITS_CONTEXT.test(message.context.value));
}

/** @throws DragomanError `unreadable_input` with the place of what makes no sense. */
export function readCatalog(text: string): Catalog {
  const messages: CatalogMessage[] = [];
  return { ...readMessages(text, (message) => void messages.push(message)), messages };
}

/** Where an entry stands. */
export type MessagePlace = Pick<CatalogMessage, 'comments' | 'obsolete' | 'span'>;

/** Gets obsolete entries that are not complete. gettext never uses them. */
type TakeRemnant = (place: MessagePlace) => void;

/**
 * Hands over one message after the other, in file order, and keeps none.
 *
 * @param take says with true that no more are wanted: then the rest of the file is not read
 * @throws DragomanError `unreadable_input` with the place of what makes no sense.
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
  return { text, wraps: reader.wraps, newline: newlineIn(text), doublesTrailBytes: doubled };
}

export function newlineIn(text: string): '\n' | '\r\n' {
  const feed = text.indexOf('\n');
  return feed > 0 && text.charCodeAt(feed - 1) === 13 ? '\r\n' : '\n';
}

interface MessageDraft {
  comments: readonly Span[];
  obsolete: boolean;
  start: number;
  /** Of the last text that was read. */
  end: number;
  context?: Literal;
  id?: Literal;
  plural?: Literal;
  forms: Form[];
}

/** The text that the strings being read belong to. */
interface OpenText {
  readonly keyword: Keyword;
  readonly index: number | undefined;
  readonly obsolete: boolean;
  /** Of the keyword with its bracket. */
  readonly span: Span;
  start: number;
  end: number;
  strings: number;
  value: string;
  /** Whether the string before ended without a line break of its own: one more makes it a folded line. */
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
    // A comment inside a message belongs to nothing; one behind a message belongs to the next.
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
    // An obsolete entry that is not complete is never used, and what follows is another one.
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

  /** What is wrong with this keyword at this place in the entry. */
  #misplaced(keyword: Keyword, index: number | undefined, start: number): Error | undefined {
    const draft = this.#draft;
    const problem = (message: string): Error => failAt(this.#text, start, message);
    if (keyword === 'msgstr') {
      if (!draft?.id) return problem('msgstr without msgid');
      if (index === undefined && draft.plural) return problem('after msgid_plural comes msgstr[0]');
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

  /** The strings of a keyword are all there. */
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

  /** The message is all there. */
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

import type { Span } from '../../base/span.ts';
import { declaredCharset } from './charset.ts';
import { unescapePo } from './quoting.ts';
import { failAt, readTokens, type CommentToken, type KeywordToken, type Token } from './tokens.ts';
import { doublesTrailBytes, dropFillers, hideTrailBytes } from './trail-bytes.ts';

/** One text, written as one string or several. */
export interface Literal {
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

export interface Message {
  /** Every comment since the message before. */
  readonly comments: readonly CommentToken[];
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

/** A PO file as it is written. */
export interface Catalog {
  readonly text: string;
  /** In file order, header and obsolete ones with them. */
  readonly messages: readonly Message[];
  /** Whether the file folds long lines, not only those that hold several. */
  readonly wraps: boolean;
  readonly newline: '\n' | '\r\n';
  /** Shift_JIS for tools that read bytes. */
  readonly doublesTrailBytes: boolean;
}

/** The entry that describes the file instead of translating a text. */
export function isHeader(message: Message): boolean {
  return !message.obsolete && message.id.value === '' && message.context === undefined;
}

/** @throws DragomanError `unreadable_input` with the place of what makes no sense. */
export function readCatalog(text: string): Catalog {
  const doubled = doublesTrailBytes(text, declaredCharset(text.slice(0, 65_536)));
  const readable = doubled ? hideTrailBytes(text) : text;
  const reader = new CatalogReader(readable, doubled);
  readTokens(readable, (token) => reader.take(token));
  reader.finish();
  const feed = text.indexOf('\n');
  return {
    text,
    messages: reader.messages,
    wraps: reader.wraps,
    newline: feed > 0 && text.charCodeAt(feed - 1) === 13 ? '\r\n' : '\n',
    doublesTrailBytes: doubled,
  };
}

interface Draft {
  comments: readonly CommentToken[];
  obsolete: boolean;
  start: number;
  context?: Literal;
  id?: Literal;
  plural?: Literal;
  forms: Form[];
}

/** The text that the strings being read belong to. */
interface OpenText {
  readonly keyword: KeywordToken;
  start: number;
  end: number;
  strings: number;
  value: string;
  /** Whether the string before ended without a line break of its own: one more makes it a folded line. */
  unfinished: boolean;
}

class CatalogReader {
  readonly messages: Message[] = [];
  wraps = false;
  private readonly text: string;
  private comments: CommentToken[] = [];
  private draft: Draft | undefined;
  private open: OpenText | undefined;
  private domain = 0;
  private readonly doubled: boolean;

  constructor(text: string, doubled: boolean) {
    this.text = text;
    this.doubled = doubled;
  }

  take(token: Token): void {
    if (this.draft && token.obsolete !== this.draft.obsolete) this.finish();
    if (token.kind === 'comment') {
      // A comment inside a message belongs to nothing; one behind a message belongs to the next.
      if (!this.draft || this.isComplete()) {
        this.finish();
        this.comments.push(token);
      }
    } else if (token.kind === 'keyword') this.takeKeyword(token);
    else this.takeString(token);
  }

  private takeString({ span: { start, end }, obsolete }: Token): void {
    const { open, text } = this;
    if (!open && obsolete) return;
    if (!open) throw failAt(text, start, 'a string without a keyword before it');
    if (open.unfinished) this.wraps = true;
    if (open.strings === 0) open.start = start;
    open.end = end;
    open.unfinished = end - start > 2 && text.slice(end - 3, end - 1) !== '\\n';
    open.strings++;
    const read = unescapePo(text.slice(start + 1, end - 1));
    open.value = open.value === '' ? read : open.value + read;
  }

  private takeKeyword(token: KeywordToken): void {
    this.closeText();
    const { start } = token.span;
    if (this.draft && this.isComplete() && !(token.keyword === 'msgstr' && token.index !== undefined)) {
      this.finish();
    }
    this.checkOrder(token);
    this.open = {
      keyword: token,
      start: token.span.end,
      end: token.span.end,
      strings: 0,
      value: '',
      unfinished: false,
    };
    if (token.keyword === 'domain') return;
    if (!this.draft) {
      this.draft = { comments: this.comments, obsolete: token.obsolete, start, forms: [] };
      this.comments = [];
    }
  }

  private checkOrder({ keyword, index, span, obsolete }: KeywordToken): void {
    const { draft, text } = this;
    const fail = (message: string): Error => failAt(text, span.start, message);
    if (obsolete) return;
    if (keyword === 'msgstr') {
      if (!draft?.id) throw fail('msgstr without msgid');
      if (index === undefined && draft.plural) throw fail('after msgid_plural comes msgstr[0]');
      if (index !== undefined && !draft.plural) throw fail(`msgstr[${index}] without msgid_plural`);
      if (draft.forms.some((form) => form.index === (index ?? 0))) throw fail(`msgstr[${index ?? 0}] twice`);
    } else if (keyword === 'msgid_plural') {
      if (!draft?.id) throw fail('msgid_plural without msgid');
      if (draft.plural) throw fail('msgid_plural twice');
    } else if (draft && !(keyword === 'msgid' && !draft.id)) throw this.incomplete(draft);
  }

  private incomplete(draft: Draft): Error {
    const wanted = !draft.id ? 'msgid' : draft.plural ? 'msgstr[0]' : 'msgstr';
    const last = draft.plural ?? draft.id ?? draft.context;
    return failAt(
      this.text,
      draft.start,
      `${wanted} is missing from this entry`,
      last && `It comes after the string ${JSON.stringify(last.value.slice(0, 40))}.`,
    );
  }

  private isComplete(): boolean {
    return this.open?.keyword.keyword === 'msgstr'
      ? this.open.strings > 0
      : (this.draft?.forms.length ?? 0) > 0 && !this.open;
  }

  /** The strings of a keyword are all there. */
  private closeText(): void {
    const { open, draft, text } = this;
    this.open = undefined;
    if (!open) return;
    const { keyword, index, span } = open.keyword;
    if (open.strings === 0 && !open.keyword.obsolete)
      throw failAt(text, span.start, `${keyword} without a string`);
    if (keyword === 'domain') {
      this.domain++;
      return;
    }
    if (!draft) return;
    const read = open.value;
    const value = this.doubled ? dropFillers(read) : read;
    const literal = { span: { start: open.start, end: open.end }, value };
    if (keyword === 'msgctxt') draft.context = literal;
    else if (keyword === 'msgid') draft.id = literal;
    else if (keyword === 'msgid_plural') draft.plural = literal;
    else draft.forms.push({ index: index ?? 0, keyword: span, literal });
  }

  /** The message is all there. */
  finish(): void {
    this.closeText();
    const { draft } = this;
    this.draft = undefined;
    if (!draft) return;
    const last = draft.forms.at(-1);
    if (draft.id && last) {
      this.messages.push({
        comments: draft.comments,
        obsolete: draft.obsolete,
        span: { start: draft.start, end: last.literal.span.end },
        context: draft.context,
        id: draft.id,
        plural: draft.plural,
        forms: draft.forms,
        domain: this.domain,
      });
    } else if (!draft.obsolete) throw this.incomplete(draft);
  }
}

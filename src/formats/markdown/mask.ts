import { firstFrom, type Span } from '../../base/span.ts';
import { parseLocale } from '../../languages/locale.ts';
import { textsIn } from './notation.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * Notations that site generators process before Markdown is parsed: shortcodes, containers, templates, formulas,
 * attributes. They are hidden from the Markdown parser, which would read emphasis, tags or text in them.
 */
export interface MaskedMarkdown {
  /** The masked text, with the same length and offsets as the source. */
  readonly text: string;
  /** Notations among words, in order; the parser sees letters. */
  readonly inline: readonly Span[];
  /** Titles of containers, in order. The parser sees blank lines. */
  readonly titles: readonly Span[];
  /** Shortcode parameters that readers see, in order. */
  readonly parameters: readonly Span[];
}

export interface MaskOptions {
  /** Whether braces are expressions, which the parser handles. */
  readonly isMdx: boolean;
}

/** The openings of shortcodes and template tags. */
const PAIRED =
  /\{\{(?<notation>[<%])-?\s*(?<shortcode>\w[\w-]*)(?<attributes>(?:\s[^]{0,300}?)?)[>%]\}\}|\{%-?\s*(?<tag>\w+)\b[^]{0,300}?%\}/g;
const CLOSING = /\{\{[<%]-?\s{0,9}\/\s{0,9}(\w[\w-]*)\s{0,9}-?[>%]\}\}|\{%-?\s{0,9}end(\w+)\s{0,9}-?%\}/g;
/** Shortcodes whose content is not text. */
const OF_CODE = /^(?:highlight|code-toggle|mermaid|math|raw|codetabs)$/;
/** Attributes that mark the content of other shortcodes as code: `code=true`, `lang="yaml"`. */
const CODE_ATTRIBUTE = /\scode\s*=\s*["']?true|\slang\s*=\s*["']?([\w#+-]+)/i;
/** Language codes that are also names of programming languages. */
const PROGRAMMING = /^(?:cs|go|hs|js|kt|md|ml|pl|ps|py|rb|rs|sh|sql|tf|ts|vb)$/i;
/** Beginnings of lines that occur only in programs. */
const CODE_LINE = /^\s*(?:#include\b|#!\/|<\?php\b)/;
/** A line of YAML. */
const SETTING = /^\s*(?:(?:- )?[\w./-]+:(?:\s.*)?|- [\w./-]+|#.*)$/;
/** The number of characters to examine for signs of code. */
const LONGEST_EVIDENCE = 2_000;

/** An empty line ends every paragraph. */
const NO_EMPTY_LINE = String.raw`(?!\n[ \t>]*\r?\n)`;
/** Shortcodes may span several lines. */
const TEMPLATE = String.raw`\{\{[<%](?:${NO_EMPTY_LINE}[^%>]|[%>](?!\}\})){0,500}[%>]\}\}|\{%(?:[^%\n]|%(?!\})){0,500}%\}|\{\{[^{}\n]{0,500}\}\}`;
const ATTRIBUTES = String.raw`\{:[^{}\n]{0,300}\}|\{\s?[.#][^{}\n]{0,300}\}|(?<=[)\]\x60])\{\s?[A-Za-z][\w-]*=[^{}\n]{0,300}\}`;
const HEADING_ID = String.raw`\{#[\w.:-]{1,200}\}`;
const WIKI = String.raw`(?<!\\)\[\[[^[\]\n]{1,200}\]\]`;
/** The label of a definition. Its colon may be directly before the text: `[^1]:note: other`. */
const LABEL = String.raw`(?:^|[\r\n])(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]){0,50}\[[^[\]\r\n]{1,200}\]`;
const EMOJI = String.raw`(?<![\w:\\])(?<!${LABEL}):(?:[a-z][a-z0-9_+-]{0,60}|[+-]1):(?![\w:])`;
/**
 * A character that identifies a formula between dollars or brackets. Between dollars without inner blanks, none is
 * required.
 */
const SIGN = String.raw`[\\^_{=]`;
/** Single letters, numbers and operators: `k`, `2n-1`, `f(x)`. */
const LETTERS = String.raw`(?=[^\\\n]{0,40}[A-Za-z])(?:(?![A-Za-z]{2})[\w+\-*/<>|.,'() ]){1,40}`;
const IN_BRACKETS = String.raw`(?:[^\\\n]|\\[^()\n])`;
const IN_SQUARES = String.raw`(?:${NO_EMPTY_LINE}(?:[^\\]|\\[^[\]]))`;
const FORMULA = [
  String.raw`(?<![\\$])\$\$(?:${NO_EMPTY_LINE}[^$\x60]){1,20000}\$\$(?!\$)`,
  String.raw`(?<![\\$\w])\$(?!\s)(?=[^$\n\x60]{0,1000}${SIGN}|[^\s$\x60]+\$)[^$\n\x60]{1,1000}(?<![\s\\])\$(?![\w$])`,
  String.raw`(?<!\\)\\\((?=${IN_BRACKETS}{0,1000}?(?:[\^_{=]|\\[A-Za-z]))${IN_BRACKETS}{1,1000}\\\)`,
  String.raw`(?<![\\\w])\\\(${LETTERS}\\\)|(?<![\\\w])\\\[${LETTERS}\\\](?!\()`,
  // Escaped brackets can also enclose words: a formula must have its own lines.
  String.raw`(?<=(?:^|\n)[ \t>]{0,100})\\\[(?=${IN_SQUARES}{0,1000}?${SIGN})${IN_SQUARES}{1,20000}\\\](?=[ \t]*(?:\r?\n|$))`,
].join('|');
/** Python-Markdown: keyboard keys. */
const KEYS = String.raw`(?<![\w+])\+\+[\w+-]{1,60}\+\+(?!\+)`;
const INLINE = new RegExp([TEMPLATE, ATTRIBUTES, WIKI, EMOJI, FORMULA, KEYS].join('|'), 'g');
/** MDX 1, which older sites use, reads addresses between angle brackets, and brackets that begin no tag. */
const ADDRESS = String.raw`(?<!\\)<(?:(?:https?|ftp|mailto):[^\s<>]{1,2000}>|[\w.+-]{1,100}@[\w.-]{1,200}>|(?=[=\d]))`;
const INLINE_MDX = new RegExp([HEADING_ID, WIKI, EMOJI, FORMULA, ADDRESS].join('|'), 'g');

/** The prefix that a container may put before a line. */
const PREFIX = String.raw`^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t])*`;
const CONTAINER = new RegExp(String.raw`${PREFIX}(:{3,})[ \t]*(.*)$`);
const BLOCK_NOTE = new RegExp(
  String.raw`${PREFIX}(\/{3,})(?:[ \t]*$|[ \t]+([\w-]+)[ \t]*(?:\|[ \t]*(.*))?$)`,
);
/** Python-Markdown: an admonition, whose content is indented by four spaces. */
const ADMONITION = /^((?:[ \t>]|:[ \t])*)((?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]*[ \t]+["'])(.*)$/;
const ALERT =
  /^((?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))*[ \t]*>[ \t]*)(\[![A-Za-z-]+\][+-]?)(?:[ \t]+(\S.*))?$/;
/** Python-Markdown: the meaning of an abbreviation. The parser finds the abbreviation in the text. */
const ABBREVIATION = /^([ \t]{0,3})\*\[[^[\]\n]{1,100}\]:[ \t]+(\S.*)$/;
/** A tag with Vue attributes, which are not valid in Markdown: `@click="…"`, `#default="…"`. */
const VUE_TAG = (() => {
  const blank = String.raw`(?:${NO_EMPTY_LINE}\s)`;
  const quoted = (quote: string): string => `${quote}(?:${NO_EMPTY_LINE}[^${quote}]){0,2000}${quote}`;
  const value = `${blank}{0,9}=${blank}{0,9}(?:${quoted('"')}|${quoted("'")})`;
  const attribute = String.raw`${blank}{1,100}[\w:@#.\-[\]]{1,100}(?:${value})?`;
  return new RegExp(String.raw`<[A-Za-z][\w.-]{0,100}(?:${attribute}){1,50}${blank}{0,100}\/?>`, 'g');
})();
const VUE_NAME = /(?<=\s)[@#](?=[\w.:-]{1,100}(?:[\s=/>]))/g;
/** Lines that are instructions to a generator. */
const COMMAND =
  /^[ \t>]*(?:<<<[ \t].*|-{1,2}8<-{1,2}.*|\[\[?(?:toc|TOC|_TOC_)\]?\][ \t]*|@(?:include|\[code|import)\b.*|\{\*.*\*\}[ \t]*)$/;
const DEFINITION = /^([ \t]{0,3}):([ \t]+)(?=\S)/;
const FENCE = new RegExp(String.raw`${PREFIX}(\x60{3,}|~{3,})([^\n]*)$`);
const FORMULA_LINE = new RegExp(String.raw`${PREFIX}\$\$[ \t]*$`);
const FORMULA_END = /^[ \t>]*\$\$[ \t]*(?![^\r\n])/m;
export const LONGEST_FORMULA = 20_000;
/** The length limit for markers that begin a container. */
const LONGEST_MARKER = 500;

const IN_BACKTICKS = String.raw`(?<!\x60)(?<marks>\x60+)(?!\x60).*?(?<!\x60)\k<marks>(?!\x60)`;
const CODE = new RegExp(IN_BACKTICKS, 'g');
/** The title of a container, before attributes. Braces in code are not attributes. */
const CONTAINER_TITLE = new RegExp(String.raw`^[\w-]+[ \t]+((?![{[])(?:${IN_BACKTICKS}|[^{])+)`);
/** The label of a container. Brackets in it, such as those of a link, have partners. */
const CONTAINER_LABEL = /^[\w-]+\[((?:\\.|[^[\]\\]|\[(?:\\.|[^[\]\\])*\])*)\]/;
/** The length limit for lines in which code is searched: each unclosed backtick rereads the line. */
const LONGEST_QUOTING = 5_000;

export function maskExtensions(text: string, { isMdx }: MaskOptions): MaskedMarkdown {
  const masker = new Masker(text, isMdx);
  masker.maskLines();
  masker.maskInline();
  return masker.end();
}

class Masker {
  readonly #text: string;
  readonly #isMdx: boolean;
  readonly #inline: Span[] = [];
  readonly #titles: Span[] = [];
  readonly #parameters: Span[] = [];
  /** Spans that the parser sees replaced, by their start. */
  readonly #replaced: { readonly span: Span; readonly by: string }[] = [];
  /** Fenced lines, in order: nothing is masked there. */
  readonly #fenced: Span[] = [];
  /** Code among words that contains the start of a comment, in order. */
  readonly #quoted: Span[] = [];

  /** Comments and other content that is not text. Titles in such content are ignored. */
  readonly #hidden: Span[] = [];

  constructor(text: string, isMdx: boolean) {
    this.#text = text;
    this.#isMdx = isMdx;
  }

  maskLines(): void {
    const text = this.#text;
    let fence: { readonly mark: string; readonly indent: number; readonly start: number } | undefined;
    const lineEnd = /\r\n|\n|\r/g;
    for (let start = 0; start < text.length;) {
      lineEnd.lastIndex = start;
      const next = lineEnd.test(text) ? lineEnd.lastIndex : text.length;
      const line = text.slice(start, next).replace(/[\r\n]+$/, '');
      const mark = line.length < 1_000 ? FENCE.exec(line) : null;
      const indent = line.length - line.trimStart().length;
      // A fence ends with its list item.
      if (fence && fence.indent > 1 && indent === 0 && line !== '' && !line.startsWith('>')) {
        this.#fenced.push({ start: fence.start, end: start });
        fence = undefined;
      }
      if (fence) {
        const isEnd = mark?.[1]?.startsWith(fence.mark) === true && (mark[2] ?? '').trim() === '';
        if (isEnd) {
          this.#fenced.push({ start: fence.start, end: next });
          fence = undefined;
        }
      } else if (mark && !(mark[1]?.startsWith('`') === true && mark[2]?.includes('`') === true)) {
        fence = { mark: mark[1] ?? '', indent: mark[0].search(/[`~]{3}/), start };
      } else {
        const formula = this.#formulaFrom(line, { start, end: next });
        if (formula) {
          this.#blank(formula.start, formula.end);
          start = formula.end;
          continue;
        }
        this.#maskLine(line, start);
      }
      start = next;
    }
    if (fence) this.#fenced.push({ start: fence.start, end: text.length });
  }

  /** A formula between two `$$` lines, with any content. */
  #formulaFrom(line: string, { start, end }: Span): Span | undefined {
    if (!line.includes('$$') || line.length > LONGEST_MARKER || !FORMULA_LINE.test(line)) return undefined;
    const last = FORMULA_END.exec(this.#text.slice(end, end + LONGEST_FORMULA));
    return last ? { start: start + line.indexOf('$$'), end: end + last.index + last[0].length } : undefined;
  }

  #maskLine(line: string, start: number): void {
    if (this.#isMdx && line.includes('<!--') && line.length < LONGEST_QUOTING)
      for (const { 0: code, index } of line.matchAll(CODE))
        if (code.includes('<!--')) this.#quoted.push(spanIn(start, index, code));
    if (!/[:/!?=[@<8{$]/.test(line) || line.length > LONGEST_MARKER) return;
    const container = CONTAINER.exec(line) ?? BLOCK_NOTE.exec(line);
    if (container) {
      const marker = line.indexOf(container[1] ?? '');
      this.#blank(start + marker, start + line.length);
      this.#addTitle(line, start, container);
      return;
    }
    const definition = DEFINITION.exec(line);
    if (definition) {
      const at = start + (definition[1] ?? '').length;
      this.#replaced.push({ span: { start: at, end: at + 1 }, by: '-' });
    }
    const admonition = this.#isMdx ? null : ADMONITION.exec(line);
    if (admonition) {
      const at = start + (admonition[1] ?? '').length;
      const length = start + line.length - at;
      // A list item whose first line is a heading: the indented lines after it are its content.
      const span = { start: at, end: at + length };
      this.#inline.push(span);
      this.#replaced.push({ span, by: '- # '.padEnd(length, 'x') });
      const title = /(["'])(.*)\1[ \t]*$/.exec(line);
      if (title) this.#titles.push(spanIn(start, title.index + 1, title[2] ?? ''));
      return;
    }
    const named = ALERT.exec(line) ?? (this.#isMdx ? null : ABBREVIATION.exec(line));
    if (named) {
      this.#blank(start + (named[1] ?? '').length, start + line.length);
      const title = named.at(-1) ?? '';
      if (title !== '') this.#titles.push(spanIn(start, line.length - title.length, title));
    } else if (COMMAND.test(line)) this.#blank(start + line.search(/[^ \t>]/), start + line.length);
  }

  /** `:::tip Title`, `:::tip[Title]{.class}`, `/// note | Title`; `/// html | a tag`, `/// caption | a number or an id`. */
  #addTitle(line: string, start: number, container: RegExpExecArray): void {
    if (container[1]?.startsWith('/') === true) {
      const [, , name = '', title = ''] = container;
      if (title !== '' && !/^html$|caption$/.test(name))
        this.#titles.push(spanIn(start, line.length - title.length, title));
      return;
    }
    const rest = container[2] ?? '';
    const from = line.length - rest.length;
    const labelled = CONTAINER_LABEL.exec(rest);
    const named = CONTAINER_TITLE.exec(rest);
    const title = labelled ?? named;
    if (!title) return;
    const text = title[1] ?? '';
    this.#titles.push(spanIn(start, from + title[0].length - text.length - (labelled ? 1 : 0), text));
  }

  maskInline(): void {
    const text = this.#text;
    if (!this.#isMdx) {
      this.#maskVerbatim();
      this.#maskVue();
      this.#replaced.sort((a, b) => a.span.start - b.span.start);
    } else this.#maskComments();
    const lines = [...this.#replaced, ...this.#fenced.map((span) => ({ span, by: '' }))].sort(
      (a, b) => a.span.start - b.span.start,
    );
    let next = 0;
    const pattern = new RegExp(this.#isMdx ? INLINE_MDX : INLINE);
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const span = { start: match.index, end: match.index + match[0].length };
      while ((lines[next]?.span.end ?? Infinity) <= span.start) next++;
      const hidden = lines[next]?.span;
      if (hidden && hidden.start < span.end) pattern.lastIndex = span.start + 1;
      else if (!match[0].startsWith('<') && isAlone(text, span)) {
        this.#blank(span.start, span.end);
        for (const { start, end } of textsIn(match[0], false))
          this.#parameters.push(spanIn(span.start, start, match[0].slice(start, end)));
      } else if (match[0].includes('\n')) pattern.lastIndex = span.start + 1;
      else this.#maskWord(span);
    }
  }

  /** MDX has no HTML comments, but Docusaurus accepts them. */
  #maskComments(): void {
    const opening = /(?<!\\)<!--/g;
    for (let match = opening.exec(this.#text); match; match = opening.exec(this.#text)) {
      const { index: start } = match;
      if (hasSpanAt(this.#fenced, start) || hasSpanAt(this.#quoted, start)) continue;
      const end = this.#text.indexOf('-->', start);
      if (end < 0) return;
      this.#hide(start, end + 3);
      opening.lastIndex = end + 3;
    }
  }

  /** Replaces the first character of these attribute names with a letter. */
  #maskVue(): void {
    if (!/\s[@#]/.test(this.#text)) return;
    for (const { 0: tag, index } of this.#text.matchAll(VUE_TAG)) {
      if (hasSpanAt(this.#fenced, index)) continue;
      // Quoted text may be code, with any characters.
      const names = tag.replace(/"[^"]*"|'[^']*'/g, (quoted) => 'x'.repeat(quoted.length));
      for (const { index: at } of names.matchAll(VUE_NAME)) {
        const start = index + at;
        this.#replaced.push({ span: { start, end: start + 1 }, by: 'x' });
      }
    }
  }

  #maskVerbatim(): void {
    const ends = new Map<string, Span[]>();
    for (const { 0: closing, 1: shortcode, 2: tag, index } of this.#text.matchAll(CLOSING)) {
      const id = shortcode === undefined ? `%${tag}` : shortcode;
      const span = { start: index, end: index + closing.length };
      addTo(ends, id, span);
    }
    if (ends.size === 0) return;
    let at = 0;
    for (const { 0: opening, index, groups = {} } of this.#text.matchAll(PAIRED)) {
      const { shortcode, tag = '', notation, attributes = '' } = groups;
      if (index < at || hasSpanAt(this.#fenced, index)) continue;
      const start = index + opening.length;
      const all = ends.get(shortcode ?? `%${tag}`) ?? [];
      const end = all[firstFrom(all, start)];
      if (!end) continue;
      const content = this.#text.slice(start, Math.min(end.start, start + LONGEST_EVIDENCE));
      const isCode = notation === '<' && holdsCode(attributes, content);
      if (isCode || OF_CODE.test(shortcode ?? tag)) this.#hide(index, (at = end.end));
    }
  }

  /** Blanks among words would belong to them, or to the line end before them. */
  #hide(start: number, end: number): void {
    const span = { start, end };
    this.#hidden.push(span);
    if (isAlone(this.#text, span)) this.#blank(start, end);
    else if (/[\r\n]/.test(this.#text.slice(start, end)))
      this.#blank(start, end + this.#text.slice(end).search(/$/m));
    else this.#maskWord(span);
  }

  #maskWord(span: Span): void {
    this.#inline.push(span);
    this.#replaced.push({ span, by: 'x'.repeat(span.end - span.start) });
  }

  /** Replaces everything except line ends with blanks, so that the parser ends paragraphs there. */
  #blank(start: number, end: number): void {
    const by = this.#text.slice(start, end).replace(/[^\r\n]/g, ' ');
    this.#replaced.push({ span: { start, end }, by });
  }

  #isHidden(start: number, end: number): boolean {
    const before = this.#hidden[firstFrom(this.#hidden, end) - 1];
    return before !== undefined && before.end > start;
  }

  end(): MaskedMarkdown {
    const parts: string[] = [];
    let at = 0;
    for (const { span, by } of this.#replaced.sort((a, b) => a.span.start - b.span.start)) {
      if (span.end <= at) continue;
      const from = Math.max(at, span.start);
      parts.push(this.#text.slice(at, from), by.slice(from - span.start));
      at = span.end;
    }
    parts.push(this.#text.slice(at));
    const [titles = [], parameters = []] = [this.#titles, this.#parameters].map((spans) =>
      spans.filter(({ start, end }) => end > start && !this.#isHidden(start, end)),
    );
    const inline = this.#inline.sort((a, b) => a.start - b.start);
    return { text: parts.join(''), inline, titles, parameters };
  }
}

/** Whether a shortcode's content is code, according to its attributes or the content. */
function holdsCode(attributes: string, content: string): boolean {
  const [attribute, language] = CODE_ATTRIBUTE.exec(attributes) ?? [];
  if (/\stext\s*=\s*["']?true/i.test(attributes)) return false;
  if (attribute !== undefined)
    return language === undefined || PROGRAMMING.test(language) || parseLocale(language) === undefined;
  if (content.includes('{{')) return false;
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  if (CODE_LINE.test(lines[0] ?? '')) return true;
  return (
    lines.some((line) => /^\s*(?:- )?[\w./-]+:(?:\s|$)/.test(line)) &&
    lines.length > 1 &&
    lines.every((line) => SETTING.test(line))
  );
}

/** Whether one of the spans, which are in order and disjoint, contains an offset. */
export function hasSpanAt(spans: readonly Span[], offset: number): boolean {
  const before = spans[firstFrom(spans, offset + 1) - 1];
  return before !== undefined && offset < before.end;
}

/** Whether the lines of a span contain nothing else. */
function isAlone(text: string, { start, end }: Span): boolean {
  let before = start - 1;
  while (/[ \t>]/.test(text[before] ?? '')) before--;
  let after = end;
  while (/[ \t\r]/.test(text[after] ?? '')) after++;
  return /\n|^$/.test(text[before] ?? '') && /\n|^$/.test(text[after] ?? '');
}

function spanIn(start: number, at: number, text: string): Span {
  const lead = text.length - text.trimStart().length;
  return { start: start + at + lead, end: start + at + text.trimEnd().length };
}

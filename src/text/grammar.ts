import { directivesOf } from './directives.ts';
import type { Syntax } from './syntax.ts';

/** The tokens of one syntax. */
export interface Grammar {
  /** Returns a global expression that finds the next possible token in `text`; the scanner determines its kind. */
  tokensFor(text: string): RegExp;
  /** A value without a match has no syntax: the fast path for plain words. */
  readonly special: RegExp;
  readonly syntax: Syntax;
  /** Percent tokens without an argument, such as parts of a date: their order is free. */
  readonly silent: RegExp;
  /** Percent tokens that name their argument, so their order is free. */
  readonly named: RegExp;
  /** Whether `{{` is a literal brace. */
  readonly doublesBraces: boolean;
  /** Whether `{` begins an argument. False inside ICU literals, whose arguments the ICU parser has already removed. */
  readonly braces: boolean;
}

/**
 * A URL may contain a percent sign only as an escape, and no dollar before a brace: those are placeholders, as are the
 * characters of directives.
 */
function urlIn(syntax: Syntax, signs = ''): string {
  const tilde = signs === '~' ? '' : '~';
  const dollar = signs === '$' ? '' : String.raw`|\$(?![{A-Z])`;
  const [colon, port] = syntax === 'laravel' ? ['', '|:(?![A-Za-z])'] : [':', ''];
  return String.raw`(?:https?|ftps?|file):\/\/(?:[!#&()*+,\-.\/0-9${colon};=?@A-Z[\]_a-z${tilde}]${port}|%[0-9A-Fa-f]{2}${dollar})+`;
}

const PATH = String.raw`[!#&()*+,\-.\/0-9:;=?@A-Z[\]_a-z~]*`;
const WWW = String.raw`(?<![\w.@-])www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?:\/${PATH})?`;
const EMAIL = String.raw`(?<![\w.+@-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}(?![\w@-])`;

const TOP_LEVEL = '(?:com|org|net|edu|gov|info|io|dev|eu)(?![\\w-]|\\.\\w)';
/** File extensions, which are not domains: "the tags in ComicInfo.xml/opf". */
const FILE_NAME = '(?:xml|json|ya?ml|toml|html?|txt|csv|ini|css|jsx?|tsx?|php|exe|pdf|png|jpe?g|gif|svg)';
/** `github.com`, and any host followed by a path: `youtu.be/x`. */
const HOST = String.raw`(?<![\w.@\/-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}(?:${TOP_LEVEL}(?:\/${PATH})?|(?!${FILE_NAME}\/)[a-z]{2,12}\/(?=[\w~])${PATH})`;
const HOST_HINT = String.raw`\.${TOP_LEVEL}|\.[a-z]{2,12}\/[\w~]`;
/** The ends of Markdown links; the scanner decides which brackets belong to links. */
const MARKDOWN = String.raw`!?\[|\](?=\()`;
/** A text without a match has no address and is not searched for one. */
const ADDRESS_HINT = new RegExp(String.raw`:\/\/|@|www\.|\]\(|${HOST_HINT}`);

const TAG = String.raw`<(?=[A-Za-z0-9\/!?])`;
const ENTITY = String.raw`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z_][A-Za-z0-9_.-]{0,63});`;
const ESCAPE = String.raw`\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{4,8}|x[0-9a-fA-F]{2}|[nrtbfav0"'\\\/@?])`;
const COUNT = String.raw`__[a-z][A-Za-z0-9.]{0,40}(?:_[A-Za-z0-9.]{1,40}){0,4}__`;
const NESTING = String.raw`\$t\(`;
/** Quoted text in Fluent with braces that would otherwise end a placeable. */
const QUOTED_BRACE = String.raw`\{\s{0,200}"(?=(?:[^"\\\n]|\\.){0,200}[{}])(?:[^"\\\n]|\\.){1,200}"\s{0,200}\}`;
/** A setting in descriptions of VS Code extensions, which is displayed as a link to it. */
const SETTING = String.raw`\x60#[\w.-]{1,200}#\x60`;
const CODE = String.raw`\x60\x60[^\n]{1,200}?\x60\x60|\x60[^\x60\n]{1,200}\x60`;
const COMPLEX = String.raw`\{(?=\s*[^\s{},'"]{1,200}\s*,\s*(?:plural|selectordinal|select)\s*,)`;
const BRACE = String.raw`[$#%@]?\{`;

const NAMED_PRINTF = String.raw`%\([\w.\- ]{1,60}\)[-+0#]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]|%<\w{1,60}>(?:[-+0#]*\d*(?:\.\d+)?[A-Za-z])?`;
const FLAGS = String.raw`[-+0#',I]{0,6}`;
const SIZE = String.raw`(?:\d{1,4}|\*(?:\d{1,2}\$)?)?(?:\.(?:\d{1,4}|\*(?:\d{1,2}\$)?)?)?`;
const LENGTH = String.raw`(?:hh|ll|[hlqjztL])?`;
const CONVERSION = (letters: string): string =>
  String.raw`%%|${NAMED_PRINTF}|%(?:[1-9]\d?\$)?${FLAGS}${SIZE}${LENGTH}${letters}`;

/**
 * `%name%`. Its percent signs can also begin two conversions (`%dpx%s`), which are assumed only if both are possible:
 * in `%keyurls%a` the first one is not.
 */
const DELIMITED = (conversion: string): string =>
  String.raw`%[A-Za-z_]\w{2,40}%(?!${conversion}|[%\d])|%(?!${conversion})[A-Za-z_]\w{2,40}%`;

const APPLE_LETTERS = '[diouxXeEfFgGaAcCsSpn@]';
const PRINTF_APPLE = String.raw`%(?:[1-9]\d?\$?)?#@\w{1,60}@|%arg\b|${DELIMITED(APPLE_LETTERS)}|${CONVERSION(APPLE_LETTERS)}`;
const ANDROID_LETTERS = '(?:[bBhHsScCdoxXeEfgGaAniu]|[tT][A-Za-z])';
const PRINTF_ANDROID = `${DELIMITED(ANDROID_LETTERS)}|${CONVERSION(ANDROID_LETTERS)}`;
// In other formats a percent sign is mostly prose: `100% sure`, `50%discount`. A conversion needs evidence.
const PROSE_CONVERSIONS = [
  NAMED_PRINTF,
  // `%id%`, but not `%lu%`, which is a number and a percent sign.
  String.raw`(?<![\w%])%(?![hlqjztL][diouxXeEfFgGsc]%)[a-z_]\w%(?![\w%])`,
  DELIMITED('(?:(?:ll|[lz])?[dsu]|[if](?![A-Za-z])|@)'),
  String.raw`%[1-9]\d?\$${FLAGS}${SIZE}${LENGTH}[A-Za-z@]`,
  '%@',
  // Qt, JabRef (`%0`, `%L1`) and Boost (`%1%`). Two digits are a percentage in Turkish: `%50`.
  String.raw`(?<![\w%])%(?:L?\d(?![\w$%]|\.\d)|\d{1,2}%(?!\w))`,
  String.raw`%${FLAGS}${SIZE}${LENGTH}[diufsxXcegoFEGn](?![A-Za-z])`,
  String.raw`(?<!\d)%(?:ll|[lz])?[dsu]`,
].join('|');
const PRINTF_PROSE = `%%|${PROSE_CONVERSIONS}`;
/** Qt and KDE write a percent sign before a number: `%%1` for `%1%`. */
const PRINTF_NUMBERED = String.raw`%%(?!\d)|${PROSE_CONVERSIONS}`;

const NONE = /(?!)/;
// Parts of a date: `%Y-%m-%d`, `%-d. %B`. Ruby accepts them everywhere; elsewhere they must be separate.
const DATE_RUBY = String.raw`(?<!\d)%[-_0^#:]{0,3}\d{0,2}[aAbBcCdDeFgGhHIjklLmMnNpPrRsStTuUvVwWxXyYzZ]`;
const DATE_PROSE = String.raw`(?<!\d)%[-_0^#]?[aAbBCdeDFGHIjklmMpPrRSTUVwWxXyYzZ](?![A-Za-z])`;
const DATE_PART: Partial<Record<Syntax, RegExp>> = {
  apple: NONE,
  android: NONE,
  ruby: /^%[-_0^#:]{0,3}\d{0,2}[A-Za-z]$/,
};

/** A percent sign before any letter, in texts that have several of them: `%h`, `%-15.15L`. */
const LETTER = String.raw`(?<![\d%])%[-=_0^#]?\d{0,3}(?:\.\d{0,3})?[A-Za-z](?![A-Za-z])`;
const SEVERAL_LETTERS = new RegExp(`${LETTER}[^]*?${LETTER}`);
const DATE_PROSE_PART = /^%[-=_0^#]?\d{0,3}(?:\.\d{0,3})?[abhjklmpqrtvwyzABCDHIJKLMNOPQRSTUVWYZ]$/;
/** `%(name)s`, `%<name>s`, `%name%`, and the numbers in Qt and Boost formats. */
const NAMED_PERCENT = /^%(?:\(|<|[^\s%]+%$|L?\d+$)/;

const VUE = String.raw`\{\s*(?:'[^'\n]{0,200}'|"[^"\n]{0,200}")\s*\}|@(?:\.\w{1,40})?:(?:\{\s*'[^'\n]{0,200}'\s*\}|\([\w.$-]{1,200}\)|[\w$-]{1,100}(?:\.[\w$-]{1,100}){0,20})`;
const BOUND = String.raw`(?:[+-]?(?:\d{1,9}(?:\.\d{1,9})?|Inf)|\*)`;
/** The numbers of a branch: `[1,19]`, and Symfony's `]1,Inf[`. */
const INTERVAL = String.raw`[[\]]\s{0,4}${BOUND}\s{0,4},\s{0,4}${BOUND}\s{0,4}[[\]]`;
/** Laravel's `[1]`, the same as `{1}`, at the beginning of a branch. */
const EXACTLY = String.raw`^\[\d{1,9}\](?=[^|]*\|)|(?<=\|\s{0,4})\[\d{1,9}\]`;
/** Letters of other alphabets, without the symbols between them. */
const FOREIGN = String.raw`\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u3041-\ud7a3`;
/** Symfony's names that would otherwise be conversions: one letter (`%u%`), or letters beyond ASCII (`%søg%`). */
const PERCENT_NAME = String.raw`(?<![\w%])%(?:[A-Za-z_]|[A-Za-z_]{0,40}[${FOREIGN}][\w${FOREIGN}]{0,40})%(?![\w%])`;
/** Laravel replaces `:name` anywhere: `v:version`, `:hour::minute`. Symfony has the same branches. */
const LARAVEL = String.raw`${PERCENT_NAME}|:[A-Za-z][A-Za-z0-9_]*|${INTERVAL}|${EXACTLY}`;
/** A format, a link or a key of a book; `$()` ends formats. */
const BOOK_CODE = String.raw`\$\([^()\n]{0,200}\)`;
const CHROME = String.raw`\$\$|\$[A-Za-z_@][\w@]{0,100}\$|\$\d{1,2}(?:\$)?`;

/** Tokens that a syntax adds before the common ones. */
const OWN: Partial<Record<Syntax, string>> = {
  plain: `${SETTING}|${QUOTED_BRACE}`,
  angular: `${SETTING}|${QUOTED_BRACE}`,
  symfony: `${PERCENT_NAME}|${SETTING}|${QUOTED_BRACE}`,
  vscode: `${CODE}|${QUOTED_BRACE}`,
  patchouli: `${BOOK_CODE}|${SETTING}|${QUOTED_BRACE}`,
  vue: VUE,
  laravel: LARAVEL,
  chrome: CHROME,
};

const PRINTF: Partial<Record<Syntax, string>> = {
  apple: PRINTF_APPLE,
  android: PRINTF_ANDROID,
  // A date never has five letters between two percent signs.
  ruby: String.raw`%%|${NAMED_PRINTF}|%[a-z_][a-z0-9_]{4,40}%|${DATE_RUBY}|${PRINTF_PROSE}`,
};

function isNumbered(syntax: Syntax): boolean {
  return syntax === 'qt' || syntax === 'kde' || syntax === 'kde-kuit';
}

function either(a: RegExp | undefined, b: RegExp): RegExp {
  return a ? new RegExp(`${a.source}|${b.source}`) : b;
}

/** Compiled on first use: most programs need few syntaxes. */
function lazily(parts: readonly (string | undefined)[]): () => RegExp {
  let tokens: RegExp | undefined;
  return () => (tokens ??= new RegExp(parts.filter((part) => part !== undefined).join('|'), 'g'));
}

function compose(syntax: Syntax, braces: boolean): Grammar {
  const directives = directivesOf(syntax);
  const isPercent = directives?.signs === '%';
  const opening = syntax === 'i18next' ? String.raw`[$#%]\{|\{\{|${COMPLEX}` : BRACE;
  const isProse = !isPercent && PRINTF[syntax] === undefined;
  const addresses = [urlIn(syntax, directives?.signs), WWW, EMAIL];
  const first = [
    directives?.pattern ?? OWN[syntax],
    braces ? opening : undefined,
    isPercent
      ? undefined
      : (PRINTF[syntax] ?? `${isNumbered(syntax) ? PRINTF_NUMBERED : PRINTF_PROSE}|${DATE_PROSE}`),
  ];
  const last = [TAG, ENTITY, ESCAPE, COUNT, NESTING];
  const tokens = (addresses: readonly string[], letters: string | undefined, behind: readonly string[]) =>
    lazily([...addresses, ...first, letters, ...last, ...behind]);
  const bare = tokens([], undefined, []);
  const lettered = tokens([], LETTER, []);
  const addressed = tokens(addresses, undefined, [HOST, MARKDOWN]);
  const both = tokens(addresses, LETTER, [HOST, MARKDOWN]);
  const isBranched = syntax === 'vue' || syntax === 'laravel';
  const separators = isBranched ? String.raw`|[|]|:[A-Za-z]` : syntax === 'vscode' ? String.raw`|\x60` : '';
  const quotes = syntax === 'icu' ? `|''|'>` : '';
  const sign = directives?.doubled === '~' ? '|~' : '';
  return {
    syntax,
    braces,
    doublesBraces: directives?.signs.startsWith('{') ?? false,
    silent: either(directives?.silent, isPercent ? NONE : (DATE_PART[syntax] ?? DATE_PROSE_PART)),
    named: either(directives?.named, isPercent ? NONE : NAMED_PERCENT),
    tokensFor: (text) => {
      const hasLetters = isProse && text.includes('%') && SEVERAL_LETTERS.test(text);
      if (ADDRESS_HINT.test(text)) return hasLetters ? both() : addressed();
      return hasLetters ? lettered() : bare();
    },
    special: new RegExp(
      String.raw`[%{}$<&\\@]|\x60#|:\/\/|www\.|__|\]\(|${HOST_HINT}${separators}${quotes}${sign}`,
    ),
  };
}

const withBraces = new Map<Syntax, Grammar>();
const withoutBraces = new Map<Syntax, Grammar>();

export function grammarOf(syntax: Syntax, braces = true): Grammar {
  const memo = braces ? withBraces : withoutBraces;
  let grammar = memo.get(syntax);
  if (!grammar) {
    grammar = compose(syntax, braces);
    memo.set(syntax, grammar);
  }
  return grammar;
}

import { directivesOf } from './directives.ts';
import type { Syntax } from './syntax.ts';

/** What a scan of one syntax looks for. */
export interface Grammar {
  /** Finds the next place where something that is not words may begin. Global; what begins there is for the scanner. */
  readonly tokens: RegExp;
  /** A value without a match has no syntax at all: the fast path for plain words. */
  readonly special: RegExp;
  readonly syntax: Syntax;
  /** Which tokens with a sign stand for no argument, as parts of a date do, so that any order will do. */
  readonly silent: RegExp;
  /** Which tokens with a percent sign name their argument, so that any order will do. */
  readonly named: RegExp;
  /** `{{` is a brace. */
  readonly doublesBraces: boolean;
  /** `{` begins an argument. Not so inside ICU literals, where the ICU parser has taken the arguments out. */
  readonly braces: boolean;
}

/** A percent sign only as an escape and no dollar before a brace: those are placeholders, as the signs of directives are. */
function urlIn(syntax: Syntax, signs = ''): string {
  const tilde = signs === '~' ? '' : '~';
  const dollar = signs === '$' ? '' : String.raw`|\$(?![{A-Z])`;
  const [colon, port] = syntax === 'laravel' ? ['', '|:(?![A-Za-z])'] : [':', ''];
  return String.raw`(?:https?|ftps?|file):\/\/(?:[!#&()*+,\-.\/0-9${colon};=?@A-Z[\]_a-z${tilde}]${port}|%[0-9A-Fa-f]{2}${dollar})+`;
}

const WWW = String.raw`(?<![\w.@-])www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?:\/[!#&()*+,\-.\/0-9:;=?@A-Z[\]_a-z~]*)?`;
const EMAIL = String.raw`(?<![\w.+@-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}(?![\w@-])`;

const TAG = String.raw`<(?=[A-Za-z0-9\/!?])`;
const ENTITY = String.raw`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z_][A-Za-z0-9_.-]{0,63});`;
const ESCAPE = String.raw`\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{4,8}|x[0-9a-fA-F]{2}|[nrtbfav0"'\\\/@?])`;
const COUNT = String.raw`__[a-z][A-Za-z0-9.]{0,40}(?:_[A-Za-z0-9.]{1,40}){0,4}__`;
const NESTING = String.raw`\$t\(`;
const COMPLEX = String.raw`\{(?=\s*[^\s{},'"]{1,200}\s*,\s*(?:plural|selectordinal|select)\s*,)`;
const BRACE = String.raw`[$#%@]?\{`;

const NAMED_PRINTF = String.raw`%\([\w.\- ]{1,60}\)[-+0#]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]|%<\w{1,60}>(?:[-+0#]*\d*(?:\.\d+)?[A-Za-z])?`;
const FLAGS = String.raw`[-+0#',I]{0,6}`;
const SIZE = String.raw`(?:\d{1,4}|\*(?:\d{1,2}\$)?)?(?:\.(?:\d{1,4}|\*(?:\d{1,2}\$)?)?)?`;
const LENGTH = String.raw`(?:hh|ll|[hlqjztL])?`;
const CONVERSION = (letters: string): string =>
  String.raw`%%|${NAMED_PRINTF}|%(?:[1-9]\d?\$)?${FLAGS}${SIZE}${LENGTH}${letters}`;

const PRINTF_APPLE = String.raw`%(?:[1-9]\d?\$)?#@\w{1,60}@|%arg\b|` + CONVERSION('[diouxXeEfFgGaAcCsSpn@]');
const PRINTF_ANDROID = CONVERSION('(?:[bBhHsScCdoxXeEfgGaAniu]|[tT][A-Za-z])');
// Outside formats that say so a percent sign is mostly prose: `100% sure`, `50%discount`. No conversion without reason.
const PRINTF_PROSE = [
  '%%',
  NAMED_PRINTF,
  String.raw`%[A-Za-z_]\w{2,40}%(?![dsiuf@%\d])`,
  String.raw`%[1-9]\d?\$${FLAGS}${SIZE}${LENGTH}[A-Za-z@]`,
  '%@',
  // Qt, JabRef (`%0`, `%L1`) and Boost (`%1%`). With two digits it is what Turkish writes for per cent: `%50`.
  String.raw`(?<![\w%])%(?:L?\d(?![\w$%]|\.\d)|\d{1,2}%(?!\w))`,
  String.raw`%${FLAGS}${SIZE}${LENGTH}[diufsxXcegoFEGn](?![A-Za-z])`,
  String.raw`(?<!\d)%(?:ll|[lz])?[dsu]`,
].join('|');

const NONE = /(?!)/;
// Parts of a date: `%Y-%m-%d`, `%-d. %B`. Ruby has them everywhere, elsewhere they have to stand apart.
const DATE_RUBY = String.raw`(?<!\d)%[-_0^#:]{0,3}\d{0,2}[aAbBcCdDeFgGhHIjklLmMnNpPrRsStTuUvVwWxXyYzZ]`;
const DATE_PROSE = String.raw`(?<!\d)%[-_0^#]?[aAbBCdeDFGHIjklmMpPrRSTUVwWxXyYzZ](?![A-Za-z])`;
const DATE_PART: Partial<Record<Syntax, RegExp>> = {
  apple: NONE,
  android: NONE,
  ruby: /^%[-_0^#:]{0,3}\d{0,2}[A-Za-z]$/,
};

const DATE_PROSE_PART = /^%[-_0^#]?[aAbBCDHIjklmMpPrRSTUVwWyYzZ]$/;
/** `%(name)s`, `%<name>s`, `%name%`, and the numbers of Qt and Boost. */
const NAMED_PERCENT = /^%(?:\(|<|\w{2,}%$|L?\d+%?$)/;

const VUE = String.raw`\{\s*(?:'[^'\n]{0,200}'|"[^"\n]{0,200}")\s*\}|@(?:\.\w{1,40})?:(?:\{\s*'[^'\n]{0,200}'\s*\}|\([\w.$-]{1,200}\)|[\w$-]{1,100}(?:\.[\w$-]{1,100}){0,20})`;
const LARAVEL = String.raw`(?<![:\w]):[A-Za-z][A-Za-z0-9_]*|\[[\d*]{1,9},[\d*]{1,9}\]`;
const CHROME = String.raw`\$\$|\$[A-Za-z_@][\w@]{0,100}\$|\$\d{1,2}(?:\$)?`;

/** What a syntax adds, before what all have. */
const OWN: Partial<Record<Syntax, string>> = {
  vue: VUE,
  laravel: LARAVEL,
  chrome: CHROME,
};

const PRINTF: Partial<Record<Syntax, string>> = {
  apple: PRINTF_APPLE,
  android: PRINTF_ANDROID,
  ruby: `%%|${NAMED_PRINTF}|${DATE_RUBY}|${PRINTF_PROSE}`,
};

function either(a: RegExp | undefined, b: RegExp): RegExp {
  return a ? new RegExp(`${a.source}|${b.source}`) : b;
}

function compose(syntax: Syntax, braces: boolean): Grammar {
  const directives = directivesOf(syntax);
  const isPercent = directives?.signs === '%';
  const opening = syntax === 'i18next' ? String.raw`[$#%]\{|\{\{|${COMPLEX}` : BRACE;
  const parts = [
    urlIn(syntax, directives?.signs),
    WWW,
    EMAIL,
    directives?.pattern ?? OWN[syntax],
    braces ? opening : undefined,
    isPercent ? undefined : (PRINTF[syntax] ?? `${PRINTF_PROSE}|${DATE_PROSE}`),
  ];
  parts.push(TAG, ENTITY, ESCAPE, COUNT, NESTING);
  const separators = syntax === 'vue' || syntax === 'laravel' ? String.raw`|[|]|:[A-Za-z]` : '';
  const quotes = syntax === 'icu' ? `|''|'>` : '';
  const sign = directives?.doubled === '~' ? '|~' : '';
  return {
    syntax,
    braces,
    doublesBraces: directives?.signs.startsWith('{') ?? false,
    silent: either(directives?.silent, isPercent ? NONE : (DATE_PART[syntax] ?? DATE_PROSE_PART)),
    named: either(directives?.named, isPercent ? NONE : NAMED_PERCENT),
    tokens: new RegExp(parts.filter((part) => part !== undefined).join('|'), 'g'),
    special: new RegExp(String.raw`[%{}$<&\\@]|:\/\/|www\.|__${separators}${quotes}${sign}`),
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

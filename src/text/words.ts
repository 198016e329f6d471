const LETTER = /\p{L}/u;

/** A date or time field in the patterns of Unicode, Moment and .NET. */
const FIELD = String.raw`(?:[Yy]{2}|[Yy]{4}|Y|M{1,5}|D{1,2}|Do|d{1,4}|E{1,5}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|S{1,3}|[aAzZ])`;
const SEPARATOR = String.raw`(?:[ \u00a0]?[-./:,][ \u00a0]?|[ \u00a0]\(?)`;
const DATE = new RegExp(String.raw`^${FIELD}(?:${SEPARATOR}${FIELD}){1,7}\)?\.?$`);
/** The name of a month or day, or a four-digit year, as a whole pattern. `mm` and `ss` may be units. */
const FIELD_ALONE = /^(?:[Yy]{4}|M{3,5}|L{3,5}|E{3,5}|c{3,5}|d{3,4}|DD)$/;
/** The direction of a language's script: `dir: ltr`. */
const DIRECTION = /^(?:ltr|rtl)$/;
/** An encoding of files: `general_csv_encoding: ISO-8859-1`. */
const CHARSET =
  /^(?:utf-?(?:8|16|32)|iso-8859-\d{1,2}|windows-\d{3,4}|shift_jis|euc-(?:jp|kr|tw)|koi8-[ru]|gb2312|gb18030|big5)$/i;
const MODIFIER =
  '(?:CmdOrCtrl|CommandOrControl|Ctrl|Control|Cmd|Command|Alt|AltGr|Option|Shift|Meta|Super|Win|Primary)';
const MODIFIERS = String.raw`(?:(?:${MODIFIER}\+)+|(?:<${MODIFIER}>)+)`;
const KEY = String.raw`(?:\S|F\d{1,2}|Enter|Return|Esc|Escape|Tab|Space|Backspace|Del|Delete|Ins|Insert|Home|End|Pg(?:Up|Down|Dn)|Page_?(?:Up|Down)|(?:Arrow)?(?:Up|Down|Left|Right)|Plus|Minus)`;
/** A key with modifiers, or several in a row: `Ctrl+K, Ctrl+C` in Qt, `<Primary>q` in GTK, `CmdOrCtrl+Q` in Electron. */
const SHORTCUT = new RegExp(`^(?:${MODIFIERS}${KEY}(?:,? ${MODIFIERS}?${KEY})*|F\\d{1,2})$`, 'iu');
const PLURAL_RULE = /^\s*nplurals\s*=\s*\d+;\s*plural\s*=/;
/** Without a doubled field, the letters could be initials: `A. M.`. */
const DOUBLED = /([YyMDdEHhms])\1/;
/** Fields without separators, and PHP's single-letter fields. */
const OTHER_DATE =
  /^(?:[Yy]{4}MM[Dd]{2}(?:HHmm(?:ss)?)?|HHmm(?:ss)?|[dj]([./-])[mn]\1[Yy]|Y([./-])[mn]\2[dj]|[mn]\/[dj]\/[Yy]|[FM] [jd], Y|[jd] [FM] Y|[HG]:i(?::s)?|[gh]:i(?::s)? ?[aA])$/;

/**
 * Whether there is anything to translate: a letter outside date patterns such as `MMM DD, YYYY` and `d.m.Y`. Number
 * patterns (`#,##0.00`) have no letters. The direction of writing (Rails' `html.dir`), an encoding, a keyboard shortcut
 * (toolkits do not recognize a translated one) and gettext's plural rule are values for programs; `/user/month` and
 * `note:important` may be part of a sentence.
 */
export function hasWords(text: string): boolean {
  if (!LETTER.test(text)) return false;
  if (isPluralRule(text)) return false;
  if (text.length > 40) return true;
  const trimmed = text.trim();
  const isDate = (DATE.test(trimmed) && DOUBLED.test(trimmed)) || OTHER_DATE.test(trimmed);
  return !isDate && !FIELD_ALONE.test(trimmed) && !isOfProgram(trimmed);
}

const isOfProgram = (value: string): boolean =>
  DIRECTION.test(value) || CHARSET.test(value) || SHORTCUT.test(value);

/** Whether a value is gettext's plural rule: `nplurals=2; plural=(n != 1);`. */
export function isPluralRule(value: string): boolean {
  return value.includes('nplurals') && PLURAL_RULE.test(value);
}

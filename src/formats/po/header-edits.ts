import { DragomanError } from '../../base/errors.ts';
import { type Edit, type Span, positionAt } from '../../base/span.ts';
import { parseLocale } from '../../languages/locale.ts';
import { englishName } from '../../languages/table.ts';
import type { RetargetOptions } from '../format.ts';
import { indentAt, insertAt, lineEndOf, startOfText, wholeLines } from '../lines.ts';
import { isUndecided, declaredCharset } from './charset.ts';
import { escapePo } from './encode.ts';
import { removeFuzzyEdits, roleOf } from './flags.ts';
import { fieldOf, type Header, type HeaderField, languageIn, findHeader } from './header.ts';
import { readPluralForms } from './plural-expression.ts';
import { doublesTrailBytes, secondTrailBytes } from './tokens.ts';

/** A required header field. */
interface Wanted {
  readonly name: string;
  readonly value: string;
  /** Whether an existing value may be kept. */
  keeps(value: string): boolean;
  /** The field after which a missing field is inserted. */
  readonly after: string;
}

/**
 * Edits that adapt the header to the target; a missing header is inserted at the top.
 *
 * @param forms the value of `Plural-Forms`
 */
export function headerEdits(
  text: string,
  header: Header | undefined,
  forms: string,
  options: RetargetOptions,
): readonly Edit[] {
  const wanted = wantedFields(options, forms);
  if (!header) return [insertAt(startOfText(text), newHeader(lineEndOf(text), wanted))];
  const adapted =
    options.role === 'new'
      ? [...removeFuzzyEdits(text, header.message), ...forgetAuthors(text, header, options)]
      : [];
  const changes = wanted.flatMap((field) => changeOf(header, field));
  const missing = wanted.filter((field) => !fieldOf(header, field.name));
  return [...adapted, ...changes, ...additions(text, header, missing)];
}

function wantedFields({ spelling, role }: RetargetOptions, forms: string): readonly Wanted[] {
  return [
    {
      name: 'Language',
      value: spelling,
      keeps: (value) => (role === 'new' ? value === spelling : value !== '' && value !== 'LANGUAGE'),
      after: 'Language-Team',
    },
    {
      name: 'Content-Type',
      value: 'text/plain; charset=UTF-8',
      keeps: (value) => !isUndecided(/charset=\s*(\S*)/i.exec(value)?.[1] ?? 'CHARSET'),
      after: 'MIME-Version',
    },
    {
      name: 'Plural-Forms',
      value: forms,
      // A value that gettext cannot read, as in a template, counts as missing.
      keeps: (value) => (role === 'new' ? sameRule(value, forms) : readPluralForms(value) !== undefined),
      after: 'Content-Transfer-Encoding',
    },
  ];
}

/** Another spelling of the same rule needs no change. */
function sameRule(a: string, b: string): boolean {
  const [one, two] = [readPluralForms(a), readPluralForms(b)];
  if (!one || !two || one.nplurals !== two.nplurals) return false;
  for (let n = 0; n <= 1000; n++) if (one.indexOf(n) !== two.indexOf(n)) return false;
  return true;
}

function newHeader(newline: string, wanted: readonly Wanted[]): string {
  const value = (name: string): string => wanted.find((field) => field.name === name)?.value ?? '';
  const fields = [
    `Language: ${value('Language')}`,
    'MIME-Version: 1.0',
    `Content-Type: ${value('Content-Type')}`,
    'Content-Transfer-Encoding: 8bit',
    `Plural-Forms: ${value('Plural-Forms')}`,
  ];
  return ['msgid ""', 'msgstr ""', ...fields.map((field) => `"${escapePo(field)}\\n"`), '', ''].join(newline);
}

/** Edits that change the header's charset to UTF-8. */
function charsetEdits(header: Header): readonly Edit[] {
  const field = fieldOf(header, 'Content-Type');
  return field ? [{ span: field.span, text: ` ${escapePo(withCharset(field.value))}` }] : [];
}

function changeOf(header: Header, wanted: Wanted): readonly Edit[] {
  const present = fieldOf(header, wanted.name);
  if (!present || wanted.keeps(present.value)) return [];
  const value = wanted.name === 'Content-Type' ? withCharset(present.value) : wanted.value;
  return [{ span: present.span, text: ` ${escapePo(value)}` }];
}

function withCharset(value: string): string {
  return /charset=/i.test(value)
    ? value.replace(/charset=.*$/i, 'charset=UTF-8')
    : 'text/plain; charset=UTF-8';
}

function additions(text: string, header: Header, missing: readonly Wanted[]): readonly Edit[] {
  const literal = header.message.forms[0]?.literal.span ?? header.message.span;
  const last = header.fields.at(-1);
  let unterminated = last ? !last.terminated : header.isOpen;
  return missing.map(({ name, value, after }) => {
    const anchor = fieldOf(header, after) ?? last;
    const place = anchor?.end ?? literal.end - 1;
    const open = anchor === last && unterminated ? '\\n' : '';
    if (anchor === last) unterminated = false;
    const line = `${name}: ${escapePo(value)}\\n`;
    // Inside a string with several fields, the new field is added to the string; otherwise it becomes a separate
    // string.
    if (text.charAt(place) !== '"') return insertAt(place, open + line);
    return insertAt(place, `${open}"${lineEndOf(text)}${indentOf(text, anchor)}"${line}`);
  });
}

function indentOf(text: string, field: HeaderField | undefined): string {
  if (!field) return '';
  return indentAt(text, text.lastIndexOf('"', field.span.start)) ?? '';
}

/** Neutral values, as in templates and the output of `msginit --no-translator`. */
const NEUTRAL: ReadonlyMap<string, string> = new Map([
  ['last-translator', 'Automatically generated'],
  ['language-team', 'none'],
  ['po-revision-date', 'YEAR-MO-DA HO:MI+ZONE'],
]);
const PLACEHOLDERS = /^(?:FULL NAME <EMAIL@ADDRESS>|LANGUAGE <LL@li\.org>)?$/;

/** Fields of tools that name the language, or its project in a translation tool. */
const OF_ONE_LANGUAGE = new Set([
  'language-code',
  'language-name',
  'x-crowdin-file',
  'x-crowdin-language',
  'x-generator',
  'x-language',
  'x-poedit-bookmarks',
  'x-poedit-country',
  'x-poedit-language',
]);

/**
 * Edits that remove the authors of another language's translation from a new catalogue: translators, their team, the
 * date of their last change and their tools' notes; the title names the new language. None for a template, which has
 * placeholders there.
 */
function forgetAuthors(text: string, header: Header, { locale, spelling }: RetargetOptions): readonly Edit[] {
  const language = languageIn(header);
  const translator = fieldOf(header, 'Last-Translator')?.value ?? '';
  const isSibling = language === undefined ? isReal('last-translator', translator) : language !== spelling;
  if (!isSibling) return [];
  return [
    ...header.fields.flatMap(forgetField),
    ...creditLines(text, header).map((span) => ({ span, text: '' })),
    ...titleEdits(text, header, language, locale),
  ];
}

/** Edits that change the language in `# French translation for Demo.` and `# Translation of Demo to French`. */
function titleEdits(
  text: string,
  { message }: Header,
  language: string | undefined,
  locale: string,
): readonly Edit[] {
  const code = language === undefined ? undefined : parseLocale(language);
  if (code === undefined) return [];
  const name = englishName(code);
  return message.comments.flatMap((comment) => {
    if (roleOf(text, comment) !== 'translator') return [];
    const line = text.slice(comment.start, comment.end);
    const lead = `# ${name} translation`;
    const isLead = line.toLowerCase().startsWith(lead.toLowerCase());
    const isEnd = /^# translations? of .* (?:in)?to \S/i.test(line) && line.trimEnd().endsWith(`to ${name}`);
    const start = comment.start + (isLead ? 2 : line.lastIndexOf(name));
    const span = { start, end: start + name.length };
    return isLead || isEnd ? [{ span, text: englishName(locale) }] : [];
  });
}

function isReal(name: string, value: string): boolean {
  return value !== NEUTRAL.get(name) && !PLACEHOLDERS.test(value);
}

function forgetField({ name, value, span }: HeaderField): readonly Edit[] {
  const known = name.toLowerCase();
  const neutral = NEUTRAL.get(known);
  if (neutral !== undefined) return isReal(known, value) ? [{ span, text: ` ${neutral}` }] : [];
  return OF_ONE_LANGUAGE.has(known) && value !== '' ? [{ span, text: '' }] : [];
}

/** Matches `# Jane Doe <jane@example.org>, 2024.` but not copyright lines, which are kept. */
function creditLines(text: string, { message }: Header): readonly Span[] {
  return message.comments.flatMap((comment) => {
    if (roleOf(text, comment) !== 'translator') return [];
    const line = text.slice(comment.start, comment.end);
    const isCredit =
      line.includes('<') && line.includes('@') && /\d{4}/.test(line) && !/copyright|\(c\)|©/i.test(line);
    return isCredit || /^#\s*translators:\s*$/i.test(line) ? [wholeLines(text, comment)] : [];
  });
}

/** Numeric escapes, `\351` or `\xe9`, which are characters of the file's charset. */
const BYTES = /\\(?:[23][0-7]{2}|x[0-9A-Fa-f]*[89A-Fa-f][0-9A-Fa-f](?![0-9A-Fa-f]))/g;

/** See `Format.toUtf8`. */
export function editsToUtf8(text: string): readonly Edit[] {
  for (const { index } of text.matchAll(BYTES)) {
    if (!isEscaped(text, index)) continue;
    throw new DragomanError('unencodable_value', 'this byte has a different meaning in UTF-8', {
      at: positionAt(text, index),
      hint: 'Convert the file with msgconv --to-code=UTF-8.',
    });
  }
  const charset = declaredCharset(text.slice(0, 65_536));
  const doubled = doublesTrailBytes(text, charset) ? secondTrailBytes(text) : [];
  const header = findHeader(text);
  return [...(header ? charsetEdits(header) : []), ...doubled];
}

/** Whether this backslash is itself escaped and therefore does not begin an escape. */
function isEscaped(text: string, offset: number): boolean {
  let before = offset;
  while (text.charAt(before - 1) === '\\') before--;
  return (offset - before) % 2 === 0;
}

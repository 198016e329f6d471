import type { Edit } from '../../base/span.ts';
import type { RetargetOptions } from '../format.ts';
import { newlineIn } from './catalog.ts';
import { isUndecided } from './charset.ts';
import { settlingEdits } from './flags.ts';
import { forgetAuthors } from './header-authors.ts';
import { fieldOf, type Header, type HeaderField } from './header.ts';
import { indentationStart } from '../lines.ts';
import { readPluralForms } from './plural-expression.ts';
import { escapePo } from './quoting.ts';

/** A field that the header has to have. */
interface Wanted {
  readonly name: string;
  readonly value: string;
  /** Whether a value that is there already will do. */
  keeps(value: string): boolean;
  /** After which field it goes when it is missing. */
  readonly after: string;
}

/**
 * Edits after which the header is that of the target; where there is no header, one is put at the top.
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
  if (!header) return [at(text.startsWith('\ufeff') ? 1 : 0, newHeader(newlineIn(text), wanted))];
  const settled =
    options.role === 'new'
      ? [...settlingEdits(text, header.message), ...forgetAuthors(text, header, options.spelling)]
      : [];
  const changes = wanted.flatMap((field) => changeOf(header, field));
  const missing = wanted.filter((field) => !fieldOf(header, field.name));
  return [...settled, ...changes, ...additions(text, header, missing)];
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
      // What gettext cannot read either, as in a template, is no rule.
      keeps: (value) => (role === 'new' ? sameRule(value, forms) : readPluralForms(value) !== undefined),
      after: 'Content-Transfer-Encoding',
    },
  ];
}

/** The same rule in another spelling is as good: nothing needs to change then. */
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

/** Edits after which the header declares UTF-8. */
export function charsetEdits(header: Header): readonly Edit[] {
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
    // Inside a string that holds several fields it is one more of them, else it is a string of its own.
    if (text.charAt(place) !== '"') return at(place, open + line);
    return at(place, `${open}"${newlineIn(text)}${indentOf(text, anchor)}"${line}`);
  });
}

function indentOf(text: string, field: HeaderField | undefined): string {
  if (!field) return '';
  const quote = text.lastIndexOf('"', field.span.start);
  const start = indentationStart(text, quote);
  return start === undefined ? '' : text.slice(start, quote);
}

function at(place: number, text: string): Edit {
  return { span: { start: place, end: place }, text };
}

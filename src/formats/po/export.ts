import { spellLocale } from '../../languages/locale.ts';
import { EXPORT_FIELD } from './description.ts';
import { quotePo } from './encode.ts';

/** The header of an exported file in UTF-8, with `fields` after the language. */
export function exportHeader(target: string, fields: readonly string[], version: string): string {
  const all = [
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    `Language: ${spellLocale(target, 'gettext')}`,
    ...fields,
    `X-Generator: dragoman ${version}`,
    EXPORT_FIELD,
  ];
  return `msgid ""\n${keyword('msgstr', all.map((field) => `${field}\n`).join(''))}`;
}

/** A line such as `msgid "text"`, folded as gettext does it. */
export function keyword(name: string, value: string): string {
  const layout = { newline: '\n', indentation: '', column: name.length + 1, wraps: true };
  return `${name} ${quotePo(value, layout)}\n`;
}

import type { Syntax } from '../../text/syntax.ts';

export interface Dialect {
  readonly name: string;
  readonly syntax: Syntax;
}

const ICU = /\{\s*[\w.]+\s*,\s*(?:plural|selectordinal|select)\s*,/;
const RUBY = /%\{\w+\}|%<\w+>/;
const I18NEXT = /\{\{[^{}]*\}\}|\$t\(/;
const VUE = /@(?:\.\w+)?:[\w({]/;

/** The message syntax of a whole file, by its values. */
export function detectDialect(values: Iterable<string>, rails: boolean): Dialect {
  let i18next = false;
  let vue = false;
  let icu = false;
  let ruby = rails;
  for (const value of values) {
    ruby ||= RUBY.test(value);
    icu ||= ICU.test(value);
    i18next ||= I18NEXT.test(value);
    vue ||= VUE.test(value);
  }
  if (ruby) return { name: rails ? 'Rails' : 'Ruby I18n', syntax: 'ruby' };
  if (icu) return { name: 'ICU MessageFormat', syntax: 'icu' };
  if (i18next) return { name: 'i18next', syntax: 'i18next' };
  if (vue) return { name: 'vue-i18n', syntax: 'vue' };
  return { name: 'plain', syntax: 'plain' };
}

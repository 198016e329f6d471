import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { isXmlSource, type Syntax } from '../../src/text/syntax.ts';
import { randomFrom } from '../firefox/random.ts';

/** A value to translate, with the parts that every translation must contain as often as the value. */
export interface HostileUnit {
  readonly value: string;
  readonly syntax: Syntax;
  readonly parts: readonly string[];
}

/** `W` is a word, `S` some words. Other parts are syntax. */
const TEMPLATES: readonly (readonly [Syntax, string, ...string[]])[] = [
  ['plain', 'S {name}, S {{count}} S', '{name}', '{{count}}'],
  ['plain', 'S <b>S</b> W %1$s &amp; ${other.thing}: S', '<b>', '</b>', '%1$s', '&amp;', '${other.thing}'],
  ['plain', '{0} / {1} W (S {2})', '{0}', '{1}', '{2}'],
  ['plain', 'v{version}W, S https://example.org/a?b=c S', '{version}', 'https://example.org/a?b=c'],
  ['plain', '<a href="x">S <i>W</i></a> S {n}', '<a href="x">', '</a>', '<i>', '</i>', '{n}'],
  ['icu', 'S {n, plural, one {# W S} other {# S}} W {folder}', '{folder}', '{n, plural, '],
  ['icu', 'W <link>S {what}</link> S', '<link>', '</link>', '{what}'],
  ['icu', '{gender, select, male {S} female {W S} other {S}}', '{gender, select, ', 'female {'],
  ['i18next', '{{count}} S $t(basket) W', '{{count}}', '$t(basket)'],
  ['vue', 'S @:user.name S {name}', '@:user.name', '{name}'],
  ['chrome', 'S $USER$, W $1 S', '$USER$', '$1'],
  ['ruby', '%{count} S %<place>s', '%{count}', '%<place>s'],
  ['laravel', 'S :name, W S', ':name'],
  ['c', 'S %s: W %d S %5.2f\n', '%s', '%d', '%5.2f', '\n'],
  ['python-brace', 'S {user!r:>10} W', '{user!r:>10}'],
  ['java', "W''W {0} S {1,number,integer}", '{0}', '{1,number,integer}'],
  ['apple', '%1$@ S %2$lld W', '%1$@', '%2$lld'],
  ['android', 'S %1$s (%2$d%%) <b>W</b>', '%1$s', '%2$d', '<b>', '</b>'],
  ['markup', 'S <g id="a">%1$s</g> &lt; <b>S</b>', '<g id="a">%1$s</g>', '<b>', '</b>'],
  [
    'xliff',
    'S <g id="1">W S</g> <x id="INTERPOLATION" equiv-text="{{ n }}"/> S',
    '<g id="1">',
    '</g>',
    '<x id="INTERPOLATION" equiv-text="{{ n }}"/>',
  ],
  [
    'xliff',
    'S <bpt id="1">&lt;b></bpt>S<ept id="1">&lt;/b></ept>, <mrk mtype="protected">W W</mrk> S <ph id="2">%s</ph>',
    '<bpt id="1">&lt;b></bpt>',
    '<ept id="1">&lt;/b></ept>',
    '<ph id="2">%s</ph>',
  ],
  [
    'xliff',
    '<pc id="0">S</pc> W <sc id="1"/>S<ec startRef="1"/> {n, plural, one {S} other {# W}}',
    '<pc id="0">',
    '</pc>',
    '<sc id="1"/>',
    '<ec startRef="1"/>',
    '{n, plural, ',
  ],
  ['qt', 'S %1 W <b>S</b> %L2, %n S', '%1', '%L2', '%n', '<b>', '</b>'],
];

export const WORDS =
  "the house file user name number garden open close save 5 437 2024 it's red big new message you have C++ a&b < 100 % — … “so” naïve 日本 мир مرحبا".split(
    ' ',
  );

/** Gives numbers below `n`, the same in every run. */
export function makePicker(seed = 42): (n: number) => number {
  const random = randomFrom(seed);
  return (n) => Math.min(n - 1, Math.floor(((random() + 1) / 2) * n));
}

/**
 * Strings with placeholders: the same in every run, and almost all distinct.
 *
 * @param only one syntax; default: every syntax
 */
export function hostileUnits(count: number, seed = 42, only?: string): HostileUnit[] {
  const templates = TEMPLATES.filter(([syntax]) => only === undefined || syntax === only);
  const pick = makePicker(seed);
  const word = (syntax: Syntax): string => {
    const found = WORDS[pick(WORDS.length)] ?? '';
    const isSyntax =
      (isXmlSource(syntax) && /[&<]/.test(found)) || (/icu|java/.test(syntax) && found.includes("'"));
    return isSyntax || (found === '%' && syntax !== 'plain') ? 'house' : found;
  };
  return Array.from({ length: count }, (_, i) => {
    const [syntax, template, ...parts] = templates[i % templates.length] ?? ['plain', 'S'];
    const words = (n: number): string => Array.from({ length: n }, () => word(syntax)).join(' ');
    const value = template.replace(/\bS\b/g, () => words(2 + pick(5))).replace(/\bW\b/g, () => words(1));
    return { syntax, value, parts };
  });
}

/** The damage to a translation: parts whose count differs, and characters that do not occur in texts. */
export function breakageOf({ value, syntax, parts }: HostileUnit, translation: string): readonly string[] {
  const count = (text: string, part: string): number => withoutEscaped(text, syntax).split(part).length - 1;
  const broken = parts.filter((part) => count(translation, part) !== count(value, part));
  if (syntax === 'icu' && argumentsOf(translation) !== argumentsOf(value)) broken.push('arguments');
  if (!translation.isWellFormed() || /[\u0000-\u0008\u001b]/.test(translation)) broken.push('characters');
  return broken;
}

/** Removes escapes: words of an answer that look like syntax are escaped, and must not be counted as syntax. */
function withoutEscaped(text: string, syntax: Syntax): string {
  if (syntax === 'java') return text.replace(/''/g, '').replace(/'[^']*'/g, '');
  // In ICU messages, an apostrophe starts a quote only before a syntax character.
  if (syntax === 'icu') return text.replace(/''/g, '').replace(/'[{}<>#|][^']*'/g, '');
  return /^(?:c|apple|android|plain|markup|xliff)$/.test(syntax) ? text.replace(/%%/g, '') : text;
}

/** Every argument of an ICU message with its kind, and the `other` branch of those with branches. */
function argumentsOf(message: string): string {
  const found = new Set<string>();
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      // Words and `#` do not count: the number of `#` depends on the branches.
      if (!('value' in element) || element.type === TYPE.literal) continue;
      found.add(`${element.type} ${element.value}`);
      if ('children' in element) visit(element.children);
      if (!('options' in element)) continue;
      for (const [branch, { value }] of Object.entries(element.options)) {
        if (branch === 'other') found.add(`${element.value} other`);
        visit(value);
      }
    }
  };
  try {
    visit(parse(message));
  } catch {
    return 'malformed';
  }
  return [...found].sort().join();
}

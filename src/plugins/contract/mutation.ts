import type { Random } from './random.ts';

/** Strings that have broken scanners: control characters, lone surrogates, and pieces of every notation. */
const ODD = [
  '',
  ' ',
  '\t',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  '\u0000',
  '\u001b',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\ud800',
  '\udc00',
  '😀',
  'e\u0301',
  'مرحبا',
  '\\',
  '\\\\',
  '\\u12',
  '\\u0041',
  '\\n',
  '"',
  "'",
  '`',
  '=',
  ':',
  ': ',
  ',',
  ';',
  '#',
  ' #',
  '!',
  '- ',
  '? ',
  '| ',
  '>',
  '&a ',
  '*a',
  '!!str ',
  '---\n',
  '...\n',
  '<<: ',
  '{',
  '}',
  '[',
  ']',
  '{}',
  '{0}',
  '%s',
  '//',
  '/*',
  '*/',
  '<',
  '</',
  '<b>',
  '<br/>',
  '&',
  '&amp;',
  '&#8217;',
  '&x;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?x ?>',
  '--',
  '-->\n',
  ' --> ',
  '00:00:01,000 --> 00:00:02,000',
  '1\n',
  'NOTE\n',
  'msgid ""\n',
  'msgstr[1] "x"\n',
  '#, fuzzy\n',
  '#~ ',
  'null',
  'true',
  '0',
  '--boundary\n',
  'Content-Type: text/html; charset=utf-8\n',
  '=?utf-8?Q?x?=',
  '=\n',
  '=3D',
] as const;

const PAIRS = [
  ['{', '}'],
  ['[', ']'],
  ['"', '"'],
  ["'", "'"],
  ['<b>', '</b>'],
  ['<p>', '</p>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['/*', '*/'],
  ['{"a":', '}'],
  ['[', ', 1]'],
] as const;

type Mutation = (text: string, random: Random, others: readonly string[]) => string;

const put = (text: string, start: number, end: number, piece: string): string =>
  text.slice(0, start) + piece + text.slice(end);

function pieces(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? [];
}

/** Deletes, repeats or swaps pieces, or copies one from another document. */
function rearrange(pattern: RegExp): Mutation {
  return (text, random, others) => {
    const own = pieces(text, pattern);
    const at = random.below(own.length + 1);
    const count = 1 + random.below(3);
    switch (random.below(4)) {
      case 0:
        own.splice(at, count);
        break;
      case 1:
        own.splice(random.below(own.length + 1), 0, ...own.slice(at, at + count));
        break;
      case 2: {
        const moved = own.splice(at, count);
        own.splice(random.below(own.length + 1), 0, ...moved);
        break;
      }
      default: {
        const other = pieces(random.pick(others) ?? '', pattern);
        const from = random.below(other.length + 1);
        own.splice(at, random.below(2), ...other.slice(from, from + count));
      }
    }
    return own.join('');
  };
}

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  rearrange(/[^\n]*\n|[^\n]+/g),
  rearrange(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu),
  (text, random) => put(text, ...random.range(text.length), ''),
  (text, random) => {
    const at = random.below(text.length + 1);
    return put(text, at, at + random.below(2), random.pick(ODD));
  },
  (text, random) => {
    const [start, end] = random.range(text.length);
    const at = random.below(text.length + 1);
    return put(text, at, at, text.slice(start, end));
  },
  (text, random) => {
    const [start, end] = random.range(text.length);
    const [open, close] = random.pick(PAIRS);
    const depth = random.once(60) ? 600 : 1 + random.below(3);
    return put(text, start, end, open.repeat(depth) + text.slice(start, end) + close.repeat(depth));
  },
  (text, random, others) => {
    const other = random.pick(others) ?? '';
    const [start, end] = random.range(other.length);
    return put(text, ...random.range(text.length), other.slice(start, end));
  },
  (text, random) =>
    text.replace(/\r\n|\r|\n/g, (found) => (random.once(3) ? random.pick(['\n', '\r\n', '\r', '']) : found)),
];

/** Damages a document with a few mutations, some of which insert pieces of other documents. */
export function mutate(documents: readonly string[], random: Random): string {
  let text = random.pick(documents) ?? '';
  for (let left = random.below(5); left >= 0; left--) text = mutateOnce(text, documents, random);
  return text;
}

export function mutateOnce(text: string, documents: readonly string[], random: Random): string {
  return random.pick(MUTATIONS)(text, random, documents);
}

/** Values that have broken some format's encoder. Each must be written exactly or refused. */
export const TRICKY_VALUES: readonly string[] = [
  '',
  ' ',
  ' leading and trailing ',
  '\ttab\t',
  'two\nlines',
  'three\n\nlines\n',
  'carriage\r\nreturn',
  'quote " and \' and `',
  'back\\slash \\n \\u0041',
  '😀 👨‍👩‍👧 e\u0301',
  'مرحبا بالعالم',
  ']]>',
  '-- # ! ; /* // */',
  '<b>&amp;</b> & < >',
  'true',
  'null',
  '- no',
  '1.0',
  '2026-01-01',
  ': # key: value',
  '{x} [y] %s @string/a ?attr',
  '\u00a0nbsp\u200b\u2028',
  '=equals:colon',
  '#',
  '*a',
  '&a',
  '!tag',
  '|',
  '>',
  '%',
  '@',
  '~',
];

const WORDS = ['word', 'Größe', '{name}', '%d', '<b>x</b>', 'a: b', ' ', '\n', 'é'] as const;

/** Characters that no text format supports, and lone surrogates. No value needs them. */
const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/g;

/** A plausible value. */
export function randomValue(random: Random): string {
  let value = '';
  for (let left = random.below(5); left >= 0; left--) {
    value += random.once(2) ? random.pick(ODD) : random.pick(WORDS);
  }
  return value.replace(NO_TEXT, '').toWellFormed();
}

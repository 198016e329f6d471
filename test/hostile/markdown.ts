import { both, count, grow, type HostileText, nest, repeat } from './texts.ts';

const definitions = count((i) => `[l${i}]: /a\n`);
const notes = count((i) => `[^l${i}]: a b\n\n`);

/** Markdown documents that once took more than linear time, or are designed to. */
export const HOSTILE_MARKDOWN: readonly HostileText[] = [
  repeat('[a](<'),
  repeat('[a](b "'),
  repeat('[a](b ('),
  repeat('[a b '),
  repeat('] '),
  repeat('](b)'),
  repeat('[^a]:'),
  repeat(']'),
  repeat('![a b '),
  repeat('`a b '),
  repeat('<!--a b '),
  repeat('<?a b '),
  repeat('<![CDATA[a b '),
  repeat('<a b="c '),
  repeat('&amp; a b '),
  repeat('a@b.c x y '),
  repeat('www.a.b x y '),
  repeat('word word word\n'),
  repeat('*a |\n'),
  repeat('_www.a'),
  repeat('.', { head: 'www.a', tail: 'b' }),
  repeat('!', { head: 'http://a.b/', tail: 'c' }),
  repeat('&a;', { head: 'www.a', tail: '-' }),
  grow('`', ' '),
  grow('`', 'a\n'),
  nest('[', '](b)'),
  nest('<b>', '</b>'),
  definitions,
  notes,
  both(
    definitions,
    count((i) => `[l${i}]\n\n`),
  ),
  both(
    notes,
    count((i) => `a[^l${i}]\n\n`),
  ),
  count((i) => `[a](/b${i} "title") {{a}}\n\n`),
];

/** Pieces in one text, between bars. */
export function split(...pieces: readonly string[]): readonly string[] {
  return pieces.flatMap((text) => text.split('¦'));
}

/** Pieces that many notations have. */
export const COMMON = split('a¦ ¦\t¦\n¦\r\n¦ \n¦\\¦"¦\'¦\\"¦,¦:¦=¦#¦-¦(⋯)¦[⋯]¦{⋯}');

/** Pieces of messages, which occur in the values of every format. */
export const MESSAGE_PIECES = [
  ...COMMON,
  ...split(
    "{a} ¦{№} ¦{{¦<a \"¦<a ¦<a x=\"¦<a x='¦<!--¦<?¦'{¦''¦%¦%(¦%s ¦%№$s ¦%a_¦$t(¦$a¦$a$¦:a ¦__a_",
    'https://¦https://a.¦https://a№.b ¦a.¦x@a.¦www.a.¦&a¦&a;¦&#1¦\\u¦\\n¦@:a.¦[1¦|¦{a,plural,',
    '{a,plural,other{x}} ¦{a№,plural,other{x}} ¦=№{a} ¦{a,plural,one{⋯} other{x}}',
    '{a, select, other {¦{a,plural,x}¦](¦[a](b:¦](a:x¦![¦[a](¦[a](b) ¦[a](https://b№.c) ¦a.com/¦~',
    '~,¦~{¦${¦%|¦%h ¦<a b>¦<a1 b c¦</a¦</a>¦<b>⋯</b>¦<b>¦</b>¦<x№>¦<x№>⋯</x№>¦<a x={b}¦<a x="{b}">',
    "https://a/{b}¦<b></b>¦<br>¦é¦👍¦Hello. ¦**¦*a¦_a¦`¦{0,choice,0#a|¦@:{¦#{¦%{a} ¦%<a>d ¦{'a'} ",
    'one: a | ¦{0} a|¦<ph id="№"/>¦<mrk>⋯</mrk>',
  ),
];

export const XML = [
  ...COMMON,
  ...split(
    '<a¦<a>¦</a>¦<a>⋯</a>¦<a x="¦ a№="b"¦<a a="b"/>¦&¦&amp;¦&#1¦<!--¦<!-- a -->¦-->¦<![CDATA[',
    '<![CDATA[a]]>¦]]>¦<?¦<?a b?>¦<!DOCTYPE¦<!ENTITY a№ "b">¦<¦>¦ xmlns:a№="b"¦\\u¦\\\'¦@string/a',
    '%1$s',
  ),
];

export const SLASH_COMMENTS = split('//¦// a\n¦/*¦/* a */¦*/¦/');

export const JSON_PIECES = [
  ...COMMON,
  ...SLASH_COMMENTS,
  ...split(
    '{"a":⋯}¦[1,⋯]¦"a":"b",¦"k№":"v",¦"k№":{"v":"w"},¦"k№_one":"v",¦"k№":{"one":"v","other":"w"},',
    '{"id":"k№","defaultMessage":"v"},¦"@k№":{"description":"d"},"k№":"v",¦"a.b№":"v",¦"k":"v",',
    '"v",¦1,¦null,¦\\u¦\\u00¦\\\n¦\'a\',¦a:¦+',
  ),
];

export const MARKDOWN = [
  ...COMMON,
  ...split(
    '[a](<¦[a](b "¦[a](b (¦[a](b) ¦[a][b] ¦[a]¦![a](b) ¦![¦[⋯](b)¦[l№]: /a\n¦[l№]\n\n',
    '[^l№]: a b\n\n¦a[^l№]\n\n¦[^a]:¦`¦``¦`a` ¦```\n¦~~~¦~~¦*a¦*a* ¦**a** ¦**¦_a¦_¦***¦*a **b ¦> ',
    '> a\n¦- ¦- a\n¦1. a\n¦  - a\n¦* * a\n¦- [ ] a\n¦+ ¦# a\n¦a\n\n¦a\n¦a  \n¦a\\\n¦a\n===\n¦---\n',
    '| a ¦| a | b |\n¦|-¦| - |\n¦a | b\n- | -\n¦<a¦<b>¦<b>⋯</b>¦<!--¦<!-- a -->\n¦<?¦<div>\n',
    '<div>\n\na\n\n</div>\n\n¦<https://a.b> ¦https://a.b/ ¦www.a.b ¦a@b.c ¦&amp;¦&a¦\\*¦    a\n',
    ':::\n¦::: a\n¦!!! a "b"\n¦=== "a"\n¦: a\n¦{{< a >}}¦{{< a title="b" >}}¦{{< a¦{{% a %}}⋯{{% /a %}}¦{% a %}',
    '{% raw %}¦{#a№}¦{.a}¦$¦$$¦$a$ ¦\\(a\\) ¦:a: ¦[[a]] ¦{a}¦<A>¦<A>⋯</A>¦<A b="c"/>¦<Badge text="c"/>\n',
    'import a№ from "b"\n¦export const a№ = 1\n\n¦{/* a */}¦*[a№]: b\n¦--8<-- "a"\n¦[TOC]\n',
  ),
];

/** Pieces of visible subtitle text. */
export const CUES = [
  ...COMMON,
  ...split(
    '<i>¦</i>¦<i>⋯</i>¦<¦<c.a>¦<v A>¦<font color="#ff0000">a</font>\n¦{¦{\\i1}¦\\N¦\\h¦- a\n¦- ¦a\n',
    '>> a ¦A: b\n¦&amp;¦&¦<00:01.000>¦Hello. ¦hello ¦\n\n¦♪ ¦[¦(a) ¦|',
  ),
];

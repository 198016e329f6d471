import type { Fuzzed } from '../../scripts/fuzz/documents.ts';
import { COMMON, CUES, JSON_PIECES, MARKDOWN, SLASH_COMMENTS, split, XML } from './pieces.ts';

/** Pieces of a notation, and their surroundings. `⋯` separates openers from closers, and `№` is a unique number. */
export interface HostileNotation {
  /** The surroundings of the pieces: a whole file, one value, a part before others. */
  readonly frames: readonly string[];
  readonly pieces: readonly string[];
}

export const HOSTILE_NOTATIONS: Readonly<Record<Fuzzed, HostileNotation>> = {
  json: {
    frames: split('⋯¦{⋯¦{⋯"z":"z"}¦[⋯¦{"a":"⋯"}¦{"a":"⋯'),
    pieces: JSON_PIECES,
  },
  json5: {
    frames: split('⋯¦{⋯}¦{a:"⋯"}¦{a:\'⋯\'}¦{⋯'),
    pieces: JSON_PIECES,
  },
  yaml: {
    frames: split('⋯¦a: ⋯¦a: "⋯"\n¦a: \'⋯\'\n¦a: |\n  ⋯\n¦a: >\n  ⋯\n¦en:\n  ⋯¦a: [⋯¦a: {⋯'),
    pieces: [
      ...COMMON,
      ...split(
        'a: b\n¦k№: v\n¦k№: "v"\n¦k№: |\n  v\n¦k№: >-\n  v\n  w\n¦k№:\n  a: b\n¦  k№: v\n¦- a\n¦- ¦? ',
        '? a\n: b\n¦&a ¦&a№ b\n¦*a ¦*a\n¦!¦!!str ¦---\n¦...\n¦# a\n¦ # a¦<<: *a\n¦%YAML¦|\n¦>\n¦a:¦: ',
        "[a, ¦{a: ¦{a: b}, ¦''¦\\u¦\\\n¦\n  ¦@¦`",
      ),
    ],
  },
  po: {
    frames: split(
      '⋯¦msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n⋯¦msgid "a⋯"\nmsgstr ""\n',
      'msgid "a"\nmsgstr "⋯"\n¦msgid ""\nmsgstr "⋯"\n',
      'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=⋯;\\n"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] ""\n',
    ),
    pieces: [
      ...COMMON,
      ...split(
        '#\n¦# a\n¦#, fuzzy\n¦#, c-format, ¦#: a:1 ¦#. a\n¦#| msgid "a"\n',
        '#~ msgid "a№"\n#~ msgstr ""\n\n¦msgid "a№"\nmsgstr "b"\n\n¦msgid "a"\nmsgstr "b"\n\n',
        'msgctxt "c№"\nmsgid "a"\nmsgstr ""\n\n',
        'msgid "a№"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "d"\n\n',
        '#, fuzzy\n#| msgid "b"\nmsgid "a№"\nmsgstr "b"\n\n¦msgid ¦msgid ""\n¦msgstr[№] "a"\n',
        'msgstr ""\n¦"a"\n¦""\n¦"\n"¦"\n"a¦\\n"\n"¦\\n¦\\x¦X-A№: b\\n¦n?¦n==1?0:¦!¦||¦n%10==1 && ¦n+',
      ),
    ],
  },
  properties: {
    frames: split('⋯¦a=⋯\n¦⋯=a\n'),
    pieces: [...COMMON, ...split("a=b\n¦k№=v\n¦# a\n¦! a\n¦\\\n¦\\\n  ¦\\u¦\\u0041¦!¦a=\\\n¦k.№=v\n¦'{0}' ")],
  },
  strings: {
    frames: split('⋯¦"a" = "⋯";\n¦"⋯" = "a";\n¦{⋯}'),
    pieces: [
      ...COMMON,
      ...SLASH_COMMENTS,
      ...split(';¦"a" = "b";\n¦"k№" = "v";\n¦/* a */\n"k№" = "v";\n¦a = b;\n¦\\U¦\\U0041¦<¦<aa¦"a" ='),
    ],
  },
  xcstrings: {
    frames: split(
      '⋯¦{"sourceLanguage":"en","version":"1.0","strings":{⋯"z":{}}}',
      '{"sourceLanguage":"en","version":"1.0","strings":{"a":{"localizations":{"en":{"stringUnit":{"state":"new","value":"⋯"}}}}}}',
      '{"sourceLanguage":"en","version":"1.0","strings":{"a":{"localizations":{⋯"z":{}}}}}',
      '{"sourceLanguage":"en","version":"1.0","strings":{"a":{"localizations":{"en":{"variations":{⋯"z":{}}}}}}}',
    ),
    pieces: [
      ...JSON_PIECES,
      ...split(
        '"k№":{},',
        '"k№":{"comment":"c","localizations":{"en":{"stringUnit":{"state":"translated","value":"v"}}}},',
        '"k№":{"localizations":{"en":{"variations":{"plural":{"one":{"stringUnit":{"value":"v"}},"other":{"stringUnit":{"value":"v"}}}}}}},',
        '"l№":{"stringUnit":{"value":"v"}},¦"plural":{"one":{"variations":⋯}},¦%arg ¦%#@a@ ',
      ),
    ],
  },
  xml: {
    frames: split(
      '⋯¦<resources>⋯</resources>¦<resources><string name="a">⋯</string></resources>',
      '<resources><string name="⋯">a</string></resources>¦<resources⋯></resources>',
      '<!DOCTYPE r [⋯]><r/>¦<root>⋯</root>¦<plist><dict>⋯</dict></plist>',
      '<resources><string name="a"><![CDATA[⋯]]></string></resources>',
    ),
    pieces: [
      ...XML,
      ...split(
        '<string name="a№">b</string>¦<string name="a№"><xliff:g id="x">b</xliff:g></string>',
        '<!-- c --><string name="a№">b</string>\n',
        '<plurals name="a№"><item quantity="one">b</item><item quantity="other">c</item></plurals>',
        '<string-array name="a№"><item>b</item></string-array>¦<item>b</item>',
        '<data name="a№"><value>b</value><comment>c</comment></data>¦<key>a№</key><string>b</string>',
        '<key>a№</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@x@</string></dict>',
        '<dict>⋯</dict>¦<entry key="a№">b</entry>',
      ),
    ],
  },
  xliff: {
    frames: split(
      '⋯',
      '<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body>⋯</body></file></xliff>',
      '<xliff version="1.2">⋯</xliff>',
      '<xliff version="1.2"><file original="a" source-language="en"><body><trans-unit id="1"><source>⋯</source></trans-unit></body></file></xliff>',
      '<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body><trans-unit id="1"><source>a</source><target>⋯</target></trans-unit></body></file></xliff>',
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f">⋯</file></xliff>',
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u">⋯</unit></file></xliff>',
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u"><segment><source>⋯</source></segment></unit></file></xliff>',
    ),
    pieces: [
      ...XML,
      ...split(
        '<trans-unit id="a№"><source>a</source></trans-unit>',
        '<trans-unit id="a№"><source>a</source><target state="new">b</target><note>c</note></trans-unit>',
        '<group>⋯</group>',
        '<file original="f№" source-language="en"><body><trans-unit id="1"><source>a</source></trans-unit></body></file>',
        '<unit id="u№"><segment><source>a</source><target>b</target></segment></unit>',
        '<segment id="s№"><source>a</source></segment>¦<ignorable><source> </source></ignorable>',
        '<note id="№">a</note>¦<notes><note>a</note></notes>¦<x id="№"/>¦<g id="№">⋯</g>',
        '<pc id="№">⋯</pc>¦<sc id="№"/>¦<ec startRef="№"/>¦<mrk id="№" type="a">⋯</mrk>',
        '<bpt id="№">a</bpt><ept id="№">a</ept>¦<ph id="№">a<sub>b</sub></ph>',
      ),
    ],
  },
  qt: {
    frames: split(
      '⋯¦<TS version="2.1" language="de">⋯</TS>',
      '<TS version="2.1" language="de"><context><name>a</name>⋯</context></TS>',
      '<TS version="2.1" language="de"><context><name>a</name><message><source>⋯</source><translation></translation></message></context></TS>',
      '<TS version="2.1" language="de"><context><name>a</name><message><source>a</source><translation>⋯</translation></message></context></TS>',
    ),
    pieces: [
      ...XML,
      ...split(
        '<context><name>c№</name><message><source>a</source><translation type="unfinished"></translation></message></context>',
        '<message><source>a№</source><comment>c</comment><translation>b</translation></message>',
        '<message numerus="yes"><source>a№ %n</source><translation><numerusform>b</numerusform><numerusform>c</numerusform></translation></message>',
        '<message id="a№"><source>a</source><translation></translation></message>',
        '<numerusform>a</numerusform>¦<byte value="x1"/>¦<lengthvariant>a</lengthvariant>',
        '<location filename="a" line="№"/>¦<extra-a№>b</extra-a№>',
        '<dependencies><dependency catalog="a№"/></dependencies>',
      ),
    ],
  },
  csv: {
    frames: split('⋯¦key,en,de\n⋯¦key,en,de\na,"⋯",\n¦key;en;de\n⋯¦⋯\na,b\n'),
    pieces: [
      ...COMMON,
      ...split(';¦k№,v,w\n¦k№,"v","w"\n¦"a""b",¦""¦"a"¦a,¦l№,¦"\n¦,,\n¦k,v,\n¦k№;v;\n¦# a\n¦a\tb\n'),
    ],
  },
  php: {
    frames: split(
      '⋯¦<?php\nreturn [⋯];\n¦<?php\nreturn [\'a\' => \'⋯\'];\n¦<?php\nreturn ["a" => "⋯"];\n',
      "<?php\n⋯\nreturn [];¦<?php return ['a' => <<<X\n⋯\nX\n];",
    ),
    pieces: [
      ...COMMON,
      ...SLASH_COMMENTS,
      ...split(
        ";¦'k№' => 'v',\n¦'k№' => ['a' => 'v'],\n¦'a' => [⋯],¦'a' => array(⋯),",
        "\"k№\" => \"v $a {$b} w\",\n¦'v',¦'a' . ¦<<<A\n¦<<<'A'\na\nA,\n¦$a¦{$¦${¦?>¦<?php ",
        "$a['k№'] = 'v';\n¦define('k№', 'v');\n¦__(\"a\").¦fn() => ¦function() {⋯}¦a::b, ¦\\x",
        '\\u{¦use a\\b№;\n',
      ),
    ],
  },
  yii: {
    frames: split("⋯¦<?php\nreturn [⋯];\n¦<?php\nreturn ['a' => '⋯'];\n"),
    pieces: [
      ...COMMON,
      ...SLASH_COMMENTS,
      ...split("'k№' => 'v',\n¦'k№' => '',\n¦'v',¦'a {n, plural, other{x}}' => '',"),
    ],
  },
  fluent: {
    frames: split('⋯¦a = ⋯\n¦a =\n    ⋯\n¦a = { $n ->\n⋯\n   *[other] x\n}\n¦a = { "⋯" }\n'),
    pieces: [
      ...COMMON,
      ...split(
        'k№ = v\n¦-t№ = v\n¦k№ =\n    .a = v\n¦    .a№ = v\n',
        'k№ = { $n ->\n    [one] a\n   *[other] b\n}\n¦{ $a }¦{ a№ }¦{ -t }¦{ -t(a: "b") }¦{ "a" }¦{ "',
        '{ { ⋯ } }¦{ $n -> *[a] ⋯\n }¦# a\n¦## a\n¦### a\n¦    a\n¦   [a№] b\n¦   *[a] b\n',
        '{ NUMBER($a, b: 1) }¦<b>¦\\u¦.a¦\n    ',
      ),
    ],
  },
  toml: {
    frames: split('⋯¦a = "⋯"\n¦a = \'⋯\'\n¦a = """⋯"""\n¦a = \'\'\'⋯\'\'\'\n¦a = [⋯]\n¦a = {⋯}\n¦[a]\n⋯'),
    pieces: [
      ...COMMON,
      ...split(
        'k№ = "v"\n¦[k№]\nother = "v"\n¦[[k]]\na = "v"\n¦[k№.a]\nb = "v"\n¦a.b№ = "v"\n¦a№.b.c = "v"\n',
        '"a",¦a№ = "b",¦{ a = ⋯},¦[ ⋯],¦# a\n¦"""¦\'\'\'¦""¦\\\n¦\\u¦[a¦a.¦1,¦{{ .a }}¦[a№.',
      ),
    ],
  },
  module: {
    frames: split(
      '⋯¦export default {⋯}¦export default { a: "⋯" }¦export default { a: \'⋯\' }',
      'export default { a: `⋯` }¦⋯\nexport default {}¦export default [⋯]¦const a = ⋯',
    ),
    pieces: [
      ...COMMON,
      ...SLASH_COMMENTS,
      ...split(
        ';¦k№: "v",\n¦\'k№\': \'v\',\n¦k№: `v ${a} w`,\n¦k№: { a: "v" },\n¦a: {⋯},¦"v",¦`¦${¦`${⋯}`',
        '() => ¦(a) => `b ${a}`,¦function a() {⋯}¦import a№ from "b";\n¦const a№ = "b";\n¦...a№,¦"a" + ',
        'a.¦a(¦<¦<a>¦/a/¦a as b, ¦type A№ = {};\n¦export const a№ = { b: "c" };\n¦!¦a ? b : ¦[a]: ¦@a ',
        'async ¦new ¦\\u¦\\u{',
      ),
    ],
  },
  ini: {
    frames: split('⋯¦[a]\n⋯¦a=⋯\n¦[⋯]\n¦a="⋯"\n'),
    pieces: [
      ...COMMON,
      ...split('; a\n¦;¦k№=v\n¦[k№]\n¦[k№]\na=b\n¦k№="v"\n¦a = b\n¦\\\n¦a[]=b\n¦a=b ; c\n¦k№="v"\n# a\n¦""'),
    ],
  },
  markdown: {
    frames: split('⋯¦# ⋯\n¦---\na: ⋯\n---\n¦- ⋯¦> ⋯¦| a |\n| - |\n⋯¦[a]: b\n\n⋯'),
    pieces: [...MARKDOWN, ...split('export const a№ = 1\n\n')],
  },
  mdx: {
    frames: split('⋯¦# ⋯\n¦---\na: ⋯\n---\n¦- ⋯¦<A b="⋯"/>¦<A>\n\n⋯\n\n</A>¦{⋯}'),
    pieces: [...MARKDOWN, ...split('export const a№ = 1\n\n')],
  },
  html: {
    frames: split(
      '⋯¦<p>⋯</p>¦<html><body>⋯</body></html>¦<table>⋯¦<p title="⋯">a</p>¦<ul>⋯¦<select>⋯¦<svg>⋯',
      '<script>⋯¦<template>⋯¦<head>⋯',
    ),
    pieces: [
      ...XML,
      ...split(
        '<b>¦<b>⋯</b>¦<b>a</b> ¦<p>¦<p>a</p>¦<p>a¦<div>⋯</div>¦<div>¦<li>a¦<td>a¦<tr><td>a</td></tr>',
        '<table>¦<table><tr><td>⋯</td></tr></table>¦<br>¦<img alt="a">¦<a href="b">a</a> ¦<a href="b">',
        '<i><b>¦</i>¦<script>¦<style>¦<script>a</script>¦<option>a¦<svg>¦<math>¦<template>⋯</template>',
        '<font>¦<nobr>¦<form>¦<button>¦<h1>¦<dd>¦<ruby>¦<rt>¦<textarea>¦<title>¦<plaintext>¦<frameset>',
        '{{¦{{ a }} ¦{% a %}¦{{#if a}}⋯{{/if}}¦<% a %>¦<%¦Hello. ¦&lt¦\u0000¦<pre>\n¦<a№>¦<a№>⋯</a№>',
      ),
    ],
  },
  email: {
    frames: split(
      '⋯¦Subject: ⋯\n\na\n¦X: ⋯\n\na\n¦Content-Type: ⋯\n\na\n¦Subject: a\n\n⋯',
      'Content-Type: text/html; charset=utf-8\n\n⋯',
      'Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8\n\n⋯',
      'Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-8\n\n⋯',
      'Content-Type: text/plain; format=flowed\n\n⋯',
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n⋯\n--x--\n',
    ),
    pieces: [
      ...COMMON,
      ...split(
        ';¦> ¦> a\n¦>¦-- \n¦--x\n¦--x\n\na\n¦--x--\n¦--x\nContent-Type: text/html\n\n<p>a</p>\n',
        '--x\nContent-Type: multipart/mixed; boundary="y№"\n\n--y№\n¦Content-Type: text/plain\n',
        'X-A№: b\n¦Subject: a\n¦=?utf-8?q?a?= ¦=?utf-8?b?YQ==?=\n ¦=?¦=?utf-8?q?¦=\n¦=3D¦=C3¦YWFh',
        'YWFh\n¦(⋯¦ a="b";¦ a*№="b";¦a@b.c, ¦<¦On a, b wrote:\n¦-----Original Message-----\n¦<p>a</p>',
        '<b>¦Hello. ¦a \n¦* a\n¦____\n¦-----BEGIN PGP MESSAGE-----\n¦begin 644 a\n¦https://a.b/¦[1] ',
      ),
    ],
  },
  srt: {
    frames: split('⋯¦1\n00:00:01,000 --> 00:00:02,000\n⋯\n'),
    pieces: [...CUES, ...split('№\n00:00:01,000 --> 00:00:02,000\na b\n\n')],
  },
  vtt: {
    frames: split(
      '⋯¦WEBVTT\n\n⋯¦WEBVTT\n\n00:01.000 --> 00:02.000\n⋯\n¦WEBVTT\n\n00:01.000 --> 00:02.000 ⋯\na\n',
    ),
    pieces: [
      ...CUES,
      ...split(
        '00:01.000 --> 00:02.000\na b\n\n¦NOTE a\n\n¦STYLE\n::cue {}\n\n¦REGION\nid:a\n\n¦<c.a№>¦<ruby>',
        '<lang en>¦ line:1¦-->',
      ),
    ],
  },
  ass: {
    frames: split(
      '⋯',
      '[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n⋯',
      '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,⋯\n',
      '[Events]\nFormat: ⋯, Text\nDialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,a\n',
      '[V4+ Styles]\n⋯\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,a\n',
    ),
    pieces: [
      ...CUES,
      ...split(
        'Dialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,a b\n',
        'Comment: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,a b\n¦Format: A, B\n¦Style: A№,B\n¦[Events]\n',
        '{\\k10}a¦{\\p1}m 0 0{\\p0}¦{\\p1}¦{\\c&Hff&}¦{\\t(¦{\\pos(1,2)}¦\\n¦{a}',
      ),
    ],
  },
  ttml: {
    frames: split(
      '⋯¦<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div>⋯</div></body></tt>',
      '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="1s" end="2s">⋯</p></div></body></tt>',
      '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><head><styling>⋯</styling></head><body><div><p begin="1s" end="2s">a</p></div></body></tt>',
    ),
    pieces: [
      ...XML,
      ...split(
        '<p begin="1s" end="2s">a b</p>',
        '<p begin="1s" dur="2s" ttm:agent="a" style="s№"><span>a</span><br/>b</p>¦<div>⋯</div>',
        '<span>⋯</span>¦<span tts:color="red">a</span> ¦<br/>',
        '<style xml:id="s№" style="s" tts:color="red"/>¦<region xml:id="r№"/>¦<metadata>⋯</metadata>',
        '<set begin="0s"/>¦<span tts:ruby="base">a</span>',
      ),
    ],
  },
  sbv: {
    frames: split('⋯¦0:00:01.000,0:00:02.000\n⋯\n'),
    pieces: [...CUES, ...split('0:00:01.000,0:00:02.000\na b\n\n')],
  },
  lrc: {
    frames: split('⋯¦[00:01.00]⋯\n¦⋯a\n'),
    pieces: [...CUES, ...split('[00:01.00]a b\n¦[00:01.00]¦<00:01.00>¦[ti:a]\n¦[00:№.00]¦F: ¦[offset:1]\n')],
  },
  microdvd: {
    frames: split('⋯¦{1}{2}⋯\n'),
    pieces: [...CUES, ...split('{1}{2}a b\n¦{1}¦{y:i}¦{Y:i}¦/a|¦{c:$0000ff}')],
  },
};

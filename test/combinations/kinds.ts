import { codeKinds } from './code-kinds.ts';
import { jsonKinds } from './json-kinds.ts';
import type { FileKind } from './kind.ts';
import { proseKinds } from './prose-kinds.ts';
import { subtitleKinds } from './subtitle-kinds.ts';

const OBSOLETE = '\u0000obsolete';

const EOL = ['\n', '\n\n'];

export const FILE_KINDS: readonly FileKind[] = [
  {
    name: 'PO',
    fuzzed: 'po',
    extension: 'po',
    head: [
      ['', '# A title\n', '#, fuzzy\n'],
      ['msgid ""\nmsgstr ""\n'],
      ['"Content-Type: text/plain; charset=UTF-8\\n"\n'],
      ['', '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'],
      ['', '"Language: \\n"\n', '"Language: en\\n"\n'],
      EOL,
    ],
    entry: [
      ['', OBSOLETE],
      ['', '# Note\n', '#\n'],
      ['', '#. Extracted\n'],
      ['', '#: a.c:№ b.c:2\n'],
      ['', '#, fuzzy\n', '#, c-format\n', '#, fuzzy, c-format\n', '#, fuzzy\n#, no-wrap\n'],
      ['', '#| msgid "Older"\n', '#| msgctxt "older"\n#| msgid "Older"\n#| msgid_plural "Olders"\n'],
      ['', 'msgctxt "menu №"\n', 'msgctxt ""\n'],
      ['msgid "Save № %d"\n', 'msgid ""\n"Save №\\n"\n"%d\\n"\n'],
      [
        'msgstr ""\n',
        'msgstr "Saved %d"\n',
        'msgstr ""\n"Saved\\n"\n"%d\\n"\n',
        'msgid_plural "Saves № %d"\nmsgstr[0] ""\nmsgstr[1] ""\n',
        'msgid_plural "Saves № %d"\nmsgstr[0] "Saved %d"\nmsgstr[1] ""\n',
      ],
    ],
    between: '\n',
    finish: (entry) => {
      if (!entry.startsWith(OBSOLETE)) return entry;
      return entry
        .slice(OBSOLETE.length)
        .replace(/^#\| /gm, '#~| ')
        .replace(/^(?=msg|")/gm, '#~ ');
    },
  },
  ...jsonKinds(),
  {
    name: 'JSON5',
    fuzzed: 'json5',
    extension: 'json5',
    head: [['', '// A title\n'], ['{\n']],
    entry: [
      ['', '  // Note\n', '  /* Note */\n'],
      ['  key№: ', "  'key№': ", '  "key.№": '],
      ['"Save №"', "'Save №'", "'Sa\\\nve №'", '{ a: "Save №", b: 1 }', '["Save №", "Open"]'],
      [',\n', ', // behind\n'],
    ],
    tail: '}\n',
  },
  {
    name: 'YAML',
    fuzzed: 'yaml',
    extension: 'yml',
    head: [['', '# A title\n'], ['', '---\n'], ['en:\n']],
    entry: [
      ['', '  # Note\n', '\n'],
      ['  key№:', '  "key№":', '  key№.a:', '  k№ y:'],
      [
        ' Save №',
        ' "Save №: a"',
        " 'Save № # a'",
        ' |\n    Save №\n    all',
        ' >-\n    Save №\n    all',
        '\n    a: Save №\n    b:\n      c: Open',
        '\n    one: Save one №\n    other: Save %{count} №',
        '\n    - Save №\n    - Open',
        ' !!str Save №',
        ' &a№ Save №',
        '',
      ],
      ['\n', ' # behind\n'],
    ],
    finish: (entry) =>
      entry.replace(/(\n {2,}.*) # behind\n$/s, '$1\n').replace(/([|>]-?\n.*) # behind\n/s, '$1\n'),
  },
  {
    name: 'properties',
    fuzzed: 'properties',
    extension: 'properties',
    head: [['', '# A title\n\n']],
    entry: [
      ['', '# Note\n', '! Note\n', '\n'],
      ['key№', 'key\\ №', '  key.№'],
      ['=', ' = ', ':', ' '],
      ['Save №', 'Save \\\n  №', '\\u0053ave №', "It''s {0} №", ''],
      ['\n', '\r\n'],
    ],
  },
  {
    name: 'strings',
    fuzzed: 'strings',
    extension: 'strings',
    head: [['', '/* A title */\n\n']],
    entry: [
      ['', '/* Note */\n', '// Note\n', '\n'],
      ['"key №"', 'key№'],
      [' = ', '='],
      ['"Save № %@"', '"Save \\"№\\"\\n"', '"Sa\nve №"', '""'],
      [';\n', '; // behind\n'],
    ],
  },
  {
    name: 'String Catalog',
    fuzzed: 'xcstrings',
    extension: 'xcstrings',
    head: [['{\n  "sourceLanguage" : "en",\n  "strings" : {\n']],
    entry: [
      ['    "Save № %d" : {\n'],
      ['', '      "comment" : "Note",\n'],
      ['', '      "extractionState" : "manual",\n', '      "extractionState" : "stale",\n'],
      ['', '      "shouldTranslate" : false,\n'],
      [
        '      "localizations" : {}\n',
        '      "localizations" : {"en" : {"stringUnit" : {"state" : "new", "value" : "Saved № %d"}}}\n',
        '      "localizations" : {"de" : {"stringUnit" : {"state" : "needs_review", "value" : "Sichern № %d"}}}\n',
        '      "localizations" : {"en" : {"variations" : {"plural" : {"one" : {"stringUnit" : {"state" : "translated", "value" : "%d save №"}}, "other" : {"stringUnit" : {"state" : "translated", "value" : "%d saves №"}}}}}}\n',
      ],
      ['    }'],
    ],
    between: ',\n',
    tail: '\n  },\n  "version" : "1.0"\n}\n',
  },
  {
    name: 'Android',
    fuzzed: 'xml',
    extension: 'xml',
    head: [
      ['', '<?xml version="1.0" encoding="utf-8"?>\n'],
      ['', '<!-- A title -->\n'],
      ['<resources>\n', '<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">\n'],
    ],
    entry: [
      ['', '    <!-- Note -->\n', '\n'],
      [
        '    <string name="key№">Save № %1$s</string>',
        '    <string name="key№">It\\\'s <b>bold</b> №</string>',
        '    <string name="key№"><![CDATA[<b>Save</b> №]]></string>',
        '    <string name="key№">"  Save №"</string>',
        '    <string name="key№" translatable="false">Save №</string>',
        '    <string name="key№"/>',
        '    <plurals name="key№">\n        <item quantity="one">%d save №</item>\n        <!-- Note -->\n        <item quantity="other">%d saves №</item>\n    </plurals>',
        '    <string-array name="key№">\n        <item>Save №</item>\n        <item/>\n    </string-array>',
      ],
      ['\n', ' <!-- behind -->\n', ''],
    ],
    tail: '</resources>\n',
  },
  {
    name: 'RESX',
    fuzzed: 'xml',
    extension: 'resx',
    head: [
      ['<?xml version="1.0" encoding="utf-8"?>\n<root>\n'],
      ['', '  <resheader name="resmimetype"><value>text/microsoft-resx</value></resheader>\n'],
    ],
    entry: [
      ['', '  <!-- Note -->\n'],
      ['  <data name="key№"', '  <data name="key№.Text"'],
      [' xml:space="preserve">\n', '>\n'],
      ['    <value>Save {0} №</value>\n', '    <value></value>\n', '    <value>a\nb №</value>\n'],
      ['', '    <comment>Note</comment>\n'],
      ['  </data>\n'],
    ],
    tail: '</root>\n',
  },
  {
    name: 'XLIFF 1.2',
    fuzzed: 'xliff',
    extension: 'xlf',
    head: [
      [
        '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file original="a" source-language="en" datatype="plaintext">\n',
      ],
      ['', '<header><note>A</note></header>\n'],
      ['<body>\n'],
    ],
    entry: [
      ['<trans-unit id="u№"'],
      ['', ' resname="key.№"'],
      ['', ' translate="no"', ' approved="no"'],
      ['', ' xml:space="preserve"'],
      ['>\n'],
      [
        '<source>Save №</source>\n',
        '<source>Save <x id="1"/> <g id="2">all</g> №</source>\n',
        '<source><![CDATA[Save]]> №</source>\n',
      ],
      ['', '<target state="new"></target>\n', '<target/>\n'],
      [
        '',
        '<note>Note</note>\n',
        '<note from="dev" priority="1">Note</note>\n<alt-trans><source>a</source><target>b</target></alt-trans>\n',
      ],
      ['</trans-unit>\n'],
    ],
    tail: '</body>\n</file>\n</xliff>\n',
  },
  {
    name: 'XLIFF 2',
    fuzzed: 'xliff',
    extension: 'xlf',
    head: [
      ['<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en">\n<file id="f">\n'],
    ],
    entry: [
      ['<unit id="u№"'],
      ['', ' name="key.№"'],
      ['', ' translate="no"'],
      ['>\n'],
      ['', '<notes><note>Note</note></notes>\n'],
      ['', '<originalData><data id="d1">x</data></originalData>\n'],
      [
        '<segment>\n',
        '<segment id="s1" state="initial">\n',
        '<segment><source>One. </source></segment>\n<ignorable><source> </source></ignorable>\n<segment>\n',
      ],
      ['<source>Save №</source>\n', '<source>Save <ph id="1"/> <pc id="2">all</pc> №</source>\n'],
      ['', '<target></target>\n'],
      ['</segment>\n</unit>\n'],
    ],
    tail: '</file>\n</xliff>\n',
  },
  {
    name: 'Qt',
    fuzzed: 'qt',
    extension: 'ts',
    head: [
      ['<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="en">\n'],
      ['<context>\n    <name>Main</name>\n', '<context>\n    <name></name>\n'],
    ],
    entry: [
      ['    <message', '    <message id="m№"'],
      ['>\n', ' numerus="yes">\n'],
      ['', '        <location filename="a.cpp" line="№"/>\n'],
      ['        <source>Save № %n</source>\n', '        <source>Save №\n%n &amp; all</source>\n'],
      ['', '        <oldsource>Older</oldsource>\n'],
      ['', '        <comment>menu</comment>\n'],
      [
        '',
        '        <extracomment>Note</extracomment>\n',
        '        <translatorcomment>Note</translatorcomment>\n',
      ],
      [
        '        <translation type="unfinished"></translation>\n',
        '        <translation></translation>\n',
        '        <translation type="vanished">Gone</translation>\n',
        '        <translation>Saved %n</translation>\n',
      ],
      ['    </message>\n'],
    ],
    tail: '</context>\n</TS>\n',
    finish: (entry) =>
      entry.includes('numerus="yes"')
        ? entry.replace(
            /(<translation[^>]*>)([^<]*)/,
            '$1<numerusform>$2</numerusform><numerusform>$2</numerusform>',
          )
        : entry,
  },
  {
    name: 'CSV',
    fuzzed: 'csv',
    extension: 'csv',
    head: [['key,en,de\n', 'key,context,en,de\n']],
    entry: [
      ['key№,', '"key№",'],
      ['', 'C'],
      ['Save №', '"Save, ""№"""', '"a\nb №"', ''],
      [',', ',""', ',Sichern'],
      ['\n'],
    ],
  },
  ...codeKinds(),
  {
    name: 'Fluent',
    fuzzed: 'fluent',
    extension: 'ftl',
    head: [['', '### A title\n\n', '# A licence\n\n']],
    entry: [
      ['', '# Note\n', '## Group\n\n', '\n'],
      ['key№ =', 'k-№ =', '-term№ ='],
      [
        ' Save №',
        '\n    Save №\n    all',
        ' { $count ->\n    [one] Save № one\n   *[other] Save № { $count }\n}',
        ' Save { -brand } { $a } № { "{" }',
      ],
      ['', '\n    .title = Open №', '\n    .title = { $n ->\n       *[other] A\n    }'],
      EOL,
    ],
  },
  {
    name: 'TOML',
    fuzzed: 'toml',
    extension: 'toml',
    head: [['', '# A title\n']],
    entry: [
      ['', '# Note\n', '\n'],
      ['[key№]\n', '[a№.b]\n', '["key №"]\n'],
      ['', 'description = "Note"\n', 'hash = "sha1-x"\n'],
      [
        'other = "Save № {{.Count}}"\n',
        "other = 'Save №'\n",
        'other = """\nSave\n№"""\n',
        'one = "Save № one"\nother = "Saves №"\n',
        'a = ["Save №", 1]\n',
      ],
      ['', '# behind\n'],
    ],
  },
  {
    name: 'INI',
    fuzzed: 'ini',
    extension: 'ini',
    head: [
      ['', '; A title\n'],
      ['', '[general]\n'],
    ],
    entry: [
      ['', '; Note\n', '# Note\n', '\n'],
      ['', '[s№]\n'],
      ['key№', 'key.№'],
      ['=', ' = '],
      ['Save №', '"Save №"', ''],
      ['\n'],
    ],
  },
  ...proseKinds(),
  ...subtitleKinds(),
];

import type { FileKind } from './kind.ts';

export function codeKinds(): readonly FileKind[] {
  return [
    {
      name: 'PHP',
      fuzzed: 'php',
      extension: 'php',
      head: [['<?php\n', '<?php\n\ndeclare(strict_types=1);\n\n'], ['', '// A title\n'], ['return [\n']],
      entry: [
        ['', '    // Note\n', '    /* Note */\n'],
        ["    'key№' => ", '    "key.№" => '],
        [
          "'Save :name №'",
          '"Save \\"№\\"\\n"',
          "['a' => 'Save №', 'b' => ['c' => 'Open']]",
          "array('Save №', 'Open')",
          "'one save|:count saves №'",
          'null',
          "'Sa' . 've №'",
          "<<<'X'\n    Save №\n    X",
        ],
        [',\n', ', // behind\n'],
      ],
      tail: '];\n',
    },
    {
      name: 'Yii',
      fuzzed: 'yii',
      extension: 'php',
      head: [['<?php\nreturn [\n']],
      entry: [
        ['', '    // Note\n'],
        ["    'Save №' => ", "    '{n, plural, one{# save} other{# saves}} №' => "],
        ["''", "'@@Saved@@'", "'Saved {n}'"],
        [',\n'],
      ],
      tail: '];\n',
    },
    {
      name: 'module',
      fuzzed: 'module',
      extension: 'ts',
      head: [['', '// A title\n'], ['', "import other from './other';\n"], ['export default {\n']],
      entry: [
        ['', '  // Note\n', '  /** Note */\n'],
        ['  key№: ', "  'key.№': ", '  "key №": '],
        [
          "'Save №'",
          '"Save \\"№\\""',
          '`Save ${a} №`',
          "{ a: 'Save №', b: ['Open', 'Close'] }",
          "'Sa' + 've №'",
          '(n: number) => `Save ${n}`',
          '1',
        ],
        [',\n', ', // behind\n'],
      ],
      tail: '};\n',
    },
  ];
}

import type { FileKind } from './kind.ts';

export function jsonKinds(): readonly FileKind[] {
  const note = ['', '\n'];
  const base = { fuzzed: 'json', extension: 'json', between: ',\n', tail: '\n}\n' } as const;
  return [
    {
      ...base,
      name: 'JSON',
      head: [['{\n', '{"$schema": "x",\n']],
      entry: [
        note,
        ['  "key№": ', '  "key.№": ', '  "№": '],
        [
          '"Save №"',
          '"{{a}} \\u0041 \\"№\\""',
          '{"a": "Save №", "b": {"c": "Open"}}',
          '["Save №", {"a": "Open"}, 1]',
          'null',
          '1',
          '{}',
          '""',
          '"{n, plural, one {# save №} other {# saves №}}"',
        ],
      ],
    },
    {
      ...base,
      name: 'i18next',
      head: [['{\n']],
      entry: [
        ['  "key№_one": "{{count}} save №",\n', ''],
        ['  "key№_other": "{{count}} saves №"'],
        ['', ',\n  "key№_zero": "No saves"'],
        ['', ',\n  "key№": "Saves"'],
      ],
    },
    {
      ...base,
      name: 'ARB',
      extension: 'arb',
      head: [['{\n'], ['', '  "@@locale": "en",\n']],
      entry: [
        [
          '  "key№": "Save №"',
          '  "key№": "{n, plural, one{# save} other{# saves}} №"',
          '  "key№": "Save {n} №"',
        ],
        [
          '',
          ',\n  "@key№": {}',
          ',\n  "@key№": {"description": "Note", "placeholders": {"n": {"type": "int"}}}',
        ],
      ],
    },
    {
      ...base,
      name: 'Chrome',
      head: [['{\n']],
      entry: [
        ['  "key№": {"message": "Save $A$ №"'],
        ['', ', "description": "Note"'],
        ['', ', "placeholders": {"a": {"content": "$1", "example": "x"}}'],
        ['}'],
      ],
    },
    {
      ...base,
      name: 'FormatJS',
      head: [['{\n']],
      entry: [
        ['  "key№": {'],
        ['"defaultMessage": "Save №"', '"defaultMessage": "{n, plural, one {# save} other {# saves}} №"'],
        ['', ', "description": "Note"'],
        ['}'],
      ],
    },
  ];
}

import { json5Parse } from '../readers/json5.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const json5: Specimen = {
  fixtures: /\.json5$/,
  reader: json5Parse,
  sample: {
    text: "// note\n{ a: 'b\\x41\\\n', \"c\": [+0x1F, .5, 'd\\'',], }",
    read: [
      ['a', 'bA'],
      ['c', '2', "d'"],
    ],
    broken: '{ a: b }',
  },
  threeKeys: { text: "{ a: '1', b: '2', c: '3', }\n", hostile: "'x', d: 'y'" },
  hostile: [
    ['S {name} W', '{name}'],
    ['<b>S</b> %s W', '<b>', '</b>', '%s'],
  ],
  made: [
    {
      name: 'json5',
      extension: 'json5',
      head: '{\n',
      entry: (i, text) => `  'section.key${i}': '${text} – {name}',\n`,
      tail: '}\n',
      megabytes: 300,
      reference: {
        name: 'json5 parse',
        load: async () => {
          const { default: json5 } = await import('json5');
          return (bytes) => Object.keys(json5.parse<object>(decode(bytes))).length;
        },
      },
    },
  ],
};

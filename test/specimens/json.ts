import { jsonParse } from '../readers/json.ts';
import { jsonRoundTrip } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const json: Specimen = {
  fixtures: /^(?:source|target|rendered|merged)\.json$/,
  reader: jsonParse,
  sample: {
    text: '{ // note\n "a": { "b,}": "\\u00e9,}" }, "n": 1, }',
    read: [['a', 'b,}', 'é,}']],
    broken: '{ "a": "b }',
  },
  threeKeys: { text: '{"a": "1", "b": "2", "c": "3"}\n', hostile: '"x", "d": "y"' },
  hostile: [
    ['S {name} W', '{name}'],
    ['S {{count}} W <b>S</b>', '{{count}}', '<b>', '</b>'],
    ['{n, plural, one {# W} other {# S}} {0}', '{n, plural, ', '{0}'],
  ],
  made: [
    {
      name: 'json',
      extension: 'json',
      head: '{\n',
      entry: (i, text) => `  "section.${i >> 4}.key${i}": "${text} – {name}",\n`,
      tail: '  "end": "End"\n}\n',
      megabytes: 300,
      reference: jsonRoundTrip,
    },
  ],
};

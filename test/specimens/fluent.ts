import { fluentBundle } from '../readers/fluent.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const fluent: Specimen = {
  fixtures: /\.ftl$/,
  reader: fluentBundle,
  sample: {
    text: 'a = b\n  c\n    .d = { $n ->\n   *[other] e\n  }\njunk\n',
    read: [
      ['a', 'b\nc'],
      ['a', '.d', 'e'],
    ],
    broken: 'a = { $b\n',
  },
  threeKeys: { text: 'a = 1\nb = 2\nc = 3\n', hostile: 'x\nd = y' },
  hostile: [
    ['S { $name } W', '{ $name }'],
    ['S { -brand } W { NUMBER($n, style: "percent") } S', '{ -brand }', '{ NUMBER($n, style: "percent") }'],
  ],
  made: [
    {
      name: 'fluent',
      extension: 'ftl',
      head: '',
      entry: (i, text) => `# Note ${i}\nsection-key${i} = ${text} – { $name }\n`,
      tail: '',
      megabytes: 300,
      reference: {
        name: '@fluent/syntax parse',
        load: async () => {
          const { parse } = await import('@fluent/syntax');
          return (bytes) => parse(decode(bytes), { withSpans: true }).body.length;
        },
      },
    },
  ],
};

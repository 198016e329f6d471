import { javaProperties } from '../readers/properties.ts';
import { splitIntoLines } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const properties: Specimen = {
  fixtures: /\.properties$/,
  reader: javaProperties,
  sample: {
    text: '! note\nk\\ 1 = a\\\n   b\\u00e9\nk\\ 1: again\n',
    read: [
      ['k 1', 'abé'],
      ['k 1', 'again'],
    ],
    broken: 'a = \\u12\n',
  },
  threeKeys: { text: 'a=1\nb=2\nc=3\n', hostile: 'x\nd=y' },
  hostile: [
    ['S {0} W {1,number,integer}', '{0}', '{1,number,integer}'],
    ['S %s <b>W</b>', '%s', '<b>', '</b>'],
  ],
  made: [
    {
      name: 'properties',
      extension: 'properties',
      head: '# Messages\n',
      entry: (i, text) => `section.${i >> 4}.key${i} = ${text} - {0}\n`,
      tail: '',
      megabytes: 300,
      reference: splitIntoLines,
    },
  ],
};

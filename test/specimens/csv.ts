import { csvParse } from '../readers/csv.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const csv: Specimen = {
  fixtures: /\.csv$/,
  reader: csvParse,
  sample: {
    text: 'key;en;de\r\na;"x ""1"";";y\r\nb;;z\r\n',
    read: [['a', 'x "1";']],
    broken: 'key,en\na,"b\n',
  },
  threeKeys: { text: 'key,en\na,1\nb,2\nc,3\n', hostile: 'x\nd,y' },
  hostile: [
    ['S {name} W', '{name}'],
    ['<b>S</b> %s W', '<b>', '</b>', '%s'],
  ],
  made: [
    {
      name: 'csv',
      extension: 'csv',
      head: 'key,en\n',
      entry: (i, text) => `section.${i >> 4}.key${i},"${text}, {name}"\n`,
      tail: '',
      megabytes: 300,
      reference: {
        name: 'csv-parse',
        load: async () => {
          const { parse } = await import('csv-parse/sync');
          return (bytes) => parse(decode(bytes)).length;
        },
      },
    },
  ],
};

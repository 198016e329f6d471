import { configparser } from '../readers/ini.ts';
import { splitIntoLines } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const ini: Specimen = {
  fixtures: /\.ini$/,
  reader: configparser,
  sample: {
    text: '; note\nA=b\n[s]\nc = "d \\"e\\"" ; no\n',
    read: [
      ['A', 'b'],
      ['s', 'c', 'd "e"'],
    ],
    broken: '[s\n',
  },
  threeKeys: { text: 'a = 1\nb = 2\nc = 3\n', hostile: 'x\nd = y' },
  hostile: [
    ['S %s W', '%s'],
    ['S %1$s <b>W</b>', '%1$s', '<b>', '</b>'],
  ],
  made: [
    {
      name: 'ini',
      extension: 'ini',
      head: '[messages]\n',
      entry: (i, text) => `section.key${i} = "${text} – {name}"\n`,
      tail: '',
      megabytes: 300,
      reference: splitIntoLines,
    },
  ],
};

import { openStepPlist } from '../readers/strings.ts';
import { splitIntoLines } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const strings: Specimen = {
  fixtures: /\.strings$/,
  reader: openStepPlist,
  sample: {
    text: '"" = "";\n/* n */ "a" = "\\U00e9\\"\\n"; b = c;',
    read: [
      ['', ''],
      ['a', 'é"\n'],
      ['b', 'c'],
    ],
    broken: '"a" = "b"',
  },
  threeKeys: { text: '"a" = "1";\n"b" = "2";\n"c" = "3";\n', hostile: '"x";\n"d" = "y"' },
  hostile: [
    ['S %1$@ W %2$lld', '%1$@', '%2$lld'],
    ['S %@\\nW', '%@', '\\n'],
  ],
  made: [
    {
      name: 'strings',
      extension: 'strings',
      head: '',
      entry: (i, text) => `/* Note ${i} */\n"section.key${i}" = "${text} – %@";\n\n`,
      tail: '',
      megabytes: 300,
      reference: splitIntoLines,
    },
  ],
};

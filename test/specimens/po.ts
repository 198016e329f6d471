import { gettextParser } from '../readers/gettext.ts';
import type { Specimen } from './specimen.ts';

export const po: Specimen = {
  fixtures: /\.pot?$/,
  reader: gettextParser,
  sample: {
    text: 'msgid "a"\nmsgstr "\\v\\"é"\n\nmsgctxt "c"\nmsgid "x"\nmsgid_plural "xs"\nmsgstr[0] "1"\nmsgstr[1] "2"\n',
    read: [
      ['', 'a', '\v"é'],
      ['c', 'x', '1'],
      ['c', 'x', '2'],
    ],
    broken: 'msgid "a" nonsense "b"\n',
  },
  threeKeys: {
    text: ['a', 'b', 'c'].map((id, i) => `msgid "${id}"\nmsgstr "${i + 1}"\n`).join('\n'),
    hostile: '"x"\n\nmsgid "d"\nmsgstr "y"',
  },
  hostile: [
    ['S %s W %d S', '%s', '%d'],
    ['S %(name)s W\\n', '%(name)s', '\\n'],
  ],
  made: [
    {
      name: 'po',
      extension: 'po',
      head: 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n',
      entry: (i, text) => `#: src/file${i >> 4}.c:${i}\nmsgid "${text} – %s"\nmsgstr ""\n\n`,
      tail: '',
      megabytes: 500,
      reference: {
        name: 'gettext-parser po.parse',
        load: async () => {
          const { po } = await import('gettext-parser');
          return (bytes) => Object.keys(po.parse(Buffer.from(bytes)).translations).length;
        },
      },
    },
  ],
};

import { pyYaml } from '../readers/yaml.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const yaml: Specimen = {
  fixtures: /\.ya?ml$/,
  reader: pyYaml,
  sample: {
    text: 'en:\n  a: &x "😀 é"\n  b: *x\n  n: 12\n  t: |\n    line\n',
    read: [
      ['0', 'en', 'a', '😀 é'],
      ['0', 'en', 't', 'line\n'],
    ],
    broken: 'a: [b',
  },
  threeKeys: { text: 'a: "1"\nb: "2"\nc: "3"\n', hostile: '"x"\nd: "y"' },
  hostile: [
    ['S %{name} W', '%{name}'],
    ['<b>S</b> %<count>d W', '<b>', '</b>', '%<count>d'],
  ],
  made: [
    {
      name: 'yaml',
      extension: 'yml',
      head: 'en:\n',
      entry: (i, text) =>
        `${i % 16 === 0 ? `  section${i >> 4}:\n    # note ${i}\n` : ''}    key${i}: "${text} – %{name}"\n`,
      tail: '',
      megabytes: 500,
      reference: {
        name: 'yaml parseDocument',
        load: async () => {
          const { parseDocument } = await import('yaml');
          return (bytes) => parseDocument(decode(bytes)).errors.length;
        },
      },
    },
  ],
};

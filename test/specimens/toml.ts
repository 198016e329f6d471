import { smolToml } from '../readers/toml.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const toml: Specimen = {
  fixtures: /\.toml$/,
  reader: smolToml,
  sample: {
    text: 'a.b = "\\u00e9" # no\n[c]\nd = """\\\n  e"""\nf = [1, \'g\']\n',
    read: [
      ['a', 'b', 'é'],
      ['c', 'd', 'e'],
      ['c', 'f', '1', 'g'],
    ],
    broken: 'a = "b',
  },
  threeKeys: { text: 'a = "1"\nb = "2"\nc = "3"\n', hostile: '"x"\nd = "y"' },
  hostile: [
    ['S {{.Name}} W', '{{.Name}}'],
    ['S {{ .Count }} W <b>S</b>', '{{ .Count }}', '<b>', '</b>'],
  ],
  made: [
    {
      name: 'toml',
      extension: 'toml',
      head: '',
      entry: (i, text) => `[key${i}]\ndescription = "Note ${i}"\nother = "${text} – {{.Name}}"\n\n`,
      tail: '',
      megabytes: 500,
      reference: {
        name: 'smol-toml parse',
        load: async () => {
          const { parse } = await import('smol-toml');
          return (bytes) => Object.keys(parse(decode(bytes))).length;
        },
      },
    },
  ],
};

import { oxc } from '../readers/module.ts';
import { decode } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const module: Specimen = {
  fixtures: /\.(?:[cm]?js|ts)$/,
  reader: oxc,
  sample: {
    text: "import x from './y';\nconst a = { b: 'c', d: [`e\\n`, f('g')], ...x } as const;\nexport default a;\n",
    read: [
      ['b', 'c'],
      ['d', '0', 'e\n'],
    ],
    broken: 'export default { a: }',
  },
  threeKeys: { text: "export default { a: '1', b: '2', c: '3' };\n", hostile: "'x', d: 'y'" },
  hostile: [
    ['S {name} W', '{name}'],
    ['S {{count}} W %s', '{{count}}', '%s'],
  ],
  made: [
    {
      name: 'module',
      extension: 'ts',
      head: 'export default {\n',
      entry: (i, text) => `  'section.key${i}': '${text} – {name}',\n`,
      tail: '} as const;\n',
      megabytes: 300,
      reference: {
        name: 'acorn parse',
        load: async () => {
          const { parse } = await import('acorn');
          return (bytes) =>
            parse(decode(bytes).replace(' as const', ''), { ecmaVersion: 'latest', sourceType: 'module' })
              .end;
        },
      },
    },
  ],
};

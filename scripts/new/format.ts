import { type Axis, copyAs } from './axis.ts';

/** A new format starts as a copy of INI, the smallest format that shares no edits with others. */
export const format: Axis = {
  filesOf: ({ id, variable, type }) =>
    copyAs(
      ['src/formats/ini', 'fixtures/formats/ini', 'test/specimens/ini.ts', 'test/formats/ini.test.ts'],
      (text) =>
        text
          .replace(')).ini', `)).${variable}`)
          // Keeps Python as the independent reader.
          .replaceAll(/(?<=[/'.])(?<!readers\/)ini\b/g, id)
          .replaceAll(/(?<![/'.])\bini\b/g, variable)
          .replaceAll(/\bIni(?=[A-Z])/g, type)
          .replaceAll(/\bINI\b/g, id),
    ),
  linesOf: ({ id, variable }) => [
    {
      file: 'src/formats/registry.ts',
      before: /import \{ json \} from/,
      line: `import { ${variable} } from './${id}/description.ts';\n`,
    },
    { file: 'src/formats/registry.ts', before: / {2}markdown,\n/, line: `  ${variable},\n` },
    {
      file: 'test/specimens/specimens.ts',
      before: /import type \{ Specimen \}/,
      line: `import { ${variable} } from './${id}.ts';\n`,
    },
    {
      file: 'test/specimens/specimens.ts',
      before: / {2}markdown,\n/,
      line: id === variable ? `  ${id},\n` : `  '${id}': ${variable},\n`,
    },
    { file: 'test/hostile/files.ts', before: / {2}markdown: /, line: `  '${id}': LINES('=', ';'),\n` },
    {
      file: 'test/hostile/notations.ts',
      before: / {2}markdown: /,
      line: `  '${id}': {
    frames: split('⋯¦a=⋯\\n¦a="⋯"\\n'),
    pieces: [...COMMON, ...split('; a\\n¦;¦k№=v\\n¦k№="v"\\n¦a=b ; c\\n¦\\\\\\n¦""')],
  },
`,
    },
    {
      file: 'docs/formats.md',
      before: /\| Markdown \| `/,
      line: `| ${id} | \`.${id}\` | plain |\n`,
    },
    {
      file: 'docs/formats.md',
      before: /\| Markdown \| [^`]/,
      line: `| ${id} | values | keys, sections, comments | ICU messages: those of CLDR | \`locales/en.${id}\` | configparser |\n`,
    },
  ],
  next: 'npm run docs && npx vitest run --project short test/formats test/docs test/architecture',
};

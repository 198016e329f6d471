import { type Axis, copyAs } from './axis.ts';

/** A new engine starts as a copy of the pseudo engine, which needs no program, key or network. */
export const engine: Axis = {
  filesOf: ({ id, variable, type }) =>
    copyAs(['src/engines/pseudo', 'test/engines/pseudo.test.ts'], (text) =>
      text
        .replaceAll(/createPseudo(?=Engine)/g, `create${type}`)
        // The new engine translates, so its answers may enter the memory.
        .replaceAll(/^ *isPseudo: true,\n/gm, '')
        .replaceAll(/(?<=[/'])pseudo\b/g, id)
        .replaceAll(/(?<=export const )pseudo\b/g, variable),
    ),
  linesOf: ({ id, variable }) => [
    {
      file: 'src/engines/registry.ts',
      before: /import \{ pseudo \}/,
      line: `import { ${variable} } from './${id}/description.ts';\n`,
    },
    { file: 'src/engines/registry.ts', before: / {2}service,\n/, line: `  ${variable},\n` },
    {
      file: 'docs/engines.md',
      before: /\| `pseudo`/,
      line: `| \`${id}\` | accents letters and keeps placeholders: an example to edit | all |\n`,
    },
  ],
  next: 'npm run docs && npx vitest run --project short test/engines test/docs test/architecture',
};

import type { Axis } from './axis.ts';

/** A new command starts as a copy of one that prints its file arguments. */
export const command: Axis = {
  filesOf: ({ id, variable, type }) =>
    new Map([
      [
        `src/cli/commands/${id}.ts`,
        `import type { CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { expandFiles } from '../documents/files.ts';

interface ${type}Flags {
  readonly reverse?: boolean;
}

export const ${variable}: CommandModule<${type}Flags> = {
  examples: [
    ["dragoman ${id} 'locales/*.json'", 'one path per line'],
    ['dragoman ${id} a.json b.json --json', 'as a JSON document'],
  ],
  configure(command) {
    command.argument('<file...>', 'files or patterns').option('--reverse', 'the last file first');
  },

  async run(args, { reverse = false }, { terminal, output }) {
    const files = await expandFiles(args, terminal);
    const paths = (reverse ? files.toReversed() : files).map((path) => output.shown(path));
    if (output.json) output.document({ paths });
    else for (const path of paths) output.result(path);
    return OK;
  },
};
`,
      ],
      [
        `test/cli/${id}.test.ts`,
        `import { describe, expect, it } from 'vitest';
import { dragoman } from './harness.ts';

describe('dragoman ${id}', () => {
  it('prints its files', async () => {
    const { exitCode, stdout } = await dragoman(['${id}', 'b.json', 'a.json', '--reverse']);
    expect(stdout).toBe('a.json\\nb.json\\n');
    expect(exitCode).toBe(0);
  });

  it('prints one JSON document with --json', async () => {
    const { stdout } = await dragoman(['${id}', 'a.json', '--json']);
    expect(JSON.parse(stdout)).toEqual({ paths: ['a.json'] });
  });
});
`,
      ],
    ]),
  linesOf: ({ id, variable }) => [
    {
      file: 'src/cli/registry.ts',
      before: / {6}\{\n {8}name: 'detect',/,
      line: `      {
        name: '${id}',
        summary: 'print the named files: an example to edit',
        load: async () => (await import('./commands/${id}.ts')).${variable},
      },
`,
    },
    {
      file: 'test/cli/help.test.ts',
      before: / {2}detect {9}detect the language/,
      line: `  ${id.padEnd(15)}print the named files: an example to edit\n`,
    },
    {
      file: 'test/cli/dry-run.test.ts',
      before: / {2}detect: 'prints',/,
      line: `  ${id.includes('-') ? `'${id}'` : id}: 'prints',\n`,
    },
  ],
  next: 'npm run docs && npx vitest run --project short test/cli/help.test.ts test/cli/completion.test.ts test/cli/program.test.ts test/cli/dry-run.test.ts test/docs test/architecture',
};

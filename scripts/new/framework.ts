import type { Axis, Names } from './axis.ts';

/** A new framework starts with `package.json` as its evidence, and with JSON files. */
export const framework: Axis = {
  filesOf: (names) => new Map(Object.entries(textsOf(names))),
  linesOf: ({ id, variable }) => [
    {
      file: 'src/frameworks/registry.ts',
      before: /import \{ plain \}/,
      line: `import { ${variable} } from './${id}.ts';\n`,
    },
    // Inserted before more general frameworks: if a directory shows several frameworks, the first one counts.
    { file: 'src/frameworks/registry.ts', before: / {2}docusaurus,\n/, line: `  ${variable},\n` },
  ],
  next: 'npm run docs && npx vitest run --project short test/frameworks test/project/shapes.test.ts test/architecture',
};

function textsOf({ id, variable }: Names): Record<string, string> {
  const fixture = `fixtures/projects/${id}`;
  return {
    [`src/frameworks/${id}.ts`]: `import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const ${variable} = describeFramework({
  id: '${id}',
  title: '${id}',
  evidence: [{ files: ['package.json'], names: ['${id}'] }],
  formats: ['json'],
  messagesOf: messagesIn('${id}', 'plain'),
});
`,
    [`${fixture}/project/package.json`]: `{ "dependencies": { "${id}": "1.0.0" } }\n`,
    [`${fixture}/project/locales/en.json`]: '{\n  "hello": "Hello",\n  "bye": "Bye"\n}\n',
    [`${fixture}/project/locales/de.json`]: '{\n  "hello": "Hallo"\n}\n',
    [`${fixture}/expected.json`]: `{
  "about": "a project of ${id}.",
  "source": "en",
  "targets": ["de"],
  "files": { "locales/en.json": { "de": "locales/de.json", "fr": "locales/fr.json" } },
  "counts": { "de": { "keys": 2, "translated": 1, "missing": 1, "extra": 0 } },
  "passed_over": []
}
`,
    [`test/frameworks/${id}.test.ts`]: `import { expect, it } from 'vitest';
import { ProjectDirectory } from '../project/project-directory.ts';

it('recognizes ${id} by a dependency, and reads messages in its syntax', async () => {
  const project = new ProjectDirectory({
    'package.json': '{ "dependencies": { "${id}": "1.0.0" } }',
    'locales/en.json': '{ "hello": "Hello" }',
  });
  const { resources } = await project.open({ targets: ['de'] });
  expect(resources).toMatchObject([
    { framework: '${id}', manifest: 'package.json', messages: { dialect: '${id}' } },
  ]);
});
`,
  };
}

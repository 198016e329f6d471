import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Begins what is added to an axis of the program: its description, the line in the registry, a fixture and a test. All of
 * it works, for a framework that `package.json` shows and whose files are JSON; what is different is edited.
 */
const [axis, id = ''] = process.argv.slice(2);
if (axis !== 'framework' || !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(id)) {
  process.stderr.write('usage: npm run new -- framework NAME\n');
  process.exit(2);
}
const name = id.replaceAll(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
const fixture = `fixtures/projects/${id}`;

const REGISTRY = 'src/frameworks/registry.ts';
const IMPORT = `import { ${name} } from './${id}.ts';\n`;
const files: Readonly<Record<string, string>> = {
  [`src/frameworks/${id}.ts`]: `import { describeFramework } from './description.ts';
import { messagesIn } from './messages.ts';

export const ${name} = describeFramework({
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

it('is shown by a dependency on ${id}, and says how messages are written', async () => {
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

const registry = readFileSync(REGISTRY, 'utf8');
const taken = Object.keys(files).find((path) => existsSync(path));
if (taken !== undefined || registry.includes(IMPORT)) {
  process.stderr.write(`${taken ?? REGISTRY}: there is a framework with this name\n`);
  process.exit(2);
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
// The more general ones come last: a directory may show several.
const listed = registry
  .replace(/(?=^import \{ plain \})/m, IMPORT)
  .replace(/(?=^ {2}gettext,$)/m, `  ${name},\n`);
writeFileSync(REGISTRY, listed);
process.stdout.write(`${REGISTRY}\n`);

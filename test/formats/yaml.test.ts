import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document } from '../../src/formats/format.ts';
import type { MessageRules } from '../../src/formats/message-rules.ts';
import { yaml } from '../../src/formats/yaml/format.ts';
import { readsAsText } from '../../src/formats/yaml/quoting.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';
import { yamlDocuments } from './yaml-documents.ts';

goldenCases('yaml', yaml);

const PYTHON = '/usr/bin/python3';
const hasPyYaml = spawnSync(PYTHON, ['-c', 'import yaml']).status === 0;
const written: Document[] = [];

formatContract(yaml, { documents: yamlDocuments, oracle: (document) => written.push(document) });

describe('PyYAML, a reader of YAML 1.1', () => {
  afterAll(() => void written.splice(0));

  it.skipIf(!hasPyYaml)('finds exactly the same texts in every written document', () => {
    expect(written.length).toBeGreaterThan(100);
    const answers = readWithPyYaml(written.map(({ text }) => text));
    for (const [index, document] of written.entries()) {
      const found = answers[index]?.filter(({ plain, value }) => !plain || readsAsText(value)) ?? [];
      const root = document.locale === undefined ? 0 : 1;
      expect(found.map(({ path, value }) => ({ key: path.slice(root), value }))).toEqual(
        document.slots.map(({ key, value }) => ({ key, value })),
      );
    }
  });
});

interface PyText {
  readonly path: readonly string[];
  readonly value: string;
  readonly plain: boolean;
}

/** Every string of each document, aliases not followed. */
function readWithPyYaml(texts: readonly string[]): readonly (readonly PyText[])[] {
  const script = `
import sys, json, yaml
def walk(node, path, out, seen):
    if id(node) in seen: return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        if node.tag == 'tag:yaml.org,2002:str' and path[-1:] != ['document']:
            out.append({'path': path, 'value': node.value, 'plain': node.style is None})
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value): walk(item, path + [str(i)], out, seen)
    elif not node.tag.startswith('!'):
        for key, value in node.value: walk(value, path + [key.value], out, seen)
for line in sys.stdin:
    documents = list(yaml.compose_all(json.loads(line), Loader=yaml.SafeLoader))
    out = []
    for i, document in enumerate(documents):
        walk(document, [str(i)] if len(documents) > 1 else [], out, set())
    print(json.dumps(out))
`;
  const input = texts.map((text) => JSON.stringify(text)).join('\n') + '\n';
  const output = execFileSync(PYTHON, ['-c', script], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
    timeout: 120_000,
  });
  return output
    .trim()
    .split('\n')
    .map((line): PyText[] => JSON.parse(line));
}

describe('YAML whose program keeps plain words', () => {
  const messages: MessageRules = { dialect: 'x', syntaxOf: () => 'plain', hasPlainWords: true };

  it('replaces a boolean that an older tool wrote with a text', () => {
    const source = yaml.scan('on: on\noff: Off # not running\nreally: true\n', { messages });
    expect(source.slots.map(({ value }) => value)).toEqual(['on', 'Off']);
    const target = yaml.scan('on: true\noff: false # aus\n', { messages });
    expect(splice(target.text, yaml.insert(target, source, [['on'], ['off']], { messages }))).toBe(
      'on: "on"\noff: "Off" # aus\n',
    );
    expect(yaml.scan('on: on\n').slots).toEqual([]);
  });
});

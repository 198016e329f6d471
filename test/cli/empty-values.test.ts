import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuilt } from './built-program.ts';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '-t', 'fr', '--engine', 'pseudo'];

interface Case {
  readonly source: string;
  readonly target: string;
  readonly sourceText: string;
  /** A target that a person left half empty: `b` is empty. */
  readonly targetText: string;
  /** Empties `b` in a translated target. */
  readonly empty: (text: string) => string;
}

const CASES: Readonly<Record<string, Case>> = {
  JSON: {
    source: 'en.json',
    target: 'fr.json',
    sourceText: '{\n  "a": "One",\n  "b": "ago"\n}\n',
    targetText: '{\n  "a": "Un",\n  "b": ""\n}\n',
    empty: (text) => text.replace(/"b": "[^"]*"/, '"b": ""'),
  },
  YAML: {
    source: 'en.yml',
    target: 'fr.yml',
    sourceText: "a: One\nb: 'ago'\n",
    targetText: "a: Un\nb: ''\n",
    empty: (text) => text.replace(/^b: .*$/m, "b: ''"),
  },
  properties: {
    source: 'messages.properties',
    target: 'messages_fr.properties',
    sourceText: 'a=One\nb=ago\n',
    targetText: 'a=Un\nb=\n',
    empty: (text) => text.replace(/^b=.*$/m, 'b='),
  },
  strings: {
    source: 'en.lproj/L.strings',
    target: 'fr.lproj/L.strings',
    sourceText: '"a" = "One";\n"b" = "ago";\n',
    targetText: '"a" = "Un";\n"b" = "";\n',
    empty: (text) => text.replace(/^"b" = .*$/m, '"b" = "";'),
  },
  Android: {
    source: 'res/values/strings.xml',
    target: 'res/values-fr/strings.xml',
    sourceText:
      '<resources>\n  <string name="a">One</string>\n  <string name="b">ago</string>\n</resources>\n',
    targetText: '<resources>\n  <string name="a">Un</string>\n  <string name="b"></string>\n</resources>\n',
    empty: (text) => text.replace(/(<string name="b">).*(<\/string>)/, '$1$2'),
  },
  resx: {
    source: 'R.resx',
    target: 'R.fr.resx',
    sourceText:
      '<root>\n  <data name="a"><value>One</value></data>\n  <data name="b"><value>ago</value></data>\n</root>\n',
    targetText:
      '<root>\n  <data name="a"><value>Un</value></data>\n  <data name="b"><value></value></data>\n</root>\n',
    empty: (text) => text.replace(/(name="b"><value>).*(<\/value>)/, '$1$2'),
  },
};

function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

describe.each(Object.entries(CASES))('an empty translation in %s', (_, files) => {
  const { source, target, sourceText, targetText, empty } = files;

  it('counts as missing before the first sync', async () => {
    const cwd = projectWith({ [source]: sourceText, [target]: targetText });
    expect((await dragoman(['sync', '--frozen', ...PSEUDO], { cwd })).exitCode).toBe(8);
    expect((await dragoman(['sync', ...PSEUDO], { cwd })).exitCode).toBe(0);
    expect(read(cwd, target)).not.toBe(targetText);
  });

  it('stays if keepEmpty matches its key, and counts as done', async () => {
    const settings = 'source: en\ntargets: [fr]\nengine: pseudo\nkeepEmpty: ["*b"]\n';
    const cwd = projectWith({ [source]: sourceText, [target]: targetText, 'dragoman.config.yaml': settings });
    for (let run = 0; run < 2; run++) {
      expect((await dragoman(['sync'], { cwd })).exitCode).toBe(0);
      expect(read(cwd, target)).toBe(targetText);
      expect((await dragoman(['sync', '--frozen'], { cwd })).exitCode).toBe(0);
    }
    const status = JSON.parse((await dragoman(['status', '--json'], { cwd })).stdout) as unknown;
    expect(JSON.stringify(status)).toMatch(/"missing":0/);
    // Without the pattern, the value is missing again.
    writeFileSync(join(cwd, 'dragoman.config.yaml'), settings.replace('*b', 'c'));
    expect((await dragoman(['sync', '--frozen'], { cwd })).exitCode).toBe(8);
  });

  it('stays if a person emptied it, even with other changes in the file', async () => {
    const cwd = projectWith({ [source]: sourceText });
    expect((await dragoman(['sync', ...PSEUDO], { cwd })).exitCode).toBe(0);
    const emptied = empty(read(cwd, target));
    expect(emptied).not.toBe(read(cwd, target));
    writeFileSync(join(cwd, target), emptied);
    expect((await dragoman(['sync', '--frozen', ...PSEUDO], { cwd })).exitCode).toBe(0);
    for (const options of [[], ['--retranslate']]) {
      expect((await dragoman(['sync', ...options, ...PSEUDO], { cwd })).exitCode).toBe(0);
      expect(read(cwd, target)).toBe(emptied);
    }
    writeFileSync(join(cwd, source), sourceText.replace('One', 'First'));
    expect((await dragoman(['sync', ...PSEUDO], { cwd })).exitCode).toBe(0);
    expect(empty(read(cwd, target))).toBe(read(cwd, target));
    expect((await dragoman(['sync', '--frozen', ...PSEUDO], { cwd })).exitCode).toBe(0);
  });
});

describe('an empty translation', () => {
  const po = (b: string): string =>
    `msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a"\nmsgstr "A"\n\nmsgid "b"\nmsgstr "${b}"\n`;

  it('in a PO file is always translated, because programs show the source text', async () => {
    const cwd = projectWith({ 'po/m.pot': po('').replace('"A"', '""'), 'po/fr.po': po('') });
    expect((await dragoman(['sync', ...PSEUDO], { cwd })).exitCode).toBe(0);
    const translated = read(cwd, 'po/fr.po');
    writeFileSync(join(cwd, 'po/fr.po'), translated.replace(/(msgid "b"\nmsgstr )"[^"]*"/, '$1""'));
    expect((await dragoman(['sync', ...PSEUDO], { cwd })).exitCode).toBe(0);
    expect(read(cwd, 'po/fr.po')).toBe(translated);
  });

  it('by a person follows a renamed key, and is not learned for other texts', async () => {
    const cwd = projectWith({ 'en.json': '{"b": "ago", "c": "Three"}' });
    await dragoman(['sync', ...PSEUDO], { cwd });
    writeFileSync(join(cwd, 'fr.json'), read(cwd, 'fr.json').replace(/"b": "[^"]*"/, '"b": ""'));
    await dragoman(['sync', ...PSEUDO], { cwd });
    writeFileSync(join(cwd, 'en.json'), '{"renamed": "ago", "c": "Three", "again": "ago"}');
    expect((await dragoman(['sync', ...PSEUDO], { cwd })).exitCode).toBe(0);
    const after = JSON.parse(read(cwd, 'fr.json')) as Record<string, string>;
    expect(after['renamed']).toBe('');
    expect(after['again']).not.toBe('');
    expect((await dragoman(['sync', '--frozen', ...PSEUDO], { cwd })).exitCode).toBe(0);
  });

  it('is translated if it replaced a value that is not ours', async () => {
    const cwd = projectWith({
      'en.json': '{"a": "One", "b": "ago"}',
      'fr.json': '{"a": "Un", "b": "il y a"}',
    });
    await dragoman(['sync', ...PSEUDO], { cwd });
    writeFileSync(join(cwd, 'fr.json'), '{"a": "Un", "b": ""}');
    await dragoman(['sync', ...PSEUDO], { cwd });
    expect(read(cwd, 'fr.json')).not.toContain('""');
  });

  it('is outdated when its source changes, like any text of a person', async () => {
    const cwd = projectWith({ 'en.json': '{"b": "ago"}' });
    await dragoman(['sync', ...PSEUDO], { cwd });
    writeFileSync(join(cwd, 'fr.json'), '{"b": ""}');
    await dragoman(['sync', ...PSEUDO], { cwd });
    writeFileSync(join(cwd, 'en.json'), '{"b": "ago, or later"}');
    const frozen = await dragoman(['sync', '--frozen', ...PSEUDO], { cwd });
    expect([frozen.exitCode, frozen.stdout + frozen.stderr]).toEqual([
      0,
      expect.stringContaining('outdated'),
    ]);
    await dragoman(['sync', ...PSEUDO], { cwd });
    expect(read(cwd, 'fr.json')).toBe('{"b": ""}');
  });

  it('is kept by the built program too, and an invalid pattern is reported with its place', () => {
    const cwd = projectWith({
      'en.json': '{"timeago": {"prefixAgo": "about", "suffixAgo": "ago"}}',
      'fr.json': '{"timeago": {"prefixAgo": "il y a", "suffixAgo": ""}}',
      'dragoman.config.yaml': 'source: en\ntargets: [fr]\nengine: pseudo\nkeepEmpty:\n  - timeago.*\n',
    });
    expect(runBuilt(['sync'], cwd).status).toBe(0);
    expect(runBuilt(['check'], cwd)).toMatchObject({ status: 0 });
    expect(read(cwd, 'fr.json')).toContain('"suffixAgo": ""');
    writeFileSync(join(cwd, 'dragoman.config.yaml'), 'source: en\nkeepEmpty:\n  - a\n  - ""\n');
    const refused = runBuilt(['sync'], cwd);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/dragoman\.config\.yaml:4:5: .*keepEmpty/);
  });
});

import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const options = { source: 'en', targets: ['es'] } as const;

type Report = Awaited<ReturnType<ProjectDirectory['sync']>>;

function driftOf({ languages }: Report): readonly unknown[] {
  return languages.flatMap(({ files }) =>
    files.flatMap(({ drift }) =>
      drift.map(({ kind, file, line, column, key }) => `${file}:${line}:${column} ${kind} ${key.join('.')}`),
    ),
  );
}

const countsOf = ({ languages }: Report): unknown => languages[0]?.coverage;

interface Case {
  readonly source: string;
  readonly target: string;
  readonly english: string;
  readonly spanish: string;
  readonly written: string;
  readonly places: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  JSON: {
    source: 'locales/en.json',
    target: 'locales/es.json',
    english:
      '{\n  "a": "A",\n  "b": "B",\n  "c": {\n    "d": "D"\n  },\n  "e": ["E", "F"],\n  "g": "G",\n  "h": "H"\n}\n',
    spanish: '{\n  "b": null, // soon\n  "h": 3,\n  "c": null,\n  "e": [null, "efe"],\n  "g": []\n}\n',
    written:
      '{\n  "a": "es:A",\n  "b": "es:B", // soon\n  "h": 3,\n  "c": {\n    "d": "es:D"\n  },\n  "e": ["es:E", "efe"],\n  "g": []\n}\n',
    places: ['9:3 no-text g', '4:3 no-text h'],
  },
  JSON5: {
    source: 'locales/en.json5',
    target: 'locales/es.json5',
    english: "{a: 'A', b: {c: 'C'}, d: 'D'}\n",
    spanish: '{a: null, b: null, d: Infinity}\n',
    written: "{a: 'es:A', b: {c: 'es:C'}, d: Infinity}\n",
    places: ['1:29 no-text d'],
  },
  Rails: {
    source: 'config/locales/en.yml',
    target: 'config/locales/es.yml',
    english: 'en:\n  a: A\n  b: B\n  c: C\n  d: D\n  e:\n  - E\n  - F\n  g: {h: H, i: I}\n  j: J\n',
    spanish:
      'es:\n  a: # soon\n  b: ~\n  c: "null"\n  d: 4\n  e:\n  -\n  - efe\n  g: {h: null, i: hay}\n  j: NULL\n',
    written:
      'es:\n  a: es:A # soon\n  b: es:B\n  c: "null"\n  d: 4\n  e:\n  - es:E\n  - efe\n  g: {h: "es:H", i: hay}\n  j: es:J\n',
    places: ['5:3 no-text d'],
  },
  PHP: {
    source: 'lang/en/m.php',
    target: 'lang/es/m.php',
    english:
      "<?php\nreturn [\n    'a' => 'A',\n    'b' => 'B',\n    'c' => 'C',\n    'd' => ['e' => 'E'],\n];\n",
    spanish:
      "<?php\nreturn [\n    'a' => 'A ' . name(),\n    'b' => NULL, // soon\n    'c' => \"x {$y}\",\n    'd' => null,\n];\n",
    written:
      "<?php\nreturn [\n    'a' => 'A ' . name(),\n    'b' => 'es:B', // soon\n    'c' => \"x {$y}\",\n    'd' => ['e' => 'es:E'],\n];\n",
    places: ['3:5 no-text a', '5:5 no-text c'],
  },
  'a module': {
    source: 'src/locales/en.ts',
    target: 'src/locales/es.ts',
    english: "export default {\n  a: 'A',\n  b: 'B',\n  c: 'C',\n};\n",
    spanish: 'export default {\n  a: `A ${name}`,\n  b: null,\n  c: name(),\n};\n',
    written: "export default {\n  a: `A ${name}`,\n  b: 'es:B',\n  c: name(),\n};\n",
    places: ['2:3 no-text a', '4:3 no-text c'],
  },
  Android: {
    source: 'res/values/strings.xml',
    target: 'res/values-es/strings.xml',
    english:
      '<resources>\n    <string name="a">A</string>\n    <string name="b">B</string>\n    <string name="c">C</string>\n</resources>\n',
    spanish:
      '<resources>\n    <string name="a"/>\n    <string name="b" translatable="false">be</string>\n    <string name="c">@string/a</string>\n</resources>\n',
    written:
      '<resources>\n    <string name="a">es:A</string>\n    <string name="b" translatable="false">be</string>\n    <string name="c">@string/a</string>\n</resources>\n',
    places: ['3:5 no-text b', '4:5 no-text c'],
  },
};

describe.each(Object.entries(CASES))('%s', (_, { source, target, english, spanish, written, places }) => {
  it('gets a text in place of null, and keeps all other values', async () => {
    const project = new ProjectDirectory({ [source]: english, [target]: spanish });
    const report = await project.sync(new RecordingEngine(), options);
    expect(project.read(target)).toBe(written);
    const drift = places.map((place) => `${target}:${place}`);
    expect(driftOf(report)).toEqual(drift);
    expect(report.languages[0]?.changes.failed).toBe(0);
    const after = project.snapshot();
    const engine = new RecordingEngine();
    const again = await project.sync(engine, options);
    expect(project.snapshot()).toEqual(after);
    expect(engine.texts).toEqual([]);
    expect(driftOf(again)).toEqual(drift);
    expect(countsOf(again)).toMatchObject({ missing: 0, stale: 0, extra: 0, outdated: 0 });
    expect(driftOf(await project.check(options))).toEqual(drift);
  });
});

it('null stays when the translation fails', async () => {
  const project = new ProjectDirectory({
    'locales/en.json': '{"a": "A", "b": "B"}\n',
    'locales/es.json': '{"a": null, "b": null}\n',
  });
  const engine = new RecordingEngine();
  engine.broken.add('A');
  const { languages } = await project.sync(engine, options);
  expect(project.read('locales/es.json')).toBe('{"a": null, "b": "es:B"}\n');
  expect(languages[0]?.coverage.missing).toBe(1);
  expect(languages[0]?.files[0]?.failures.map(({ reason }) => reason)).toEqual(['too hard']);
});

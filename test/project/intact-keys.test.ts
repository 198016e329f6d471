import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SyncReport } from '../../src/project/plan/report.ts';
import type { SyncOptions } from '../../src/project/sync/sync-run.ts';
import { runs } from '../property-runs.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

type Options = Partial<SyncOptions>;

/** With a glossary, every key is compared. This glossary does not apply to any text. */
const COMPARES_ALL: Options = {
  fixTerms: true,
  glossary: {
    terms: [
      {
        term: 'zyxwv',
        translations: new Map([['de', ['vwxyz']]]),
        doNotTranslate: false,
        caseSensitive: true,
      },
    ],
  },
};

/** A change to a file by a person, another tool or a merge. */
interface Change {
  readonly file: 'source' | 'target' | 'lock';
  readonly kind: number;
  /** Selects the line. */
  readonly at: number;
}

interface Layout {
  readonly source: string;
  readonly target: string;
  readonly sourceOf: (texts: readonly (readonly [key: string, text: string])[]) => string;
  /** A line with a value of the target. */
  readonly value: RegExp;
  /** The lines that replace a line with a value, by kind of change. */
  readonly edits: readonly ((line: string) => readonly string[])[];
}

const HEADER = `msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n`;
const LAYOUTS: Readonly<Record<string, Layout>> = {
  json: {
    source: 'en.json',
    target: 'de.json',
    sourceOf: (texts) => `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`,
    value: /^ {2}"k\w+": ".*",$/,
    edits: [
      (line) => [line.replace(/": ".*"/, '": "von Hand"')],
      (line) => [line.replace(/": ".*"/, '": ""')],
      () => [],
      (line) => [line, '  "kExtra": "mehr",'],
      (line) => [line, line.replace('de:', 'zweimal ')],
      (line) => [line.replace(/": ".*"/, '": 7')],
    ],
  },
  po: {
    source: 'po/app.pot',
    target: 'po/de.po',
    sourceOf: (texts) =>
      HEADER + [...new Set(texts.map(([, text]) => `msgid "${text}"\nmsgstr ""\n`))].join('\n'),
    value: /^msgid ".+"$/,
    edits: [
      (line) => ['#, fuzzy', line],
      (line) => ['#, fuzzy', '#| msgid "Text 1"', line],
      (line) => ['#. a note', line],
      (line) => [line.replace('Text', 'Other text')],
    ],
  },
};

/** Changes the matching line that `at` selects. */
function changeLine(
  text: string,
  line: RegExp,
  at: number,
  change: (line: string) => readonly string[],
): string {
  const lines = text.split('\n');
  const matching = lines.flatMap((one, i) => (line.test(one) ? i : []));
  const chosen = matching[at % Math.max(1, matching.length)];
  return lines.flatMap((one, i) => (i === chosen ? change(one) : [one])).join('\n');
}

const MARKS = ['', '\thuman', '\tunknown', '\toutdated', '\tpending', '\treview'];

function apply(project: ProjectDirectory, { source, target, value, edits }: Layout, change: Change): void {
  const { file, kind, at } = change;
  if (file === 'lock') {
    const remark = (line: string): string =>
      line.split('\t').slice(0, 5).join('\t') + (MARKS[kind % MARKS.length] ?? '');
    const changed = changeLine(project.read('dragoman.lock'), /\tde\t/, at, (line) =>
      kind % 7 === 6 ? [] : kind > 7 ? [line, remark(line)] : [remark(line)],
    );
    project.write('dragoman.lock', changed);
  } else if (file === 'target') {
    const edit = edits[kind % edits.length] ?? ((line) => [line]);
    project.write(target, changeLine(project.read(target), value, at, edit));
  } else project.write(source, project.read(source).replace(`Text ${at % 9}`, `Changed ${kind}`));
}

const changes = fc.array(
  fc.record({
    file: fc.constantFrom('source', 'target', 'lock'),
    kind: fc.nat(14),
    at: fc.nat(40),
  }),
  { maxLength: 5 },
);

type Reported = readonly (readonly unknown[])[];

/** The contents of a report about the files; files that were not opened have no lists. */
function reported({ languages }: SyncReport): Reported {
  return languages.flatMap((language) =>
    language
      .allFiles()
      .map(({ target, coverage, changes, written, drift, failures, notes = [], error }) => [
        language.coverage,
        language.changes,
        { target, coverage, changes, written, drift, failures, notes, error: error?.message },
      ]),
  );
}

/** The coverage of each file in a report, without the number of requested characters. */
function coverages(report: Reported): readonly unknown[] {
  return report.map(([, , file]) => ({ ...(file as { coverage: object }).coverage, characters: undefined }));
}

/** A forced run requests all keys again, and the keys that it marks need a review. */
const RUNS: readonly Options[] = [
  {},
  { force: true },
  { markForReview: true },
  { force: true, markForReview: true },
];

const COMMON = { source: 'en', targets: ['de'] };

interface Result {
  readonly report: Reported;
  readonly files: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
}

async function sync(project: ProjectDirectory, options: Options): Promise<Result> {
  const engine = new RecordingEngine();
  const report = reported(await project.sync(engine, { ...COMMON, ...options }));
  const files = Object.fromEntries(project.list().map((name) => [name, project.read(name)]));
  return { report, files, texts: engine.texts };
}

async function check(project: ProjectDirectory, options: Options): Promise<Reported> {
  return reported(await project.check({ ...COMMON, ...options }));
}

describe.each(Object.entries(LAYOUTS))('keys that need no comparison: %s', (_, layout) => {
  it('count as if they were compared', async () => {
    const round = fc.record({ changed: changes, options: fc.constantFrom<Options>(...RUNS) });
    const rounds = fc.array(round, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'n_one', 'n_other'].map(
          (name, i) => [`k${name}`, `Text ${i}`] as const,
        );
        const files = { [layout.source]: layout.sourceOf(texts) };
        const [project, full] = [new ProjectDirectory(files), new ProjectDirectory(files)];
        expect(await sync(project, {})).toEqual(await sync(full, COMPARES_ALL));
        for (const { changed, options } of all) {
          for (const change of changed) for (const one of [project, full]) apply(one, layout, change);
          expect(await check(project, {})).toEqual(await check(full, COMPARES_ALL));
          const synced = await sync(project, options);
          expect(synced).toEqual(await sync(full, { ...COMPARES_ALL, ...options }));
          expect(coverages(synced.report)).toEqual(coverages(await check(project, {})));
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

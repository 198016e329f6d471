import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { Output } from '../../src/cli/output/output.ts';
import { ReportPage } from '../../src/cli/project/report-page/report-page.ts';
import type { ListedKey } from '../../src/project/plan/key-list.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { NO_CHANGES, NO_COVERAGE } from '../../src/project/plan/report.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

interface Counts {
  readonly [name: string]: number;
}

/** A sample of the output of `sync --json`. */
interface SyncDocument {
  readonly projects: readonly {
    readonly languages: readonly {
      readonly language_code: string;
      readonly coverage: Counts;
      readonly changes: Counts;
    }[];
  }[];
}

let mixed: { readonly page: Buffer; readonly document: SyncDocument } | undefined;

/** The report of a sync with new, stale, edited, outdated, extra and failed keys. */
export async function mixedReport(): Promise<{ readonly file: string; readonly document: SyncDocument }> {
  mixed ??= await syncMixed();
  const file = join(temporaryDirectory(), 'out.html');
  writeFileSync(file, mixed.page);
  return { file, document: mixed.document };
}

async function syncMixed(): Promise<{ readonly page: Buffer; readonly document: SyncDocument }> {
  const program = `
    const lines = require('readline').createInterface({ input: process.stdin });
    lines.on('line', (line) => {
      const { id, target, texts } = JSON.parse(line);
      console.log(JSON.stringify({ id, translations: texts.map((t) => (t === 'Hard' ? null : target + ' ' + t)) }));
    });`;
  const en = {
    menu: { save: 'Save {file}', open: 'Open' },
    coffee: 'Café {n, plural, one {# cup} other {# cups}}',
    old: 'Old',
  };
  const root = projectWith({
    'app/en.json': JSON.stringify(en),
    'web/en.json': '{"title": "Welcome"}',
    'engine.cjs': program,
  });
  const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${join(root, 'engine.cjs')}`];
  const args = ['sync', root, '-s', 'en', '-t', 'es,ar', ...engine];
  const first = await dragoman(args);
  expect(first.exitCode, first.stderr).toBe(0);
  writeFileSync(
    join(root, 'app/es.json'),
    JSON.stringify({
      menu: { save: 'Guardar', open: 'Abrir' },
      coffee: 'es Café',
      old: 'Viejo',
      gone: 'Ido',
    }),
  );
  writeFileSync(
    join(root, 'app/en.json'),
    JSON.stringify({ ...en, old: 'Older', fresh: 'Fresh', hard: 'Hard' }),
  );
  const file = join(root, 'out.html');
  const second = await dragoman([...args, '--json', '--report', file]);
  expect(second.exitCode, second.stderr).toBe(7);
  return { page: readFileSync(file), document: JSON.parse(second.stdout) as SyncDocument };
}

/** A report of invented keys, the same number in each language. */
export async function largeReport(keys: number, locales: readonly string[]): Promise<string> {
  const root = projectWith({ 'en.json': '{"a": "One"}' });
  const [project] = await openProjects([root], { source: 'en', targets: locales });
  if (!project) throw new Error('no project');
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const terminal = { ...streams, env: {}, cwd: root, signal: new AbortController().signal };
  const output = new Output(terminal, { json: false, quiet: true, verbose: false });
  const path = join(mkdtempSync(join(tmpdir(), 'dragoman-report-')), 'large.html');
  onTestFinished(() => rmSync(join(path, '..'), { recursive: true, force: true }));
  const page = await ReportPage.open({ path, kind: 'status', output });
  const onKeys = page.listenerFor(project, false);
  const each = keys / locales.length;
  function* listed(locale: string): Generator<ListedKey> {
    for (let i = 0; i < each; i++) {
      yield {
        key: ['section', String(i)],
        status: i % 1000 === 7 ? 'missing' : 'translated',
        syntax: 'plain',
        source: `Text number ${i} with {name} and some more words`,
        value: `Übersetzung ${i} ${locale} mit {name}`,
        sourcePlace: { line: i + 2, column: 10 },
        targetPlace: { line: i + 2, column: 10 },
        faults: [],
      };
    }
  }
  for (const locale of locales) {
    const coverage = { ...NO_COVERAGE, keys: each, translated: each };
    const report = { source: 'en.json', target: `${locale}.json`, coverage, changes: NO_CHANGES };
    await onKeys({
      locale,
      report: { ...report, isDocument: false, written: false, drift: [], failures: [], terms: [] },
      keys: listed(locale),
    });
  }
  expect(await page.finish([project], [{ root, source: 'en', languages: [], interrupted: false }])).toBe(
    undefined,
  );
  expect(readdirSync(join(path, '..'))).toEqual(['large.html']);
  return path;
}

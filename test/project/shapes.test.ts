import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { openProjects } from '../../src/project/state/project.ts';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';

/** The expected reading of a project in fixtures/projects. The counts are numbers of entries, determined by hand. */
interface Expected {
  readonly about: string;
  /** Paths, `-s` and `-t`. */
  readonly arguments?: readonly string[];
  readonly source: string;
  readonly targets: readonly string[];
  /** Targets by source file and locale, whether they exist or not. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly passed_over: readonly unknown[];
  readonly error?: { readonly message: string; readonly hint: string };
}

const SHAPES = resolve(import.meta.dirname, '../../fixtures/projects');
const shapes = readdirSync(SHAPES).map((name) => ({
  name,
  expected: JSON.parse(readFileSync(join(SHAPES, name, 'expected.json'), 'utf8')) as Expected,
}));

function copyOf(name: string): string {
  const root = temporaryDirectory();
  cpSync(join(SHAPES, name, 'project'), root, { recursive: true });
  return root;
}

/** Contents and times by path, without sync's own files. */
function filesOf(root: string): ReadonlyMap<string, { readonly text: string; readonly time: bigint }> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    paths.flatMap((path) => {
      const info = statSync(join(root, path), { bigint: true });
      if (!info.isFile() || path.startsWith('dragoman.lock')) return [];
      return [[path, { text: readFileSync(join(root, path), 'latin1'), time: info.mtimeNs }] as const];
    }),
  );
}

/** Finds the values of a line without the program's own readers. */
const VALUES: Readonly<Record<string, RegExp>> = {
  '.json': /(?<=": )"(?:[^"\\]|\\.)*"/g,
  '.arb': /(?<=": )"(?:[^"\\]|\\.)*"/g,
  '.yml': /(?<=^\s+[^:]+: ).+/gm,
  '.yaml': /(?<=^[^:#]+: )[^\r\n]+/gm,
  '.properties': /(?<=^[^#=]+=).*/gm,
  '.strings': /(?<= = )"(?:[^"\\]|\\.)*"/g,
  '.xml': /(?<=>)[^<\n]+(?=<)/g,
  '.resw': /(?<=>)[^<\n]+(?=<)/g,
  '.resx': /(?<=>)[^<\n]+(?=<)/g,
  // The forms of a plural with their values.
  '.stringsdict':
    /(?<=<string>)[^<\n]+(?=<)|\s*<key>(?:zero|one|two|few|many|other)<\/key>\s*<string>[^<]*<\/string>/g,
  '.ftl': /(?<=(?: = |\] ))[^\n]+/g,
  '.toml': /(?<= = )"[^"]*"/g,
  '.php': /(?<==>? )'(?:[^'\\]|\\.)*'/g,
  '.po': /(?<=^msgstr(?:\[\d\])? )".*"/gm,
  '.xlf': /^[ \t]*<target.*<\/target>\r?\n/gm,
  // Qt's files and modules.
  '.ts': /(?<=<numerusform>|<translation>)[^<\n]*(?=<)|(?<=: )'[^'\n]*'/g,
  '.md': /(?<=^(?:title: |#+ ))[^\n{]+|(?<=^title = ")[^"\n]+|^\p{Lu}[^\n]*$/gmu,
  '.mdx': /(?<=^#+ )[^\n]+|^\p{Lu}[^\n]*$/gmu,
  '.ini': /(?<==)"[^"\n]*"/g,
  '.json5': /(?<=: )'[^'\n]*'/g,
  '.js': /(?<=: )'[^'\n]*'/g,
  '.xliff': /^[ \t]*<target.*<\/target>\r?\n/gm,
};

/** A file without its values and its language names. */
function skeletonOf(path: string, text: string): string {
  const values = VALUES[extname(path).replace('.pot', '.po')];
  if (!values) throw new Error(`no values are known for ${path}`);
  const headless = extname(path).startsWith('.po')
    ? text.replaceAll(/^".*\n/gm, '').replaceAll(/^msgstr\[\d\].*\n/gm, '')
    : text;
  return (
    headless
      .replaceAll('#, fuzzy\n', '')
      // Translations of messages that the program has dropped are useless for another language.
      .replaceAll(/\n(?:#~ .*\n)+/g, '')
      .replaceAll(/ *<message>\n.*\n.*type="vanished".*\n *<\/message>\n/g, '')
      // .NET falls back to the source for these entries.
      .replaceAll(/ *<data [^\n]*\n[^\n]*\n *<comment>@Invariant<\/comment>\n *<\/data>\n/g, '')
      // Yii marks messages that the program has dropped: their translations are useless for another language, too.
      .replaceAll(/^.*=> '@@.*@@',\n/gm, '')
      .replaceAll(/ (?:target-language|trgLang|language)="[^"]*"| state="[a-z]*"| type="unfinished"/g, '')
      .replace(/^[a-z]{2}(?:-[A-Z]{2})?:$/m, 'LANGUAGE:')
      .replace(/^export const [a-z]{2}(?:[A-Z]{2})?\b/m, 'export const LANGUAGE')
      .replaceAll(values, extname(path).startsWith('.xl') ? '' : '…')
  );
}

/** Lines that `sync` may change: those without a value yet, and the comma after the former last entry. */
function keptLines(text: string): readonly string[] {
  const isEmpty = (line: string): boolean =>
    /^msgstr(?:\[\d\])? ""$|<target state="new">|<segment state="initial">|type="unfinished"|<numerusform><|=> '',$/.test(
      line,
    );
  return text.split('\n').flatMap((line, i, lines) => {
    const isFuzzy = line.startsWith('#, fuzzy') || lines[i - 2]?.startsWith('#, fuzzy') === true;
    // In a String Catalog, an empty object has a blank line.
    return line === '' || isEmpty(line) || isFuzzy ? [] : [line.replace(/,?\r?$/, '')];
  });
}

/** The lines of the first text that do not occur in the same order in the second. */
function lostLines(before: string, after: string): readonly string[] {
  const lines = keptLines(after)[Symbol.iterator]();
  return keptLines(before).filter((line) => {
    for (let next = lines.next(); !next.done; next = lines.next()) if (next.value === line) return false;
    return true;
  });
}

/** The text cells of a table that differ in the second. */
function lostCells(path: string, before: string, after: string): readonly string[] {
  const rowsOf = (text: string): string[][] => parse(text, { delimiter: path.endsWith('.tsv') ? '\t' : ',' });
  const now = rowsOf(after);
  return rowsOf(before).flatMap((row, i) => row.filter((cell, j) => cell !== '' && now[i]?.[j] !== cell));
}

const NEW = 'nl';

describe('project shapes', () => {
  it('are at least 25, with every layout that README names', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(25);
  });

  it.each(shapes.filter(({ expected }) => expected.error))(
    '$name: $expected.about',
    async ({ name, expected }) => {
      const root = copyOf(name);
      const result = await dragoman(['status', ...(expected.arguments ?? []), '--json'], { cwd: root });
      expect(result.exitCode).toBe(2);
      expect(JSON.parse(result.stdout)).toMatchObject({
        error: {
          code: 'configuration',
          message: expect.stringContaining(expected.error?.message ?? ''),
          hint: expect.stringContaining(expected.error?.hint ?? ''),
        },
      });
    },
  );

  const sound = shapes.filter(({ expected }) => !expected.error);

  it.each(sound)('$name is read as $expected.about', async ({ name, expected }) => {
    const root = copyOf(name);
    const argv = expected.arguments ?? [];
    const [project] = await openProjects(pathsOf(root, argv), optionsOf(argv));
    const layout = Object.fromEntries(
      (project?.resources ?? []).map((resource) => [
        resource.source,
        Object.fromEntries(
          Object.keys(expected.files[resource.source] ?? {}).map((locale) => [
            locale,
            resource.targetPath(locale),
          ]),
        ),
      ]),
    );
    expect(layout).toEqual(expected.files);
    const result = await dragoman(['status', ...argv, '--json'], { cwd: root });
    expect(result.exitCode, result.stderr + result.stdout).toBe(0);
    const { projects, passed_over: passedOver } = JSON.parse(result.stdout);
    const [{ source_language: source, languages }] = projects;
    expect({
      source,
      targets: languages.map((each: { language_code: string }) => each.language_code),
    }).toEqual({ source: expected.source, targets: expected.targets });
    const counts = languages.map(
      ({ language_code: code, coverage: { keys, translated, missing, extra } }: Language) =>
        [code, { keys, translated, missing, extra }] as const,
    );
    expect(Object.fromEntries(counts)).toEqual(expected.counts);
    expect(passedOver.map(({ root: _root, is_at_least: _isAtLeast, ...kind }: Kind) => kind)).toEqual(
      expected.passed_over,
    );
    const listed = (passedOver as Kind[]).filter(({ reason }) => reason !== 'excluded_by_site');
    expect(result.stderr.split('\n').filter((line) => line.includes('(for example '))).toHaveLength(
      listed.length,
    );
    const { stderr } = await dragoman(['status', ...argv, '--verbose'], { cwd: root });
    for (const { example } of passedOver as Kind[]) expect(stderr).toContain(`(for example ${example})`);
  });

  it.each(sound)(
    '$name: a sync changes only values, and a second one changes nothing',
    async ({ name, expected }) => {
      const root = copyOf(name);
      const before = filesOf(root);
      const targets = [...expected.targets, NEW].join(',');
      const argv = (expected.arguments ?? []).filter(
        (argument, i, all) => argument !== '-t' && all[i - 1] !== '-t',
      );
      const run = () => dragoman(['sync', ...argv, '-t', targets, '--engine', 'pseudo'], { cwd: root });
      const first = await run();
      expect(first.exitCode, first.stderr).toBe(0);

      const after = filesOf(root);
      const owners = new Map(
        (await openProjects(pathsOf(root, argv), optionsOf([...argv, '-t', targets]))).flatMap(
          ({ resources, targets: locales }) =>
            resources.flatMap((resource) =>
              locales.map((code) => [resource.targetPath(code), resource] as const),
            ),
        ),
      );
      for (const [path, { text }] of after) {
        const old = before.get(path)?.text;
        const owner = owners.get(path);
        const source = before.get(owner?.source ?? '')?.text;
        // The list of languages gets the new one, and nothing else.
        if (path.endsWith('/LINGUAS')) expect(lostLines(old ?? '', text), path).toEqual([]);
        else if (source === undefined) expect(text, path).toBe(old);
        else if (/\.[ct]sv$/.test(path)) expect(lostCells(path, old ?? '', text), path).toEqual([]);
        else if (old !== undefined) expect(lostLines(old, text), path).toEqual([]);
        // A new catalogue has the messages of all others together.
        else if ((owner?.catalogues ?? []).length > 1)
          expect(lostLines(skeletonOf(path, source), skeletonOf(path, text)), path).toEqual([]);
        else expect(skeletonOf(path, text), path).toBe(skeletonOf(owner?.source ?? '', source));
      }
      expect([...before.keys()].filter((path) => !after.has(path))).toEqual([]);
      expect([...after.keys()].filter((path) => !before.has(path) && !owners.has(path))).toEqual([]);

      const lock = readFileSync(join(root, 'dragoman.lock'), 'utf8');
      const second = await run();
      expect(second.exitCode, second.stderr).toBe(0);
      expect(filesOf(root)).toEqual(after);
      expect(readFileSync(join(root, 'dragoman.lock'), 'utf8')).toBe(lock);
      expect(existsSync(join(root, '.dragoman-journal'))).toBe(false);
    },
  );
});

interface Language {
  readonly language_code: string;
  readonly coverage: Readonly<Record<string, number>>;
}

interface Kind {
  readonly reason: string;
  readonly example: string;
  readonly root: string;
  readonly is_at_least: boolean;
}

function pathsOf(root: string, argv: readonly string[]): readonly string[] {
  const paths = argv.filter(
    (argument, i) => !argument.startsWith('-') && argv[i - 1]?.startsWith('-') !== true,
  );
  return (paths.length > 0 ? paths : ['.']).map((path) => join(root, path));
}

function optionsOf(argv: readonly string[]): { source?: string; targets?: readonly string[] } {
  const after = (flag: string): string | undefined =>
    argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
  const [source, targets] = [after('-s'), after('-t')?.split(',')];
  return { ...(source !== undefined && { source }), ...(targets && { targets }) };
}

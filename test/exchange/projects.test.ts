import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { EXCHANGE_FORMATS, EXTENSIONS } from '../../src/exchange/formats.ts';
import { dragoman, projectWith, temporaryDirectory } from '../cli/harness.ts';

const SHAPES = resolve(import.meta.dirname, '../../fixtures/projects');

interface Expected {
  readonly arguments?: readonly string[];
  readonly targets: readonly string[];
  readonly error?: unknown;
}

const shapes = readdirSync(SHAPES).flatMap((name) => {
  const expected: Expected = JSON.parse(readFileSync(join(SHAPES, name, 'expected.json'), 'utf8'));
  return expected.error === undefined && expected.targets.length > 0 ? [{ name, expected }] : [];
});

/** The arguments that choose the source language and the files. */
function selectionOf(argv: readonly string[]): { readonly flags: string[]; readonly paths: string[] } {
  const flags: string[] = [];
  const paths: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '-s') flags.push(argument, argv[++at] ?? '');
    else if (argument === '-t') at++;
    else paths.push(argument);
  }
  return { flags, paths };
}

function filesOf(root: string): ReadonlyMap<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    paths.flatMap((path) =>
      statSync(join(root, path)).isFile() ? [[path, readFileSync(join(root, path), 'latin1')]] : [],
    ),
  );
}

describe('every shape of a project', () => {
  it.each(shapes)('$name: importing an export changes nothing', async ({ name, expected }) => {
    const cwd = temporaryDirectory();
    cpSync(join(SHAPES, name, 'project'), cwd, { recursive: true });
    const outside = temporaryDirectory();
    const before = filesOf(cwd);
    const [target = ''] = expected.targets;
    const { flags, paths } = selectionOf(expected.arguments ?? []);
    const projects = paths.flatMap((path) => ['--project', path]);
    for (const format of EXCHANGE_FORMATS) {
      const file = join(outside, `${format}.${EXTENSIONS[format]}`);
      const made = await dragoman(
        ['export', ...paths, ...flags, '-t', target, '--format', format, '-o', file],
        {
          cwd,
        },
      );
      if (/works on one project|has one target language/.test(made.stderr)) return;
      expect({ format, made }).toMatchObject({ made: { exitCode: 0 } });
      const argv = ['import', file, ...projects, ...flags, '--trust-states', '--json'];
      const { exitCode, stdout, stderr } = await dragoman(argv, { cwd });
      expect({ format, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(stdout).texts).toEqual([]);
    }
    expect(filesOf(cwd)).toEqual(before);
  });
});

describe('10,000 texts', () => {
  const keys = Array.from({ length: 10_000 }, (_, i) => `key${i}`);
  const catalogue = (text: (i: number) => string): string =>
    `{\n${keys.map((key, i) => `  "${key}": "${text(i)}"`).join(',\n')}\n}\n`;
  const source = catalogue((i) => `Text {name} ${i}`);
  const translated = catalogue((i) => `Texto {name} ${i}`);

  it.each(EXCHANGE_FORMATS)('are exported and imported as %s', async (format) => {
    const cwd = projectWith({ 'locales/en.json': source, 'locales/es.json': '{}\n' });
    const file = `texts.${EXTENSIONS[format]}`;
    const argv = ['export', '-s', 'en', '-t', 'es', '--format', format, '-o', file];
    expect(await dragoman(argv, { cwd })).toMatchObject({ exitCode: 0 });
    const path = join(cwd, file);
    if (format === 'xlsx') {
      const { sheets } = await readXlsx(readFileSync(path));
      const rows = (sheets[0]?.rows ?? []).map((row, at) =>
        at === 0 ? row : row.with(2, String(row[1]).replace('Text', 'Texto')),
      );
      writeFileSync(path, await writeXlsx({ sheets: [{ name: 'es', rows }] }));
    } else {
      const text = readFileSync(path, 'utf8');
      const filled =
        format === 'po'
          ? text.replace(/^msgid "Text(.*)"\nmsgstr ""$/gm, 'msgid "Text$1"\nmsgstr "Texto$1"')
          : text.replace(/<source>Text(.*?)<\/source>/g, '<source>Text$1</source><target>Texto$1</target>');
      writeFileSync(path, filled);
    }
    const { exitCode, stderr } = await dragoman(['import', file], { cwd });
    expect({ exitCode, stderr: stderr.slice(0, 500) }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('10,000 texts imported');
    expect(readFileSync(join(cwd, 'locales/es.json'), 'utf8')).toBe(translated);
    expect((await dragoman(['import', file], { cwd })).stderr).toContain('10,000 texts unchanged');
  });
});

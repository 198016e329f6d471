import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { man } from '../../package.json';
import { commandsOfProgram, commonOptions } from '../../scripts/docs/commands.ts';
import { renderReference } from '../../scripts/docs/reference.ts';
import { DOCUMENTS, readDocument, ROOT } from './document.ts';

it('the generated chapters are up to date: npm run docs writes them', async () => {
  for (const { path, text } of await renderReference()) {
    expect(readFileSync(path, 'utf8') === text, `${path} is out of date: run npm run docs`).toBe(true);
  }
});

it.skipIf(spawnSync('groff', ['--version']).status !== 0)(
  'the manual page has every command and option, without roff errors',
  async () => {
    const page = join(ROOT, 'man/dragoman.1');
    const { stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-rcR=1', '-Tutf8', '-P-c', page], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    // Bold letters are printed twice in the same place.
    const text = stdout
      .replace(/.\u0008/gu, '')
      .replace(/\s+/g, ' ')
      .toLowerCase();
    const commands = await commandsOfProgram();
    const wanted = commands.flatMap(({ name, summary, command }) => [
      `dragoman ${name} ${summary}`,
      ...command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags),
    ]);
    expect(wanted.filter((words) => !text.includes(` ${words.toLowerCase()}`))).toEqual([]);
    expect(text.includes(' 130 interrupted: finished work is saved ')).toBe(true);
  },
);

it('package.json lists the manual page, so that npm installs it', () => {
  expect(man).toEqual(['dist/dragoman.1.gz']);
});

/** Options of other programs that the documents mention. */
const OF_OTHERS = new Set([
  '--save-dev',
  '--silent',
  '--show-error',
  '--fail-with-body',
  '--header',
  '--form',
  '--request',
  '--global',
  '--system',
  '--home-dir',
  '--shell',
  '--now',
]);

it('the documentation names no unknown option', async () => {
  const commands = await commandsOfProgram();
  const options = [...commonOptions(), ...commands.flatMap(({ command }) => command.options)];
  const known = new Set([...options.flatMap(({ long }) => long ?? []), '--help', '--version', ...OF_OTHERS]);
  for (const path of DOCUMENTS) {
    const named = readDocument(path).match(/(?<![\w-])--[a-z][a-z0-9-]*/g) ?? [];
    expect(
      named.filter((option) => !known.has(option)),
      path,
    ).toEqual([]);
  }
});

it('the documentation describes every variable that the program reads', () => {
  const chapter = readDocument('docs/configuration.md');
  const sources = fastGlob.sync('src/**/*.ts', { cwd: ROOT }).map((path) => readDocument(path));
  const prefixes = ['DRAGOMAN', 'OPENAI', 'DEEPL', 'GOOGLE', 'LIBRETRANSLATE', 'XDG'];
  const pattern = new RegExp(`\\b(?:${prefixes.join('|')})_[A-Z_]+\\b`, 'g');
  const named = new Set(sources.flatMap((text) => text.match(pattern) ?? []));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => !chapter.includes(`\`${name}\``))).toEqual([]);
});

it('the README is short', () => {
  expect(readDocument('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
});

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectWith } from './harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');
const EN = 'config/locales/en.yml';
const ES = 'config/locales/es.yml';

function built(
  argv: readonly string[],
  cwd: string,
): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, XDG_CACHE_HOME: join(cwd, '.cache') };
  return spawnSync(process.execPath, [BIN, ...argv], { cwd, env, encoding: 'utf8', input: '' });
}

function railsProject(source: string, target: string): string {
  return projectWith({ [EN]: `en:\n${source}`, [ES]: `es:\n${target}` });
}

const TRUE = ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'];
const FALSE = ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'];

describe('YAML keys that a 1.1 reader reads as booleans', () => {
  it.each([
    [
      'quoted in the source',
      '  "yes": "Yes, please"\n  "no": "No, thanks"\n',
      '  yes: Sí\n  no: "No, gracias"\n',
    ],
    [
      'quoted in the target',
      '  yes: "Yes, please"\n  no: "No, thanks"\n',
      "  'yes': Sí\n  'no': No, gracias\n",
    ],
    [
      'written by Psych',
      '  "yes": "Yes, please"\n  "no": "No, thanks"\n',
      '  true: Sí\n  false: No, gracias\n',
    ],
    [
      'read and quoted',
      '  yes: "Yes, please"\n  no: "No, thanks"\n',
      "  'true': Sí\n  'false': No, gracias\n",
    ],
    [
      'in a different order',
      '  on: Switched on\n  off: Switched off\n',
      '  false: Apagado\n  true: Encendido\n',
    ],
    [
      'above others',
      '  yes:\n    a: One\n  no:\n    a: Two\n',
      '  True:\n    a: Uno\n  False:\n    a: Dos\n',
    ],
    ['in braces', '  x: {yes: "Yes, please", no: "No, thanks"}\n', '  x: {true: Sí, NO: "No, gracias"}\n'],
  ])('are the same key in source and target: %s', (_, source, target) => {
    const root = railsProject(source, target);
    const check = built(['check', '-s', 'en', '-t', 'es'], root);
    expect(check, check.stdout).toMatchObject({ status: 0, stdout: '' });
    const synced = built(['sync', '-s', 'en', '-t', 'es', '--engine', 'pseudo', '--prune'], root);
    expect(synced.status, synced.stderr).toBe(0);
    expect(readFileSync(join(root, ES), 'utf8')).toBe(`es:\n${target}`);
  });

  it('are the same key in every spelling', () => {
    for (const words of [TRUE, FALSE]) {
      const maps = words.map((word, i) => `  m${i}:\n    ${word}: Word\n`).join('');
      const turned = words.map((_, i) => `  m${i}:\n    ${words.at(i - 3) ?? ''}: Palabra\n`).join('');
      const root = railsProject(maps, turned);
      expect(built(['check', '-s', 'en', '-t', 'es'], root)).toMatchObject({ status: 0, stdout: '' });
    }
  });

  it('are inserted as spelled in the source, and translated again in place', () => {
    const root = railsProject('  "yes": "Yes, please"\n  "no": "No, thanks"\n', '  true: Sí\n');
    const sync = ['sync', '-s', 'en', '-t', 'es', '--engine', 'pseudo', '--prune'];
    expect(built(sync, root)).toMatchObject({ status: 0 });
    expect(readFileSync(join(root, ES), 'utf8')).toBe('es:\n  true: Sí\n  "no": "Ñö, ţĥåñķš"\n');
    expect(built(sync, root).stderr).toBe('everything is up to date\n');
    writeFileSync(join(root, EN), 'en:\n  "yes": "Yes, please"\n  "no": "No, never"\n');
    expect(built(sync, root)).toMatchObject({ status: 0 });
    expect(readFileSync(join(root, ES), 'utf8')).toBe('es:\n  true: Sí\n  "no": "Ñö, ñéṽéŕ"\n');
  });

  it('are different keys if the source has several words for one boolean', () => {
    const root = railsProject('  "yes": "Yes"\n  "on": "Switched on"\n', '  true: Sí\n');
    const { status, stdout } = built(['check', '-s', 'en', '-t', 'es'], root);
    expect(status).toBe(8);
    expect(stdout).toMatch(/missing: yes .*\n.*missing: on .*\n.*extra: true /);
  });

  it('are different keys if both are quoted, and the exact word of the source wins', () => {
    const quoted = railsProject('  "yes": "Yes, please"\n', '  "true": Verdadero\n');
    expect(built(['check', '-s', 'en', '-t', 'es'], quoted).stdout).toMatch(
      /missing: yes .*\n.*extra: true /,
    );
    const both = railsProject('  yes: "Yes, please"\n', '  true: Verdadero\n  yes: Sí\n');
    expect(built(['check', '-s', 'en', '-t', 'es'], both).stdout).toMatch(/^[^\n]*extra: true [^\n]*\n$/);
    const behind = railsProject('  yes: "Yes, please"\n', '  "yes": Sí\n  true: Verdadero\n');
    expect(built(['check', '-s', 'en', '-t', 'es'], behind)).toMatchObject({ status: 0, stdout: '' });
  });

  it('are not reported for the root key of a Norwegian file', () => {
    const root = projectWith({
      [EN]: 'en:\n  yes: "Yes, please"\n',
      'config/locales/no.yml': 'no:\n  true: Ja takk\n',
    });
    expect(built(['check', '-s', 'en', '-t', 'no'], root)).toMatchObject({ status: 0, stdout: '' });
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuilt } from './built-program.ts';
import { projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '-t', 'de', '--engine', 'pseudo'];
const DE = 'res/values-de/strings.xml';

const array = (...items: readonly string[]): string =>
  `<resources>\n    <string-array name="days">\n${items.map((item) => `        <item${item}</item>\n`).join('')}    </string-array>\n</resources>\n`;

describe('an Android array item that is not translatable', () => {
  const source = array('>Monday', ' translatable="false">2026', '>@string/day', '>Tuesday');

  it('stays unchanged in new and existing targets', () => {
    const root = projectWith({ 'res/values/strings.xml': source });
    expect(runBuilt(['sync', ...PSEUDO], root)).toMatchObject({ status: 0 });
    const translated = readFileSync(join(root, DE), 'utf8');
    expect(translated).toMatch(/>2026<\/item>\n.*>@string\/day<\/item>\n/);
    expect(translated).not.toMatch(/Monday|Tuesday/);
    expect(runBuilt(['check', ...PSEUDO.slice(0, 4)], root).status).toBe(0);
  });

  it('is copied along with later items, so that all items keep their position', () => {
    const root = projectWith({ 'res/values/strings.xml': source, [DE]: array('>Montag') });
    expect(runBuilt(['sync', ...PSEUDO], root)).toMatchObject({ status: 0 });
    const [, items] = readFileSync(join(root, DE), 'utf8').split('<string-array name="days">\n');
    expect(items?.split('\n').slice(0, 4)).toEqual([
      '        <item>Montag</item>',
      '        <item translatable="false">2026</item>',
      '        <item>@string/day</item>',
      expect.stringMatching(/^ {8}<item>Ţ.*<\/item>$/u),
    ]);
  });

  it('is not pruned if it was translated before', () => {
    const root = projectWith({ 'res/values/strings.xml': source.replace(' translatable="false"', '') });
    expect(runBuilt(['sync', ...PSEUDO], root)).toMatchObject({ status: 0 });
    const before = readFileSync(join(root, DE), 'utf8');
    writeFileSync(join(root, 'res/values/strings.xml'), source);
    expect(runBuilt(['sync', '--prune', 'all', '--yes', ...PSEUDO], root)).toMatchObject({ status: 0 });
    expect(readFileSync(join(root, DE), 'utf8')).toBe(before);
  });
});

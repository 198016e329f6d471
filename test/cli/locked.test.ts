import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from './harness.ts';

const entry = (name: string, value: string, comment: string): string =>
  `  <data name="${name}" xml:space="preserve">\n    <value>${value}</value>\n    <comment>${comment}</comment>\n  </data>\n`;

it('sync keeps words that the comments of a .resx file lock, and has nothing left to do', async () => {
  const root = temporaryDirectory();
  const source = `<root>\n${entry('A', 'Open Contoso now', 'The {Locked="Contoso"} product')}${entry('B', 'Stay', '{Locked}')}</root>\n`;
  writeFileSync(join(root, 'Resources.resx'), source);
  const sync = () => dragoman(['sync', '-s', 'en', '-t', 'fr', '--engine', 'pseudo'], { cwd: root });
  expect((await sync()).exitCode).toBe(0);
  const written = readFileSync(join(root, 'Resources.fr.resx'), 'utf8');
  expect(written).toBe(source.replace('Open Contoso now', 'Öþéñ Contoso ñöŵ'));
  expect((await sync()).stderr).toContain('everything is up to date');
});

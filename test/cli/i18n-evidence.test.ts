import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

it.each([
  ['in a checkout as the manifest in a parent directory shows', true, ['count', 'count_plural']],
  ['otherwise as its keys show', false, undefined],
])('i18n reads a single file %s', async (_where, isCheckout, keys) => {
  const cwd = projectWith({
    'fabric.mod.json': '{"id": "cogs"}',
    'assets/cogs/lang/en_us.json': '{"count": "%s player", "count_plural": "%s players"}',
    'texts/en.json': '{"count": "{{count}} player", "count_plural": "{{count}} players"}',
  });
  if (isCheckout) mkdirSync(join(cwd, '.git'));
  const name = isCheckout ? 'assets/cogs/lang/en_us.json' : 'texts/en.json';
  const argv = ['i18n', name, '-s', 'en', '-t', 'ja', '--engine', 'pseudo', '-o', 'out.json'];
  const { exitCode, stderr } = await dragoman(argv, { cwd });
  expect(exitCode, stderr).toBe(0);
  const written = Object.keys(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')) as object);
  if (keys) expect(written).toEqual(keys);
  else expect(written).not.toEqual(['count', 'count_plural']);
});

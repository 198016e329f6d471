import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { expandFiles } from '../../src/cli/documents/files.ts';
import { projectWith } from './harness.ts';

const { signal } = new AbortController();

describe('patterns of arguments', () => {
  it.each([
    '*.json',
    'l/*.json',
    './l/*.json',
    'l//*.json',
    '**/*.json',
    'l/{a,b*}.json',
    'l/{a,{bb,c}}.json',
    '{l,m}/**',
    'l/[ax]*.json',
    'l/[!a]*.json',
    'l/!(a).json',
    'l/@(a|c).json',
    'm/*/x.json',
    'm/**/x.json',
    'l/{a,missing}.json',
    'l/{1..3}.json',
    '../l/a*.json',
    '**/.hidden/*.json',
    'l/\\[x\\].json',
  ])('%s matches the same files as fast-glob', async (pattern) => {
    const names = ['l/a.json', 'l/b.json', 'l/bb.json', 'l/c.json', 'l/xa.json', 'l/2.json', 'l/[x].json'];
    const more = [
      'x.json',
      'm/x.json',
      'm/n/x.json',
      'm/n/o/x.json',
      'l/.dot.json',
      '.hidden/x.json',
      'l/a.yml',
    ];
    const root = projectWith(Object.fromEntries([...names, ...more].map((name) => [name, '{}'])));
    symlinkSync(join(root, 'x.json'), join(root, 'l/link.json'));
    symlinkSync(join(root, 'm'), join(root, 'linked'));
    const cwd = pattern.startsWith('..') ? join(root, 'm') : root;
    const expected = await fastGlob(pattern, { cwd, absolute: true, followSymbolicLinks: false });
    expect(expected.length).toBeGreaterThan(0);
    expect(await expandFiles([pattern], { cwd, signal })).toEqual(expected.sort());
  });

  it('stop when they are interrupted', async () => {
    const aborted = { cwd: projectWith({ 'l/a.json': '{}' }), signal: AbortSignal.abort() };
    await expect(expandFiles(['**/*.json'], aborted)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readDocument, ROOT } from './document.ts';

const PAGES = ['*.md', 'docs/**/*.md', '.github/**/*.md']
  .flatMap((pattern) => fastGlob.sync(pattern, { cwd: ROOT }))
  .sort();

interface Link {
  readonly target: string;
  readonly anchor: string;
}

const CODE = /(?<!`)(`+)(?!`)[^]*?[^`]\1(?!`)/g;

const withoutBlocks = (text: string): string => text.replace(/^```[^]*?^```$/gm, '');

function linksOf(path: string): readonly Link[] {
  const links = [
    ...withoutBlocks(readDocument(path))
      .replace(CODE, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ];
  return links
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [file = '', anchor = ''] = address.split('#');
      return { target: file === '' ? path : posix.normalize(posix.join(dirname(path), file)), anchor };
    });
}

/** The anchors that Markdown renderers give to headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = withoutBlocks(readDocument(path)).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const isPacked = (path: string): boolean =>
  // npm always packs these, whatever `files` contains.
  ['README.md', 'LICENSE', 'package.json'].includes(path) ||
  packageJson.files.some((entry) => path === entry || path.startsWith(`${entry}/`));

describe.each(PAGES)('the links of %s', (path) => {
  const links = linksOf(path);

  it('lead to files and headings that exist', () => {
    for (const { target, anchor } of links) {
      expect(existsSync(join(ROOT, target)), target).toBe(true);
      if (anchor !== '') expect([...anchorsOf(target)], target).toContain(anchor);
    }
  });

  it.runIf(isPacked(path))('lead to files that are in the package too', () => {
    for (const { target } of links) expect(isPacked(target.replace(/\/$/, '')), target).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { followLinks, linkDocument, LinkTags } from '../../src/documents/markdown/links.ts';
import { runs } from '../property-runs.ts';

const PAGES: Readonly<Record<string, string>> = {
  'README.md': 'README.es.md',
  'guide.md': 'guide.es.md',
  'my guide.md': 'my guide.es.md',
  'docs/en/a.md': 'docs/es/a.md',
  'docs/en/b.mdx': 'docs/es/b.mdx',
  'docs/en/c/index.md': 'docs/es/c/index.md',
  'site/x.md': 'i18n/es/site/x.md',
};

function follow(source: string, destination: string): string | undefined {
  const target = PAGES[source] ?? '';
  return followLinks({ source, target, translationOf: (path) => PAGES[path] })(destination);
}

describe('the destination of a link in a translation', () => {
  it.each([
    ['README.md', 'guide.md', 'guide.es.md'],
    ['README.md', './guide.md?a#b', './guide.es.md?a#b'],
    ['README.md', 'my guide.md', 'my guide.es.md'],
    ['README.md', 'my%20guide.md', 'my%20guide.es.md'],
    ['README.md', 'docs/en/a.md', 'docs/es/a.md'],
    ['README.md', 'docs/en/c/', 'docs/es/c/'],
    ['README.md', 'site/x.md', 'i18n/es/site/x.md'],
    ['README.md', 'README.md#use', 'README.es.md#use'],
    ['site/x.md', '../guide.md', '../../../guide.es.md'],
    ['docs/en/a.md', '../en/b.mdx', '../es/b.mdx'],
    ['docs/en/a.md', '/en/b', '/es/b'],
    ['docs/en/a.md', '/docs/en/c/#x', '/docs/es/c/#x'],
    ['docs/en/a.md', '../../guide.md', '../../guide.es.md'],
  ])('%s: %s becomes %s', (source, destination, expected) => {
    expect(follow(source, destination)).toBe(expected);
  });

  it.each([
    ['README.md', 'README.md'],
    ['README.md', './README.md'],
    ['README.md', 'README.es.md'],
    ['README.md', '#use'],
    ['README.md', '?guide.md'],
    ['README.md', 'other.md'],
    ['README.md', 'guide'],
    ['README.md', '../guide.md'],
    ['README.md', '//guide.md'],
    ['README.md', '/guide.md/../..'],
    ['README.md', 'https:guide.md'],
    ['README.md', 'mailto:guide.md'],
    ['README.md', '%zz.md'],
    ['README.md', ''],
    ['docs/en/a.md', 'b.mdx'],
    ['docs/en/a.md', 'c/'],
    ['docs/en/a.md', '/b'],
    ['docs/en/a.md', '/fr/b'],
    ['docs/en/a.md', '/en/a'],
  ])('%s: %s stays', (source, destination) => {
    expect(follow(source, destination)).toBeUndefined();
  });
});

describe('a document with translated links', () => {
  const linkTo = (destination: string): string | undefined =>
    destination === 'guide.md' ? 'guide.es.md' : undefined;
  const target = { locale: 'es', spelling: 'es', linkTo };
  const parts = [
    '[a](guide.md)',
    '[*a* `b`](<guide.md> "t")',
    '[c][r]',
    '![i](guide.md)',
    '[![i](guide.md)](guide.md)',
    '`[a](guide.md)`',
    '<a href="guide.md">h</a>',
    'guide.md',
    'words',
    '\n> ',
    '\n\n- ',
    '\n\n# ',
    '\n\n',
    '\n\n```\n[a](guide.md)\n```\n\n',
    '\n\n[r]: guide.md "t"\n\n',
    '\n\n| a |\n| - |\n| [x](guide.md) |\n\n',
    '\n\n::: tip [t](guide.md)\n\n',
    '\n\n    [a](guide.md)\n\n',
    '[long](\n  guide.md\n  "title")',
    '\\[a](guide.md)',
  ];
  const document = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((some) => some.join(' '));

  it('has other destinations, but keeps all other bytes and words of the source', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (text) => {
        const file = await openBytes(Buffer.from(text), 'a.md');
        const linked = linkDocument(file, target);
        expect(linked.text.replaceAll('guide.es.md', 'guide.md')).toBe(text);
        const tags = new LinkTags(file.document, linked);
        for (const [i, { value }] of file.document.slots.entries()) {
          expect(tags.link(value)).toBe(linked.slots[i]?.value);
          expect(tags.unlink(linked.slots[i]?.value ?? '')).toBe(value);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it('keeps code, images, HTML and escapes', async () => {
    const text =
      '`[a](guide.md)` ![i](guide.md) <a href="guide.md">h</a> \\[a](guide.md)\n\n    [a](guide.md)\n\n```\n[r]: guide.md\n```\n';
    expect(linkDocument(await openBytes(Buffer.from(text), 'a.md'), target).text).toBe(text);
  });

  it('has them also in container titles, and after a byte order mark and front matter', async () => {
    const text = '\ufeff---\ntitle: T\n---\r\n\r\n::: tip See [t](guide.md)\r\n\r\n[r]: guide.md\r\n';
    const linked = linkDocument(await openBytes(Buffer.from(text), 'a.mdx'), target);
    expect(linked.text).toBe(
      text
        .replaceAll('guide.md', 'guide.es.md')
        .replace('\ufeff', linked.text.startsWith('\ufeff') ? '\ufeff' : ''),
    );
  });
});

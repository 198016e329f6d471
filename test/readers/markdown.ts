import { spawnSync } from 'node:child_process';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { runForEachText } from './for-each-text.ts';
import { refusal, type Entry, type Reader, type Reading } from './reader.ts';

const FRONT_MATTER =
  /^\ufeff?(?:---[ \t]*\r?\n[^]*?^(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n[^]*?^\+\+\+)[ \t]*\r?$/m;

/** The content below a document's front matter. */
export function bodyOf(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return text.replace(FRONT_MATTER, '').replace(/^\ufeff/, '');
}

/**
 * GitHub's reader, for comparing structure: nested blocks and inline elements, with their addresses, code and HTML.
 * Words and line ends between them are excluded, because they change.
 */
export const cmarkGfm: Reader = {
  name: 'cmark-gfm',
  lastWins: false,
  missing: () => (spawnSync('cmark-gfm', ['--version']).status === 0 ? undefined : 'cmark-gfm'),
  read: (files) => {
    const texts = files.map(({ bytes }) => bodyOf(bytes));
    return runForEachText(['cmark-gfm', ...OPTIONS], texts).map(({ status, stdout, stderr }, i) =>
      status === 0 ? structureIn(stdout, texts[i] ?? '') : { refused: stderr },
    );
  },
};

const OPTIONS = [
  '-t',
  'xml',
  '--unsafe',
  ...['table', 'strikethrough', 'tasklist'].flatMap((e) => ['-e', e]),
];
const NODE = /<(\/?)([a-z_]+)((?: [a-z_:]+="[^"]*")*)(?: \/>|>([^<]*)<\/\2>|>)/g;

function structureIn(xml: string, text: string): Reading {
  // Content that is indented below these is text to Python-Markdown, but code to CommonMark.
  const isIndented = /^\s*(?:!!!|\?\?\?|===|:) /m.test(text);
  const path: string[] = [];
  const entries: Entry[] = [];
  for (const [raw, slash, name = '', attributes = '', content] of xml.matchAll(NODE)) {
    if (slash === '/') path.pop();
    else {
      const isText = name === 'text' || name === 'softbreak' || name === 'html_block';
      if (!isText)
        entries.push({ key: [...path, name], kind: 'node', value: attributes.replace(/ title="[^"]*"/, '') });
      const isCode = name === 'code' || name === 'html_inline' || (name === 'code_block' && !isIndented);
      if (isCode && content !== undefined)
        entries.push({ key: [...path, name], kind: 'code', value: content });
      if (content === undefined && !raw.endsWith('/>')) path.push(name);
    }
  }
  return { entries };
}

/** The usual MDX reader, for comparing structure in the same way. */
export const mdast: Reader = {
  name: 'mdast-util-mdx',
  lastWins: false,
  missing: () => undefined,
  read: (files) =>
    files.map(({ bytes }): Reading => {
      try {
        const tree = fromMarkdown(bodyOf(bytes), {
          extensions: [gfm(), mdxjs()],
          mdastExtensions: [gfmFromMarkdown(), mdxFromMarkdown()],
        });
        return { entries: nodesOf(tree, []) };
      } catch (error) {
        return refusal(error);
      }
    }),
};

type Tree = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

function nodesOf(node: Tree, path: readonly string[]): Entry[] {
  if (node.type === 'text') return [];
  const key = [...path, node.type];
  const value =
    'value' in node ? node.value : 'url' in node ? node.url : 'name' in node ? (node.name ?? '') : '';
  const children: readonly Tree[] = 'children' in node ? node.children : [];
  return [{ key, kind: 'node', value }, ...children.flatMap((child) => nodesOf(child, key))];
}

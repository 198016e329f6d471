import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { writeOutline } from '../../src/formats/html/outline.ts';
import { readFrame } from '../../src/formats/html/page.ts';
import {
  translateHtml,
  type HtmlContext,
  type TranslatedHtml,
} from '../../src/documents/page/translate-page.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { adversary, DAMAGES } from '../pipeline/adversary.ts';
import { page } from './html-documents.ts';
import { hasOtherReader, readTags } from './html-oracle.ts';
import { runs } from '../property-runs.ts';

const context = (engine: Engine, attributes: boolean): HtmlContext => ({
  engine,
  source: 'en',
  target: 'fr',
  signal: new AbortController().signal,
  attributes,
});

/**
 * The page without texts, and its tree as the parser alone sees it, without masking templates. The tree has no
 * comments: the parser treats a template at the very beginning as a comment, and moves it into the body if words
 * precede it. The markup shows whether comments changed.
 */
function frameOf(html: string, attributes: boolean): object {
  const outline: string[] = [];
  writeOutline(parse(html, { scriptingEnabled: false }), (part) => {
    if (part !== '#comment') outline.push(part);
  });
  return { markup: readFrame(html, { attributes }).markup, outline };
}

describe('random pages', () => {
  it('are returned byte for byte by an engine that changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(page, fc.boolean(), async (html, attributes) => {
        const result = await translateHtml(
          html,
          context(
            adversary((text) => text),
            attributes,
          ),
        );
        expect(result.html).toBe(html);
        expect(result.failures).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it.skipIf(!hasOtherReader)(
    'keep everything but their texts, even according to an independent reader',
    async () => {
      for (const attributes of [false, true]) {
        const pages = fc.sample(page, { numRuns: runs(250), seed: 7 });
        const results: TranslatedHtml[] = [];
        for (const html of pages)
          results.push(await translateHtml(html, context(createPseudoEngine(), attributes)));
        for (const [i, html] of pages.entries()) {
          expect(frameOf(results[i]?.html ?? '', attributes)).toEqual(frameOf(html, attributes));
          expect(results[i]?.failures).toEqual([]);
        }
        const [before, after] = [pages, results.map((result) => result.html)].map((some) =>
          readTags(some, !attributes),
        );
        expect(after).toEqual(before);
      }
    },
    60_000,
  );

  const damages = [...Object.keys(DAMAGES), 'sentences twice', 'tags first', 'scripts'];
  const OTHERS: Readonly<Record<string, (text: string) => string>> = {
    'sentences twice': (text) => `${text} ${text}`,
    'tags first': (text) => (text.match(/<\/?x[^>]*>/g) ?? []).join('') + text.replace(/<\/?x[^>]*>/g, ''),
    scripts: (text) =>
      `${text}&lt;/title&gt;&lt;script&gt;x&lt;/script&gt; --&gt; " ' = *|X|* %word% <% y %>`,
  };
  it.each(damages)('keep everything but their texts with a damaging engine: %s', async (name) => {
    const damage = DAMAGES[name] ?? OTHERS[name] ?? ((text: string) => text);
    await fc.assert(
      fc.asyncProperty(page, fc.boolean(), async (html, attributes) => {
        const { html: result, failures } = await translateHtml(html, context(adversary(damage), attributes));
        expect(frameOf(result, attributes)).toEqual(frameOf(html, attributes));
        for (const { line, column, reason } of failures) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(reason).not.toBe('');
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

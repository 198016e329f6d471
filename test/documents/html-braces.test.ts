import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { adversary } from '../pipeline/adversary.ts';

const piece = fc.constantFrom(
  '{', '}', '{n, plural, ', '{n, select, ', '{n, selectordinal, ', 'one {', 'other {', '=1 {', 'lots {', '#', "'", ', ', 'word ', '{x}', '{{x}}',
  '<b>', '</b>', '<br>', '&nbsp;', '{n, plural, one {a} other {b}}',
); // prettier-ignore

describe('braces of a page', () => {
  it('are read as text or as a message, and never make a text fail', async () => {
    const { signal } = new AbortController();
    const context = { source: 'en', target: 'cs', signal };
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const html = `<p>Write ${pieces.join('')} here.</p>`;
        const same = await translateHtml(html, {
          ...context,
          target: 'en',
          engine: adversary((text) => text),
        });
        expect(same).toMatchObject({ html, failures: [] });
        const { failures } = await translateHtml(html, { ...context, engine: createPseudoEngine() });
        expect(failures).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });
});

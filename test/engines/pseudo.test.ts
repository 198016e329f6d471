import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { encodeWords, tokenize } from '../../src/text/tagged.ts';
import { engineContract, tagsOf } from './contract.ts';
import { codePoint } from '../code-point.ts';

engineContract('pseudo', createPseudoEngine);

const never = new AbortController().signal;

async function pseudo(text: string): Promise<string> {
  const [outcome] = await createPseudoEngine().translate(
    { source: 'en', target: 'xx', texts: [text] },
    never,
  );
  return outcome && 'translation' in outcome ? outcome.translation : 'FAILED';
}

describe('pseudo', () => {
  it('accents only letters of words', async () => {
    expect(await pseudo('Save <x id="1">all &amp; <x id="2"/></x> 12%')).toBe(
      'Šåṽé <x id="1">åļļ &amp; <x id="2"/></x> 12%',
    );
  });

  it('yields while it accents a long text', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const text = `${'A good morning 😀'.repeat(200_000)}<x id="1"/>`;
    const answer = await pseudo(text);
    clearInterval(timer);
    expect(answer).toBe(text.replaceAll('A good morning', 'Å ĝööð ɱöŕñîñĝ'));
    expect(turns).toBeGreaterThan(5);
  });

  it('fails a text that is not well-formed', async () => {
    expect(await pseudo('a <b>')).toBe('FAILED');
  });

  it('accents every letter, changes nothing else, and is deterministic', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint }), async (words) => {
        const text = `${encodeWords(words)}<x id="1"/>`;
        const answer = await pseudo(text);
        expect(await pseudo(text)).toBe(answer);
        expect(tagsOf(answer)).toEqual(['placeholder 1']);
        const read = tokenize(answer)![0];
        const answered = read?.type === 'words' ? read.text : '';
        expect(answered).not.toMatch(/[A-Za-z]/);
        expect(answered.length).toBe(words.length);
      }),
    );
  });
});

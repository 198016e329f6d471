import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTmx } from '../../../src/memory/exchange/tmx-unit.ts';
import { writeTmx } from '../../../src/memory/exchange/tmx-writer.ts';
import type { StoredEntry } from '../../../src/memory/stored-memory.ts';
import { encodeWords, tokenize, type TaggedText } from '../../../src/text/tagged.ts';
import { works } from '../../readers/process.ts';
import { translateToolkit } from '../../readers/translate-toolkit.ts';
import { collect, each, entry, storedEntries } from './entries.ts';

const missing = translateToolkit.missing();
const noXmllint = works('xmllint', ['--version']) ? undefined : 'xmllint (Debian: libxml2-utils)';

const pair = { source: 'en', target: 'es' };
const sample = fc.sample(
  storedEntries
    .filter(({ segments }) => segments.length === 1)
    .map((stored) => ({ ...stored, pair, placeholders: stored.placeholders.map((_, i) => `p${i}`) })),
  { numRuns: 300, seed: 1 },
);

async function documentOf(entries: readonly StoredEntry[]): Promise<string> {
  const options = {
    source: 'en',
    version: '1',
    onSkip: (): void => expect.unreachable('all can be written'),
  };
  return (await collect(writeTmx(each(entries), options))).join('');
}

/** A text as seen by a reader that takes the codes of inline elements for text. */
function seen(tagged: TaggedText): string {
  return (tokenize(tagged) ?? [])
    .map((token) => {
      if (token.type === 'words') return token.text;
      const name = `p${token.id - 1}`;
      return token.type === 'placeholder' ? `{${name}}` : token.type === 'open' ? `<${name}>` : `</${name}>`;
    })
    .join('');
}

describe('TMX and other programs', () => {
  it.skipIf(missing !== undefined)(
    `the Translate Toolkit reads the output${missing ? `: SKIPPED, needs ${missing}` : ''}`,
    async () => {
      const [reading] = translateToolkit.read([{ bytes: Buffer.from(await documentOf(sample)) }]);
      expect(reading && 'entries' in reading ? reading.entries : reading).toEqual(
        sample.map(({ segments, translations }) => ({
          key: [seen(segments[0] ?? '')],
          value: seen(translations[0] ?? ''),
          kind: 'text',
        })),
      );
    },
  );

  it.skipIf(missing !== undefined)(
    `the output of the Translate Toolkit is read${missing ? `: SKIPPED, needs ${missing}` : ''}`,
    async () => {
      const texts = [
        'Save file',
        'a < b & c',
        'Line\nbreak',
        '日本語 text',
        '👍 ok',
        '"quoted" \'it\'',
        'ünï',
      ];
      const units = texts.map((text, i) => [text, `${texts.at(i - 1)} es`] as const);
      const skips: unknown[] = [];
      const entries = await collect(
        readTmx([translateToolkit.write(units)], { origin: 'human', onSkip: (skip) => skips.push(skip) }),
      );
      expect(skips).toEqual([]);
      expect(entries.map(({ segments, translations }) => [segments[0], translations[0]])).toEqual(
        units.map((texts) => texts.map(encodeWords)),
      );
    },
  );

  it.skipIf(noXmllint !== undefined)(
    `xmllint finds the output well-formed${noXmllint ? `: SKIPPED, needs ${noXmllint}` : ''}`,
    async () => {
      const input = await documentOf([...sample, entry({ segments: ['a', 'b'], translations: ['c', 'd'] })]);
      const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '-'], {
        input,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
    },
  );
});

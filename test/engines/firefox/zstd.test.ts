import { describe, expect, it } from 'vitest';
import { packZstd } from '../../../scripts/firefox/zstd.ts';
import { decompress, maxContentSize } from '../../../src/engines/firefox/models/install.ts';

/** Made by the zstd program: one frame with a checksum, and one of a single letter, 300,000 times. */
const SENTENCES = 'KLUv/QRoVQEAggIIDMA93ADIdfz/Hl3uBIc6+d6RRqNOxh+MD+n3TttpJ+MBAKjJ8lUZK6R6FA==';
const LETTERS = 'KLUv/QBIVAAAEHh4AQD7/znAAgIAEHgDnwR4';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');

describe('zstd', () => {
  it('reads the output of the original program', async () => {
    const sentences = 'the house is red and the garden is big. '.repeat(60);
    expect(Buffer.from(await decompress(bytes(SENTENCES), undefined)).toString()).toBe(sentences);
    expect(maxContentSize(bytes(SENTENCES))).toBeGreaterThanOrEqual(sentences.length);
    expect((await decompress(bytes(LETTERS), undefined)).length).toBe(300_000);
    expect(maxContentSize(bytes(LETTERS))).toBeGreaterThanOrEqual(300_000);
    expect(maxContentSize(Buffer.concat([bytes(SENTENCES), bytes(LETTERS)]))).toBeGreaterThanOrEqual(302_400);
  });

  it.each([0, 1, 128 * 1024, 300_000])('reads the archives of the tiny models: %i bytes', async (size) => {
    const content = Buffer.alloc(size, 'model');
    const packed = packZstd(content);
    expect(maxContentSize(packed)).toBe(size);
    expect(Buffer.from(await decompress(packed, undefined)).equals(content)).toBe(true);
  });

  it('computes the maximum size of the content, even with false headers', () => {
    const block = (isLast: boolean): Buffer => {
      const head = Buffer.alloc(4);
      // One byte, repeated up to the block limit.
      head.writeUIntLE(((128 * 1024) << 3) | 2 | (isLast ? 1 : 0), 0, 3);
      return head;
    };
    const start = packZstd(Buffer.alloc(0)).subarray(0, 13);
    const bomb = Buffer.concat([start, ...Array.from({ length: 10_000 }, (_, i) => block(i === 9_999))]);
    expect(maxContentSize(bomb)).toBe(10_000 * 128 * 1024);
  });

  it.each([
    ['plain text', 'no zstd at all'],
    ['only the beginning of a frame', bytes(SENTENCES).subarray(0, 5)],
    ['a frame without its end', bytes(SENTENCES).subarray(0, -1)],
    ['a frame followed by other bytes', Buffer.concat([bytes(SENTENCES), Buffer.from('more')])],
  ])('does not accept %s', (_, content) => {
    expect(maxContentSize(Buffer.from(content))).toBeUndefined();
  });

  it('is refused if the content has a different hash', async () => {
    await expect(decompress(bytes(SENTENCES), 'a'.repeat(64))).rejects.toThrow(/hash|sha/i);
  });
});

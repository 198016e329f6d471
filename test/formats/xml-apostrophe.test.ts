import { describe, expect, it } from 'vitest';
import { findBareApostrophe } from '../../src/formats/xml/apostrophe.ts';

describe('findBareApostrophe', () => {
  it.each<[string, number | undefined]>([
    ["don't", 3],
    ["don\\'t", undefined],
    ['"don\'t"', undefined],
    ['"a" don\'t', 7],
    ["<a href='x'>y</a>", undefined],
    ["<![CDATA[it's]]>", 11],
    ["<!-- it's -->", undefined],
    ["a\\\\'", 3],
  ])('%s', (source, expected) => {
    expect(findBareApostrophe(source)).toBe(expected);
  });
});

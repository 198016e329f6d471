import fc from 'fast-check';

/**
 * A Unicode character for `fc.string`. With `unit: 'binary'`, fast-check builds a table of all 1,112,064 of them to
 * look for a few dangerous words, which takes seconds and as much memory as all tests of a worker together.
 */
export const codePoint = fc.integer({ min: 0, max: 0x10_f7ff }).map(
  (n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('no character');
    return code < 0xd800 ? code : code - 0x800;
  },
);

import { expect, it } from 'vitest';
import { escapeControls } from '../../src/base/escape-controls.ts';

it.each([
  ['a\u001b[2Jb\u0007\r', 'a\\u001b[2Jb\\u0007\\u000d'],
  ['\u0085\u202e\u2066', '\\u0085\\u202e\\u2066'],
  ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['a\u{e0041}\u{e007f}\u{e0000}b', 'a\\udb40\\udc41\\udb40\\udc7f\\udb40\\udc00b'],
])('%j is escaped for display', (text, shown) => {
  expect(escapeControls(text)).toBe(shown);
  // The escapes mean the same in JSON.
  expect(JSON.parse(escapeControls(JSON.stringify(text)))).toBe(text);
});

it('letters, symbols, line feeds and tabs stay', () => {
  const text = 'Ä\u00a0\u200d👩‍💻 \u{e0100}\u{10ffff} العربية\n\t\u202f';
  expect(escapeControls(text)).toBe(text);
});

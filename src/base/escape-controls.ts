/**
 * Characters that a terminal obeys or does not show: controls, which could move the cursor or rewrite what was printed,
 * separators of lines and paragraphs, direction overrides, and tags, which can hide a text in another.
 */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/g;

/** Text from outside (files, engines, servers) as it may be shown on a terminal; the escapes are those of JSON. */
export function escapeControls(text: string): string {
  return text.replace(HIDDEN, (c) =>
    c
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

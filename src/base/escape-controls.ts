/**
 * Characters that a terminal interprets or hides: controls (which could move the cursor or overwrite output), line and
 * paragraph separators, direction overrides, and tags (which can hide text).
 */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/g;

/** Escapes text from outside (files, engines, servers) for a terminal, with JSON's escapes. */
export function escapeControls(text: string): string {
  return text.replace(HIDDEN, (c) =>
    c
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

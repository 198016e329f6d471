/**
 * Text from outside (files, engines, servers) as it may be shown on a terminal: control characters, which could move
 * the cursor or rewrite what was printed, and direction overrides are written as escapes.
 */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

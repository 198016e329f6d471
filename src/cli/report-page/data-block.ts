import type { Markup } from '../../base/markup.ts';

/**
 * Data that stands in a page and is never run. Nothing in it can end the element or begin a comment, and nothing in it
 * is a line end to older parsers of scripts: such characters are written as escapes, which mean the same in JSON.
 */
export function dataBlock(id: string, json: string): Markup {
  return { markup: `<script type="application/json" id="${id}">${escapeJson(json)}</script>\n` };
}

function escapeJson(json: string): string {
  return json.replace(
    /[<>&\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

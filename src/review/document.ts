import { PACK_ELEMENT } from './protocol.ts';

/** Contains the answers in a saved copy of a mailed page. */
export const ANSWERS_ELEMENT = 'dragoman-answers';
export const STYLE_ELEMENT = 'dragoman-style';
export const SCRIPT_ELEMENT = 'dragoman-script';

/** The page's own parts, as built. */
export interface PageParts {
  readonly style: string;
  readonly script: string;
}

interface DocumentOptions extends PageParts {
  /** Consists of letters and digits only, because attributes contain it. */
  readonly nonce: string;
  readonly title: string;
  /** For a page that works without a server. If absent, the page contacts its server. */
  readonly embedded?: { readonly pack: unknown; readonly answers?: unknown };
}

/**
 * The review page as one HTML document. Its texts are JSON without markup. A document with embedded texts forbids all
 * connections; a server sets the policy in a header.
 */
export function pageDocument({ nonce, title, style, script, embedded }: DocumentOptions): string {
  const policy = embedded
    ? `\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data: blob:; base-uri 'none'; form-action 'none'">`
    : '';
  const data = (id: string, value: unknown): string =>
    `<script type="application/json" id="${id}">${inertJson(value)}</script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<style id="${STYLE_ELEMENT}" nonce="${nonce}">${style}</style>
</head>
<body>
<noscript>This page needs JavaScript. It works without a network.</noscript>
<div id="app"></div>
${data(PACK_ELEMENT, embedded?.pack ?? null)}
${data(ANSWERS_ELEMENT, embedded?.answers ?? null)}
<script id="${SCRIPT_ELEMENT}" nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

/** JSON without characters that could end a script element, open a comment or end a line in JavaScript. */
export function inertJson(value: unknown): string {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escape);
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

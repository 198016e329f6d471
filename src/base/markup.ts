/** Markup that is safe in a page: only {@link html} creates it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

/** A template of markup. Strings and numbers in it are escaped; markup is inserted unchanged. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = strings[0] ?? '';
  for (const [i, part] of parts.entries()) markup += render(part) + (strings[i + 1] ?? '');
  return { markup };
}

function render(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

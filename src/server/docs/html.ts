import { html, type Markup } from '../../base/markup.ts';

export { html, type Markup };

/** Text of the descriptions: what is between backticks is code. */
export function prose(text: string): Markup {
  const parts = text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

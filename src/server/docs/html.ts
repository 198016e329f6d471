import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { html, type Markup } from '../../base/markup.ts';

export { html, type Markup };

/** One line of a description. Text between backticks becomes code. */
export function prose(text: string): Markup {
  const parts = text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

/** A CommonMark description. Markup in it is shown as text. */
export function markdown(text: string): Markup {
  const markup = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return {
    markup: markup
      .replaceAll('<pre>', `<div class="block">${PRE}`)
      .replaceAll('</pre>', '</pre></div>')
      .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>'),
  };
}

const PRE = '<pre role="region" aria-label="Code" tabindex="0">';

/** Code that can be scrolled with the keyboard. The script adds a copy button. */
export function codeBlock(text: string, label: string): Markup {
  return html`<div class="block">
    <pre role="region" aria-label="${label}" tabindex="0"><code>${text}</code></pre>
  </div>`;
}

/** A table that can be scrolled with the keyboard if it is too wide. */
export function scrollable(
  label: string,
  head: readonly string[],
  rows: readonly (readonly Markup[])[],
): Markup {
  return html`<div class="table" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${head.map((title) => html`<th>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

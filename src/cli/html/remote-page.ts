import { DragomanError } from '../../base/errors.ts';
import { MAX_HTML } from '../../contract/limits.ts';
import { readFrame, type Page } from '../../formats/html/page.ts';
import type { TranslatedHtml } from '../../pipeline/html/translate-html.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import { requireFit } from '../service/document-limit.ts';

export interface RemotePage {
  readonly page: Page;
  /** For messages to the user. */
  readonly name: string;
  /** `auto` or canonical. */
  readonly source: string;
  readonly target: string;
}

export interface AnsweredPage extends TranslatedHtml {
  /** What the service did to bytes that it should have left alone. */
  readonly warning: string | undefined;
}

/**
 * Has a page translated in one request (specification: `POST /v2/translate/html`). The service does not say which texts
 * kept their source. A page without words costs nothing.
 *
 * @throws DragomanError `limit_exceeded`, and `contract_violation` for an answer with other elements than the page.
 */
export async function translatePageThere(
  service: TranslationService,
  { page, name, source, target }: RemotePage,
  options: CallOptions,
): Promise<AnsweredPage> {
  const { html, textNodes } = page;
  if (page.blocks.length === 0) return { html, textNodes, failures: [], warning: undefined };
  requireFit(
    html,
    MAX_HTML,
    name,
    'With --by-text its texts are sent one by one, and each of them costs a credit.',
  );
  const answer = await service.translateHtml({ html, source, target }, options);
  return { html: answer.html, textNodes, failures: [], warning: examine(page, answer.html, name) };
}

/**
 * Compares an answer with its page, without their texts. Another tree of elements is no translation of the page; bytes
 * of the markup that differ are reported: the user, who has paid for them, decides what they are worth.
 */
export function examine(page: Page, answer: string, name: string): string | undefined {
  const before = page.frame;
  const after = readFrame(answer);
  if (before.outline !== after.outline) {
    throw new DragomanError(
      'contract_violation',
      `the service answered with other elements than ${name} has: html should be the same page, translated`,
      { hint: 'Nothing was written.' },
    );
  }
  return before.markup === after.markup
    ? undefined
    : `${name}: the service changed markup, not only texts: compare the result`;
}

/** Characters that the encoding of a page has not as references; every other byte is as it was. */
export function writeReferences(html: string, encodable: (text: string) => boolean): string {
  if (encodable(html)) return html;
  return html.replace(/[^\x00-\x7f]/gu, (character) =>
    encodable(character) ? character : `&#x${character.codePointAt(0)?.toString(16) ?? 'fffd'};`,
  );
}

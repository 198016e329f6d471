import { DragomanError } from '../../base/errors.ts';
import { readFrame, type Page } from '../../formats/html/page.ts';

/**
 * Compares a page that a service answered with its source, without their texts. Another tree of elements is no
 * translation of the page. Bytes of the markup that differ are reported: the user, who has paid for them, decides what
 * they are worth.
 *
 * @param name of the page, for messages
 * @returns a warning
 * @throws DragomanError `contract_violation`
 */
export function comparePages(page: Page, answer: string, name: string): string | undefined {
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

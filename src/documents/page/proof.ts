import { DragomanError } from '../../base/errors.ts';
import { splice, type Edit } from '../../base/span.ts';
import type { PageFrame } from '../../formats/html/frame.ts';
import { readFrame, type Page } from '../../formats/html/page.ts';

/** New text for gaps of one block, together or not at all. */
export interface Change {
  readonly offset: number;
  readonly edits: readonly Edit[];
}

export interface ProvenSplice {
  readonly html: string;
  readonly rejected: readonly { readonly offset: number; readonly reason: string }[];
}

/** Each reading costs as much as the first: with more culprits than this finds, the rest is left out with them. */
const MAX_READINGS = 40;

/**
 * Writes changes into a page and reads the result: without its texts it has the same bytes, and the same tree of
 * elements. Changes that break this are left out and reported.
 *
 * @throws DragomanError `integrity` when it is no change's fault.
 */
export function provenSplice(
  page: Page,
  changes: readonly Change[],
  attributes: boolean | undefined,
): ProvenSplice {
  if (changes.every(({ edits }) => edits.length === 0)) return { html: page.html, rejected: [] };
  let readings = 0;
  const attempt = (some: readonly Change[]): string | undefined => {
    readings++;
    const html = splice(
      page.html,
      some.flatMap(({ edits }) => edits),
    );
    return keepsFrame(html, page.frame, attributes) ? html : undefined;
  };
  const html = attempt(changes);
  if (html !== undefined) return { html, rejected: [] };
  const sound: Change[] = [];
  const rejected: Change[] = [];
  const rest: (readonly Change[])[] = [changes];
  for (let some = rest.pop(); some; some = rest.pop()) {
    if (readings < MAX_READINGS && attempt([...sound, ...some]) !== undefined) sound.push(...some);
    else if (some.length <= 1 || readings >= MAX_READINGS) rejected.push(...some);
    else rest.push(some.slice(some.length >> 1), some.slice(0, some.length >> 1));
  }
  const result = attempt(sound);
  if (result === undefined) throw new DragomanError('integrity', 'the translated page does not read back');
  const reason = 'the translation would change the elements around it';
  return { html: result, rejected: rejected.map(({ offset }) => ({ offset, reason })) };
}

function keepsFrame(html: string, frame: PageFrame, attributes: boolean | undefined): boolean {
  try {
    const { markup, outline } = readFrame(html, { attributes });
    return markup === frame.markup && outline === frame.outline;
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

import type { Format, LinkTo } from '../format.ts';
import { type Dialect, locateBlocks } from './document.ts';
import { insert } from './insert.ts';
import { constructsWith } from './parts.ts';
import { scan } from './scan.ts';
import type { Edit, Span } from '../../base/span.ts';
import { readFrontMatter } from './front-matter.ts';

/** A format for running text, without entries: the source determines which paragraphs exist, and their order. */
export function proseFormat(dialect: Dialect): Format {
  return {
    scan: (text, options) => scan(text, dialect, options),
    retarget: ({ text }, { linkTo }) => (linkTo ? retargetLinks(text, dialect, linkTo) : []),
    insert,
    remove: () => [],
  };
}

/** CommonMark with GitHub's and site generators' extensions. */
export const markdown = proseFormat({ isMdx: false, constructs: constructsWith([]) });

/** See `RetargetOptions.linkTo`. */
function retargetLinks(text: string, dialect: Dialect, linkTo: LinkTo): readonly Edit[] {
  const { end } = readFrontMatter(text);
  const { destinations, titles, labels } = locateBlocks(text, end, dialect);
  // The parser sees a container's line as blank.
  const inTitles = titles.flatMap((title) =>
    locateBlocks(`${text.slice(title.start, title.end)}\n`, 0, dialect, labels).destinations.map(
      (span): Span => ({ start: title.start + span.start, end: title.start + span.end }),
    ),
  );
  return [...destinations, ...inTitles].flatMap((span): readonly Edit[] => {
    const destination = text.slice(span.start, span.end);
    const other = linkTo(destination);
    return other === undefined || other === destination ? [] : [{ span, text: other }];
  });
}

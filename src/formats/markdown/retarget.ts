import type { Edit, Span } from '../../base/span.ts';
import type { LinkTo } from '../format.ts';
import { locateBlocks, type Dialect } from './document.ts';
import { readFrontMatter } from './front-matter.ts';

/** See `RetargetOptions.linkTo`. */
export function retargetLinks(text: string, dialect: Dialect, linkTo: LinkTo): readonly Edit[] {
  const { end } = readFrontMatter(text, text.startsWith('\ufeff') ? 1 : 0);
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

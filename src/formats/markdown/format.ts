import type { Format } from '../format.ts';
import type { Dialect } from './document.ts';
import { insert } from './insert.ts';
import { constructsWith } from './parts.ts';
import { retargetLinks } from './retarget.ts';
import { scan } from './scan.ts';

/** A format for running text, which has no entries: paragraphs come and go with their place in the source. */
export function proseFormat(dialect: Dialect): Format {
  return {
    scan: (text, options) => scan(text, dialect, options),
    retarget: ({ text }, { linkTo }) => (linkTo ? retargetLinks(text, dialect, linkTo) : []),
    insert,
    remove: () => [],
  };
}

/** CommonMark with the extensions of GitHub and site generators. */
export const markdown = proseFormat({ isMdx: false, constructs: constructsWith([]) });

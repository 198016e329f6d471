import type { Format } from '../format.ts';
import { planRemovals } from '../entry-changes.ts';
import { insertXml } from './insert.ts';
import { removeSpan } from '../lines.ts';
import { retargetXml } from './retarget.ts';
import { scanXml, type Structure } from './scan.ts';
import { isBehindKey, wholeEntries } from './stringsdict.ts';

/** Android resources, .NET resx, Java properties in XML, Apple's stringsdict, and the texts of any other XML. */
export const xml: Format<Structure> = {
  scan: scanXml,
  retarget: retargetXml,
  insert: insertXml,
  remove: ({ text, dialect, entries, tree }, keys) =>
    planRemovals(entries, wholeEntries(keys))
      .filter((entry) => dialect !== 'stringsdict' || !isBehindKey(entry, tree.findings.elements.get(entry)))
      .map(({ span }) => removeSpan(text, span)),
};

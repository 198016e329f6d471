import { compareOne, fragmentsOf } from '../../scripts/corpus/comparison.ts';
import type { Document } from '../../src/formats/format.ts';
import type { BuiltInFormatId } from '../../src/formats/registry.ts';
import { SPECIMENS } from '../specimens/specimens.ts';

/** The disagreements between a format's independent reader and its scan. */
export function findDisagreements(
  format: BuiltInFormatId,
  documents: readonly Document[],
): readonly string[] {
  const reader = SPECIMENS[format].reader;
  const inputs = documents.map((document) => ({
    bytes: Buffer.from(document.text),
    fragments: fragmentsOf(format, document),
  }));
  const readings = reader.read(inputs);
  return documents.flatMap((document, i) => {
    const reading = readings[i];
    if (!reading || 'refused' in reading) return [`refused (${reading?.refused}): ${document.text}`];
    return compareOne(format, { document, reading }, reader.lastWins).map(
      (found) => `${found} in ${document.text}`,
    );
  });
}

import { positionsIn } from '../base/span.ts';
import { isLive, readMessages } from '../formats/po/catalog.ts';
import { extractedComment, flagsOf } from '../formats/po/flags.ts';
import { readUnitId, type ReturnedUnit } from './unit.ts';

/**
 * The translations in a PO file that `writePo` wrote and a translation program returned. A message's id is in its
 * comments; one without an id is returned with a fault.
 *
 * @throws DragomanError `unreadable_input` with line and column
 */
export function readPo(text: string): readonly ReturnedUnit[] {
  const units: ReturnedUnit[] = [];
  const positionOf = positionsIn(text);
  readMessages(text, (message) => {
    if (!isLive(message)) return;
    const at = positionOf(message.span.start);
    const id = extractedComment(text, message)
      ?.split('\n')
      .findLast((line) => readUnitId(line) !== undefined);
    const [form, ...others] = message.forms;
    if (id === undefined || message.plural || others.length > 0) {
      const fault = id === undefined ? 'its comment with the id is missing' : 'it has become a plural';
      units.push({ at, id: id ?? '', fault });
      return;
    }
    units.push({
      at,
      id,
      value: form?.literal.value,
      isDraft: flagsOf(text, message).has('fuzzy'),
    });
  });
  return units;
}

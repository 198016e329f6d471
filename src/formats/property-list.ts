import { DragomanError } from '../base/errors.ts';

/** What every binary property list begins with; versions follow it. */
export const BINARY_PROPERTY_LIST = 'bplist';

/** The error for a property list in Apple's binary notation, into which Xcode compiles .strings files. */
export function binaryPropertyList(): DragomanError {
  return new DragomanError('unreadable_input', 'this is a compiled (binary) property list', {
    at: { line: 1, column: 1 },
    // plutil writes no .strings files, and its XML is no format of translations.
    hint: 'Translate the text file that it was made from, or convert it: plutil -convert json -r -o NEW.json FILE',
  });
}

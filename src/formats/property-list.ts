import { DragomanError } from '../base/errors.ts';

/** The first bytes of every binary property list; a version follows. */
export const BINARY_PROPERTY_LIST = 'bplist';

/** The error for a binary property list, into which Xcode compiles .strings files. */
export function binaryPropertyList(): DragomanError {
  return new DragomanError('unreadable_input', 'this is a compiled (binary) property list', {
    at: { line: 1, column: 1 },
    // plutil cannot write .strings files, and its XML is not a catalogue format.
    hint: 'Translate the text file that it was made from, or convert it: plutil -convert json -r -o NEW.json FILE',
  });
}

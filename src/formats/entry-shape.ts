/** Catalogues in which every key holds an entry with a message and notes, in any notation for maps. */
export type EntryShape = 'Chrome' | 'FormatJS';

/** The allowed members of an entry in each shape, the message first. */
const MEMBERS: Readonly<Record<EntryShape, readonly string[]>> = {
  Chrome: ['message', 'description', 'placeholders'],
  FormatJS: ['defaultMessage', 'description', 'id', 'file', 'start', 'end', 'line', 'col'],
};

export const ENTRY_SHAPES: readonly EntryShape[] = ['Chrome', 'FormatJS'];

/** The member that holds the developer's note, in all shapes. */
export const NOTE_MEMBER = 'description';

/** The member that holds the message. An entry without it does not have this shape. */
export function messageMember(shape: EntryShape): string {
  return shape === 'Chrome' ? 'message' : 'defaultMessage';
}

/** Whether an entry of a shape may have the member. */
export function isMember(shape: EntryShape, name: string): boolean {
  return MEMBERS[shape].includes(name);
}

/** Catalogues whose every key holds an entry with a message and notes about it, in any notation for maps. */
export type EntryShape = 'Chrome' | 'FormatJS';

/** The members that an entry of each shape may have, the message first, and which of them is the developer's note. */
const MEMBERS: Readonly<Record<EntryShape, readonly string[]>> = {
  Chrome: ['message', 'description', 'placeholders'],
  FormatJS: ['defaultMessage', 'description', 'id', 'file', 'start', 'end', 'line', 'col'],
};

export const ENTRY_SHAPES: readonly EntryShape[] = ['Chrome', 'FormatJS'];

/** The member with the developer's note, in all shapes. */
export const NOTE_MEMBER = 'description';

/** The member that is the message. An entry without this text has not the shape. */
export function messageMember(shape: EntryShape): string {
  return shape === 'Chrome' ? 'message' : 'defaultMessage';
}

/** Whether an entry of this shape may have such a member. */
export function isMember(shape: EntryShape, name: string): boolean {
  return MEMBERS[shape].includes(name);
}

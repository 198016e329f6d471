/** The properties of a unit that only we have, and that make it come back as it was. */
export const PROPERTIES = {
  /** The key, as a JSON array. */
  context: 'x-dragoman-context',
  /** The names of the placeholders in order, as a JSON array. On every unit of ours: by it they are known. */
  placeholders: 'x-dragoman-placeholders',
  /** The plural category of the form that it is. */
  category: 'x-dragoman-category',
  origin: 'x-dragoman-origin',
  engine: 'x-dragoman-engine',
  /** The date with its milliseconds: of translations made in the same second the last one counts. */
  changed: 'x-dragoman-changed',
} as const;

/** The type of the element between the segments of one message: the branches of a plural stand in one unit. */
export const SEGMENT_END = 'x-dragoman-segment';
